#include <algorithm>

#include "launch_pass.hpp"

namespace poisson3d::fused {

template <class T>
BlockShape block_shape(int pitch, int items, Index lines) {
    constexpr int segment = 32 / static_cast<int>(sizeof(T));  // complex lines whose results fill 64 bytes
    const auto bytes = [&](int count) {
        return static_cast<std::size_t>(count) * static_cast<std::size_t>(pitch) * 2 * sizeof(T);
    };
    BlockShape shape;
    shape.count = segment;
    const std::size_t most = std::min(std::size_t{90} << 10, max_shared());
    while (shape.count > 2 && bytes(shape.count) > most) shape.count /= 2;
    // Short lines: longer segments, so that there is work for all threads.
    while (items * shape.count < 96 && shape.count < 32 && 2 * shape.count < lines) shape.count *= 2;
    shape.bytes = bytes(shape.count);
    // A thread for a butterfly pair, or every thread as many of them.
    constexpr int max_threads = 160;  // WorkItems counts on less than 256
    const int units = items * shape.count;
    const int turns = (units + max_threads - 1) / max_threads;
    shape.threads = std::max(64, ((units + turns - 1) / turns + 31) / 32 * 32);
    return shape;
}

template <class T>
BlockShape phase_shape(int items) {
    BlockShape shape;
    shape.count = 64 / static_cast<int>(sizeof(T));  // results fill 128 bytes
    shape.threads = 128;
    while (items * shape.count < shape.threads && shape.count < 64) shape.count *= 2;
    return shape;
}

template BlockShape phase_shape<float>(int);
template BlockShape phase_shape<double>(int);
template BlockShape block_shape<float>(int, int, Index);
template BlockShape block_shape<double>(int, int, Index);

}  // namespace poisson3d::fused
