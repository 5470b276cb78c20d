// Squares in place: a block exchanges a tile with its mirror image.
//
// Tile A lies at (row, column) of the triangle, its mirror image B at (column, row). A block loads both before it
// stores anything, so that two tiles of loads are in flight, turns them in shared memory, and stores T(B) where A
// was and T(A) where B was. A tile on the diagonal is its own mirror image. Every element belongs to one block.
//
// At odd sizes a tile's rows begin and end inside sectors that they share with neighbouring tiles, and in place the
// stores cannot be aligned otherwise than the loads were. But a sector that was just loaded is in the second-level
// cache, where a part of it can be stored without reading it again, if the neighbouring tile follows soon: tile A's
// neighbours in its row are the next keys of most orders; B's are A's in its column, one band later in v1b, one row
// of the whole triangle later in v1. Partly written sectors cost time even in the cache, so threads are numbered
// cyclically along each row of a tile: a warp's stores end at boundaries of 128 bytes, and only the ends of a
// tile's rows are partly written sectors. Wide tiles, 256 bytes in a row, share fewer.
#include <cuda_pipeline.h>

#include "in_place/cuda_exchange.cuh"

namespace poisson3d::cuda {

namespace {

/// The sides of a tile and the threads that move it.
template <class WordType, int Side, int Threads, int BlocksPerProcessor, bool Asynchronous>
struct ExchangeShape {
    using Word = WordType;
    static constexpr bool asynchronous = Asynchronous;  ///< loads go to shared memory past the registers
    static constexpr int side = Side;
    static constexpr int threads = Threads;
    static constexpr int blocks = BlocksPerProcessor;
    static constexpr int step = Threads / Side;  ///< rows of a tile that the threads reach at once
    static constexpr int loads = Side / step;    ///< of a thread, per tile
    /// Words that threads are shifted by at most; none for 4 bytes, where computing the shift costs more than it
    /// saves.
    static constexpr int line = sizeof(Word) == 4 ? 1 : 128 / static_cast<int>(sizeof(Word));
    static constexpr int pitch = Side + 1;  ///< in shared memory: columns in different banks
    static constexpr int shared_bytes = 2 * Side * pitch * static_cast<int>(sizeof(Word));
    static_assert((Side & (Side - 1)) == 0 && Side >= line && Threads % Side == 0 && Side % step == 0);
};

/// The elements of a tile that a thread moves: in row y + i · step, and which of that row. Threads are numbered
/// cyclically, in each row from its first boundary of 128 bytes on, so that a warp's access ends there.
template <class Shape>
struct TileRows {
    static constexpr bool turned = Shape::line > 1;
    typename Shape::Word*
        row;          ///< of this thread, i = 0: where it begins, or, if not turned, this thread's element
    Index stride;     ///< to the next
    int first, turn;  ///< how far row 0 begins behind a boundary, and how much more each next row does
    int rows, columns;

