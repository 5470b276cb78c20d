// Products with matrices of cosines and sines for many small DFTs of real lines, on the tensor cores of a GPU.
//
// A DFT of x_0 … x_{q−1} is, for k = 0 … q/2,
//
//     e_j = x_j + x_{q−j},  o_j = x_j − x_{q−j}                         j = 0 … q/2, x_q = x_0
//     A_k = Σ_j cos(2π jk/q) e_j,   B_k = Σ_j sin(2π jk/q) o_j
//     y_k = A_k − i B_k,   y_{q−k} = A_k + i B_k
//
// with half of the cosine where j is its own partner. So two real matrices of (q/2 + 1)² serve all DFTs of a step:
// of real lines q/2 multiplications an element, of which tensor cores for double precision do 128 a cycle.
//
// A real DFT of a complex line, two real ones side by side, is a unit, and so is a complex DFT of it, whose real
// and imaginary parts are products of their own. A warp takes 8 units, of which the first line's numbers are the
// upper 8 and those of the second the lower 8 rows of the first factor (16 × 4), and 8 values of k for each tile of
// the matrices (4 × 8): thread 4 g + t has elements t, t + 4 … of unit g going in, and of every tile A_k and B_k of
// k = t and t + 4 coming out, so that nothing is exchanged. All numbers of a unit are read before the first is
// written, so it is done in place. Units of which a warp does not hold all results are shared by two or four warps
// of a block.
//
// Units of neighbouring lines meet in neighbouring threads such that the threads of a warp use different banks,
// lines being two elements more than a multiple of them apart. Host and device share this file; the host is all
// threads of a warp, one after the other.
#pragma once

#include "line_fft.hpp"
#include "matrix_shape.hpp"
#include "tensor_tile.hpp"

namespace poisson3d::lines {

/// The same number of two lines.
template <class V>
using OfTwo = Complex<V>;

/// The matrices of both steps of a line.
struct StepMatrices {
    const Complex<double>*first, *second;
};

/// Complex lines of a block at most: so a thread has units of one line only.
inline constexpr int most_real_lines = 8;

namespace real_steps {

/// A piece of work of a warp's: a real DFT (index n₂) or a complex one (k₁) of a complex line.
template <class T>
struct Unit {
    Complex<T>* at;  ///< the line
    int line, index;
    int t;  ///< of the lane, 4 g + t
    bool there;
};

/// All units of a step: `count` of each of 2^shift lines, of which a warp takes 8.
template <class T>
struct Units {
    Complex<T>* lines;
    int pitch, shift, count;

    [[nodiscard]] POISSON3D_HD int tasks() const { return ((count << shift) + 7) / 8; }
    /// The one of a lane in task 0. Neighbours are two lines apart, as far as there are so many: so they use
    /// different banks.
    [[nodiscard]] POISSON3D_HD Unit<T> first(int lane) const {
        const int number = lane / 4 & ((1 << shift) - 1);
        const int line = shift == 0 ? 0 : (number << 1 | number >> (shift - 1)) & ((1 << shift) - 1);
        return {kept_in_shared(lines + line * pitch), line, lane / 4 >> shift, lane % 4, true};
    }
    /// The first of the task stands for those that are not there: nobody else writes what is read of it.
    [[nodiscard]] POISSON3D_HD Unit<T> of_task(Unit<T> unit, int task) const {
        const int first = 8 * task >> shift;
        unit.index += first;
        unit.there = unit.index < count;
        unit.index = unit.there ? unit.index : first;
        return unit;
    }
};

template <class T>
POISSON3D_HD OfTwo<double> wide(Complex<T> z) {
    return {static_cast<double>(z.re), static_cast<double>(z.im)};
}

/// What a thread has of the sums of a unit's real or imaginary parts: of cosines and sines for some k.
template <class T>
struct Sums {
    OfTwo<T> even, odd;
};

/// What a thread has of the results, and of the factors of one instruction each.
template <int tiles, int parts>
struct Held {
    double even[parts][tiles][4], odd[parts][tiles][4];
};
template <int parts>
struct Factors {
    double even[parts][2], odd[parts][2];
};
template <int tiles>
struct MatrixEntries {
    Complex<double> of[tiles];
};

template <int tiles, int parts>
POISSON3D_HD void set_zero(Held<tiles, parts>& sums) {
    POISSON3D_UNROLL
    for (int i = 0; i < parts; ++i) POISSON3D_UNROLL
    for (int tile = 0; tile < tiles; ++tile) POISSON3D_UNROLL
    for (int c = 0; c < 4; ++c) sums.even[i][tile][c] = sums.odd[i][tile][c] = 0;
}

}  // namespace real_steps

}  // namespace poisson3d::lines
