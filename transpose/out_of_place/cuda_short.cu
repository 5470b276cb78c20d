// Movements of which two axes are short, or the rows that stay together: a tile takes whole short axes, so that
// what it reads and what it writes are long runs, and permutes them in shared memory.
//
//   rows      xyz → yxz, rows of n3 short        a tile of x and y: reads runs (y, z) of every x, writes runs (x,
//   z) planes    xyz → zyx, n1 and n3 short         a tile of y: reads runs (y, z) of every x, writes runs (y, x)
//   of every z matrices  xyz → xzy, n2 and n3 short         a tile of x: reads one run (x, y, z), writes one run
//   (x, z, y)
//
// Runs are read in aligned words of 16 bytes (common/cuda_pieces.cuh) and cut where lines of the output begin, as
// in cuda_wide_loads.cuh: a tile reads what its last lines need of the next one.
#include "common/cuda_batch.cuh"
#include "common/cuda_pieces.cuh"
#include "out_of_place/cuda_launchers.hpp"
#include "out_of_place/cuda_short.hpp"

namespace poisson3d::cuda {

namespace {

constexpr int short_threads = 256;

/// o / divisor for o · divisor < 2^32.
struct ShortDivisor {
    int divisor;
    unsigned inverse;
    __device__ explicit ShortDivisor(int d) : divisor(d), inverse(d == 1 ? 0u : 0xffffffffu / d + 1u) {}
    __device__ int quotient(int o) const {
        return divisor == 1 ? o : static_cast<int>(__umulhi(static_cast<unsigned>(o), inverse));
    }
};

template <class Word, ShortKind Kind>
__global__ void __launch_bounds__(short_threads, 5)
    short_kernel(ShortMove m, Readable readable, const unsigned char* __restrict__ in,
                 unsigned char* __restrict__ out) {
    constexpr int size = sizeof(Word);
    constexpr int line = 128 / size;
    extern __shared__ __align__(16) unsigned char shared[];
    const auto [rest, tile] = divide(blockIdx.x, m.tiles);
    const auto [b, other] = divide(rest, m.tiles_across);
    const Index e0 = tile * m.own;
    const int left = static_cast<int>(min(m.elements - e0, static_cast<Index>(m.own + m.overlap)));
    const int groups = (left + m.inner - 1) / m.inner;
    const Index group0 = tile * (m.own / m.inner);
    const Index across0 = other * m.across;
    const int across = static_cast<int>(min(static_cast<Index>(m.across), m.others - across0));

    // The runs of the input.
    const int runs = Kind == ShortKind::rows ? groups : Kind == ShortKind::planes ? m.inner : 1;
    const int length = Kind == ShortKind::rows     ? across * m.width
                       : Kind == ShortKind::planes ? groups * m.width
                                                   : groups * m.inner;
    const int own_length = m.own / m.inner * m.width;  // planes
    const Index first = Kind == ShortKind::rows     ? group0 * m.in_row + across0 * m.width
                        : Kind == ShortKind::planes ? group0 * m.width
                                                    : group0 * m.inner;
    const unsigned char* const from = in + (b * m.in_batch + first) * size;
    const Index stride = m.in_row * size;
    const int words = m.pitch / 16;
    const ShortDivisor by_words(words);
    const ShortDivisor by_pad(max(m.pad, 1));
    for (int i = static_cast<int>(threadIdx.x); i < runs * words; i += short_threads) {
        const int run = by_words.quotient(i);
        const int word = i - run * words;
        const unsigned char* const piece = from + run * stride;
        const int behind = behind_boundary(piece, 16);
        // Planes: of the groups behind a tile's own only those x are read that its last lines may need.
        const int needed = Kind == ShortKind::planes && run >= m.overlap ? min(length, own_length) : length;
        if (16 * word >= behind + needed * size) continue;
        const unsigned char* const source = piece - behind + 16 * word;
        const int place = Kind == ShortKind::matrices && m.pad > 0 ? word + by_pad.quotient(word) : word;
        unsigned char* const target = shared + run * m.pitch + 16 * place;
        if (source >= readable.begin && source + 16 <= readable.end) {
            __pipeline_memcpy_async(target, source, 16);
        } else {
            for (int k = 0; k < 16; k += size)
                if (source + k >= readable.begin && source + k < readable.end)
                    *reinterpret_cast<Word*>(target + k) = *reinterpret_cast<const Word*>(source + k);
        }
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();

    const int behind = behind_boundary(from, 16);
    const int turn = static_cast<int>(stride & 15);
    const ShortDivisor by_inner(m.inner);
    const ShortDivisor by_middle(Kind == ShortKind::matrices ? m.middle : 1);
    const auto element = [&](int c, int e) -> const Word& {
        const int q = by_inner.quotient(e);
        const int s = e - q * m.inner;
        int run = 0;
        int column = 0;
        int padding = 0;
        if constexpr (Kind == ShortKind::rows) {
            run = q;
            column = c * m.width + s;
        } else if constexpr (Kind == ShortKind::planes) {
            run = s;
            column = q * m.width + c;
        } else {
            const int z = by_middle.quotient(s);
            const int y = s - z * m.middle;
            column = q * m.inner + y * m.width + z;
            if (m.pad > 0) padding = (q * m.middle + y) * 16;
        }
        return *reinterpret_cast<const Word*>(shared + run * m.pitch + ((behind + run * turn) & 15) +
                                              column * size + padding);
    };
    constexpr int chunk = 4 * 32;  // elements, by a warp
    const int chunks = (m.own + line - 1 + line - 1) / chunk + 1;
    const ShortDivisor by_chunks(chunks);
    const int lane = static_cast<int>(threadIdx.x) % 32;
    for (int task = static_cast<int>(threadIdx.x) / 32; task < across * chunks; task += short_threads / 32) {
        const int c = by_chunks.quotient(task);
        Word* const to = reinterpret_cast<Word*>(out) + b * m.out_batch + (across0 + c) * m.out_row + e0;
        const auto to_next_line = [](const Word* place) {
            return (128 - behind_boundary(place, 128)) % 128 / size;
        };
        const int start = to_next_line(to);
        const bool cut = m.overlap > 0;
        const int end = min(m.own + (cut ? to_next_line(to + m.own) : 0), left);  // where the next tile starts
        const int begin =
            ((e0 == 0 || !cut) && start > 0 ? start - line : start) + (task - c * chunks) * chunk + lane;
        Word held[4];
#pragma unroll
        for (int k = 0; k < 4; ++k)
            if (begin + 32 * k >= 0 && begin + 32 * k < end) held[k] = element(c, begin + 32 * k);
#pragma unroll
        for (int k = 0; k < 4; ++k)
            if (begin + 32 * k >= 0 && begin + 32 * k < end) to[begin + 32 * k] = held[k];
    }
}

template <class Word, ShortKind Kind>
void launch(const ShortPlan& plan, const void* in, void* out, cudaStream_t stream) {
    ShortMove m = plan.move;
    const auto first =
        reinterpret_cast<std::uintptr_t>(in) | static_cast<std::uintptr_t>(m.in_batch * sizeof(Word));
    if (first % 16 != 0) m.pad = 0;  // rows are not whole words
    const auto* const begin = static_cast<const unsigned char*>(in);
    const Readable readable{begin, begin + plan.in_span * static_cast<Index>(sizeof(Word))};
    short_kernel<Word, Kind><<<blocks(m.tiles * m.tiles_across * m.batch), short_threads, short_bytes, stream>>>(
        m, readable, begin, static_cast<unsigned char*>(out));
    check(cudaGetLastError(), "launch of the transpose of short axes");
}

}  // namespace

void launch_short(const Movement& movement, int element_bytes, const void* in, void* out, cudaStream_t stream) {
    ShortPlan plan{};
    plan_short(movement, element_bytes, plan);
    with_wide_word(element_bytes, [&]<class Word>(Word) {
        switch (plan.kind) {
            case ShortKind::rows: return launch<Word, ShortKind::rows>(plan, in, out, stream);
            case ShortKind::planes: return launch<Word, ShortKind::planes>(plan, in, out, stream);
            default: return launch<Word, ShortKind::matrices>(plan, in, out, stream);
        }
    });
}

}  // namespace poisson3d::cuda
