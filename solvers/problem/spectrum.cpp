#include "spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "axis_kind.hpp"
#include "chain.hpp"
#include "chain_spectrum.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/text.hpp"
#include "roots_of_unity.hpp"

namespace poisson3d {

namespace {

/// θ_k = π · numerator / denominator for slot s.
struct Angle {
    Index numerator, denominator;
};

Angle angle(const Axis& axis, Index slot) {
    const Index n = axis.points;
    if (axis.periodic()) return {2 * std::min(slot, n - slot), n};
    const Index period = axis.centering == Centering::cell ? n : n - 1;
    const bool below = axis.lower == Boundary::dirichlet;
    const bool above = axis.upper == Boundary::dirichlet;
    if (below && above) return {slot + 1, period};
    if (!below && !above) return {slot, period};
    return {2 * slot + 1, 2 * period};
}

/// One axis' eigenvalues by slot.
class AxisSpectrum {
public:
    AxisSpectrum(const Axis& axis, Discretization discretization)
        : axis_(axis),
          count_(axis_kind(axis).unknowns),
          denominator_(angle(axis, 0).denominator),
          step_(axis.step()),
          spectral_(discretization == Discretization::spectral),
          roots_(4 * denominator_) {}

    [[nodiscard]] Index count() const noexcept { return count_; }
    [[nodiscard]] double operator[](Index slot) const {
        const Index numerator = angle(axis_, slot).numerator;
        const long double root =
            spectral_ ? std::numbers::pi_v<long double> * static_cast<long double>(numerator) / denominator_ / step_
                      : -2.0L * roots_(numerator).im / step_;  // 2 sin(θ/2)/h
        return static_cast<double>(-root * root);
    }

    /// The slot at place `place` of those from the least to the greatest magnitude.
    [[nodiscard]] Index slot(Index place) const noexcept {
        if (!axis_.periodic()) return place;
        return place % 2 == 1 ? (place + 1) / 2 : (count_ - place / 2) % count_;
    }

private:
    Axis axis_;
    Index count_, denominator_;
    long double step_;
    bool spectral_;
    RootsOfUnity roots_;
};

/// One axis' eigenvalues from the least to the greatest magnitude, with their modes.
struct Sorted {
    std::vector<double> values;
    std::vector<Index> slots;
};

Sorted sort_axis(const Axis& axis, Discretization discretization) {
    const AxisSpectrum spectrum(axis, discretization);
    Sorted sorted;
    sorted.values.resize(spectrum.count());
    sorted.slots.resize(spectrum.count());
    for (Index place = 0; place < spectrum.count(); ++place) {
        const Index slot = sorted.slots[place] = spectrum.slot(place);
        sorted.values[place] = spectrum[slot];
        // Neighbours that are equal but for their rounding must not fall out of order.
        if (place > 0) sorted.values[place] = std::min(sorted.values[place], sorted.values[place - 1]);
    }
    return sorted;
}

}  // namespace

std::vector<double> eigenvalues(const Axis& axis, Discretization discretization) {
    const AxisSpectrum spectrum(axis, discretization);
    std::vector<double> result(spectrum.count());
    for (Index s = 0; s < spectrum.count(); ++s) result[s] = spectrum[s];
    return result;
}

double largest_eigenvalue(const Problem& problem) {
    double least = 0.0;
    double greatest = 0.0;
    for (const Axis& axis : problem.grid.axes) {
        if (!has_fast_transform(axis)) {
            const double h = axis.step();
            const bool spectral = problem.discretization == Discretization::spectral;
            least -= spectral ? std::numbers::pi * std::numbers::pi / (h * h)
                              : std::ranges::max(row_norms(make_chain(axis)));
            continue;
        }
        const AxisSpectrum spectrum(axis, problem.discretization);
        least += spectrum[spectrum.slot(spectrum.count() - 1)];
        greatest += spectrum[0];
    }
    return std::max(std::abs(least - problem.helmholtz), std::abs(greatest - problem.helmholtz));
}

namespace {

/// The two least magnitudes of an axis' eigenvalues; infinity for one that is not there.
std::array<double, 2> least_two(const Axis& axis, Discretization discretization) {
    if (axis.unbounded()) {  // as if the box of twice the length ended in Dirichlet faces
        const double length = axis.step() * static_cast<double>(axis.points);
        const double least = 0.25 * std::numbers::pi * std::numbers::pi / (length * length);
        return {least, 4.0 * least};
    }
    if (!has_fast_transform(axis)) {
        const Chain chain = make_chain(axis);
        return {chain_eigenvalue(chain, 0), chain_eigenvalue(chain, 1)};
    }
    const AxisSpectrum spectrum(axis, discretization);
    return {-spectrum[spectrum.slot(0)],
            spectrum.count() > 1 ? -spectrum[spectrum.slot(1)] : std::numeric_limits<double>::infinity()};
}

/// smallest_eigenvalue() where an axis is uneven and so no κ below 0: the least or, if that is the constant's, the
/// one after it.
double smallest_of_uneven(const Problem& problem) {
    double least = problem.helmholtz;
    double gap = std::numeric_limits<double>::infinity();
    bool closed = true;
    for (const Axis& axis : problem.grid.axes) {
        const auto [first, second] = least_two(axis, problem.discretization);
        least += first;
        gap = std::min(gap, second - first);
        closed = closed && axis_kind(axis).constant_mode;
    }
    return closed ? least + gap : least;
}

}  // namespace

double least_eigenvalue(const Axis& axis, Discretization discretization) {
    return axis.unbounded() ? 0.0 : least_two(axis, discretization)[0];
}

double lowest_kappa(const Problem& problem, int eliminated) {
    double kappa = problem.helmholtz;
    for (int a = 0; a < 3; ++a)
        if (a != eliminated) kappa += least_eigenvalue(problem.grid.axes[a], problem.discretization);
    return kappa;
}

double smallest_eigenvalue(const Problem& problem) {
    if (first_uneven_axis(problem.grid) >= 0) return smallest_of_uneven(problem);
    std::array<Sorted, 3> axes;
    bool closed = true;
    for (int a = 0; a < 3; ++a) {
        axes[a] = sort_axis(problem.grid.axes[a], problem.discretization);
        closed = closed && axis_kind(problem.grid.axes[a]).constant_mode;
    }
    const auto& [x, y, z] = axes;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < x.values.size(); ++i) {
        // As Λ_y falls, the Λ_z that takes the sum to λ rises: it lies between places k and k + 1.
        std::size_t k = z.values.size() - 1;
        for (std::size_t j = 0; j < y.values.size(); ++j) {
            const double rest = x.values[i] + y.values[j] - problem.helmholtz;
            while (k > 0 && z.values[k] + rest < 0.0) --k;
            for (std::size_t near = k; near < std::min(k + 2, z.values.size()); ++near)
                if (!closed || i + j + near > 0) least = std::min(least, std::abs(z.values[near] + rest));
        }
    }
    return least;
}

