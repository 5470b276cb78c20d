// The kernels of known lines: those of pass.cuh, with tasks that are known.
#pragma once

#include <algorithm>

#include "known_pass.hpp"
#include "known_symmetric_pass.hpp"
#include "pass.cuh"

namespace poisson3d::fused {

namespace {

/// Lines of smaller radices want fewer registers, so that more blocks share a multiprocessor: with 96, five of 128
/// threads, with 80 six.
template <class Line, Role role, class T>
constexpr int known_registers() {
    const FewRadices r = Line::radices;
    const int outer = std::max(r.samples, r.modes), inner = std::max(r.inner[0], r.inner[1]);
    const int held = std::max(2 * outer, inner);  // numbers of a thread
    if (Line::rows > 1024) {
        constexpr BlockShape shape = known_shape<Line::ends, Line::rows, T>;
        return std::min(sizeof(T) == 8 ? 128 : 96,
                        LongBlocks(shape.threads, shape.bytes, least_registers<T>).registers());
    }
    if (sizeof(T) == 4) return outer <= 7 && inner <= 16 ? 80 : 96;
    if (outer <= 7 && inner >= 15 && Line::threads == 192) return 112;  // three blocks
    if (outer > 7 || inner >= 15) return 128;
    if (role == Role::middle) return held <= 10 ? 96 : 128;  // tables of the way there and back besides
    return held <= 10 ? 80 : 96;
}
template <class T, Ends ends, int rows, Role role>
constexpr int registers<T, KnownPass<ends, rows, role>> =
    known_registers<typename PassLine<T, KnownPass<ends, rows, role>>::Line, role, T>();
template <class T, int half, Role role>
constexpr int registers<T, KnownSymmetricPass<half, role>> = known_symmetric_shape<half, T>().registers;

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
