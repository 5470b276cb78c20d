// The kernel of line_product.hpp. A block of 128 threads has 64 lines and up to 64 rows of both parts: a warp 16
// lines and all of the rows, whose sums it keeps in registers. Lines and tiles of the matrix come to shared memory
// by asynchronous copies, 16 columns at a time, a step ahead; what a warp multiplies next it reads from there while
// it multiplies.
//
// A block asks the second-level cache for 16 KiB of lines and as many of the matrix for 16 columns, with which the
// tensor cores of a multiprocessor are busy for 1024 cycles (128 multiplications each).
#include "cuda/launch_after_previous.hpp"
#include "launch_pass.hpp"
#include "line_product.hpp"
#include "memory_access.hpp"
#include "product_stages.cuh"

namespace poisson3d::fused {

namespace {

using device::multiply, device::end_of_stage, device::wait_for_stage;

/// What a warp multiplies at once: half a tile of the matrix, and 8 columns of its lines for both parts.
using Rows = double[4];
struct Columns {
    double of[2][warp_lines / 8][2];  ///< part, lines, columns
};
struct Lane {
    int line, g, t;
    __device__ __forceinline__ Lane()
        : line(static_cast<int>(threadIdx.x) / 32 * warp_lines),
          g(static_cast<int>(threadIdx.x) % 32 / 4),
          t(static_cast<int>(threadIdx.x) % 4) {}
};

template <class T>
__device__ __forceinline__ void read_rows(const Shared<T>& shared, const Lane& lane, int stage, int half, int part,
                                          int tile, Rows& a) {
    const double* const at =
        &shared.matrix[stage][(part * block_tiles + tile) * tile_elements + 128 * half + 2 * (4 * lane.g + lane.t)];
    const double2 one = *reinterpret_cast<const double2*>(at);
    const double2 other = *reinterpret_cast<const double2*>(at + 64);
    a[0] = one.x, a[1] = one.y, a[2] = other.x, a[3] = other.y;
}
/// As they are …
template <class T, bool rows, Fold fold>
__device__ __forceinline__ void read_columns(const Shared<T>& shared, const Lane& lane, int stage, int half,
                                             Columns& b) {
#pragma unroll
    for (int l = 0; l < warp_lines / 8; ++l)
#pragma unroll
        for (int k = 0; k < 2; ++k) {
            const int column = 8 * half + 4 * k + lane.t, line = lane.line + 8 * l + lane.g;
            const int at = rows ? line * row_pitch + column : column * column_pitch + line;
            b.of[0][l][k] = static_cast<double>(shared.lines[stage][0][at]);
            if (fold != Fold::none) b.of[1][l][k] = static_cast<double>(shared.lines[stage][1][at]);
        }
}
/// … and as they are multiplied.
template <Fold fold>
__device__ __forceinline__ void fold_columns(Columns& b) {
    if constexpr (fold == Fold::before) {
#pragma unroll
        for (int l = 0; l < warp_lines / 8; ++l)
#pragma unroll
            for (int k = 0; k < 2; ++k) {
                const double first = b.of[0][l][k], second = b.of[1][l][k];
                b.of[0][l][k] = first + second;
                b.of[1][l][k] = first - second;
            }
    }
}

using Sums = double[2][block_tiles][warp_lines / 8][4];

/// Half a stage, what it multiplies read before; reads what comes first of the half after it. `between(tile)`: what
/// is done meanwhile.
template <class T, bool rows, Fold fold, class Between>
__device__ __forceinline__ void multiply_half(const Shared<T>& shared, const Lane& lane, int tiles, int stage,
                                              int half, int next_stage, Sums& sums, Rows& a, Columns& b,
                                              const Between& between) {
    Columns next;
    read_columns<T, rows, fold>(shared, lane, next_stage, 1 - half, next);
#pragma unroll
    for (int i = 0; i < block_tiles; ++i) {
        if (i < tiles) {
            Rows odd;
            read_rows(shared, lane, stage, half, 1, i, odd);
#pragma unroll
            for (int l = 0; l < warp_lines / 8; ++l) multiply(sums[0][i][l], a, b.of[0][l]);
            const bool last = i + 1 == tiles;
            read_rows(shared, lane, last ? next_stage : stage, last ? 1 - half : half, 0, last ? 0 : i + 1, a);
#pragma unroll
            for (int l = 0; l < warp_lines / 8; ++l)
                multiply(sums[1][i][l], odd, b.of[fold == Fold::none ? 0 : 1][l]);
        }
        between(i);
    }
    fold_columns<fold>(next);
    b = next;
}

/// Two neighbouring lines' element.
template <class T>
__device__ __forceinline__ void put(const ProductTask<T>& task, Index first, Index second, Index index, double one,
                                    double other) {
    one *= task.scale, other *= task.scale;
    T* const to = task.out + index * task.out_sample;
    if (task.pairs && second >= 0) {
        lines::store_field(reinterpret_cast<Complex<T>*>(to + first),
                           Complex<T>{static_cast<T>(one), static_cast<T>(other)});
        return;
    }
    if (first >= 0) to[first] = static_cast<T>(one);
    if (second >= 0) to[second] = static_cast<T>(other);
}

template <class T, bool rows, Fold fold>
__global__ void __launch_bounds__(block_threads, blocks_together)
    product_kernel(const __grid_constant__ ProductTask<T> task) {
    extern __shared__ unsigned char memory[];
    auto& shared = *reinterpret_cast<Shared<T>*>(memory);
    cuda::wait_for_previous();
    const LineMatrix& matrix = task.matrix;
    const Index line_block = blockIdx.x / static_cast<unsigned>(task.row_blocks);
    const int row_block = static_cast<int>(blockIdx.x - static_cast<unsigned>(line_block) * task.row_blocks);
    for (int line = static_cast<int>(threadIdx.x); line < block_lines; line += block_threads) {
        const Index number = line_block * block_lines + line;
        const Index slice = number / task.lines, field = slice / task.slices;
        const Index in_slice = slice - field * task.slices, in_line = number - slice * task.lines;
        const bool there = field < task.fields;
        shared.in[line] = there ? in_line * task.in_line + in_slice * task.in_slice + field * task.in_next : 0;
        shared.out[line] = there ? in_line * task.out_line + in_slice * task.out_slice + field * task.out_next : -1;
    }
    __syncthreads();
    // All blocks have as many tiles of rows, or one less.
    const int each = matrix.row_tiles() / task.row_blocks, more = matrix.row_tiles() % task.row_blocks;
    const RowTiles tiles{row_block * each + min(row_block, more), each + (row_block < more ? 1 : 0)};
    StageLoader<T, rows, fold> loader(task, shared, tiles);
    const int steps = matrix.column_tiles();
    const auto copy_next = [&](int step, int stage) {
        if (step < steps)
#pragma unroll
            for (int which = 0; which < 4; ++which) loader.quarter(shared, stage, which);
        loader.advance();
        end_of_stage();
    };
#pragma unroll
    for (int step = 0; step < stages - 1; ++step) copy_next(step, step);
    wait_for_stage<stages - 2>();
    __syncthreads();

    const Lane lane;
    Sums sums = {};
    Rows a;
    Columns b;
    read_rows(shared, lane, 0, 0, 0, 0, a);
    read_columns<T, rows, fold>(shared, lane, 0, 0, b);
    fold_columns<fold>(b);
    int stage = 0;
#pragma unroll 1
    for (int step = 0; step < steps; ++step) {
        const int next = stage + 1 < stages ? stage + 1 : 0, last = next + 1 < stages ? next + 1 : 0;
        static_assert(stages == 3);
        multiply_half<T, rows, fold>(shared, lane, tiles.number, stage, 0, stage, sums, a, b, [](int) {});
        wait_for_stage<stages - 3>();
        __syncthreads();
        const bool more_steps = step + stages - 1 < steps;
        multiply_half<T, rows, fold>(shared, lane, tiles.number, stage, 1, next, sums, a, b, [&](int which) {
            if (more_steps) loader.quarter(shared, last, which);
        });
        loader.advance();
        end_of_stage();
        stage = next;
    }
#pragma unroll
    for (int l = 0; l < warp_lines / 8; ++l) {
        const int line = lane.line + 8 * l + 2 * lane.t;
        const Index first = shared.out[line], second = shared.out[line + 1];
#pragma unroll
        for (int i = 0; i < block_tiles; ++i)
#pragma unroll
            for (int half = 0; half < 2; ++half) {
                const Index row = Index{tiles.first + i} * tile_side + lane.g + 8 * half;
                if (i >= tiles.number || row >= matrix.even) continue;
                const double e[2] = {sums[0][i][l][2 * half], sums[0][i][l][2 * half + 1]};
                const double o[2] = {sums[1][i][l][2 * half], sums[1][i][l][2 * half + 1]};
                if (fold == Fold::after) {
                    put(task, first, second, row, e[0] + o[0], e[1] + o[1]);
                    if (matrix.paired(row))
                        put(task, first, second, matrix.center() - row, e[0] - o[0], e[1] - o[1]);
                } else {
                    if (row < matrix.unknowns) put(task, first, second, row, e[0], e[1]);
                    if (matrix.even + row < matrix.unknowns)
                        put(task, first, second, matrix.even + row, o[0], o[1]);
                }
            }
    }
}

template <class T, bool rows, Fold fold>
void launch(const ProductTask<T>& task, Stream stream) {
    const auto kernel = &product_kernel<T, rows, fold>;
    cuda::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Shared<T>)),
                "shared memory of a product of lines and a matrix");
    const Index blocks = (task.lines * task.slices * task.fields + block_lines - 1) / block_lines * task.row_blocks;
    cuda::launch_after_previous(
        kernel, {dim3(static_cast<unsigned>(blocks)), dim3(block_threads), sizeof(Shared<T>), cuda::queue(stream)},
        may_launch_early(), task);
}

}  // namespace