std::string resonant_modes(const Problem& problem, double eps) {
    const double lambda = problem.helmholtz;
    if (lambda >= 0.0 || unbounded_axes(problem.grid) > 0) return {};
    if (first_uneven_axis(problem.grid) >= 0) {
        const int e = uneven_axis_to_eliminate(problem.grid);
        const bool near = std::abs(lowest_kappa(problem, e)) <= 8.0 * eps * std::abs(lambda);
        return near && axis_kind(problem.grid.axes[e]).constant_mode ? "(0, 0, 0)" : "";
    }
    std::array<Sorted, 3> axes;
    for (int a = 0; a < 3; ++a) axes[a] = sort_axis(problem.grid.axes[a], problem.discretization);
    const auto& [x, y, z] = axes;

    std::string found;
    int count = 0;
    const auto near = [&](std::size_t i, std::size_t j, std::size_t k) {
        const double sum = x.values[i] + y.values[j] + z.values[k];
        return std::abs(sum - lambda) <= 4.0 * eps * (std::abs(sum) + std::abs(lambda));
    };
    for (std::size_t i = 0; i < x.values.size(); ++i) {
        // As Λ_y falls, the Λ_z that gives λ rises: one walk down y and up z. The sums within the tolerance lie
        // in a short run around the walk.
        std::size_t k = z.values.size();
        for (std::size_t j = 0; j < y.values.size(); ++j) {
            while (k > 0 && x.values[i] + y.values[j] + z.values[k - 1] < lambda && !near(i, j, k - 1)) --k;
            for (std::size_t run = k; run > 0 && near(i, j, run - 1); --run) {
                if (++count > 3) return found + " and others";
                found += (found.empty() ? "(" : ", (") + std::to_string(x.slots[i]) + ", " +
                         std::to_string(y.slots[j]) + ", " + std::to_string(z.slots[run - 1]) + ")";
            }
        }
    }
    return found;
}

void require_no_resonance(const Problem& problem, double eps) {
    if (const std::string modes = resonant_modes(problem, eps); !modes.empty())
        throw Error(ErrorCode::resonant, "the Helmholtz constant " + format_number(problem.helmholtz) +
                                             " meets the eigenvalue of mode " + modes +
                                             " to rounding: no unique solution exists");
}

}  // namespace poisson3d
