#include <algorithm>

#include "launch.hpp"

namespace poisson3d::fused {

template <class T>
BlockShape block_shape(int pitch, Index positions, Index lines) {
    constexpr int most = 32 / static_cast<int>(sizeof(T));  // complex lines whose results fill 64 bytes
    constexpr std::size_t fifth = 45 << 10;                 // five such blocks fit on a multiprocessor
    const auto bytes = [&](int count) {
        return static_cast<std::size_t>(count) * static_cast<std::size_t>(pitch) * 2 * sizeof(T);
    };
    BlockShape shape;
    shape.count = most;
    while (shape.count > 2 && bytes(shape.count) > 2 * fifth) shape.count /= 2;
    // Short lines: longer segments, so that there is work for all threads.
    while (shape.count < 32 && 2 * bytes(shape.count) <= fifth && 2 * shape.count < lines) shape.count *= 2;
    shape.bytes = bytes(shape.count);
    const Index work = shape.count * positions;
    shape.threads = work > 2560 ? 256 : work >= 1024 ? 128 : 64;
    return shape;
}

template BlockShape block_shape<float>(int, Index, Index);
template BlockShape block_shape<double>(int, Index, Index);

}  // namespace poisson3d::fused
