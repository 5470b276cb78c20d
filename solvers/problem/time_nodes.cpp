#include "time_nodes.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "gauss_legendre.hpp"
#include "heat_kernel.hpp"

namespace poisson3d {

namespace {

/// What nodes depend on.
struct FreeBox {
    explicit FreeBox(const Grid& grid) {
        for (const Axis& axis : grid.axes) {
            if (!axis.unbounded()) continue;
            const long double h = axis.step();
            const long double length = h * static_cast<long double>(window(axis));
            ++axes;
            volume *= h;
            least_step = axes == 1 ? h : std::min(least_step, h);
            greatest_step = std::max(greatest_step, h);
            longest = std::max(longest, length);
            diagonal = std::hypot(diagonal, length);
        }
    }

    /// The diagonal; of boxes of few points so many steps that at times beyond a few reach² single steps,
    /// e^{−4t/h²}, are rounding.
    [[nodiscard]] long double reach() const { return std::max(diagonal, 20 * greatest_step); }

    /// e to the mean of ln r over pairs of points of a square, e^{−0.805} of its side, is this; of a strip a fifth
    /// of its length.
    [[nodiscard]] long double typical_distance() const { return diagonal / 3; }

    int axes = 0;
    long double volume = 1, least_step = 0, greatest_step = 0, longest = 0, diagonal = 0;
};

/// e^{−x} below this does not matter.
long double negligible(double eps) {
    return 6 - std::log(static_cast<long double>(eps));
}

/// The distance of nodes of the trapezoid rule.
long double node_distance(double eps) {
    return eps > 1e-8 ? 0.18L : eps > 1e-17 ? 0.105L : 0.085L;
}

/// t = h² e^{−s²}/s² at s = last_s is so small that what comes before is rounding.
long double last_s(double eps) {
    return std::sqrt(3.65L - std::log(static_cast<long double>(eps)));
}

/// s with s² e^{s²} = value, by Newton's method for ln s².
long double first_s(long double value) {
    const long double logarithm = std::log(value);
    long double z = logarithm < 1 ? logarithm : std::log(logarithm);
    for (int step = 0; step < 20; ++step) z -= (std::exp(z) + z - logarithm) / (std::exp(z) + 1);
    return std::exp(z / 2);
}

class Nodes : public TimeNodes {
public:
    void add(long double time, long double weight) {
        times.push_back(time);
        weights.push_back(weight);
    }
    void panel_of_times(int points, long double a, long double b) {
        for (const auto [t, weight] : gauss_legendre(points, a, b)) add(t, weight);
    }
    /// In v = t^{−1/2}, where late times are a power series: dt = −2 v^{−3} dv.
    void panel_of_late_times(int points, long double a, long double b) {
        for (const auto [v, weight] : gauss_legendre(points, a, b)) add(1 / (v * v), 2 * weight / (v * v * v));
    }
    /// In ln v, from `a` to `b`: e^{−ν/v²} before, where e^{−(rv/2)²} is 1, and the other way round behind need
    /// short panels near v = √ν and v = 2/r alone. `root` is √ν, `reach` r.
    void decaying_panels(int points, long double a, long double b, long double root, long double reach) {
        struct Panel {
            long double ratio, from;  // allowed from v = √ν · from on, up to v = 2/(r · from)
        };
        constexpr std::array panels{Panel{64, 3}, Panel{16, 1.2L}, Panel{8, 0.6L}, Panel{3, 0.15L}};
        while (a < b) {
            long double next = std::min(2 * a, b);
            for (const auto [ratio, from] : panels) {
                const long double top = std::min(ratio * a, b);
                if (a < from * root || top * reach * from > 2) continue;
                next = top;
                break;
            }
            for (const auto [y, weight] : gauss_legendre(points, std::log(a), std::log(next))) {
                const long double t = std::exp(-2 * y);
                add(t, 2 * weight * t);
            }
            a = next;
        }
    }
    /// `value` is K · V^{−1} (4π)^{d/2} for all points at once, d the axes that are free.
    void add_constant(const FreeBox& box, double eps, long double value) {
        const long double late = 100 * box.reach() * box.reach() / static_cast<long double>(eps);
        add(late, value * std::pow(late, static_cast<long double>(box.axes) / 2));
    }
    /// The constant of two free axes, once all nodes are there: K → −V ln(r/unit)/2π far away. Before the first of
    /// the nodes, and where they are close enough for single steps, e^{−r₀²/4t} is rounding.
    void add_gauge(const FreeBox& box, double eps, long double unit = 1) {
        const long double radius = box.reach();
        long double value = -2 * std::log(radius / unit);
        for (Index q = 0; q < size(); ++q)
            value -= weights[q] * std::exp(-radius * radius / (4 * times[q])) / times[q];
        add_constant(box, eps, value);
    }
};

/// The trapezoid rule in y for t = h² e^{−s²}/s²: s = δ sinh y, even in y, so that the node y = 0 counts half.
Nodes of_all_modes(const FreeBox& box, double eps) {
    Nodes nodes;
    const long double h = box.least_step;
    const long double eta = node_distance(eps);
    const long double delta = 4 * h / std::max(box.longest, 32 * box.greatest_step);
    const long double end = std::asinh(last_s(eps) / delta);
    for (Index k = 1; eta * static_cast<long double>(k) <= end; ++k) {
        const long double y = eta * static_cast<long double>(k);
        const long double s = delta * std::sinh(y);
        const long double t = h * h * std::exp(-s * s) / (s * s);
        nodes.add(t, eta * t * (2 * s + 2 / s) * delta * std::cosh(y));
    }
    nodes.add_constant(box, eps, eta * delta / h);
    return nodes;
}

/// The same in y = ln s. Beside a large ν times are shorter than h²: h² gives way to 1/ν.
Nodes of_decaying_modes(const FreeBox& box, long double least, double eps) {
    Nodes nodes;
    const long double square = 1 / (1 / (box.least_step * box.least_step) + least / 4);
    const long double eta = node_distance(eps);
    const long double begin = std::log(first_s(least * square / negligible(eps)));
    for (long double y = std::log(last_s(eps)); y >= begin; y -= eta) {
        const long double s = std::exp(y);
        const long double t = square * std::exp(-s * s) / (s * s);
        nodes.add(t, eta * t * (2 * s * s + 2));
    }
    return nodes;
}

/// Panels, since K of this mode is odd in y. One mode: nodes are no cost.
Nodes of_the_constant_mode(const FreeBox& box, double eps, bool far) {
    Nodes nodes;
    const long double late = 4 * std::pow(std::max(box.longest, 8 * box.greatest_step), 2.0L);
    long double t = box.least_step * box.least_step / 2;
    nodes.panel_of_times(20, 0, t);
    for (; t < late; t *= 4) nodes.panel_of_times(20, t, 4 * t);
    nodes.panel_of_late_times(20, 0, 1 / std::sqrt(t));
    nodes.add_gauge(box, eps, far ? 1 : box.typical_distance());
    return nodes;
}

}  // namespace

TimeNodes all_times(const Grid& grid, long double least, double eps, bool far) {
    const FreeBox box(grid);
    if (least > 0) return of_decaying_modes(box, least, eps);
    return box.axes == 3 ? of_all_modes(box, eps) : of_the_constant_mode(box, eps, far);
}

long double early_time(const Problem& problem, double eps) {
    long double time = -1;
    for (const Axis& axis : problem.grid.axes) {
        if (!axis.unbounded()) continue;
        const long double length = static_cast<long double>(axis.step()) * static_cast<long double>(window(axis));
        time = time < 0 ? length * length / 150 : std::min(time, length * length / 150);
    }
    if (problem.discretization == Discretization::spectral) return time;
    for (const Axis& axis : problem.grid.axes) {
        const Index rim = window(axis);
        while (axis.unbounded() && heat_kernel(problem.discretization, axis.step(), time, rim + 1).back() >=
                                       static_cast<long double>(eps) / 250)
            time *= 0.8L;
    }
    return time;
}

TimeNodes late_times(const Problem& problem, long double least, long double early, double eps) {
    const FreeBox box(problem.grid);
    const int points = eps > 1e-8 ? 8 : 16;
    Nodes nodes;
    // Second order in small windows: early is far below the times of one step, in which nothing changes fast.
    long double largest = std::max<long double>(problem.helmholtz, 0);
    for (const Axis& axis : problem.grid.axes)
        largest += 4 / (static_cast<long double>(axis.step()) * static_cast<long double>(axis.step()));
    long double start = early;
    if (problem.discretization == Discretization::second_order && early < 1 / largest) {
        start = 4 / largest;
        nodes.panel_of_times(points, early, start);
    }
    const long double end = 1 / std::sqrt(start);
    const long double slowest = least > 0 ? std::sqrt(least / negligible(eps)) : 0;
    long double first = end;
    while (first * box.reach() > 6) first /= 2;
    if (!(least > 0))
        nodes.panel_of_late_times(points, 0, first);
    else if (slowest < first)
        nodes.decaying_panels(points, slowest, first, std::sqrt(least), box.reach());
    for (long double v = first; v < 0.9L * end; v *= 2)
        if (2 * v > slowest) nodes.panel_of_late_times(points, std::max(v, slowest), 2 * v);
    if (box.axes == 2 && !(least > 0)) nodes.add_gauge(box, eps);
    return nodes;
}

}  // namespace poisson3d
