// Chien's rotation: all x–z slices of a box in one two-dimensional grid of padded tiles.
//
// A slice is n1 × n3 at one y and takes Gx × Gz tiles. The slices stand side by side in a k1 × k2 arrangement,
// k1·k2 ≥ n2 with at most one slice too many; a block finds its slice and its tile by integer division. The guard y
// < n2 keeps the surplus slice from writing out of bounds.
#include <algorithm>
#include <cmath>

#include "baselines/cuda_launchers.hpp"
#include "common/cuda_batch.cuh"

namespace poisson3d::cuda {

namespace {

constexpr int side = 32;
constexpr int rows_at_once = 8;
constexpr Index max_grid_rows = 65535;  // of gridDim.y

struct Arrangement {
    Index k1, k2;  ///< slices down and across
};

/// The squarest arrangement with at most one slice to spare.
Arrangement arrange(Index slices) {
    auto k1 = static_cast<Index>(std::sqrt(static_cast<double>(slices)));
    for (k1 = std::max<Index>(k1, 1); k1 > 1; --k1)
        if (k1 * divide_up(slices, k1) - slices <= 1) break;
    return {k1, divide_up(slices, k1)};
}

template <class Word>
__global__ void __launch_bounds__(side* rows_at_once)
    slices_kernel(MatrixBatch m, Index slices, Index across, Index grid_rows, const Word* __restrict__ in,
                  Word* __restrict__ out) {
    __shared__ Word tile[side][side + 1];
    const Index tiles_x = (m.rows + side - 1) / side;
    const Index tiles_z = (m.columns + side - 1) / side;
    const int x = threadIdx.x;
    const int y = threadIdx.y;
    const auto [s1, t1] = divide(blockIdx.x, tiles_z);
    for (Index by = blockIdx.y; by < grid_rows; by += gridDim.y) {
        const auto [s2, t2] = divide(by, tiles_x);
        const Index slice = s2 * across + s1;
        if (slice >= slices) continue;  // the surplus slice; the same for the whole block
        const Index row0 = t2 * side;
        const Index z0 = t1 * side;
        const Offsets at = offsets(m, slice);
        const Word* from = in + at.in + (row0 + y) * m.in_pitch + z0 + x;
#pragma unroll
        for (int k = 0; k < side; k += rows_at_once)
            if (row0 + y + k < m.rows && z0 + x < m.columns) tile[y + k][x] = from[k * m.in_pitch];
        __syncthreads();
        Word* to = out + at.out + (z0 + y) * m.out_pitch + row0 + x;
#pragma unroll
        for (int k = 0; k < side; k += rows_at_once)
            if (z0 + y + k < m.columns && row0 + x < m.rows) to[k * m.out_pitch] = tile[x][y + k];
        __syncthreads();
    }
}

}  // namespace

void launch_slices(const MatrixBatch& m, int element_bytes, const void* in, void* out, cudaStream_t stream) {
    const Index slices = m.count();  // the movement was not merged: a slice is a matrix
    const auto [k1, k2] = arrange(slices);
    const Index grid_rows = k1 * divide_up(m.rows, side);
    const dim3 grid(blocks(k2 * divide_up(m.columns, side)),
                    static_cast<unsigned>(std::min(grid_rows, max_grid_rows)));
    with_word(element_bytes, [&]<class Word>(Word) {
        slices_kernel<Word><<<grid, dim3(side, rows_at_once), 0, stream>>>(
            m, slices, k2, grid_rows, static_cast<const Word*>(in), static_cast<Word*>(out));
        check(cudaGetLastError(), "launch of the sliced transpose");
    });
}

}  // namespace poisson3d::cuda
