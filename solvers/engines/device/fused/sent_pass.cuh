// The kernels of passes that send: those of pass.cuh, with other tasks.
#pragma once

#include "pass.cuh"
#include "sent_pass.hpp"

namespace poisson3d::fused {

template <Kind kind, Outer outer, class T>
void launch_sent_kernel(Role role, const Task<T>& task, const SentElements<T>& elements, const BlockShape& shape,
                        const Blocks& blocks, Stream stream) {
    with_sent_role(role, [&]<Role which>() {
        launch_blocks<which, sent_movement<which>, KernelVariant<kind, outer>>(sent_task(task, elements), shape,
                                                                               blocks, stream);
    });
}

template <int rows, class T>
bool launch_known_sent_kernel(Role role, const Task<T>& task, const SentElements<T>& elements,
                              const BlockShape& shape, const Blocks& blocks, Stream stream) {
    return with_known_sent_task<rows>(role, task, elements, shape, [&]<Role which>(const auto& sent) {
        launch_blocks<which, sent_movement<which>, KernelVariant<sent.kind, Outer::radix8>>(sent, sent.shape,
                                                                                            blocks, stream);
    });
}

}  // namespace poisson3d::fused
