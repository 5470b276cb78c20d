// Lines that are continued beyond their ends, whose DFTs are products with two matrices (folded_matrix_steps.hpp),
// as kernels know them.
#pragma once

#include "matrix_shape.hpp"

namespace poisson3d::lines {

/// Where the samples of a line, or its modes, stand: number i in column c = j mod b of row ⌊j/b⌋, j = i + before,
/// from `from` on i + before + gap; those of columns behind `last` in column mirror − c of row rows − ⌊j/b⌋.
struct FoldedOrder {
    int before = 0;
    int from = 0, gap = 0;
    int last = 0, mirror = 0, rows = 0;
    int hole = -1, other_hole = -1;  ///< places of zeros that are no samples or modes; −1: none
};

/// Beside the matrices of a, and those of columns, the line's FFT has twiddles by column and then κ, of which
/// blocks have a copy in shared memory.
struct FoldedMatrices {
    int first = 0, second = 2;       ///< a, b
    int halves = 1;                  ///< (a + 1)/2, values of κ
    int columns = 1, harmonics = 1;  ///< of samples, j = 0 … columns − 1, and of modes, l = 0 … harmonics − 1
    int stride = 1;                  ///< from row to row in shared memory
    int edge = -1, other_edge = -1;  ///< columns whose ν and a − ν are one sample; −1: none
    int self = -1, other_self = -1;  ///< harmonics that are their own partners; −1: none
    bool odd = false;                ///< continued oddly about the lower end
    int twice_alpha = 0;             ///< 1: samples are at half-integer places
    WorkItems elements, seconds;     ///< N, b
    MatrixShape of_first, of_second;
    int back = 0;                              ///< where matrices of a for the way back begin
    int second_matrices = 0, second_back = 0;  ///< … and those of columns
    int by_second = 0, twiddles = 0;           ///< where twiddles begin, and how many there are with those beside
    FoldedOrder samples, modes;                ///< of modes κ = 0 has the first `from`, and none where holes are

    /// Elements of a DFT whose matrices have as many rows and columns as those of the second product.
    [[nodiscard]] POISSON3D_HD int radix() const { return 2 * (columns < harmonics ? harmonics : columns) - 2; }
    [[nodiscard]] POISSON3D_HD MatrixPlaces matrices(bool on_the_way_back) const {
        return on_the_way_back ? MatrixPlaces{back, second_back} : MatrixPlaces{0, second_matrices};
    }
    /// From column to column in the table: so that neighbours use different banks.
    [[nodiscard]] POISSON3D_HD int twiddle_stride() const { return halves | 1; }
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
