// Plans of FFTs whose steps are products with matrices (matrix_step.hpp).
#pragma once

#include "fft_plan.hpp"

namespace poisson3d::lines {

/// One radix or two, the first that of the first step from samples to modes: those that take the least time. None:
/// there are none.
std::vector<int> matrix_radices(Index length);

/// Cosines and sines of a radix in the order in which threads hold them, of warps with at most so many tiles; sines
/// times `sign`.
void add_matrices(std::vector<Complex<double>>& table, int q, int most, int sign);

/// What matrix steps of these radices take for each element, in cycles of a multiprocessor (docs/notes.md).
double matrix_cycles(const std::vector<int>& radices);

/// Elements that one FFT takes with its padding.
Index matrix_padded_length(const std::vector<int>& radices);

/// `count` FFTs of `length` on every line.
template <class T, class Format>
FftPlan<T, Format> make_matrix_plan(Index length, int count);

}  // namespace poisson3d::lines