template <class T>
void launch_line_product(const LineProduct<T>& product, Stream stream) {
    const bool rows = product.axis == 2;
    const int slice = slice_axis(product.axis), line = rows ? 1 : 2;
    ProductTask<T> task{};
    task.matrix = product.matrix;
    task.in = product.in.data;
    task.out = product.out.data;
    task.lines = product.in.extents[line];
    task.slices = product.in.extents[slice];
    task.fields = product.fields;
    task.in_line = product.in.strides[line];
    task.in_slice = product.in.strides[slice];
    task.in_next = product.in_next;
    task.in_sample = product.in.strides[product.axis];
    task.out_line = product.out.strides[line];
    task.out_slice = product.out.strides[slice];
    task.out_next = product.out_next;
    task.out_sample = product.out.strides[product.axis];
    task.scale = product.scale;
    task.row_blocks = (task.matrix.row_tiles() + block_tiles - 1) / block_tiles;
    const auto even = [](Index stride) { return stride % 2 == 0; };
    task.pairs = !rows && even(task.lines) && even(task.out_slice) && even(task.out_next) &&
                 even(task.out_sample) && reinterpret_cast<std::uintptr_t>(task.out) % (2 * sizeof(T)) == 0;
    const auto with_fold = [&]<Fold fold>() {
        rows ? launch<T, true, fold>(task, stream) : launch<T, false, fold>(task, stream);
    };
    switch (task.matrix.fold) {
        case Fold::none: return with_fold.template operator()<Fold::none>();
        case Fold::before: return with_fold.template operator()<Fold::before>();
        case Fold::after: return with_fold.template operator()<Fold::after>();
    }
}

template void launch_line_product(const LineProduct<float>&, Stream);
template void launch_line_product(const LineProduct<double>&, Stream);

}  // namespace poisson3d::fused
