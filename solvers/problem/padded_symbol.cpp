#include "padded_symbol.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "axis_kind.hpp"
#include "heat_kernel.hpp"
#include "poisson3d/boundary_data.hpp"
#include "spectrum.hpp"
#include "time_nodes.hpp"

namespace poisson3d {

namespace {

using Table = std::vector<long double>;

/// The modes of all axes: σ, or μ − μ_min.
struct Modes {
    explicit Modes(const Problem& problem) : shift(problem.helmholtz) {
        for (int a = 0; a < 3; ++a) {
            const Axis& axis = problem.grid.axes[a];
            if (axis.unbounded()) {
                eigenvalue[a] = symbol(problem.discretization, axis.step(), window(axis));
                continue;
            }
            for (const double value : eigenvalues(axis, problem.discretization)) eigenvalue[a].push_back(-value);
            const long double least = std::ranges::min(eigenvalue[a]);
            for (long double& value : eigenvalue[a]) value -= least;
            shift += least;
        }
    }

    std::array<Table, 3> eigenvalue;
    long double shift;
};

/// Times, and to which modes of the axis that is not free each of them belongs.
struct Term {
    long double time, weight;
    bool for_constant, for_others;
};

void add_terms(std::vector<Term>& terms, const TimeNodes& nodes, Index count, bool for_constant, bool for_others) {
    for (Index q = 0; q < count; ++q) terms.push_back({nodes.times[q], nodes.weights[q], for_constant, for_others});
}

/// K of mode (0, 0, 0) from all its nodes, with the one that holds its constant.
long double sum_of_zero(const Problem& problem, const Modes& modes, const TimeNodes& nodes, long double early) {
    long double sum = modes.shift > 0 ? -std::expm1(-early * modes.shift) / modes.shift : early;
    std::array<Table, 3> kernels;
    for (int a = 0; a < 3; ++a)
        if (const Axis& axis = problem.grid.axes[a]; axis.unbounded())
            kernels[a] = windowed_heat_kernel(problem.discretization, axis.step(), window(axis), nodes.times);
    for (Index q = 0; q < nodes.size(); ++q) {
        long double product = nodes.weights[q] * std::exp(-modes.shift * nodes.times[q]);
        for (const Table& kernel : kernels)
            if (!kernel.empty()) product *= kernel[q];
        sum += product;
    }
    return sum;
}

/// The least of an axis' values above 0; 0 if there is none.
long double second(const Table& values) {
    long double least = 0;
    for (const long double value : values)
        if (value > 0 && (least == 0 || value < least)) least = value;
    return least;
}

template <class T>
void add_late_terms(const Problem& problem, const Modes& modes, long double early, bool far,
                    PaddedSymbol<T>& result) {
    constexpr double eps = std::numeric_limits<T>::epsilon();
    const TimeNodes nodes = late_times(problem, modes.shift, early, eps);
    std::vector<Term> terms;
    if (modes.shift > 0 || unbounded_axes(problem.grid) == 3) {
        add_terms(terms, nodes, nodes.size(), true, true);
    } else {
        add_terms(terms, nodes, nodes.size() - 1, true, false);
        for (int a = 0; a < 3; ++a) {
            const long double least = second(modes.eigenvalue[a]);
            if (problem.grid.axes[a].unbounded() || least == 0) continue;
            const TimeNodes others = late_times(problem, least, early, eps);
            add_terms(terms, others, others.size(), false, true);
        }
    }
    result.zero = far ? static_cast<T>(sum_of_zero(problem, modes, nodes, early)) : T(0);
    // What is large in the lowest modes comes last, so that sums round little; in others late terms vanish.
    std::ranges::sort(terms, {}, &Term::time);
    Table times;
    for (const Term& term : terms) times.push_back(term.time);
    const auto count = static_cast<Index>(terms.size());
    result.terms = (count + 3) / 4 * 4;
    std::array<Table, 3> kernels;
    for (int a = 0; a < 3; ++a) {
        const Axis& axis = problem.grid.axes[a];
        const Table& eigenvalue = modes.eigenvalue[a];
        const auto rows = static_cast<Index>(eigenvalue.size());
        int same = 0;  // an axis before with the same steps and window
        while (same < a && (kernels[same].empty() || problem.grid.axes[same].step() != axis.step() ||
                            window(problem.grid.axes[same]) != window(axis)))
            ++same;
        if (axis.unbounded())
            kernels[a] = same < a ? kernels[same]
                                  : windowed_heat_kernel(problem.discretization, axis.step(), window(axis), times);
        std::vector<T>& late = result.late[a];
        late.assign(rows * result.terms, T(0));
        for (Index q = 0; q < count; ++q) {
            const auto [t, weight, for_constant, for_others] = terms[q];
            const long double factor = a == 0 ? weight * std::exp(-t * modes.shift) : 1;
            for (Index k = 0; k < rows; ++k) {
                long double value = 0;
                if (axis.unbounded())
                    value = kernels[a][k * count + q];
                else if (eigenvalue[k] > 0 ? for_others : for_constant)
                    value = std::exp(-t * eigenvalue[k]);
                late[k * result.terms + q] = static_cast<T>(factor * value);
            }
        }
    }
}

template <class T>
void add_closed_form(const Problem& problem, const Modes& modes, bool far, PaddedSymbol<T>& result) {
    const int a = result.free_axis;
    const Axis& axis = problem.grid.axes[a];
    const long double h = axis.step();
    const auto rim = static_cast<long double>(window(axis));
    result.zero = far ? static_cast<T>(-h * h * rim * rim / 2) : T(0);
    const auto [first, later] = across(a);
    for (const long double x : modes.eigenvalue[first])
        for (const long double y : modes.eigenvalue[later]) {
            const long double kappa = std::sqrt(x + y + modes.shift);
            const bool spectral = problem.discretization == Discretization::spectral;
            const long double decay = spectral ? kappa * h : 2 * std::asinh(kappa * h / 2);
            result.gap.push_back(static_cast<T>(-std::expm1(-rim * decay)));
        }
}

}  // namespace

Index symbol_rows(const Axis& axis) {
    return axis.unbounded() ? window(axis) + 1 : axis_kind(axis).unknowns;
}

template <class T>
PaddedSymbol<T> padded_symbol(const Problem& problem, bool far) {
    const Modes modes(problem);
    PaddedSymbol<T> result;
    result.shift = static_cast<T>(modes.shift);
    for (int a = 0; a < 3; ++a)
        for (const long double value : modes.eigenvalue[a]) result.eigenvalue[a].push_back(static_cast<T>(value));
    if (unbounded_axes(problem.grid) == 1) {
        for (int a = 0; a < 3; ++a)
            if (problem.grid.axes[a].unbounded()) result.free_axis = a;
        add_closed_form(problem, modes, far, result);
        return result;
    }
    const long double early = early_time(problem, std::numeric_limits<T>::epsilon());
    result.early_shift = static_cast<T>(std::expm1(-early * modes.shift));
    for (int a = 0; a < 3; ++a)
        for (const long double value : modes.eigenvalue[a])
            result.early[a].push_back(static_cast<T>(std::expm1(-early * value)));
    add_late_terms(problem, modes, early, far, result);
    return result;
}

template <class T>
T PaddedSymbol<T>::value(Index k0, Index k1, Index k2) const {
    const std::array<Index, 3> k{k0, k1, k2};
    T sum = shift;
    for (int a = 0; a < 3; ++a) sum += eigenvalue[a][k[a]];
    if (sum == T(0)) return zero;
    if (free_axis >= 0) {
        const auto [first, later] = across(free_axis);
        const T even = gap[k[first] * static_cast<Index>(eigenvalue[later].size()) + k[later]];
        return (k[free_axis] % 2 == 0 ? even : T(2) - even) / sum;
    }
    T lost = early_shift;  // e^{−t*Σ} − 1
    for (int a = 0; a < 3; ++a) lost += early[a][k[a]] * (T(1) + lost);
    T result = -lost / sum;
    for (Index q = 0; q < terms; ++q)
        result += late[0][k0 * terms + q] * late[1][k1 * terms + q] * late[2][k2 * terms + q];
    return result;
}

template struct PaddedSymbol<float>;
template struct PaddedSymbol<double>;
template PaddedSymbol<float> padded_symbol(const Problem& problem, bool far);
template PaddedSymbol<double> padded_symbol(const Problem& problem, bool far);

}  // namespace poisson3d
