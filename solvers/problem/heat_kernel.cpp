// Bessel functions for all orders at once.
//
// Ratios r_k = I_k/I_{k−1} = 1 / (2k/x + r_{k+1}) downwards from where they do not matter (Miller's recurrence, in
// a form that can neither overflow nor cancel), normalised by B_0 + 2 Σ B_j = 1. For large x Hankel's series,
//     B_j = (2πx)^{−1/2} Σ_k (−1)^k a_k / x^k,   a_k = Π_{m≤k} (4j² − (2m−1)²) / (k! 8^k).
#include "heat_kernel.hpp"

#include <cmath>
#include <numbers>

#include "cosine_sums.hpp"
#include "roots_of_unity.hpp"

namespace poisson3d {

namespace {

constexpr long double pi = std::numbers::pi_v<long double>;

std::vector<long double> by_recurrence(long double x, Index count) {
    const Index last = count + 40 + static_cast<Index>(11 * std::sqrt(x));
    std::vector<long double> values(count);
    long double ratio = 0;
    long double tail = 0;  // Σ_{j≥k} I_j/I_{k−1}
    for (Index k = last; k > 0; --k) {
        ratio = x / (static_cast<long double>(2 * k) + x * ratio);
        tail = ratio * (1 + tail);
        if (k < count) values[k] = ratio;
    }
    values[0] = 1 / (1 + 2 * tail);
    for (Index k = 1; k < count; ++k) values[k] *= values[k - 1];
    return values;
}

std::vector<long double> by_series(long double x, Index count) {
    std::vector<long double> values(count);
    const long double first = 1 / std::sqrt(2 * pi * x);
    for (Index j = 0; j < count; ++j) {
        const long double square = 4 * static_cast<long double>(j) * static_cast<long double>(j);
        long double term = 1;
        long double sum = 1;
        for (int k = 1; k < 60 && std::abs(term) > 1e-21L; ++k) {
            const long double odd = 2 * k - 1;
            term *= -(square - odd * odd) / (8 * k * x);
            sum += term;
        }
        values[j] = first * sum;
    }
    return values;
}

}  // namespace

std::vector<long double> heat_kernel(Discretization discretization, long double step, long double time,
                                     Index count) {
    if (discretization == Discretization::second_order) {
        const long double x = 2 * time / (step * step);
        const auto n = static_cast<long double>(count);
        return x > n * n && x > 1e4L ? by_series(x, count) : by_recurrence(x, count);
    }
    std::vector<long double> values(count);
    const long double first = step / std::sqrt(4 * pi * time);
    for (Index j = 0; j < count; ++j) {
        const long double distance = step * static_cast<long double>(j);
        values[j] = first * std::exp(-distance * distance / (4 * time));
    }
    return values;
}

bool half_free(const Axis& axis) noexcept {
    return (axis.lower == Boundary::free) != (axis.upper == Boundary::free);
}

Index window(const Axis& axis) noexcept {
    return half_free(axis) ? 2 * axis.points : axis.points;
}

long double heat_between(std::span<const long double> kernel, const Axis& axis, Index to, Index from) {
    const long double direct = kernel[std::abs(to - from)];
    if (!half_free(axis)) return direct;
    const bool mirrored = axis.lower == Boundary::free;  // the wall is the upper face
    const Index j = mirrored ? axis.points - 1 - to : to;
    const Index k = mirrored ? axis.points - 1 - from : from;
    const bool nodes = axis.centering == Centering::node;
    const bool dirichlet = (mirrored ? axis.upper : axis.lower) == Boundary::dirichlet;
    if (nodes && k == 0) return dirichlet ? 0 : direct;
    const long double image = kernel[j + k + (nodes ? 0 : 1)];
    return dirichlet ? direct - image : direct + image;
}

std::vector<long double> symbol(Discretization discretization, long double step, Index window) {
    const RootsOfUnity roots(4 * window);
    std::vector<long double> values(window + 1);
    for (Index k = 0; k <= window; ++k) {
        const long double root = discretization == Discretization::spectral
                                     ? pi * static_cast<long double>(k) / (static_cast<long double>(window) * step)
                                     : -2 * roots(k).im / step;
        values[k] = root * root;
    }
    return values;
}

std::vector<long double> windowed_heat_kernel(Discretization discretization, long double step, Index window,
                                              std::span<const long double> times) {
    const bool spectral = discretization == Discretization::spectral;
    const Index finer = spectral && window < 24 ? (23 + window) / window : 1;
    const long double length = step * static_cast<long double>(window);
    const std::vector<long double> sigma = symbol(discretization, step, window);
    const auto terms = static_cast<Index>(times.size());
    std::vector<long double> result((window + 1) * terms);
    std::unique_ptr<CosineSums> sums;
    std::vector<long double> waiting;  // a line that waits for a second one
    Index owner = 0;
    const auto store = [&](Index q, const std::vector<long double>& line) {
        for (Index k = 0; k <= window; ++k) result[k * terms + q] = line[k];
    };
    for (Index q = 0; q < terms; ++q) {
        const long double t = times[q];
        std::vector<long double> line;
        bool inside = t <= length * length / 150;
        if (!spectral || !inside) {
            line = heat_kernel(discretization, step / static_cast<long double>(finer), t, finer * window + 1);
            inside = inside && line.back() < 1e-24L;
        }
        if (inside) {
            for (Index k = 0; k <= window; ++k) result[k * terms + q] = std::exp(-t * sigma[k]);
        } else if (waiting.empty()) {
            waiting = std::move(line);
            owner = q;
        } else {
            if (!sums) sums = std::make_unique<CosineSums>(finer * window);
            (*sums)(waiting, line);
            store(owner, waiting);
            store(q, line);
            waiting.clear();
        }
    }
    if (!waiting.empty()) {
        std::vector<long double> nothing(waiting.size());
        CosineSums(finer * window)(waiting, nothing);
        store(owner, waiting);
    }
    return result;
}

}  // namespace poisson3d
