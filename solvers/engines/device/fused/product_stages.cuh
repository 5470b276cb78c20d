// Shared memory of the kernel that multiplies lines with matrices (kernels/line_product.cu), and what its threads
// copy there: stages of 16 columns, of lines and of the matrix, asynchronously where the device can.
#pragma once

#include "line_product.hpp"
#include "tensor_product.cuh"

namespace poisson3d::fused {

namespace {

using device::copy_element, device::copy_two;

constexpr int block_lines = 64, block_threads = 128, blocks_together = 2;
constexpr int block_tiles = 4;  ///< rows of tiles of a block
constexpr int warp_lines = 16;
constexpr int stages = 3;
constexpr int tile_elements = tile_side * tile_side;

/// Pitches of lines in shared memory with which the threads of a warp that read 4 by 8 elements meet all banks.
constexpr int column_pitch = block_lines + 4, row_pitch = tile_side + 4;

template <class T>
struct Shared {
    double matrix[stages][2 * block_tiles * tile_elements];
    T lines[stages][2][block_lines * row_pitch];
    Index in[block_lines], out[block_lines];  ///< where lines begin; −1: not there
};

template <class T>
struct ProductTask {
    LineMatrix matrix;
    const T* in;
    T* out;
    Index lines, slices, fields;
    Index in_line, in_slice, in_next, in_sample;
    Index out_line, out_slice, out_next, out_sample;
    int row_blocks;
    double scale;
    bool pairs;  ///< neighbouring lines are written together
};

/// Tiles of rows of a block: `number`, the first of them `first`.
struct RowTiles {
    int first, number;
};

/// What a thread copies to each stage: of both parts of lines, in rows one column of 8 lines, else 8 columns of one
/// line; of one part of the matrix, two elements of every tile. Lines that do not exist stand for the first one.
template <class T, bool rows, Fold fold>
class StageLoader {
public:
    __device__ __forceinline__ StageLoader(const ProductTask<T>& task, const Shared<T>& shared, RowTiles tiles)
        : tiles_(tiles.number), tile_stride_(task.matrix.column_tiles() * tile_elements) {
        const LineMatrix& matrix = task.matrix;
        const int thread = static_cast<int>(threadIdx.x);
        column_ = rows ? thread % tile_side : thread / block_lines;
        inside_ = column_;
        line_ = rows ? thread / tile_side : thread % block_lines;
        const T* const first = task.in + (rows ? 0 : shared.in[line_]);
        const Index sample = task.in_sample;
        from_[0] = first + column_ * sample;
        last_[0] = static_cast<int>(matrix.columns());
        if (fold == Fold::before) {
            from_[1] = first + (matrix.center() - column_) * sample;
            last_[1] = static_cast<int>(matrix.unknowns - matrix.even + matrix.first_pair());
        } else if (fold == Fold::after) {
            from_[1] = first + (matrix.even + column_) * sample;
            last_[1] = static_cast<int>(matrix.unknowns - matrix.even);
        }
        alone_ = fold == Fold::before ? static_cast<int>(matrix.first_pair()) : 0;
        sample_ = sample;
        const int part = thread / (block_threads / 2);
        two_ = 2 * (thread % (block_threads / 2));
        matrix_ = matrix.data + Index{part * matrix.row_tiles() + tiles.first} * tile_stride_ + two_;
        two_ += part * block_tiles * tile_elements;
    }

    /// A quarter of the next stage.
    __device__ __forceinline__ void quarter(Shared<T>& shared, int stage, int which) const {
#pragma unroll
        for (int part = 0; part < parts; ++part) {
            const Index step = fold == Fold::before && part == 1 ? -sample_ : sample_;
#pragma unroll
            for (int i = 2 * which; i < 2 * which + 2; ++i) {
                const int column = column_ + (rows ? 0 : i * columns_apart);
                const bool there = column < last_[part] && (part == 0 || column >= alone_);
                const int line = line_ + (rows ? i * lines_apart : 0);
                const T* const from = from_[part] + (rows ? shared.in[line] : i * columns_apart * step);
                const int inside = inside_ + (rows ? 0 : i * columns_apart);
                copy_element(
                    &shared.lines[stage][part][rows ? line * row_pitch + inside : inside * column_pitch + line],
                    from, there);
            }
        }
        if (which >= tiles_) return;
#pragma unroll
        for (int two = 0; two < tile_elements; two += block_threads)  // half of the threads for each part
            copy_two(&shared.matrix[stage][which * tile_elements + two_ + two],
                     matrix_ + which * Index{tile_stride_} + two);
    }

    __device__ __forceinline__ void advance() {
#pragma unroll
        for (int part = 0; part < parts; ++part)
            from_[part] += tile_side * (fold == Fold::before && part == 1 ? -sample_ : sample_);
        column_ += tile_side;
        matrix_ += tile_elements;
    }

private:
    static constexpr int parts = fold == Fold::none ? 1 : 2;
    static constexpr int columns_apart = block_threads / block_lines, lines_apart = block_threads / tile_side;

    const T* from_[parts];
    const double* matrix_;
    Index sample_;
    int tiles_, tile_stride_;
    int column_, inside_, line_, two_;  ///< column of the line, and of the stage
    int last_[parts], alone_;
};

}  // namespace

}  // namespace poisson3d::fused
