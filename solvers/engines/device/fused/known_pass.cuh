// The kernels of known lines: those of pass.cuh, with tasks that are known.
#pragma once

#include "known_pass.hpp"
#include "known_symmetric_pass.hpp"
#include "pass.cuh"

namespace poisson3d::fused {

namespace {

template <class T, Ends ends, int rows, Role role>
constexpr int registers<T, KnownPass<ends, rows, role>> = known_registers<ends, rows, role, T>();
template <class T, int half, Role role>
constexpr int registers<T, KnownSymmetricPass<half, role>> = known_symmetric_shape<half, T>().registers;
/// Threads of lines up to 1024 are chosen for blocks beside a large cache (known_pass.hpp).
template <Ends ends, int rows, Role role>
constexpr int fewest_beside_cache<KnownPass<ends, rows, role>> = rows <= 1024 ? 1 : 3;
template <int half, Role role>
constexpr int fewest_beside_cache<KnownSymmetricPass<half, role>> = 1;

}  // namespace

template <int rows, class T>
bool launch_known_kernel(Role role, Movement movement, const Task<T>& task, const BlockShape& shape,
                         const Blocks& blocks, Stream stream) {
    return with_known_task<rows>(role, movement, task, shape, [&]<Role which, Movement how>(const auto& known) {
        launch_blocks<which, how, KernelVariant<known.kind, Outer::radix8>>(known, known.shape, blocks, stream);
    });
}

template <int half, class T>
bool launch_known_symmetric(Role role, Movement movement, const Task<T>& task, const BlockShape& shape,
                            const Blocks& blocks, Stream stream) {
    return with_known_symmetric_task<half>(role, movement, task, shape,
                                           [&]<Role which, Movement how>(const auto& known) {
                                               launch_blocks<which, how, KernelVariant<Kind::type1, Outer::radix8>>(
                                                   known, known.shape, blocks, stream);
                                           });
}

}  // namespace poisson3d::fused
