// The kernels of passes that add: those of pass.cuh, with other tasks.
#pragma once

#include "added_pass.hpp"
#include "pass.cuh"

namespace poisson3d::fused {

template <int rows, class T>
bool launch_added_kernel(const Task<T>& task, const MiddleTerms<T>& terms, const BlockShape& shape,
                         const Blocks& blocks, Stream stream) {
    return with_added_task<rows>(task, terms, shape, [&](const auto& added) {
        launch_blocks<Role::middle, Movement::rotated, KernelVariant<added.kind, Outer::radix8>>(added, added.shape,
                                                                                                 blocks, stream);
    });
}

}  // namespace poisson3d::fused
