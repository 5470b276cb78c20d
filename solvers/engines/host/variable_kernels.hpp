// Inner loops of conjugate gradients for a variable coefficient: rows of unknowns. Compiled once per instruction
// set. Products are added up in double.
#pragma once

#include "poisson3d/grid.hpp"

namespace poisson3d::host {

/// A row of B p (variable_sweeps.hpp) as differences. All pointers are to the row's begin; a neighbour that is no
/// unknown is the point itself. Numbers of type N.
template <class N>
struct StencilRow {
    const N *centre, *below, *above, *left, *right;           ///< p, in this row and those beside it
    const N *c, *a_below, *a_above, *a_left, *a_right, *a_z;  ///< at points, and on faces
    N x_lower, x_upper, y_lower, y_upper;                     ///< steps, 0 where there is no neighbour
    const N *z_lower, *z_upper;                               ///< by point, the same
    Index first, end;                                         ///< unknowns
    Index before_first, after_last;                           ///< their neighbours
    const double* weights;                                    ///< by point
};

/// T: of the solution, N: of all else. Functions of a row return weighted sums over its unknowns.
template <class T, class N>
struct VariableKernels {
    /// q := B p.  Returns Σ w p q.
    double (*product)(const StencilRow<N>& row, N* q);
    /// r := r − α q.  Returns Σ w r².
    double (*reduce)(N* r, const N* q, N alpha, const double* weights, Index first, Index end);
    /// Returns Σ w r (z + constant).
    double (*dot)(const N* r, const N* z, N constant, const double* weights, Index first, Index end);
    /// solution := solution + α p;  p := z + constant + β p
    void (*direction)(T* solution, N* p, const N* z, T alpha, N beta, N constant, Index first, Index end);
};

struct VariableInstructions {
    VariableKernels<float, float> single;
    VariableKernels<double, double> double_precision;
    VariableKernels<double, float> mixed;
};

/// Of the best instruction set (kernels.hpp).
template <class T, class N>
const VariableKernels<T, N>& variable_kernels() noexcept;
template <>
const VariableKernels<float, float>& variable_kernels() noexcept;
template <>
const VariableKernels<double, double>& variable_kernels() noexcept;
template <>
const VariableKernels<double, float>& variable_kernels() noexcept;

}  // namespace poisson3d::host
