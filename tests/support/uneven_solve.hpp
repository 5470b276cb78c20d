// A solve on one axis of any spacing by plain elimination in long double: what orders of convergence are measured
// with.
#pragma once

#include <vector>

#include "axis_kind.hpp"
#include "chain.hpp"
#include "matrix.hpp"
#include "uneven_axis.hpp"

namespace poisson3d::test {

/// u at all stored points of u'' − κ u = f, κ > 0, from f at all stored points and γ of both faces. Every node is
/// eliminated, with conductances to the last one and to the next: O(n), rings too.
inline std::vector<double> solve_line(const Axis& axis, double kappa, const std::vector<double>& f,
                                      const std::array<double, 2>& data) {
    const Chain chain = make_chain(axis);
    const auto first = static_cast<std::size_t>(axis_kind(axis).first);
    const std::size_t n = chain.volumes.size(), last = n - 1;
    std::vector<Real> diagonal(n), right(n), to_last(n, 0), to_next(n, 0);
    for (std::size_t i = 0; i < n; ++i) {
        diagonal[i] =
            static_cast<Real>(chain.links[i]) + chain.links[i + 1] + static_cast<Real>(kappa) * chain.volumes[i];
        right[i] = -static_cast<Real>(chain.volumes[i]) * f[first + i];
        for (const std::size_t side : {0, 1})
            if (i == (side == 0 ? 0 : last)) {
                diagonal[i] += chain.ground[side];
                right[i] += static_cast<Real>(chain.feed[side]) * data[side];
            }
        if (i < last) to_next[i] = chain.links[i + 1];
    }
    if (n > 1) to_last[0] = chain.links[0];
    for (std::size_t i = 0; i < last; ++i) {
        if (i + 1 == last) to_next[i] += to_last[i], to_last[i] = 0;
        const Real next = to_next[i] / diagonal[i], end = to_last[i] / diagonal[i];
        diagonal[i + 1] -= next * to_next[i];
        right[i + 1] += next * right[i];
        diagonal[last] -= end * to_last[i];
        right[last] += end * right[i];
        to_last[i + 1] += next * to_last[i];
    }
    std::vector<double> u(static_cast<std::size_t>(axis.points));
    std::vector<Real> x(n);
    for (std::size_t i = n; i-- > 0;) {
        x[i] = right[i];
        if (i < last) x[i] += to_next[i] * x[i + 1] + to_last[i] * x[last];
        x[i] /= diagonal[i];
        u[first + i] = static_cast<double>(x[i]);
    }
    if (first > 0) u.front() = data[0];
    if (first + n < u.size()) u.back() = data[1];
    return u;
}

}  // namespace poisson3d::test
