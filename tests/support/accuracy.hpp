// What a solve loses, measured: e_h, from the discretization, against solutions known everywhere, and e_r, from
// rounding, against the same discrete problem solved in higher precision.
//
//     max norm   max|e| / max|u|          L2 norm   sqrt(Σ w e² / Σ w) / max|u|
//
// over the unknowns, w the weights of the mean (½ at Neumann nodes). Where constants are in the null space the
// weighted means of both fields are removed before they are compared: any gauge gives the same numbers.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "dense.hpp"
#include "manufactured.hpp"
#include "plain_stencil.hpp"
#include "poisson3d/residual.hpp"

namespace poisson3d::test {

struct Norms {
    double maximum = 0.0;
    double l2 = 0.0;
};

/// Of a − b relative to max|b|; both are called with (i, j, k). NaN gives infinity.
template <class A, class B>
Norms relative_difference(const Problem& problem, A a, B b) {
    const auto weight = [&](Index i, Index j, Index k) {
        const auto& axes = problem.grid.axes;
        return mean_weight(axes[0], i) * mean_weight(axes[1], j) * mean_weight(axes[2], k);
    };
    Real total = 0, mean_a = 0, mean_b = 0;
    for_each_unknown(problem.grid, [&](Index i, Index j, Index k) {
        const Real w = weight(i, j, k);
        total += w;
        mean_a += w * a(i, j, k);
        mean_b += w * b(i, j, k);
    });
    mean_a = singular(problem) ? mean_a / total : 0;
    mean_b = singular(problem) ? mean_b / total : 0;
    Real largest = 0, worst = 0, sum = 0;
    for_each_unknown(problem.grid, [&](Index i, Index j, Index k) {
        const Real expected = b(i, j, k) - mean_b;
        const Real error = a(i, j, k) - mean_a - expected;
        largest = std::max(largest, std::abs(expected));
        if (!(std::abs(error) <= worst)) worst = std::isnan(error) ? INFINITY : std::abs(error);
        sum += weight(i, j, k) * error * error;
    });
    const Real l2 = std::isnan(sum) ? INFINITY : std::sqrt(sum / total);
    return {static_cast<double>(worst / largest), static_cast<double>(l2 / largest)};
}

/// Through the interface users have: fields in host memory, any engine.
template <class T>
Field<T> solution(const Problem& problem, const Field<T>& f, const Options& options) {
    Field<T> u = filled_field<T>(problem.grid.points());
    Solver<T>(problem, options).solve(read(f), u.view());
    return u;
}

template <class T>
Field<T> solution(const Manufactured& known, const Options& options) {
    const Problem& problem = known.problem();
    Field<T> f = filled_field<T>(problem.grid.points(), T(0));
    for_each_unknown(problem.grid, [&](Index i, Index j, Index k) {
        f.view()(i, j, k) = static_cast<T>(known.right_hand_side(i, j, k));
    });
    return solution(problem, f, options);
}

/// Of the whole solve, discretization and rounding together.
template <class T>
Norms total_error(const Manufactured& known, const Options& options) {
    const Field<T> u = solution<T>(known, options);
    return relative_difference(
        known.problem(), [&](Index i, Index j, Index k) { return static_cast<Real>(u.view()(i, j, k)); },
        [&](Index i, Index j, Index k) { return known.solution(i, j, k); });
}

/// Rounding alone: the right-hand side without pattern, exact in float and double, solved in T. In the norm of
/// tolerance.hpp, ‖u − reference‖₂ / ‖reference‖₂.
inline constexpr std::uint64_t rounding_seed = 5;

template <class T>
double rounding_error(const Problem& problem, FieldView<const Real> reference, const Options& options) {
    const Field<T> u = solution(problem, random_field<T>(problem.grid.points(), rounding_seed), options);
    return relative_error(read(u), reference);
}

/// What the program reports of a solve in float, in units of eps: can it see a loss?
inline double backward_error(const Problem& problem, const Field<float>& f, const Options& options) {
    Field<float> u = filled_field<float>(problem.grid.points());
    Solver<float> solver(problem, options);
    solver.solve(read(f), u.view());
    ResidualMeter<float> meter(problem, read(u), 1.0, solver.result().mean_removed);
    meter.add(0, read(f));
    return meter.result().backward / std::numeric_limits<float>::epsilon();
}

/// Where single precision stops to help: errors of u and of its difference quotient (u_{i+1} − u_{i−1}) / 2h along
/// the first axis, by discretization (solved in double) and by solving in float instead, max norm, relative to
/// max|u| and max|∂u/∂x|.
struct FloatLimit {
    double discretization = 0.0, rounding = 0.0;
    double slope_discretization = 0.0, slope_rounding = 0.0;
};

inline FloatLimit float_limit(const Manufactured& known, const Options& options) {
    const Problem& problem = known.problem();
    const Field<double> in_double = solution<double>(known, options);
    const Field<float> in_float = solution<float>(known, options);
    const auto at = [](const auto& field) {
        return [&field](Index i, Index j, Index k) { return static_cast<Real>(field.view()(i, j, k)); };
    };
    FloatLimit limit;
    limit.discretization = relative_difference(problem, at(in_double), [&](Index i, Index j, Index k) {
                               return known.solution(i, j, k);
                           }).maximum;
    limit.rounding = relative_difference(problem, at(in_float), at(in_double)).maximum;
    const Axis& axis = problem.grid.axes[0];
    const auto quotient = [&](const auto& field, Index i, Index j, Index k) {
        return (at(field)(i + 1, j, k) - at(field)(i - 1, j, k)) / (2 * static_cast<Real>(axis.spacing));
    };
    Real largest = 0, by_steps = 0, by_float = 0;
    for_each_unknown(problem.grid, [&](Index i, Index j, Index k) {
        largest = std::max(largest, std::abs(known.slope(i, j, k)));
        if (i == 0 || i == axis.points - 1) return;  // no neighbour, or one that only a ghost rule gives
        const Real slope = quotient(in_double, i, j, k);
        by_steps = std::max(by_steps, std::abs(slope - known.slope(i, j, k)));
        by_float = std::max(by_float, std::abs(quotient(in_float, i, j, k) - slope));
    });
    limit.slope_discretization = static_cast<double>(by_steps / largest);
    limit.slope_rounding = static_cast<double>(by_float / largest);
    return limit;
}

/// The problems of the tables: every kind alone on all three axes, and three mixtures.
inline std::vector<Kinds> accuracy_cases() {
    std::vector<Kinds> cases;
    for (int kind = 0; kind < static_cast<int>(kinds.size()); ++kind) cases.push_back({kind, kind, kind});
    cases.push_back({cell_p, cell_dd, cell_nn});
    cases.push_back({node_dd, cell_dn, node_p});
    cases.push_back({cell_nd, node_nn, node_dn});
    return cases;
}

/// "CellDD", or "CellP NodeNN CellDD".
inline std::string kind_names(const Kinds& which) {
    std::string text(kinds[which[0]].name);
    if (which[1] == which[0] && which[2] == which[0]) return text;
    for (const int a : {1, 2}) text.append(" ").append(kinds[which[a]].name);
    return text;
}

}  // namespace poisson3d::test
