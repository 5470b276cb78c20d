// u at the last points before free faces, from planes of the solution as they come: what freeness is measured by.
#pragma once

#include <array>
#include <vector>

#include "poisson3d/boundary_data.hpp"
#include "poisson3d/free_space.hpp"

namespace poisson3d::app {

template <class T>
class BesideFreeFaces {
public:
    explicit BesideFreeFaces(const Grid& grid) : points_(grid.points()) {
        for (int axis = 0; axis < 3; ++axis)
            for (int side = 0; side < 2; ++side) {
                if (!is_free(grid.axes[static_cast<std::size_t>(axis)], side)) continue;
                const auto [rows, columns] = extents_of_face(points_, axis);
                inside_[axis][side].resize(static_cast<std::size_t>(rows * columns));
            }
    }

    /// Planes first … first + count − 1 of u, which are there.
    void take(FieldView<const T> u, Index first, Index count) {
        for (int axis = 0; axis < 3; ++axis)
            for (int side = 0; side < 2; ++side) {
                if (inside_[axis][side].empty()) continue;
                const auto [b, c] = across(axis);
                std::array<Index, 3> begin{first, 0, 0}, end{first + count, points_[1], points_[2]}, at{};
                const Index plane = side == 0 ? 0 : points_[axis] - 1;
                if (plane < begin[axis] || plane >= end[axis]) continue;
                at[axis] = plane;
                for (at[b] = begin[b]; at[b] < end[b]; ++at[b])
                    for (at[c] = begin[c]; at[c] < end[c]; ++at[c])
                        inside_[axis][side][static_cast<std::size_t>(at[b] * points_[c] + at[c])] =
                            u(at[0], at[1], at[2]);
            }
    }

    [[nodiscard]] BoundaryData<T> data() const {
        BoundaryData<T> data;
        for (int axis = 0; axis < 3; ++axis)
            for (int side = 0; side < 2; ++side)
                if (!inside_[axis][side].empty())
                    data.faces[axis][side] = {T(0), inside_[axis][side].data(), points_[across(axis)[1]], 0};
        return data;
    }

private:
    Extents points_;
    std::vector<T> inside_[3][2];
};

}  // namespace poisson3d::app
