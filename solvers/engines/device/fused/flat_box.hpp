// A box with one point along z, as it is in memory: a box of one plane of x.
//
//     (nx, ny, 1)  →  (1, nx, ny)
//
// Nothing is moved where rows are dense, and y is the contiguous axis.
#pragma once

#include <memory>

#include "pipeline.hpp"

namespace poisson3d::fused {

/// Free faces are found by passes that know the axes of the box.
bool is_flat(const Problem& problem);

/// Where an axis of a flat box is in the plane of x.
constexpr int axis_in_plane(int axis) {
    return (axis + 1) % 3;
}
Problem in_plane(const Problem& problem);

/// Fields whose points lie apart, and faces, are copied first; fields, if not into u, where those of the host go.
template <class T>
std::unique_ptr<device::Pipeline<T>> make_flat_pipeline(const Problem& problem,
                                                        std::unique_ptr<device::Pipeline<T>> plane);

}  // namespace poisson3d::fused
