// Rows of conjugate gradients. Compiled once per instruction set (POISSON3D_ISA names the namespace).
#include "variable_kernels.hpp"

namespace poisson3d::POISSON3D_ISA {

using host::StencilRow;

namespace {

/// The sum of value(k), in lanes, so that additions do not wait for each other.
template <class Value>
inline double sum_in_lanes(Index begin, Index end, const Value& value) {
    constexpr int lanes = 16;
    double sums[lanes] = {};
    Index k = begin;
    for (; k + lanes <= end; k += lanes)
        for (int l = 0; l < lanes; ++l) sums[l] += value(k + l);
    double sum = 0.0;
    for (; k < end; ++k) sum += value(k);
    for (const double each : sums) sum += each;
    return sum;
}

template <class N>
double product(const StencilRow<N>& given, N* __restrict q) {
    const StencilRow<N> s = given;  // a copy that no store can change
    const auto value = [&s](Index k, N before, N after, N a_before, N a_after) {
        const N p = s.centre[k];
        return s.c[k] * p + s.x_lower * s.a_below[k] * (p - s.below[k]) +
               s.x_upper * s.a_above[k] * (p - s.above[k]) + s.y_lower * s.a_left[k] * (p - s.left[k]) +
               s.y_upper * s.a_right[k] * (p - s.right[k]) + s.z_lower[k] * a_before * (p - before) +
               s.z_upper[k] * a_after * (p - after);
    };
    const auto at_end = [&](Index k, Index before, Index after) {
        q[k] = value(k, s.centre[before], s.centre[after], s.a_z[k], s.a_z[after]);
    };
    const Index last = s.end - 1;
    at_end(s.first, s.before_first, last > s.first ? s.first + 1 : s.after_last);
    for (Index k = s.first + 1; k < last; ++k)
        q[k] = value(k, s.centre[k - 1], s.centre[k + 1], s.a_z[k], s.a_z[k + 1]);
    if (last > s.first) at_end(last, last - 1, s.after_last);
    return sum_in_lanes(s.first, s.end, [p = s.centre, q, w = s.weights](Index k) {
        return w[k] * static_cast<double>(p[k]) * static_cast<double>(q[k]);
    });
}

template <class N>
double reduce(N* __restrict r, const N* __restrict q, N alpha, const double* weights, Index first, Index end) {
    for (Index k = first; k < end; ++k) r[k] -= alpha * q[k];
    return sum_in_lanes(
        first, end, [=](Index k) { return weights[k] * static_cast<double>(r[k]) * static_cast<double>(r[k]); });
}

template <class N>
double dot(const N* r, const N* z, N constant, const double* weights, Index first, Index end) {
    return sum_in_lanes(first, end, [=](Index k) {
        return weights[k] * static_cast<double>(r[k]) * static_cast<double>(z[k] + constant);
    });
}

template <class T, class N>
void direction(T* __restrict solution, N* __restrict p, const N* __restrict z, T alpha, N beta, N constant,
               Index first, Index end) {
    for (Index k = first; k < end; ++k) {
        const N old = p[k];
        solution[k] += alpha * static_cast<T>(old);
        p[k] = z[k] + constant + beta * old;
    }
}

template <class T, class N>
constexpr host::VariableKernels<T, N> kernels_here{&product<N>, &reduce<N>, &dot<N>, &direction<T, N>};

}  // namespace

extern const host::VariableInstructions variable_instructions;
const host::VariableInstructions variable_instructions{kernels_here<float, float>, kernels_here<double, double>,
                                                       kernels_here<double, float>};

}  // namespace poisson3d::POISSON3D_ISA
