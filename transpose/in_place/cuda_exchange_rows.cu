// Squares whose items are rows: row (r, c) is exchanged with row (c, r), and no element moves within its row.
//
// Rows of odd length begin at any address, and the two of a pair at different offsets from a boundary of 16 bytes.
// Yet all but the ends of a row is loaded in whole words of 16 bytes, aligned at its source, and stored in whole
// words of 16 bytes, aligned at its target; in between it is shifted in shared memory:
//
//        memory        ·│· ·a b│c d e f│g h i j│k · · ·        aligned words of the source
//        shared        ·│· ·a b│c d e f│g h i j│k · · ·        as it lay
//        memory              ·│a b c d│e f g h│i j k ·         aligned words of the target: two of the above,
//        shifted
//
// The shift is the same for a whole row. Rows are moved as runs of 4-byte units, whatever their elements are.
//
// A row is cut into pieces of at most 8 KiB; a warp exchanges a piece of one row with that of its mirror image, all
// of both in shared memory before the first store. Words are numbered from a boundary of 128 bytes, so that a warp
// asks for whole lines: what odd sizes cost is the second-level cache's lines, not main memory. Pairs are numbered
// by the triangle's order, a row a tile, so that the cache still holds a sector when the second of two rows that
// share it is moved.
#include <cuda_pipeline.h>

#include <cstdint>

#include "in_place/cuda_exchange.cuh"

namespace poisson3d::cuda {

namespace {

using Unit = std::uint32_t;
using Wide = uint4;

constexpr Index shortest_row = 128;  // bytes of an item; shorter ones are exchanged in tiles (cuda_exchange.cu)
constexpr int warp = 32;
constexpr int wide = sizeof(Wide) / sizeof(Unit);  ///< units of a wide word
constexpr int line_words = 128 / sizeof(Wide);     ///< wide words of a line of 128 bytes

/// How long the longest piece of a row is: `Loads` wide words a lane.
template <int Loads>
struct RowShape {
    static constexpr int loads = Loads;
    static constexpr int piece = Loads * warp * wide;  ///< in units
    static constexpr int room = wide + piece + wide;   ///< a piece, as it lies, and what shifted words reach beyond
    static constexpr int warps = 32 / Loads;           ///< of a block: the same number of bytes on their way
    static constexpr int threads = warps * warp;
};

/// A piece of a row in memory: units before the first boundary of 16 bytes, whole wide words, units behind them.
struct Piece {
    Unit* data;
    int head, words, tail;
    int behind;  ///< units between a boundary of 16 bytes and the beginning
    int turn;    ///< wide words between a boundary of 128 bytes and the first whole one

