#include <algorithm>

#include "fused_shape.hpp"
#include "launch_pass.hpp"

namespace poisson3d::fused {

template <class T>
BlockShape block_shape(const AxisTables<T, Compact>& tables, Index lines) {
    const int items = max_items(tables);
    constexpr int segment = 32 / static_cast<int>(sizeof(T));  // complex lines whose results fill 64 bytes
    const auto bytes = [&](int count) {
        return static_cast<std::size_t>(count) * static_cast<std::size_t>(tables.plan.pitch) * 2 * sizeof(T);
    };
    BlockShape shape;
    shape.count = segment;
    // Chirps want first-level cache for their tables: smaller blocks.
    const std::size_t usual = std::size_t{tables.chirp.view.length > 0 ? 42U : 90U} << 10;
    const std::size_t most = std::min(usual, max_shared());
    while (shape.count > 2 && bytes(shape.count) > most) shape.count /= 2;
    if (bytes(shape.count) > max_shared()) shape.count = 1;
    // Short lines: longer segments, so that there is work for all threads.
    while (items * shape.count < 96 && shape.count < 32 && 2 * shape.count < lines) shape.count *= 2;
    shape.bytes = bytes(shape.count);
    // A thread for a butterfly pair, or every thread as many of them. Blocks of which few share a multiprocessor
    // have more threads, as many as registers allow.
    const int max_threads = 3 * shape.bytes <= max_shared() ? 160 : 2 * shape.bytes <= max_shared() ? 240 : 480;
    const int units = items * shape.count;
    const int turns = (units + max_threads - 1) / max_threads;
    const int threads = (units + turns - 1) / turns;
    shape.threads = std::max(64, (threads + 31) / 32 * 32);
    return shape;
}

template <class T>
bool lines_fit(const Axis& axis, LineMethod method) {
    if (!has_tables(axis, method)) return false;
    const LineFfts ffts = line_ffts<Compact>(axis);
    const Index padded = method == LineMethod::chirp ? chirp_padded_length(ffts.length)
                                                     : padded_length_of(radices_of(ffts.length, ffts.first));
    constexpr Index banks = 128 / static_cast<Index>(2 * sizeof(T));
    return static_cast<std::size_t>(ffts.count * padded + banks) * 2 * sizeof(T) <= max_shared();
}

template BlockShape block_shape(const AxisTables<float, Compact>&, Index);
template BlockShape block_shape(const AxisTables<double, Compact>&, Index);
template bool lines_fit<float>(const Axis&, LineMethod);
template bool lines_fit<double>(const Axis&, LineMethod);

}  // namespace poisson3d::fused
