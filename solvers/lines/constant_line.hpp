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
// But free ends, where u grows without bound (R = Σ_{j=1}^{n−1} 1/g_j, ρ the way from the end to a Neumann wall):
//
//     both free             q_0 = −Q_n/2,  u_0 = (Σ Q_j/g_j − R Q_n)/2          u = Σ D_j f_j |x − x_j|/2
//     the last, no ground   q_0 = 0,       u_0 = Σ Q_j/g_j − (R + ρ) Q_n        the same with the images of f
//     the first             q_0 = −Q_n,    u_0 = −(R + ρ) Q_n
//
// Where another constant is taken from u in the end (free_faces.hpp), ρ is −R/2, or −R with one free end: then the
// free ends add up to 0.
//
// Threads may share the line: each walks through nodes of its own, and all that joins them are sums.
#pragma once

#include <type_traits>

#include "double_double.hpp"
#include "elimination.hpp"
#include "poisson3d/grid.hpp"

namespace poisson3d::lines {

template <class T>
struct ChainTables;

template <class T>
using Wide = std::conditional_t<sizeof(T) == 4, double, DoubleDouble>;

template <class T>
POISSON3D_HD Wide<T> widened(T value) {
    return Wide<T>(static_cast<double>(value));
}

/// The sum of what the threads before this one bring, and that of all.
template <class T>
struct SharedSum {
    Wide<T> before{0.0}, all{0.0};
};

/// One thread with all nodes; a team of threads has another such class.
template <class T>
struct WholeLine {
    int first = 0, end = 0;  ///< nodes of this thread
    [[nodiscard]] POISSON3D_HD SharedSum<T> sum(Wide<T> mine) const { return {Wide<T>(0.0), mine}; }
};

/// The line of a chain, as plain data, so that kernels can take it.
template <class T>
struct ConstantLine {
    ChainView<T> chain;
    bool ring = false;
    bool singular = false;                 ///< there is no ground, and no free end
    T wall = 0;                            ///< ρ
    Wide<T> volume{0.0}, resistance{0.0};  ///< Σ D and Σ 1/g between the grounds, or around the ring

    /// f := u, elements `stride` apart, in units where b = −factor D f with the chain's D. Returns the mean
    /// removed; the current Q_n that leaves by free ends where there is no ground; else 0. Every thread works on
    /// its own elements alone.
    template <class Share>
    POISSON3D_HD T solve(T* f, Index stride, T factor, Share& share) const;

    /// Free ends and no ground.
    [[nodiscard]] POISSON3D_HD bool grows() const {
        return (chain.beyond[0].there() || chain.beyond[1].there()) && chain.ground[0] == T(0) &&
               chain.ground[1] == T(0);
    }

private:
    [[nodiscard]] POISSON3D_HD Wide<T> at(const T* f, Index stride, int j, Wide<T> mean) const {
        return (widened(f[j * stride]) - mean) * static_cast<double>(chain.volumes[j]);
    }
};

/// Of the tables' chain, with its pointers; where u grows, with the constant of far away or another.
template <class T>
ConstantLine<T> make_constant_line(const ChainTables<T>& tables, bool singular, bool far = true);

/// By one thread. f: n elements.
template <class T>
T solve_whole(const ConstantLine<T>& line, T* f);

template <class T>
template <class Share>
POISSON3D_HD T ConstantLine<T>::solve(T* f, Index stride, T factor, Share& share) const {
    const auto link = [&](int j) { return static_cast<double>(chain.links[j]); };
    const auto ground = [&](int side) { return static_cast<double>(chain.ground[side]); };
    const Wide<T> zero(0.0);
    Wide<T> mean = zero;
    POISSON3D_ROLLED
    for (int j = share.first; j < share.end; ++j) {
        f[j * stride] *= factor;
        mean = mean + at(f, stride, j, zero);
    }
    if (singular)
        mean = share.sum(mean).all / volume;
    else
        mean = zero;

    // Q where this thread begins, and Q_n; then Σ Q_j/g_j for 0 < j < n.
    Wide<T> change = zero;
    POISSON3D_ROLLED
    for (int j = share.first; j < share.end; ++j) change = change - at(f, stride, j, mean);
    const SharedSum<T> charge = share.sum(change);
    Wide<T> drop = zero;
    Wide<T> q = charge.before;
    POISSON3D_ROLLED
    for (int j = share.first; j < share.end; ++j) {
        if (j > 0) drop = drop + q / link(j);
        q = q - at(f, stride, j, mean);
    }
    drop = share.sum(drop).all;
    Wide<T> current = zero;  // q_0
    Wide<T> first = zero;    // u_0
    const bool free_first = chain.beyond[0].there(), free_last = chain.beyond[1].there();
    if (singular) {
        if (ring) current = -drop / resistance;
    } else if (grows()) {
        const double part = free_first && free_last ? 0.5 : 1.0;
        const Wide<T> far = charge.all * (static_cast<double>(resistance) + static_cast<double>(wall));
        current = free_first ? -charge.all * part : zero;
        first = ((free_last ? drop : zero) - far) * part;
    } else if (ground(0) == 0.0) {
        first = charge.all / ground(1) + drop;
    } else {
        current = ground(1) == 0.0 ? -charge.all : -(drop + charge.all / ground(1)) / resistance;
        first = -current / ground(0);
    }

    // u where this thread begins.
    const auto for_each_u = [&](Wide<T> u, const auto& body) {
        Wide<T> sum = charge.before;
        POISSON3D_ROLLED
        for (int j = share.first; j < share.end; ++j) {
            if (j > 0) u = u - (current + sum) / link(j);
            sum = sum - at(f, stride, j, mean);
            body(j, u);
        }
        return u;
    };
    Wide<T> u = first + share.sum(for_each_u(zero, [](int, Wide<T>) {})).before;
    if (singular) {
        Wide<T> mean_of_u = zero;
        for_each_u(
            u, [&](int j, Wide<T> here) { mean_of_u = mean_of_u + here * static_cast<double>(chain.volumes[j]); });
        u = u - share.sum(mean_of_u).all / volume;
    }
    for_each_u(u, [&](int j, Wide<T> here) { f[j * stride] = static_cast<T>(static_cast<double>(here)); });
    return static_cast<T>(static_cast<double>(grows() ? charge.all : mean));
}

}  // namespace poisson3d::lines
