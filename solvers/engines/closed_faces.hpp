// Free faces that are closed by walls (lines/closed_axis.hpp): from the planes of u next to them, of the solution
// between the walls, to the values that u has on these faces in empty space. Planes and values lie in one array:
// for every plane of x the rows of faces of y and z, then the faces of x, so that what a slab touches of all of them
// is one run.
#pragma once

#include <array>
#include <cstddef>
#include <memory>

#include "free_faces.hpp"
#include "poisson3d/boundary_data.hpp"
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

/// Works on the threads of this process.
template <class T>
class ClosedFaces {
public:
    virtual ~ClosedFaces() = default;
    ClosedFaces() = default;
    ClosedFaces(const ClosedFaces&) = delete;
    ClosedFaces& operator=(const ClosedFaces&) = delete;

    /// values := what planes give; of `shares` that add up share number `share`. All in the order of FreeFaces.
    virtual void find(const T* planes, T* values, int share, int shares) = 0;
    /// Whether the face of an axis stands for the mean of u on its two sides, or for u beyond it.
    [[nodiscard]] virtual bool mean(int axis) const = 0;
    [[nodiscard]] virtual std::size_t bytes() const = 0;
};

/// Closed as lines::close_faces(problem) closes them.
template <class T>
std::unique_ptr<ClosedFaces<T>> make_closed_faces(const Problem& problem, int threads);

}  // namespace poisson3d
