// The kernels of known lines: those of pass.cuh, with tasks that are known.
#pragma once

#include "known_pass.hpp"
#include "pass.cuh"

namespace poisson3d::fused {

template <int rows, class T>
bool launch_known_kernel(Role role, Movement movement, const Task<T>& task, const BlockShape& shape,
                         const Blocks& blocks, Stream stream) {
    return with_known_task<rows>(role, movement, task, shape, [&]<Role which, Movement how>(const auto& known) {
        launch_blocks<which, how, KernelVariant<known.kind, Outer::radix8>>(known, shape, blocks, stream);
    });
}

}  // namespace poisson3d::fused
