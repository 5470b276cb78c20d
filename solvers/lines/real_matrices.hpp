// Real lines whose DFTs are products with two matrices (real_matrix_steps.hpp), as kernels know them.
#pragma once

#include "element_order.hpp"
#include "matrix_shape.hpp"

namespace poisson3d::lines {

/// The line's FFT has the matrices of a and of b, and as twiddles, of which blocks have a copy in shared memory:
/// w^{k₁ n₂} with the part of c that follows from k₁, by n₂ and then k₁, and the rest of c by k₁ mod 2 and then k₂.
struct RealMatrices {
    int first = 0, second = 1;  ///< a, b
    int halves = 1;             ///< (a + 1)/2, values of k₁
    int stride = 1;             ///< from n₁ to n₁ + 1 in shared memory
    WorkItems elements;         ///< N
    WorkItems seconds;          ///< b
    MatrixShape of_first, of_second;
    int second_matrices = 0;                     ///< where the matrices of b begin
    int by_second = 0, turns = 0, twiddles = 0;  ///< where both begin, and how many there are with those beside
    ElementOrder samples;
    int at_zero = 0, at_half = 0;  ///< Im(c V) over Re(c V) where k is its own partner: k = 0 and N/2

    [[nodiscard]] POISSON3D_HD MatrixPlaces matrices(bool /*back*/) const { return {0, second_matrices}; }
    /// From n₂ to n₂ + 1 in the table: so that neighbours use different banks.
    [[nodiscard]] POISSON3D_HD int twiddle_stride() const { return halves | 1; }
    /// Where element n stands in shared memory.
    [[nodiscard]] POISSON3D_HD int place(int n) const {
        return n + static_cast<int>(static_cast<unsigned>(n) * seconds.inverse >> 24) * (stride - second);
    }
    // What is visited one after the other are elements.
    [[nodiscard]] POISSON3D_HD int visited_sample(int n) const { return samples.sample(n); }
    [[nodiscard]] POISSON3D_HD int visited_place(int n) const { return place(n); }
    [[nodiscard]] POISSON3D_HD int place_of_sample(int index) const { return place(samples.element(index)); }
    [[nodiscard]] POISSON3D_HD int place_of_mode(int slot) const { return place(slot); }
};

}  // namespace poisson3d::lines
