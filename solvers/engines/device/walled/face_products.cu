// The kernels of face_products.hpp and face_planes.hpp.
//
// A block of 128 threads has 64 × 64 results of a product, a warp 32 × 32 of them in registers (face_tiles.cuh).
// Both matrices come to shared memory 16 deep at a time (face_pieces.cuh), two pieces while a third is multiplied,
// with one barrier for each. Three blocks share a multiprocessor, so that one multiplies while others begin, wait
// or write. Single precision is multiplied in double, so that one kernel serves both.
#include "cuda/check.hpp"
#include "cuda/launch_after_previous.hpp"
#include "face_planes.hpp"
#include "face_tiles.cuh"

namespace poisson3d::walled {

namespace {

constexpr int plane_threads = 128;

// 16 KiB from the second-level cache for 512 cycles of the tensor cores.
using BlockTile = Tile<tile_rows, tile_columns, 2, 2, 3, 3>;

template <class T, class Tile>
__global__ void __launch_bounds__(Tile::threads, Tile::blocks)
    product_kernel(const Product<T>* const table, const int count) {
    extern __shared__ __align__(16) unsigned char memory[];
    // The last product whose tiles begin at this block or before. No launch writes the table.
    int number = -1;
    for (int first = 0; first < count; first += Tile::threads) {
        const int mine = first + static_cast<int>(threadIdx.x);
        number += __syncthreads_count(mine < count && table[mine].first_tile <= Index{blockIdx.x});
    }
    const Product<T>& product = table[number];
    const int block = static_cast<int>(blockIdx.x - product.first_tile);
    const int across = (static_cast<int>(product.columns) + Tile::columns - 1) / Tile::columns;
    const int first_row = block / across * Tile::rows, first_column = block % across * Tile::columns;
    WarpTile<T, Tile> mine;
    const int fragments = mine.fragments(product.rows - first_row, product.columns - first_column);
    cuda::wait_for_previous();

    // Pieces go round in the stages, all but one of them on their way. `coming` has three bits each of this one and
    // those, this one lowest.
    const auto a = [&](int stage) { return reinterpret_cast<T*>(memory) + stage * Tile::template piece<T>; };
    const auto b = [&](int stage) { return a(stage) + Piece<T, Tile::rows>::size; };
    Pieces<T, Tile> pieces(product, first_row, first_column);
    int stage = 0, free_stage = Tile::stages - 1;
    unsigned coming = 0;
#pragma unroll 1
    for (int first = 0; first < free_stage; ++first) {
        coming |= pieces.copy(a(first), b(first)) << (3 * first);
        device::end_of_stage();
    }
#pragma unroll 1
    while ((coming & 1U) != 0) {
        device::wait_for_stage<Tile::stages - 2>();
        __syncthreads();  // this piece is there, and the one before it is read
        const unsigned what = coming;
        coming = coming >> 3 | pieces.copy(a(free_stage), b(free_stage)) << (3 * (Tile::stages - 2));
        device::end_of_stage();
        mine.multiply(a(stage), b(stage), what, fragments);
        free_stage = stage;
        stage = stage + 1 < Tile::stages ? stage + 1 : 0;
    }
    mine.store(product, first_row, first_column);
}

enum class Step { take, give, move_outside };

template <class T, Step step>
__global__ void planes_kernel(const __grid_constant__ AllFacePlanes<T> planes) {
    const FacePlanes<T>& mine = planes.of[blockIdx.z];
    const Index j = Index{blockIdx.x} * plane_threads + threadIdx.x;
    if (j >= mine.columns.even()) return;
    for (Index i = blockIdx.y; i < mine.rows.even(); i += gridDim.y) {
        if constexpr (step == Step::take) mine.take(i, j);
        if constexpr (step == Step::give) mine.give(i, j);
        if constexpr (step == Step::move_outside) mine.move_outside(i, j);
    }
}

template <class T, Step step>
void launch_planes(const AllFacePlanes<T>& planes, Stream stream) {
    constexpr Index most = 65535;  // of a launch's second dimension
    Index rows = 1, columns = 1;
    for (const FacePlanes<T>& each : planes.of)
        rows = std::max(rows, each.rows.even()), columns = std::max(columns, each.columns.even());
    const dim3 grid(cuda::blocks(cuda::divide_up(columns, plane_threads)),
                    static_cast<unsigned>(std::min(rows, most)), 3);
    planes_kernel<T, step><<<grid, plane_threads, 0, cuda::queue(stream)>>>(planes);
    cuda::check(cudaGetLastError(), "launch of planes next to free faces");
}

}  // namespace

template <class T>
void launch_products(const Products<T>& products, Stream stream) {
    if (products.count == 0) return;
    const auto kernel = &product_kernel<T, BlockTile>;
    constexpr std::size_t shared = BlockTile::shared<T>;
    cuda::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared),
                "shared memory of products of faces");
    // Blocks that come early take what is free, three a multiprocessor; if they are few, others have none.
    const bool many = products.tiles > 2 * BlockTile::blocks * cuda::multiprocessors();
    cuda::launch_after_previous(
        kernel, {dim3(cuda::blocks(products.tiles)), dim3(BlockTile::threads), shared, cuda::queue(stream)},
        many && cuda::may_launch_early(kernel), products.table, static_cast<int>(products.count));
}

template <class T>
void launch_take(const AllFacePlanes<T>& planes, Stream stream) {
    launch_planes<T, Step::take>(planes, stream);
}
template <class T>
void launch_give(const AllFacePlanes<T>& planes, Stream stream) {
    launch_planes<T, Step::give>(planes, stream);
}
template <class T>
void launch_move_outside(const AllFacePlanes<T>& planes, Stream stream) {
    launch_planes<T, Step::move_outside>(planes, stream);
}

template void launch_products(const Products<float>&, Stream);
template void launch_products(const Products<double>&, Stream);
template void launch_take(const AllFacePlanes<float>&, Stream);
template void launch_take(const AllFacePlanes<double>&, Stream);
template void launch_give(const AllFacePlanes<float>&, Stream);
template void launch_give(const AllFacePlanes<double>&, Stream);
template void launch_move_outside(const AllFacePlanes<float>&, Stream);
template void launch_move_outside(const AllFacePlanes<double>&, Stream);

}  // namespace poisson3d::walled
