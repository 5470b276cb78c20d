#include <algorithm>

#include "launch.hpp"

namespace poisson3d::fused {

template <class T>
BlockShape block_shape(int pitch, Index positions, Index lines) {
    constexpr int segment = 64 / static_cast<int>(sizeof(T));  // complex lines whose results fill 128 bytes
    constexpr std::size_t third = 75 << 10;                    // three such blocks fit on a multiprocessor
    const auto bytes = [&](int count) {
        return static_cast<std::size_t>(count) * static_cast<std::size_t>(pitch) * 2 * sizeof(T);
    };
    BlockShape shape;
    shape.count = segment;
    while (shape.count > 2 && bytes(shape.count) > third) shape.count /= 2;
    // Short lines: several segments, so that there is work for all threads.
    while (shape.count < 32 && shape.count * positions < 2048 && 2 * shape.count < lines) shape.count *= 2;
    shape.bytes = bytes(shape.count);
    const Index work = shape.count * positions;
    shape.threads = work >= 2048 ? 256 : work >= 1024 ? 128 : 64;
    return shape;
}

template BlockShape block_shape<float>(int, Index, Index);
template BlockShape block_shape<double>(int, Index, Index);

}  // namespace poisson3d::fused