    __device__ __forceinline__ Piece(Unit* begin, int count) : data(begin) {
        const auto address = static_cast<unsigned>(reinterpret_cast<unsigned long long>(begin) / sizeof(Unit));
        behind = static_cast<int>(address % wide);
        head = min((wide - behind) % wide, count);
        words = (count - head) / wide;
        tail = (count - head) % wide;
        turn = static_cast<int>((address + static_cast<unsigned>(head)) / wide % line_words);
    }
    [[nodiscard]] __device__ __forceinline__ Wide* whole() const { return reinterpret_cast<Wide*>(data + head); }
    /// Calls move(e) for the units e of the ends, one a lane.
    template <class Move>
    __device__ __forceinline__ void ends(int lane, Move move) const {
        if (lane < head) move(lane);
        if (lane >= warp - tail) move(head + words * wide + lane - (warp - tail));
    }
};

/// Calls move(w) for the whole words w, a warp's from a boundary of 128 bytes on.
template <class Shape, class Move>
__device__ __forceinline__ void for_words(const Piece& piece, int lane, Move move) {
#pragma unroll
    for (int i = 0; i <= Shape::loads; ++i)
        if (const int w = lane + i * warp - piece.turn; w >= 0 && w < piece.words) move(w);
}

/// Unit e of the piece goes to room[behind + e]; whole words stay whole.
template <class Shape>
__device__ __forceinline__ void fetch(const Piece& from, Unit* room, int lane) {
    from.ends(lane, [&](int e) { __pipeline_memcpy_async(room + from.behind + e, from.data + e, sizeof(Unit)); });
    auto* const whole = reinterpret_cast<Wide*>(room + from.behind + from.head);
    for_words<Shape>(from, lane,
                     [&](int w) { __pipeline_memcpy_async(whole + w, from.whole() + w, sizeof(Wide)); });
}

/// Units [shift, shift + 4) of two words that follow each other.
__device__ __forceinline__ Wide shifted(const Wide& low, const Wide& high, int shift) {
    const Wide two = (shift & 2) != 0 ? Wide{low.z, low.w, high.x, high.y} : low;
    const Unit next = (shift & 2) != 0 ? high.z : high.x;
    return (shift & 1) != 0 ? Wide{two.y, two.z, two.w, next} : two;
}

/// The piece whose unit 0 is room[behind], to its target.
template <class Shape>
__device__ __forceinline__ void store(const Unit* room, int behind, const Piece& to, int lane) {
    to.ends(lane, [&](int e) { to.data[e] = room[behind + e]; });
    const int begin = behind + to.head;  // of the first whole word of the target, in the room
    const int shift = begin % wide;
    const auto* const low = reinterpret_cast<const Wide*>(room + begin - shift);
    for_words<Shape>(to, lane,
                     [&](int w) { to.whole()[w] = shift == 0 ? low[w] : shifted(low[w], low[w + 1], shift); });
}

/// s counts in units. Task number k is piece k mod pieces of pair k / pieces; a warp a task.
template <class Shape>
__global__ void __launch_bounds__(Shape::threads, 6)
    exchange_rows_kernel(Squares s, TriangleWindow window, Index pieces, Index tasks, Unit* __restrict__ data) {
    __shared__ __align__(16) Unit rooms[Shape::warps][2][Shape::room];
    const int lane = static_cast<int>(threadIdx.x) % warp;
    const int mine = static_cast<int>(threadIdx.x) / warp;
    const Index task = static_cast<Index>(blockIdx.x) * Shape::warps + mine;
    if (task >= tasks) return;
    const auto [pair, piece] = divide(task, pieces);
    const auto [offset, at] = exchange_task(s, window, pair);
    if (at.row == at.column) return;
    const Index begin = piece * Shape::piece;
    const int count = static_cast<int>(min(static_cast<Index>(Shape::piece), s.item - begin));
    const Piece below(data + offset + at.row * s.pitch + at.column * s.item + begin, count);
    const Piece above(data + offset + at.column * s.pitch + at.row * s.item + begin, count);
    Unit* const room_below = rooms[mine][0];
    Unit* const room_above = rooms[mine][1];
    fetch<Shape>(below, room_below, lane);
    fetch<Shape>(above, room_above, lane);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncwarp();
    store<Shape>(room_below, below.behind, above, lane);
    store<Shape>(room_above, above.behind, below, lane);
}

template <class Shape>
void launch_rows(const Squares& units, const TriangleOrder& order, Unit* data, cudaStream_t stream) {
    const Index pieces = divide_up(units.item, Shape::piece);
    for_each_window(units.side, order, [&](const TriangleWindow& window) {
        const Index tasks = window.keys() * pieces * units.count();
        exchange_rows_kernel<Shape><<<blocks(divide_up(tasks, Shape::warps)), Shape::threads, 0, stream>>>(
            units, window, pieces, tasks, data);
        check(cudaGetLastError(), "launch of the exchange of rows");
    });
}

}  // namespace

bool exchanges_rows(const Squares& s) noexcept {
    return s.item > 1 && s.item * s.element_bytes >= shortest_row;
}

void launch_exchange_rows(const Squares& s, const TriangleOrder& order, void* data, cudaStream_t stream) {
    const Index ratio = s.element_bytes / static_cast<Index>(sizeof(Unit));
    const Squares in_units{s.side,       s.pitch * ratio, s.item * ratio,
                           sizeof(Unit), s.batch,         {s.batch_stride[0] * ratio, s.batch_stride[1] * ratio}};
    auto* const units = static_cast<Unit*>(data);
    // Pieces end anywhere, so the fewer the better; short rows are better spread over more warps.
    if (in_units.item <= RowShape<4>::piece) return launch_rows<RowShape<4>>(in_units, order, units, stream);
    if (in_units.item <= RowShape<8>::piece) return launch_rows<RowShape<8>>(in_units, order, units, stream);
    launch_rows<RowShape<16>>(in_units, order, units, stream);
}

}  // namespace poisson3d::cuda
