// Movements of which two axes are short, or the rows that stay together: a tile takes whole short axes, so that what it
// reads and what it writes are long runs, and permutes them in shared memory.
//
//   rows      xyz → yxz, rows of n3 short        a tile of x and y: reads runs (y, z) of every x, writes runs (x, z)
//   planes    xyz → zyx, n1 and n3 short         a tile of y: reads runs (y, z) of every x, writes runs (y, x) of every z
//   matrices  xyz → xzy, n2 and n3 short         a tile of x: reads one run (x, y, z), writes one run (x, z, y)
//
// Runs are read in aligned words of 16 bytes (common/cuda_pieces.cuh) and cut where lines of the output begin, as in
// cuda_wide_loads.cuh: a tile reads what its last lines need of the next one.
#include <algorithm>

#include "common/cuda_batch.cuh"
#include "common/cuda_pieces.cuh"
#include "out_of_place/cuda_launchers.hpp"

namespace poisson3d::cuda {

namespace {

constexpr int short_threads = 256;
constexpr int short_bytes = 44 * 1024;  // of shared memory a block: five on a processor
constexpr Index longest_short = 64;     // elements of an axis

enum class ShortKind { rows, planes, matrices };

/// Element e of an output row is element `e % inner` of its group `e / inner`; a group is one x, y or x.
struct ShortMove {
    Index in_row, out_row;  ///< elements from one row to the next, on both sides
    Index elements;         ///< of an output row
    Index others;           ///< rows: how many output rows there are in all
    Index batch, in_batch, out_batch;
    int inner, width;  ///< rows: n3 twice; planes: n1, n3; matrices: n2 · n3, n3
    int middle;        ///< matrices: n2
    int own;           ///< output elements of a tile in each output row, a multiple of inner
    int across;        ///< output rows of a tile
    int pitch;         ///< bytes of a run in shared memory
    int overlap;       ///< elements behind `own` that may be needed: none where a tile ends within a line
    Index tiles, tiles_across;
};

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
    const Index first = Kind == ShortKind::rows     ? group0 * m.in_row + across0 * m.width
                        : Kind == ShortKind::planes ? group0 * m.width
                                                    : group0 * m.inner;
    const unsigned char* const from = in + (b * m.in_batch + first) * size;
    const Index stride = m.in_row * size;
    const int words = m.pitch / 16;
    const ShortDivisor by_words(words);
    for (int i = static_cast<int>(threadIdx.x); i < runs * words; i += short_threads) {
        const int run = by_words.quotient(i);
        const int word = i - run * words;
        const unsigned char* const piece = from + run * stride;
        const int behind = behind_boundary(piece, 16);
        if (16 * word >= behind + length * size) continue;
        const unsigned char* const source = piece - behind + 16 * word;
        unsigned char* const target = shared + run * m.pitch + 16 * word;
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
        if constexpr (Kind == ShortKind::rows) {
            run = q;
            column = c * m.width + s;
        } else if constexpr (Kind == ShortKind::planes) {
            run = s;
            column = q * m.width + c;
        } else {
            const int z = by_middle.quotient(s);
            column = q * m.inner + (s - z * m.middle) * m.width + z;
        }
        return *reinterpret_cast<const Word*>(shared + run * m.pitch + ((behind + run * turn) & 15) + column * size);
    };
    constexpr int chunk = 4 * 32;  // elements, by a warp
    const int chunks = (m.own + line - 1 + line - 1) / chunk + 1;
    const ShortDivisor by_chunks(chunks);
    const int lane = static_cast<int>(threadIdx.x) % 32;
    for (int task = static_cast<int>(threadIdx.x) / 32; task < across * chunks; task += short_threads / 32) {
        const int c = by_chunks.quotient(task);
        Word* const to = reinterpret_cast<Word*>(out) + b * m.out_batch + (across0 + c) * m.out_row + e0;
        const auto to_next_line = [](const Word* place) { return (128 - behind_boundary(place, 128)) % 128 / size; };
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

constexpr int run_pitch(Index bytes) {
    return static_cast<int>(divide_up(bytes + 16, 128) * 128 + 16);
}

struct ShortPlan {
    ShortKind kind;
    ShortMove move;
    Index in_span;
};

/// Whether and how a movement is one of the three; elements of `size` bytes.
bool plan_short(const Movement& movement, Index size, ShortPlan& plan) {
    if (size < 4) return false;
    const Index line = 128 / size;
    ShortMove m{};
    m.batch = 1;
    m.overlap = static_cast<int>(line - 1);
    if (movement.is_copy) {
        const RowCopy& copy = movement.copy;
        if (copy.length > longest_short * 8 / size) return false;
        Index x = 0, y = 0;
        for (int d = 0; d < 3; ++d) {
            if (copy.extents[d] == 1) continue;
            if (copy.out[d] == copy.length && x == 0)
                x = copy.extents[d], m.in_row = copy.in[d];
            else if (copy.in[d] == copy.length && y == 0)
                y = copy.extents[d], m.out_row = copy.out[d];
            else if (m.batch == 1)
                m.batch = copy.extents[d], m.in_batch = copy.in[d], m.out_batch = copy.out[d];
            else
                return false;
        }
        if (x == 0 || y == 0) return false;
        plan.kind = ShortKind::rows;
        m.inner = m.width = static_cast<int>(copy.length);
        m.elements = x * copy.length;
        m.others = y;
        // A tile near to a square: as long runs on both sides as fit.
        Index side = 1;
        const auto bytes = [&](Index n) {
            return (n + divide_up(line, copy.length)) * run_pitch(std::min(n, y) * copy.length * size);
        };
        while (side < 512 && bytes(side + 1) <= short_bytes) ++side;
        m.across = static_cast<int>(std::min(side, y));
        m.own = static_cast<int>(std::min(side, x) * copy.length);
        m.pitch = run_pitch(m.across * copy.length * size);
        plan.in_span = (x - 1) * m.in_row + y * copy.length;
    } else {
        const MatrixBatch& q = movement.matrix;
        if (q.batch[1] < 2) return false;
        m.batch = q.batch[0];
        m.in_batch = q.in_batch[0];
        m.out_batch = q.out_batch[0];
        m.tiles_across = 1;
        m.in_row = q.in_pitch;
        m.out_row = q.out_pitch;
        const bool dense = q.in_pitch == q.columns && q.out_pitch == q.rows;
        if (dense && q.in_batch[1] == q.rows * q.columns && q.out_batch[1] == q.rows * q.columns) {
            if (std::min(q.rows, q.columns) > longest_short || q.rows * q.columns * size > short_bytes - 160)
                return false;
            plan.kind = ShortKind::matrices;
            m.inner = static_cast<int>(q.rows * q.columns);
            m.middle = static_cast<int>(q.rows);
            m.width = static_cast<int>(q.columns);
            m.across = 1;
            m.others = 1;
            Index groups = std::max<Index>(1, 20 * 1024 / (m.inner * size));
            groups = std::min(groups, q.batch[1]);
            m.own = static_cast<int>(groups * m.inner);
            // Large matrices are not read twice for the sake of a line.
            m.overlap = m.inner * size >= 2048 ? 0 : static_cast<int>(line - 1);
            m.pitch = run_pitch((groups + divide_up(m.overlap, m.inner)) * m.inner * size);
            plan.in_span = q.batch[1] * m.inner;
        } else if (q.in_batch[1] == q.columns && q.out_batch[1] == q.rows) {
            if (q.rows > longest_short || q.columns > longest_short || q.rows * q.columns > 1024) return false;
            plan.kind = ShortKind::planes;
            m.inner = static_cast<int>(q.rows);
            m.width = static_cast<int>(q.columns);
            m.across = static_cast<int>(q.columns);
            m.others = q.columns;
            const auto bytes = [&](Index n) {
                return q.rows * run_pitch((n + divide_up(line, q.rows)) * q.columns * size);
            };
            Index groups = 1;
            while (groups < q.batch[1] && groups < 2048 && bytes(groups + 1) <= short_bytes) ++groups;
            m.own = static_cast<int>(groups * q.rows);
            m.pitch = run_pitch((groups + divide_up(line, q.rows)) * q.columns * size);
            plan.in_span = (q.rows - 1) * q.in_pitch + q.batch[1] * q.columns;
        } else {
            return false;
        }
        m.elements = q.batch[1] * m.inner;
    }
    const Index groups_held = m.own / m.inner + divide_up(m.overlap, m.inner);
    const Index runs = plan.kind == ShortKind::rows ? groups_held : plan.kind == ShortKind::planes ? m.inner : 1;
    if (runs * m.pitch > short_bytes) return false;
    m.tiles = divide_up(m.elements, m.own);
    m.tiles_across = divide_up(m.others, m.across);
    plan.in_span += (m.batch - 1) * m.in_batch;
    plan.move = m;
    return true;
}

template <class Word, ShortKind Kind>
void launch(const ShortPlan& plan, const void* in, void* out, cudaStream_t stream) {
    const ShortMove& m = plan.move;
    const auto* const begin = static_cast<const unsigned char*>(in);
    const Readable readable{begin, begin + plan.in_span * static_cast<Index>(sizeof(Word))};
    short_kernel<Word, Kind><<<blocks(m.tiles * m.tiles_across * m.batch), short_threads, short_bytes, stream>>>(
        m, readable, begin, static_cast<unsigned char*>(out));
    check(cudaGetLastError(), "launch of the transpose of short axes");
}

}  // namespace

bool short_applies(const Movement& movement, int element_bytes) {
    ShortPlan plan{};
    return plan_short(movement, element_bytes, plan);
}

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
