// Squares in place by tiles of which all is fetched in aligned words of 16 bytes, and stored from boundaries of 128
// bytes on.
//
// The exchange is that of cuda_exchange.cu: a block fetches a tile and its mirror image, then stores each, turned,
// where the other was. What is new is how rows that begin anywhere are read (common/cuda_pieces.cuh): past the
// registers, in whole words of 16 bytes that reach into the neighbouring tiles, whose elements are not used. So loads
// ask for as few lines and issue as few instructions as the bytes allow, and a tile's side need not be a power of
// two: it is what fits the pitch wherever a row begins, 61 elements of 4 bytes in 256 bytes.
#pragma once

#include "common/cuda_pieces.cuh"
#include "in_place/cuda_exchange.cuh"

namespace poisson3d::cuda {

/// Pitch of a piece of a row in shared memory in bytes, threads, blocks per processor.
template <class WordType, int Pitch, int Threads, int BlocksPerProcessor>
struct WideExchangeShape {
    using Word = WordType;
    using P = Pieces<Word, Pitch>;
    static constexpr int side = P::columns;
    static constexpr int threads = Threads;
    static constexpr int blocks = BlocksPerProcessor;
    static constexpr int spans = side / P::span + 1;
    static constexpr int tile_bytes = P::bytes(side);
    static constexpr int shared_bytes = 2 * tile_bytes;
    static_assert(P::pack == 1 && tile_bytes % 16 == 0);
};

/// Stores the rows of a tile at `to`, `rows` × `columns`: row i is column i of the tile that lies in shared memory.
template <class Shape>
__device__ __forceinline__ void store_turned(PieceColumn from, unsigned char* to, Index stride, int rows,
                                             int columns) {
    using P = typename Shape::P;
    const unsigned char* const tile = from.shared;
    for (int i = static_cast<int>(threadIdx.x) / 32; i < rows; i += Shape::threads / 32) {
        unsigned char* const row = to + i * stride;
        from.shared = tile + i * P::size;
        // From the last boundary at or before the row's beginning on.
        store_column<P, Shape::spans>(from, row, -behind_boundary(row, 128) / P::size, columns);
    }
}

template <class Shape>
__global__ void __launch_bounds__(Shape::threads, Shape::blocks)
    wide_exchange_kernel(Squares s, TriangleWindow window, Readable readable, unsigned char* __restrict__ data) {
    using P = typename Shape::P;
    extern __shared__ __align__(16) unsigned char shared[];
    const auto [offset, tile] = exchange_task(s, window, blockIdx.x);
    const bool diagonal = tile.row == tile.column;
    const Index row0 = tile.row * Shape::side;
    const Index column0 = tile.column * Shape::side;
    const int rows = static_cast<int>(min(static_cast<Index>(Shape::side), s.side - row0));
    const int columns = static_cast<int>(min(static_cast<Index>(Shape::side), s.side - column0));
    unsigned char* const a = data + (offset + row0 * s.pitch + column0) * P::size;
    unsigned char* const b = data + (offset + column0 * s.pitch + row0) * P::size;
    const Index stride = s.pitch * P::size;
    unsigned char* const shared_b = shared + (diagonal ? 0 : Shape::tile_bytes);

    fetch_pieces<P, Shape::threads>(shared, a, stride, 0, rows, columns * P::size, readable);
    if (!diagonal) fetch_pieces<P, Shape::threads>(shared_b, b, stride, 0, columns, rows * P::size, readable);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();

    const int turn = static_cast<int>(stride & 15);
    store_turned<Shape>({shared, behind_boundary(a, 16), turn}, b, stride, columns, rows);
    if (!diagonal) store_turned<Shape>({shared_b, behind_boundary(b, 16), turn}, a, stride, rows, columns);
}

template <class Shape>
void launch_wide_exchange_shape(const Squares& s, const TriangleOrder& order, void* data, cudaStream_t stream) {
    auto* const begin = static_cast<unsigned char*>(data);
    const Index elements = (s.side - 1) * s.pitch + s.side + (s.batch[0] - 1) * s.batch_stride[0] +
                           (s.batch[1] - 1) * s.batch_stride[1];
    const Readable readable{begin, begin + elements * Shape::P::size};
    allow_shared(wide_exchange_kernel<Shape>, Shape::shared_bytes);
    for_each_window(divide_up(s.side, Shape::side), order, [&](const TriangleWindow& window) {
        wide_exchange_kernel<Shape>
            <<<blocks(window.keys() * s.count()), Shape::threads, Shape::shared_bytes, stream>>>(s, window, readable,
                                                                                                 begin);
        check(cudaGetLastError(), "launch of the exchange of tiles by wide loads");
    });
}

}  // namespace poisson3d::cuda