    __device__ __forceinline__ TileRows(typename Shape::Word* tile, Index pitch, int tile_rows, int tile_columns)
        : row(tile + static_cast<int>(threadIdx.x) / Shape::side * pitch +
              (turned ? 0 : static_cast<int>(threadIdx.x) % Shape::side)),
          stride(Shape::step * pitch),
          first(static_cast<int>(reinterpret_cast<unsigned long long>(row) / sizeof(*row) % Shape::line)),
          turn(static_cast<int>(stride % Shape::line)),
          rows(tile_rows - static_cast<int>(threadIdx.x) / Shape::side),
          columns(tile_columns) {}
    /// Calls move(i, column, element) for the elements that exist.
    template <class Move>
    __device__ __forceinline__ void each(Move move) const {
        auto* at = row;
        int behind = first;
#pragma unroll
        for (int i = 0; i < Shape::loads; ++i, at += stride, behind += turn) {
            const int x = (static_cast<int>(threadIdx.x) - behind % Shape::line) & (Shape::side - 1);
            if (i * Shape::step < rows && x < columns) move(i, x, at[turned ? x : 0]);
        }
    }
};

template <class Shape>
__global__ void __launch_bounds__(Shape::threads, Shape::blocks)
    exchange_kernel(Squares s, TriangleWindow window, typename Shape::Word* __restrict__ data) {
    using Word = typename Shape::Word;
    constexpr int side = Shape::side;
    extern __shared__ __align__(16) unsigned char shared[];
    auto* const turned_a = reinterpret_cast<Word*>(shared);
    Word* const turned_b = turned_a + side * Shape::pitch;

    const auto [offset, tile] = exchange_task(s, window, blockIdx.x);
    const bool diagonal = tile.row == tile.column;
    const Index row0 = tile.row * side;
    const Index column0 = tile.column * side;
    const int rows = static_cast<int>(min(static_cast<Index>(side), s.side - row0));
    const int columns = static_cast<int>(min(static_cast<Index>(side), s.side - column0));
    const TileRows<Shape> a(data + offset + row0 * s.pitch + column0, s.pitch, rows, columns);
    const TileRows<Shape> b(data + offset + column0 * s.pitch + row0, s.pitch, columns, rows);
    const int y = threadIdx.x / side;
    const auto in_a = [&](int i, int x) -> Word& { return turned_a[(y + i * Shape::step) * Shape::pitch + x]; };
    const auto in_b = [&](int i, int x) -> Word& { return turned_b[(y + i * Shape::step) * Shape::pitch + x]; };

    if constexpr (Shape::asynchronous) {
        a.each([&](int i, int x, Word& element) { __pipeline_memcpy_async(&in_a(i, x), &element, sizeof(Word)); });
        if (!diagonal)
            b.each(
                [&](int i, int x, Word& element) { __pipeline_memcpy_async(&in_b(i, x), &element, sizeof(Word)); });
        __pipeline_commit();
        __pipeline_wait_prior(0);
    } else {
        Word from_a[Shape::loads];
        Word from_b[Shape::loads];
        a.each([&](int i, int, const Word& element) { from_a[i] = element; });
        if (!diagonal) b.each([&](int i, int, const Word& element) { from_b[i] = element; });
        a.each([&](int i, int x, const Word&) { in_a(i, x) = from_a[i]; });
        if (!diagonal) b.each([&](int i, int x, const Word&) { in_b(i, x) = from_b[i]; });
    }
    __syncthreads();
    b.each([&](int i, int x, Word& element) { element = turned_a[x * Shape::pitch + y + i * Shape::step]; });
    if (!diagonal)
        a.each([&](int i, int x, Word& element) { element = turned_b[x * Shape::pitch + y + i * Shape::step]; });
}

/// Short items of several words: tiles of items_side × items_side items; everything else as above.
constexpr int items_side = 16;
constexpr int items_threads = 256;

constexpr int items_pitch(int item) {
    return items_side * item + 1;
}

template <class Word>
__global__ void __launch_bounds__(items_threads)
    exchange_items_kernel(Squares s, TriangleWindow window, Word* __restrict__ data) {
    extern __shared__ __align__(16) unsigned char shared[];
    const int item = static_cast<int>(s.item);
    const int pitch = items_pitch(item);
    auto* const turned_a = reinterpret_cast<Word*>(shared);
    Word* const turned_b = turned_a + items_side * pitch;

    const auto [offset, tile] = exchange_task(s, window, blockIdx.x);
    const bool diagonal = tile.row == tile.column;
    const Index row0 = tile.row * items_side;
    const Index column0 = tile.column * items_side;
    const int rows = static_cast<int>(min(static_cast<Index>(items_side), s.side - row0));
    const int columns = static_cast<int>(min(static_cast<Index>(items_side), s.side - column0));
    Word* const at_a = data + offset + row0 * s.pitch + column0 * item;
    Word* const at_b = data + offset + column0 * s.pitch + row0 * item;
    const int length = items_side * item;

    // Calls move(r, w) for the words w of the rows r of a tile, as far as they exist.
    const auto for_words = [&](int tile_rows, int tile_columns, auto move) {
#pragma unroll 4
        for (int i = threadIdx.x; i < items_side * length; i += items_threads) {
            const int r = i / length;
            const int w = i - r * length;
            if (r < tile_rows && w < tile_columns * item) move(r, w);
        }
    };
    for_words(rows, columns, [&](int r, int w) { turned_a[r * pitch + w] = at_a[r * s.pitch + w]; });
    if (!diagonal) for_words(columns, rows, [&](int r, int w) { turned_b[r * pitch + w] = at_b[r * s.pitch + w]; });
    __syncthreads();
    const auto turn = [&](const Word* from, Word* to) {
        return [=, &s](int r, int w) {
            const int column = w / item;
            to[r * s.pitch + w] = from[column * pitch + r * item + (w - column * item)];
        };
    };
    for_words(columns, rows, turn(turned_a, at_b));
    if (!diagonal) for_words(rows, columns, turn(turned_b, at_a));
}

template <class Shape>
void launch_exchange_shape(const Squares& s, const TriangleOrder& order, void* data, cudaStream_t stream) {
    allow_shared(exchange_kernel<Shape>, Shape::shared_bytes);
    for_each_window(divide_up(s.side, Shape::side), order, [&](const TriangleWindow& window) {
        exchange_kernel<Shape><<<blocks(window.keys() * s.count()), Shape::threads, Shape::shared_bytes, stream>>>(
            s, window, static_cast<typename Shape::Word*>(data));
        check(cudaGetLastError(), "launch of the exchange of tiles");
    });
}

/// Words of 8 bytes, rows that begin and end inside lines of 128: longer runs of whole lines, where there are
/// blocks enough.
using WideExchange = ExchangeShape<Word8, 64, 1024, 2, true>;

bool wide_pays(const Squares& s) {
    constexpr Index line = 128 / 8;
    const Index tiles = divide_up(s.side, WideExchange::side);
    return s.side >= 400 && (s.pitch % line != 0 || s.side % line != 0) &&
           order::triangle_keys(tiles, Diagonal::included) * s.count() >= 1024;
}

/// Calls body(shape) with the shape measured best for squares of items that are words (docs/notes.md).
template <class Body>
void with_shape(const Squares& s, const Body& body) {
    with_wide_word(s.element_bytes, [&]<class Word>(Word) {
        using Small = ExchangeShape<Word, 32, 256, 4, true>;
        if (s.side <= Small::side) return body(Small{});
        if constexpr (sizeof(Word) == 4)
            body(ExchangeShape<Word, 64, 256, 5, true>{});
        else if constexpr (sizeof(Word) == 16)
            body(ExchangeShape<Word, 32, 256, 4, false>{});
        else
            wide_pays(s) ? body(WideExchange{}) : body(ExchangeShape<Word, 32, 256, 8, true>{});
    });
}

template <class Word>
void launch_items(const Squares& s, const TriangleOrder& order, Word* data, cudaStream_t stream) {
    const int bytes = 2 * items_side * items_pitch(static_cast<int>(s.item)) * static_cast<int>(sizeof(Word));
    allow_shared(exchange_items_kernel<Word>, bytes);
    for_each_window(divide_up(s.side, items_side), order, [&](const TriangleWindow& window) {
        exchange_items_kernel<Word>
            <<<blocks(window.keys() * s.count()), items_threads, bytes, stream>>>(s, window, data);
        check(cudaGetLastError(), "launch of the exchange of items");
    });
}

}  // namespace

int exchange_tile_side(const Squares& s) {
    int side = items_side;
    if (s.item == 1) with_shape(s, [&]<class Shape>(Shape) { side = Shape::side; });
    return side;
}

void launch_exchange(const Squares& s, const TriangleOrder& order, void* data, cudaStream_t stream) {
    if (s.item > 1)
        with_wide_word(s.element_bytes,
                       [&]<class Word>(Word) { launch_items<Word>(s, order, static_cast<Word*>(data), stream); });
    else
        with_shape(s, [&]<class Shape>(Shape) { launch_exchange_shape<Shape>(s, order, data, stream); });
}

}  // namespace poisson3d::cuda
