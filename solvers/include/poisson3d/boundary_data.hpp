// Boundary data: what u, or its outward normal derivative, is on the faces of the box.
#pragma once

#include <array>
#include <string>

#include "poisson3d/export.hpp"
#include "poisson3d/field.hpp"
#include "poisson3d/grid.hpp"

namespace poisson3d {

/// Values on one face: one number for all of it, or an array over all stored points of the two other axes in index
/// order, the later one contiguous: point (a, b) of the face has data[a · stride + b]. Like a FieldView it says
/// nothing about where the memory is: host or device, with the fields.
template <class T>
struct FaceValues {
    T constant = T(0);        ///< where there is no array
    const T* data = nullptr;  ///< not owned
    Index stride = 0;         ///< of rows, in elements; at least the points of the later axis
    Index field_stride = 0;   ///< in a batch, from the array of a field to that of the next; 0: one serves all

    [[nodiscard]] bool zero() const noexcept { return data == nullptr && constant == T(0); }
};

/// Data of all six faces; zero if not given.
///
/// On a Dirichlet face g is u itself, on a Neumann face the outward normal derivative ∂u/∂n (so −∂u/∂x on the lower
/// face of x), on a Robin face γ of α u + β ∂u/∂n = γ. The face of a node axis goes through its end points, that of
/// a cell axis half a cell beyond its last points. Where faces of node axes meet, Dirichlet values win over
/// derivatives, and those of two Dirichlet faces must agree (validate). A periodic axis has no faces.
///
/// On a free face nothing is given. What Solver::faces() finds there is, for cells, the mean of u on both sides of
/// the face, and for nodes u one step outside; second_order operators take it like the data of a wall.
template <class T>
struct BoundaryData {
    std::array<std::array<FaceValues<T>, 2>, 3> faces;  ///< [axis][0 lower, 1 upper]

    [[nodiscard]] bool zero() const noexcept {
        for (const auto& axis : faces)
            if (!axis[0].zero() || !axis[1].zero()) return false;
        return true;
    }
};

/// The two other axes in index order: along the rows and the columns of a face's array.
constexpr std::array<int, 2> across(int axis) noexcept {
    return {axis == 0 ? 1 : 0, axis == 2 ? 1 : 2};
}

/// Rows and columns of the array of a face, `points` those of the grid.
constexpr std::array<Index, 2> extents_of_face(const Extents& points, int axis) noexcept {
    return {points[across(axis)[0]], points[across(axis)[1]]};
}

/// "x_lower", "z_upper": the name of a face, as the field file spells it.
POISSON3D_API std::string face_name(const Grid& grid, int axis, int side);

/// Checks data in host memory: none on periodic axes, finite everywhere, and equal, but for 16 eps of the greater
/// of the two, where Dirichlet faces of node axes meet. Throws Error{data} naming faces, index and values.
/// Of a batch it sees the arrays of the first field.
template <class T>
POISSON3D_API void validate(const Grid& grid, const BoundaryData<T>& data);

/// max |scale · f + what the data adds| over the unknowns of planes first … first + rhs.extents[0] − 1: the largest
/// value of the right-hand side that is solved for. All in host memory, evaluated in double; f is float or double.
template <class F>
POISSON3D_API double largest_rhs(const Grid& grid, const BoundaryData<double>& boundary, double scale, Index first,
                                 FieldView<const F> rhs);

}  // namespace poisson3d
