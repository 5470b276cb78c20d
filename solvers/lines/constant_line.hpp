// The line of modes that are constant along the two other axes, where λ = 0: κ = 0. Its sums grow and cancel as
// those of no other line do, so it is solved apart, by prefix sums in twice the precision:
//
//     Q_j = Σ_{i<j} b_i      u_j = u_{j−1} − (q_0 + Q_j)/g_j
//
//     ring                  q_0 = −Σ_{j=0}^{n−1} (Q_j/g_j) / Σ (1/g_j)
//     chain, no ground      q_0 = 0
//     ground at both ends   q_0 = −(Σ_{j=1}^{n−1} Q_j/g_j + Q_n/G_1) / (1/G_0 + Σ_{j=1}^{n−1} 1/g_j + 1/G_1)
//     only G_0              q_0 = −Q_n,  u_0 = Q_n/G_0
//     only G_1              q_0 = 0,     u_{n−1} = Q_n/G_1
//
// Without any ground the problem is singular: the mean of f with weights D is removed first, and that of u last.
#pragma once

#include <type_traits>

#include "chain_tables.hpp"
#include "double_double.hpp"

namespace poisson3d::lines {

template <class T>
using Wide = std::conditional_t<sizeof(T) == 4, double, DoubleDouble>;

template <class T>
class ConstantLine {
public:
    /// `singular`: there is no ground. The tables must outlive the object.
    ConstantLine(const ChainTables<T>& chain, bool singular);

    /// f := u, n elements `stride` apart, in units where b = −D f with the tables' D. Returns the mean removed, 0
    /// if there is ground. Allocates nothing.
    T solve(T* f, long stride) const;

private:
    const ChainTables<T>& chain_;
    bool ring_, singular_;
    Wide<T> volume_{0.0}, resistance_{0.0};  ///< Σ D and Σ 1/g between the grounds, or around the ring
};

}  // namespace poisson3d::lines
