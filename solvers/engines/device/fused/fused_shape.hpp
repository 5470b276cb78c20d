// The blocks of fused passes: lines stand in shared memory.
#pragma once

#include <algorithm>

#include "box_passes.hpp"

namespace poisson3d::fused {

/// Of lines of `line_bytes` in shared memory, with up to `items` pieces of work each; `chirp`: they want
/// first-level cache for their tables, smaller blocks. `most`: shared memory of a block, at most.
constexpr device::BlockShape block_shape_of(int items, std::size_t line_bytes, std::size_t element_bytes,
                                            bool chirp, Index lines, std::size_t most) {
    device::BlockShape shape;
    const auto bytes = [&](int count) { return static_cast<std::size_t>(count) * line_bytes; };
    shape.count = 32 / static_cast<int>(element_bytes);  // complex lines whose results fill 64 bytes
    const std::size_t usual = std::min(std::size_t{chirp ? 42U : 90U} << 10, most);
    while (shape.count > 2 && bytes(shape.count) > usual) shape.count /= 2;
    if (bytes(shape.count) > most) shape.count = 1;
    // Short lines: longer segments, so that there is work for all threads.
    while (items * shape.count < 84 && shape.count < 128 && 2 * shape.count < lines) shape.count *= 2;
    shape.bytes = bytes(shape.count);
    // A thread for a butterfly pair, or every thread as many of them. Blocks of which few share a multiprocessor
    // have more threads, as many as registers allow.
    const int max_threads = 3 * shape.bytes <= most ? 160 : 2 * shape.bytes <= most ? 240 : 480;
    const int units = items * shape.count;
    const int turns = (units + max_threads - 1) / max_threads;
    const int threads = (units + turns - 1) / turns;
    shape.threads = std::max(64, (threads + 31) / 32 * 32);
    return shape;
}

/// A device::ShapeRule.
template <class T>
device::BlockShape block_shape(const lines::AxisTables<T, lines::Compact>& tables, Index lines);

/// Whether two lines of an axis fit a block's shared memory.
template <class T>
bool lines_fit(const Axis& axis, lines::LineMethod method);

}  // namespace poisson3d::fused
