// Boundary data of a function that is known: arrays on every face that is there, with room between their rows.
#pragma once

#include <array>
#include <vector>

#include "padded.hpp"
#include "poisson3d/boundary_data.hpp"

namespace poisson3d::test {

template <class T>
class FaceArrays {
public:
    /// value(axis, side, index): u on a Dirichlet face or its outward normal derivative on a Neumann face, at a
    /// stored point of the face; index[axis] is 0.
    template <class Value>
    FaceArrays(const Grid& grid, Value value) {
        for (int axis = 0; axis < 3; ++axis) {
            if (grid.axes[axis].periodic()) continue;
            const auto [a, b] = across(axis);
            const Index stride = grid.axes[b].points + gap;
            for (int side = 0; side < 2; ++side) {
                std::vector<T>& array = arrays_[axis][side];
                array.assign(grid.axes[a].points * stride, nan_of<T>(0));
                std::array<Index, 3> index{};
                for (index[a] = 0; index[a] < grid.axes[a].points; ++index[a])
                    for (index[b] = 0; index[b] < grid.axes[b].points; ++index[b])
                        array[index[a] * stride + index[b]] = static_cast<T>(value(axis, side, index));
                data_.faces[axis][side].data = array.data();
                data_.faces[axis][side].stride = stride;
            }
        }
    }
    FaceArrays(const FaceArrays&) = delete;

    [[nodiscard]] const BoundaryData<T>& data() const { return data_; }

private:
    static constexpr Index gap = 3;

    std::array<std::array<std::vector<T>, 2>, 3> arrays_;
    BoundaryData<T> data_;
};

}  // namespace poisson3d::test
