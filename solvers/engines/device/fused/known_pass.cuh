// The kernels of known lines: those of pass.cuh, with tasks that are known.
#pragma once

#include <algorithm>

#include "known_pass.hpp"
#include "known_symmetric_pass.hpp"
#include "pass.cuh"

namespace poisson3d::fused {

namespace {

template <class Line, Role role, class T>
constexpr int known_registers() {
    constexpr BlockShape shape = known_shape<Line::ends, Line::rows, T>;
    if (Line::rows > 1024)
        return std::min(sizeof(T) == 8 ? 128 : 96,
                        LongBlocks(shape.threads, shape.bytes, least_registers<T>).registers());
    constexpr int least = least_threads<T>(Line::radices, Line::rows, shape.count);
    constexpr int registers = registers_of<T>(Line::radices, least);
    if (sizeof(T) == 4 || role != Role::middle || least > 96) return registers;
    return registers == 80 ? 96 : 128;  // tables of the way there and back besides
}
template <class T, Ends ends, int rows, Role role>
constexpr int registers<T, KnownPass<ends, rows, role>> =
    known_registers<typename PassLine<T, KnownPass<ends, rows, role>>::Line, role, T>();
template <class T, int half, Role role>
constexpr int registers<T, KnownSymmetricPass<half, role>> = known_symmetric_shape<half, T>().registers;
template <Ends ends, int rows, Role role>
constexpr bool leaves_cache<KnownPass<ends, rows, role>> = rows <= 1024;
template <int half, Role role>
constexpr bool leaves_cache<KnownSymmetricPass<half, role>> = true;

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
