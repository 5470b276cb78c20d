// Squares in place whose rows begin anywhere: a block exchanges two tiles of which one waits in registers, so that
// tiles can be twice as wide as where both wait in shared memory.
//
// Tile A is fetched into shared memory and its mirror image B into registers, both in aligned words of 16 bytes
// (common/cuda_pieces.cuh). T(A) is stored where B was; then B takes A's room, and T(B) is stored where A was:
//
//        A → shared memory, B → registers   │ T(A) → B's place │ B → shared memory │ T(B) → A's place
//
// What partly used lines and sectors cost is a matter of the length of a tile's rows alone (docs/notes.md).
#include "common/cuda_pieces.cuh"
#include "in_place/cuda_exchange.cuh"

namespace poisson3d::cuda {

namespace {

/// Of elements of 4 bytes; for those of 8 and 16 bytes no shape was faster (docs/notes.md).
using P = Pieces<Word4, 512>;
constexpr int threads = 512;
constexpr int blocks_of_processor = 2;
constexpr int words = P::pitch / 16;                                // of a row
constexpr int step = threads / words;                               // rows that the threads reach at once
constexpr int loads = (exchange_held_tile_side + step - 1) / step;  // words of B that a thread holds
constexpr int spans = (exchange_held_tile_side + P::line - 2) / P::span + 1;
static_assert(exchange_held_tile_side == P::columns && threads % words == 0 && step % P::group == 0 &&
              P::pack == 1);

/// The aligned word of 16 bytes at `source`, as far as it may be read.
__device__ __forceinline__ uint4 load_word(const unsigned char* source, Readable readable) {
    if (source >= readable.begin && source + 16 <= readable.end) return *reinterpret_cast<const uint4*>(source);
    const auto part = [&](int b) {
        const unsigned char* const at = source + b;
        return at >= readable.begin && at < readable.end ? *reinterpret_cast<const unsigned*>(at) : 0U;
    };
    return {part(0), part(4), part(8), part(12)};
}

__global__ void __launch_bounds__(threads, blocks_of_processor)
    exchange_held_kernel(Squares s, TriangleWindow window, int side, Readable readable, unsigned char* data) {
    extern __shared__ __align__(16) unsigned char shared[];
    const auto [offset, tile] = exchange_task(s, window, blockIdx.x);
    const bool diagonal = tile.row == tile.column;
    const Index row0 = tile.row * side;
    const Index column0 = tile.column * side;
    const int rows = static_cast<int>(min(static_cast<Index>(side), s.side - row0));
    const int columns = static_cast<int>(min(static_cast<Index>(side), s.side - column0));
    const Index stride = s.pitch * P::size;
    unsigned char* const a = data + (offset + row0 * s.pitch + column0) * P::size;  // rows × columns
    unsigned char* const b = data + (offset + column0 * s.pitch + row0) * P::size;  // columns × rows

    fetch_pieces<P, threads>(shared, a, stride, 0, rows, columns * P::size, readable);
    __pipeline_commit();
    // Rows `step` apart begin equally far behind a boundary of 16 bytes.
    const int word = static_cast<int>(threadIdx.x) % words;
    const int y = static_cast<int>(threadIdx.x) / words;
    const unsigned char* const piece = b + y * stride;
    const int behind = behind_boundary(piece, 16);
    const int held_rows = diagonal || 16 * word >= behind + rows * P::size ? 0 : columns;
    uint4 held[loads];
    const unsigned char* source = piece - behind + 16 * word;
#pragma unroll
    for (int i = 0; i < loads; ++i, source += step * stride)
        if (y + i * step < held_rows) held[i] = load_word(source, readable);
    __pipeline_wait_prior(0);
    __syncthreads();

    const int turn = static_cast<int>(stride & 15);
    const auto store = [&](const unsigned char* from, unsigned char* to, int lines, int length) {
        PieceColumn column{shared, behind_boundary(from, 16), turn};
        for (int c = static_cast<int>(threadIdx.x) / 32; c < lines; c += threads / 32) {
            unsigned char* const target = to + c * stride;
            column.shared = shared + c * P::size;
            store_column<P, spans>(column, target, -behind_boundary(target, 128) / P::size, length);
        }
    };
    store(a, b, columns, rows);
    if (diagonal) return;
    __syncthreads();
    unsigned char* const room = shared + P::offset(y) + 16 * word;
    constexpr int room_step = P::offset(step);
#pragma unroll
    for (int i = 0; i < loads; ++i)
        if (y + i * step < held_rows) *reinterpret_cast<uint4*>(room + i * room_step) = held[i];
    __syncthreads();
    store(b, a, rows, columns);
}

}  // namespace

void launch_exchange_held(const Squares& s, const TriangleOrder& order, void* data, cudaStream_t stream) {
    const int side = static_cast<int>(divide_up(s.side, divide_up(s.side, exchange_held_tile_side)));
    const Index last = (s.batch[0] - 1) * s.batch_stride[0] + (s.batch[1] - 1) * s.batch_stride[1] +
                       (s.side - 1) * s.pitch + s.side;
    auto* const begin = static_cast<unsigned char*>(data);
    allow_shared(exchange_held_kernel, P::bytes(exchange_held_tile_side));
    for_each_window(divide_up(s.side, side), order, [&](const TriangleWindow& window) {
        exchange_held_kernel<<<blocks(window.keys() * s.count()), threads, P::bytes(side), stream>>>(
            s, window, side, {begin, begin + last * P::size}, begin);
        check(cudaGetLastError(), "launch of the exchange of wide tiles");
    });
}

}  // namespace poisson3d::cuda
