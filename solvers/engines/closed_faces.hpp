// Free faces that are closed by walls (lines/closed_axis.hpp): from the planes of u next to them, of the solution
// between the walls, to the values that u has on these faces in empty space. Planes and values lie in one array:
// for every plane of x the rows of faces of y and z, then the faces of x, so that what a slab touches of all of
// them is one run.
#pragma once

#include <array>
#include <cstddef>
#include <memory>

#include "free_faces.hpp"
#include "mode_order.hpp"
#include "poisson3d/boundary_data.hpp"
#include "poisson3d/distributed.hpp"
#include "poisson3d/solver.hpp"

namespace poisson3d {

/// Where free faces lie in that array. Element (i, j) of the two other axes, all stored points, is at
/// first[axis][side] + i · row[axis] + j.
struct FreeFaces {
    std::array<std::array<Index, 2>, 3> first{};
    std::array<Index, 3> row{};
    std::array<std::array<bool, 2>, 3> free{};
    Extents points{};
    Index size = 0;

    explicit FreeFaces(const Grid& grid) : points(grid.points()) {
        Index ring = 0;
        for (const int axis : {1, 2})
            for (int side = 0; side < 2; ++side)
                if (is_free(grid.axes[static_cast<std::size_t>(axis)], side))
                    first[axis][side] = ring, ring += points[3 - axis];
        row = {points[2], ring, ring};
        size = points[0] * ring;
        for (int axis = 0; axis < 3; ++axis)
            for (int side = 0; side < 2; ++side) {
                free[axis][side] = is_free(grid.axes[static_cast<std::size_t>(axis)], side);
                if (axis == 0 && free[0][side]) first[0][side] = size, size += points[1] * points[2];
            }
    }

    /// body(axis, side) for each.
    template <class Body>
    void for_each(const Body& body) const {
        for (int axis = 0; axis < 3; ++axis)
            for (int side = 0; side < 2; ++side)
                if (free[axis][side]) body(axis, side);
    }
};

/// copy(from, strides of its rows and columns, rows, columns, place in the array, from a row there to the next) for
/// each free face that a box touches; u of this box.
template <class T, class Copy>
void for_each_plane(const FreeFaces& faces, const Box& box, FieldView<const T> u, const Copy& copy) {
    if (box.points[0] * box.points[1] * box.points[2] == 0) return;
    faces.for_each([&](int axis, int side) {
        if (side == 0 ? box.first[axis] > 0 : box.first[axis] + box.points[axis] < faces.points[axis]) return;
        const auto [d, e] = across(axis);
        const T* from = u.data + (side == 0 ? 0 : (box.points[axis] - 1) * u.strides[axis]);
        const Index to = faces.first[axis][side] + box.first[d] * faces.row[axis] + box.first[e];
        copy(from, u.strides[d], u.strides[e], box.points[d], box.points[e], to, faces.row[axis]);
    });
}

/// On the threads of this process, with arrays in its memory; or on a device, with arrays there and asynchronous.
template <class T>
class ClosedFaces {
public:
    virtual ~ClosedFaces() = default;
    ClosedFaces() = default;
    ClosedFaces(const ClosedFaces&) = delete;
    ClosedFaces& operator=(const ClosedFaces&) = delete;

    /// Where planes of u are to be put, and where find() leaves values of a field of a batch.
    [[nodiscard]] virtual T* planes() = 0;
    [[nodiscard]] virtual T* values(Index field) = 0;
    /// To an array like planes() what a box has of them.
    virtual void take(const Box& box, FieldView<const T> u, T* to, Stream stream) = 0;
    /// values(field) := what planes() give; of `shares` that add up share number `share`.
    virtual void find(Index field, int share, int shares, Stream stream) = 0;
    /// Of slabs on a device, made for modes of y and z. To planes() what planes of the solution between walls have
    /// of them; values(field) from those of all slabs; and to the right-hand side between walls, of which its modes
    /// lack a factor `restore`, what these values add.
    virtual void take_modes(const ModePlanes<T>& /*u*/, Stream /*stream*/) {}
    virtual void find_in_modes(Index /*field*/, const ModePlanes<T>& /*f*/, double /*restore*/, Stream /*stream*/) {
    }
    /// values(field) −= what is at `value`, in the memory of planes().
    virtual void subtract(Index field, const T* value, Stream stream) = 0;
    /// Whether the face of an axis stands for the mean of u on its two sides, or for u beyond it.
    [[nodiscard]] virtual bool mean(int axis) const = 0;
    [[nodiscard]] virtual std::size_t bytes() const = 0;
};

/// For batches of `fields`, closed as lines::close_faces(problem, as cells on a device) closes them; `modes`: of y
/// and z, or none.
template <class T>
std::unique_ptr<ClosedFaces<T>> make_closed_faces(const Problem& problem, Index fields, int threads);
template <class T>
std::unique_ptr<ClosedFaces<T>> make_closed_faces_on_device(const Problem& problem, Index fields, int device,
                                                            const std::array<ModeOrder, 3>& modes = {});

}  // namespace poisson3d
