// Columns of a rectangle: a panel of neighbouring columns is read into shared memory and written back.
//
// Element (k, x) of the panel, k the row in π's numbering, comes from one side and goes to the other:
//
//        straight side                       skewed side
//        row π(k): whole pieces              row k + σ(x) mod m, σ(x) = ⌊x/divisor⌋: each row has pieces of
//        of rows, in any order               several k, all of them together again a whole piece
//
//          k₀      │a a a a│                   k₀ + σ₀    │a · · ·│      (divisor 1)
//          k₀ + 1  │b b b b│                          + 1 │b a · ·│
//          k₀ + 2  │c c c c│                          + 2 │c b a ·│
//                                                     + 3 │· c b a│
//
// Both sides are read and written in rows of the panel; the skew is in the position in shared memory, (k, x) on
// both. A panel that does not fit one block is held by a cluster, each block a range of k. The blocks exchange no
// data, but none may write before all have read.
#include <algorithm>

#include "common/cuda_batch.cuh"
#include "rectangle/cuda_cluster.cuh"
#include "rectangle/cuda_sweeps.hpp"

namespace poisson3d::cuda {

namespace {

using rectangle::Direction;

constexpr int threads = 512;
/// Words of a thread in flight with so many blocks on a multiprocessor.
template <class Word, int Blocks>
constexpr int words_at_once = sizeof(Word) >= 16 || Blocks > 2 ? 4 : 8;

/// A panel of a matrix: 2^width_log2 elements of all its m rows, of which each block of a cluster holds `tile`.
struct Panel {
    Index pitch, divisor, panels;
    int width_log2, m, tile, cluster;
    BatchIndices batch, batch_stride;
};

template <class Word, bool Clustered, bool ReadSkewed, int Blocks>
__global__ void __launch_bounds__(threads, Blocks)
    columns_kernel(Panel p, const std::uint32_t* __restrict__ order, Word* data) {
    extern __shared__ __align__(16) unsigned char shared[];
    const int rank = static_cast<int>(rank_in_cluster<Clustered>());
    const int width = 1 << p.width_log2;
    const int x = static_cast<int>(threadIdx.x) & (width - 1);
    const int y = static_cast<int>(threadIdx.x) >> p.width_log2;
    const int step = threads >> p.width_log2;
    constexpr int at_once = words_at_once<Word, Blocks>;
    const int group = at_once * step;
    const Index number = Clustered ? blockIdx.x / static_cast<unsigned>(p.cluster) : blockIdx.x;
    const auto [b, panel] = divide(number, p.panels);
    const Index x0 = panel << p.width_log2;
    const int valid = static_cast<int>(min(static_cast<Index>(width), p.pitch - x0));
    Word* const column = data + offset_in_batch(b, p.batch, p.batch_stride) + x0 + x;
    auto* const held = reinterpret_cast<Word*>(shared) + x;

    const int k0 = rank * p.tile;
    const int count = min(p.tile, p.m - k0);  // not positive: nothing but the barrier
    const auto [s0, rest] = divide(x0, p.divisor);
    const Index skew_here = divide(rest + x, p.divisor).quotient;
    const Index span = divide(rest + valid - 1, p.divisor).quotient;
    const int start = static_cast<int>((k0 + s0) % p.m);  // row of (k0, first column)
    const int skew = static_cast<int>(Clustered ? skew_here : skew_here % p.m);
    const int rows = Clustered ? count + static_cast<int>(span) : p.m;

    // Both sides in groups of at_once rows a thread: body(each), each(u, visit) calling visit(address in global
    // memory, where in shared memory) if there is a u-th row. Most groups are full; then addresses are sums.
    const auto straight = [&](auto&& body) {
        for (int first = 0; first < count; first += group) {
            const int k = first + y;
            Word* const here = held + (k << p.width_log2);
            const auto side = [&](auto&& exists) {
                std::uint32_t row[at_once];
#pragma unroll
                for (int u = 0; u < at_once; ++u)
                    if (exists(u)) row[u] = order == nullptr ? k0 + k + u * step : order[k0 + k + u * step];
                body([&](int u, auto&& visit) {
                    if (exists(u)) visit(column + row[u] * p.pitch, here + u * threads);
                });
            };
            if (first + group <= count)
                side([](int) { return true; });
            else
                side([&](int u) { return k + u * step < count; });
        }
    };
    // The rows up to the matrix's last, then those from row 0 on.
    const auto skewed = [&](auto&& body) {
        const int wrap = p.m - start;
        const Index stride = step * p.pitch;
        for (int part = 0; part < 2; ++part) {
            const int end = part == 0 ? min(rows, wrap) : rows;
            int first = part == 0 ? 0 : wrap;
            Word* at = column + static_cast<Index>(start + first + y - (part == 0 ? 0 : p.m)) * p.pitch;
            for (; first < end; first += group, at += at_once * stride) {
                const int k = first + y - skew;
                Word* const here = held + (k << p.width_log2);
                if (first >= span && first + group <= min(end, count)) {
                    body([&](int u, auto&& visit) { visit(at + u * stride, here + u * threads); });
                } else if constexpr (Clustered) {
                    body([&](int u, auto&& visit) {
                        if (first + y + u * step < end &&
                            static_cast<unsigned>(k + u * step) < static_cast<unsigned>(count))
                            visit(at + u * stride, here + u * threads);
                    });
                } else {  // a panel in one block: k wraps too
                    body([&](int u, auto&& visit) {
                        const int from = k + u * step;
                        if (first + y + u * step < end)
                            visit(at + u * stride, held + ((from < 0 ? from + p.m : from) << p.width_log2));
                    });
                }
            }
        }
    };
    const auto read = [&](auto&& each) {
        Word word[at_once];
#pragma unroll
        for (int u = 0; u < at_once; ++u) each(u, [&](const Word* from, const Word*) { word[u] = *from; });
#pragma unroll
        for (int u = 0; u < at_once; ++u) each(u, [&](const Word*, Word* here) { *here = word[u]; });
    };
    const auto write = [&](auto&& each) {
#pragma unroll
        for (int u = 0; u < at_once; ++u) each(u, [&](Word* to, const Word* here) { *to = *here; });
    };

    const bool works = x < valid && count > 0;
    if (works) {
        if constexpr (ReadSkewed)
            skewed(read);
        else
            straight(read);
    }
    synchronize<Clustered>();
    if (works) {
        if constexpr (ReadSkewed)
            straight(write);
        else
            skewed(write);
    }
}

template <class Word, int Blocks>
auto kernel_of(bool clustered, bool read_skewed) {
    if (clustered)
        return read_skewed ? &columns_kernel<Word, true, true, Blocks> : &columns_kernel<Word, true, false, Blocks>;
    return read_skewed ? &columns_kernel<Word, false, true, Blocks> : &columns_kernel<Word, false, false, Blocks>;
}

__global__ void compiled_like_sweeps() {}

}  // namespace

bool compiled_for_clusters() {
    cudaFuncAttributes kernel{};
    check(cudaFuncGetAttributes(&kernel, compiled_like_sweeps), "what kernels are compiled for");
    return kernel.ptxVersion >= 90;
}

PlannedSweep plan_columns(const rectangle::Sweep& sweep, int element_bytes, const ChipLimits& limits,
                          const std::uint32_t* order) {
    const rectangle::Matrices& matrices = sweep.matrices;
    const Index e = element_bytes;
    const Index m = matrices.m;
    // As wide as wanted and as fits; narrower ones, down to one element, before larger shares.
    Index width = 128 / e;
    Index share = limits.shared_bytes / 2 - 1024;  // two blocks a multiprocessor
    while (width * e > 32 && m * width * e > share * limits.cluster) width /= 2;
    if (m * width * e > share * limits.cluster) share = limits.shared_bytes;
    while (width > 1 && m * width * e > share * limits.cluster) width /= 2;
    if (m * width * e > share * limits.cluster)
        throw Error(ErrorCode::unsupported, "rectangle in place: found a shorter side of " + std::to_string(m) +
                                                ", this device can hold columns of " +
                                                std::to_string(share * limits.cluster / e));
    // Short columns: wider panels, so that a block has something to do.
    while (width < threads && m * width * e < 24 * 1024) width *= 2;

    Panel panel{.pitch = matrices.pitch(),
                .divisor = sweep.divisor,
                .panels = divide_up(matrices.pitch(), width),
                .width_log2 = 0,
                .m = static_cast<int>(m),
                .tile = 0,
                .cluster = 1,
                .batch = matrices.batch,
                .batch_stride = matrices.batch_stride};
    while (panel.cluster * share < m * width * e) panel.cluster *= 2;
    panel.tile = static_cast<int>(divide_up(m, panel.cluster));
    while ((Index{1} << panel.width_log2) < width) ++panel.width_log2;
    const Index blocks = panel.panels * panel.cluster * matrices.count();
    const int shared_bytes = static_cast<int>(panel.tile * width * e);
    const bool few_rows = panel.tile * width <= 4 * threads;  // a thread has no more than 4
    const bool read_skewed = sweep.direction == Direction::c2r;
    return {[=](void* data, void*, cudaStream_t stream) {
        with_wide_word(element_bytes, [&]<class Word>(Word) {
            const auto kernel = few_rows ? kernel_of<Word, 3>(panel.cluster > 1, read_skewed)
                                         : kernel_of<Word, 2>(panel.cluster > 1, read_skewed);
            launch_cluster(kernel, blocks, threads, shared_bytes, panel.cluster, stream,
                           "launch of the columns of a rectangle", panel, order, static_cast<Word*>(data));
        });
    }};
}

}  // namespace poisson3d::cuda
