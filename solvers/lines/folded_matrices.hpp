// Lines that are continued beyond their ends, whose DFTs are products with two matrices (folded_matrix_steps.hpp),
// as kernels know them.
#pragma once

#include "host_device.hpp"

namespace poisson3d::lines {

/// Where the samples of a line, or its modes, stand: number i in column c = j mod b of row ⌊j/b⌋, j = i + before,
/// from `from` on i + before + gap; those of columns behind `last` in column mirror − c of row rows − ⌊j/b⌋.
struct FoldedOrder {
    int before = 0;
    int from = 0, gap = 0;
    int last = 0, mirror = 0, rows = 0;
    int hole = -1, other_hole = -1;  ///< places of zeros that are no samples or modes; −1: none
};

/// Beside the matrices of a, and those of columns, the line's FFT has twiddles by column and then κ, and by κ and
/// then column.
struct FoldedMatrices {
    int first = 0, second = 2;       ///< a, b
    int halves = 1;                  ///< (a + 1)/2, values of κ
    int columns = 1, harmonics = 1;  ///< of samples, j = 0 … columns − 1, and of modes, l = 0 … harmonics − 1
    int stride = 1;                  ///< from row to row in shared memory
    int edge = -1, other_edge = -1;            ///< columns whose ν and a − ν are one sample; −1: none
    int self = -1, other_self = -1;            ///< harmonics that are their own partners; −1: none
    int none = -1, other_none = -1;            ///< those of them that κ = 0 has no mode of; −1: none
    int before_first = 0;                      ///< l of the first mode with κ = 0
    int first_modes = 1;                       ///< how many modes κ = 0 has
    bool odd = false;                          ///< continued oddly about the lower end
    int twice_alpha = 0;                       ///< 1: samples are at half-integer places
    WorkItems elements, seconds;               ///< N, b
    int back = 0;                              ///< where matrices of a for the way back begin
    int second_matrices = 0, second_back = 0;  ///< … and those of columns
    int by_second = 0, by_half = 0;            ///< where twiddles begin
    FoldedOrder samples, modes;

    [[nodiscard]] POISSON3D_HD int place(const FoldedOrder& order, int i) const {
        const int j = i + order.before + (i >= order.from ? order.gap : 0);
        const int row = static_cast<int>(static_cast<unsigned>(j) * seconds.inverse >> 24);
        const int column = j - row * second;
        return column <= order.last ? row * stride + column : (order.rows - row) * stride + order.mirror - column;
    }
    // What is visited one after the other are samples.
    [[nodiscard]] POISSON3D_HD int visited_sample(int i) const { return i; }
    [[nodiscard]] POISSON3D_HD int visited_place(int i) const { return place(samples, i); }
    [[nodiscard]] POISSON3D_HD int place_of_sample(int i) const { return place(samples, i); }
    [[nodiscard]] POISSON3D_HD int place_of_mode(int i) const { return place(modes, i); }
};

}  // namespace poisson3d::lines
