#include "poisson3d/grid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "poisson3d/error.hpp"
#include "poisson3d/suggestion.hpp"
#include "poisson3d/text.hpp"

namespace poisson3d {

const char* name(Boundary boundary) noexcept {
    switch (boundary) {
        case Boundary::periodic: return "periodic";
        case Boundary::dirichlet: return "dirichlet";
        case Boundary::neumann: return "neumann";
        case Boundary::robin: return "robin";
        case Boundary::free: return "free";
    }
    return "unknown";
}

const char* name(Centering centering) noexcept {
    return centering == Centering::cell ? "cell" : "node";
}

Boundary parse_boundary(std::string_view word) {
    for (const Boundary boundary :
         {Boundary::periodic, Boundary::dirichlet, Boundary::neumann, Boundary::robin, Boundary::free})
        if (word == name(boundary)) return boundary;
    throw Error(ErrorCode::data, "unknown boundary '" + std::string(word) +
                                     "': use periodic, dirichlet, neumann, robin or free" +
                                     did_you_mean(word, {"periodic", "dirichlet", "neumann", "robin", "free"}));
}

Centering parse_centering(std::string_view word) {
    for (const Centering centering : {Centering::cell, Centering::node})
        if (word == name(centering)) return centering;
    throw Error(ErrorCode::data, "unknown centering '" + std::string(word) + "': use cell or node" +
                                     did_you_mean(word, {"cell", "node"}));
}

Index fewest_points(const Axis& axis) noexcept {
    if (axis.centering == Centering::cell || axis.periodic()) return 1;
    const int fixed = (axis.lower == Boundary::dirichlet ? 1 : 0) + (axis.upper == Boundary::dirichlet ? 1 : 0);
    return fixed + (fixed == 0 && !axis.unbounded() ? 2 : 1);
}

bool has_fast_transform(const Axis& axis) noexcept {
    return axis.uniform() && axis.custom == Coefficients{} && axis.lower != Boundary::robin &&
           axis.upper != Boundary::robin && !axis.unbounded();
}

namespace {

/// 1/h² must be representable in the working precision of the eigenvalues.
bool useful_step(double h) {
    return std::isfinite(4.0 / (h * h)) && 1.0 / (h * h) != 0.0;
}

/// "positions" or "widths": finite, and as many as wanted.
void validate_list(const Axis& axis, const std::vector<double>& list, Index wanted, const std::string& who) {
    if (static_cast<Index>(list.size()) != wanted)
        throw Error(ErrorCode::data, who + ": found " + std::to_string(list.size()) + " numbers, " +
                                         std::to_string(axis.points) + (axis.periodic() ? " periodic " : " ") +
                                         name(axis.centering) + "s have " + std::to_string(wanted));
    for (std::size_t j = 0; j < list.size(); ++j)
        if (!std::isfinite(list[j]))
            throw Error(ErrorCode::data, who + ": found " + format_number(list[j]) + " at index " +
                                             std::to_string(j) + ", wanted finite numbers");
}

void validate_positions(const Axis& axis, const std::string& who) {
    const std::vector<double>& x = axis.positions;
    validate_list(axis, x, step_count(axis) + 1, who);
    double furthest = 0.0;
    for (const double each : x) furthest = std::max(furthest, std::abs(each));
    const double least = 1000.0 * std::numeric_limits<double>::epsilon() * furthest;
    for (std::size_t j = 1; j < x.size(); ++j) {
        if (!(x[j] > x[j - 1]))
            throw Error(ErrorCode::data, who + ": found " + format_number(x[j]) + " at index " + std::to_string(j) +
                                             " after " + format_number(x[j - 1]) +
                                             ", wanted numbers that rise strictly with the index");
        if (x[j] - x[j - 1] < least)
            throw Error(ErrorCode::data, who + ": found a step of " + format_number(x[j] - x[j - 1]) +
                                             " up to index " + std::to_string(j) + ", of which the rounding of " +
                                             format_number(furthest) +
                                             " leaves less than three digits: give widths instead, or move the "
                                             "origin");
    }
}

void validate_steps(const Axis& axis, const std::string& who) {
    if (!axis.positions.empty() && !axis.widths.empty())
        throw Error(ErrorCode::data, who + "found positions and widths, which say the same thing: give only one");
    const bool widths = axis.positions.empty();
    if (widths)
        validate_list(axis, axis.widths, step_count(axis), who + "widths");
    else
        validate_positions(axis, who + "positions");
    const std::vector<double> steps = steps_of(axis);
    for (std::size_t j = 0; j < steps.size(); ++j) {
        if (steps[j] > 0.0 && useful_step(steps[j])) continue;
        const std::string found = who + (widths ? "widths: found " : "positions: found a step of ") +
                                  format_number(steps[j]) + (widths ? " at index " : " up to index ") +
                                  std::to_string(widths ? j : j + 1);
        if (!(steps[j] > 0.0)) throw Error(ErrorCode::data, found + ", wanted numbers above 0");
        throw Error(ErrorCode::data,
                    found + ", whose inverse square is not a finite number above 0: choose other units");
    }
}

void validate_robin(const Axis& axis, const std::string& who) {
    for (int side = 0; side < 2; ++side) {
        if ((side == 0 ? axis.lower : axis.upper) != Boundary::robin) continue;
        const auto [alpha, beta] = axis.robin[side];
        const std::string found = who + "found α = " + format_number(alpha) + ", β = " + format_number(beta) +
                                  " on the " + (side == 0 ? "lower" : "upper") + " Robin face, ";
        if (!std::isfinite(alpha) || !std::isfinite(beta))
            throw Error(ErrorCode::data, found + "wanted finite numbers");
        if (alpha == 0.0 && beta == 0.0) throw Error(ErrorCode::data, found + "wanted one of them above 0");
        if (alpha <= 0.0 && beta <= 0.0)
            throw Error(ErrorCode::data, found + "wanted none below 0: turn the sign of both, and of the data γ");
        if (alpha < 0.0 || beta < 0.0)
            throw Error(ErrorCode::data,
                        found + "of opposite signs: such a wall feeds energy in, and there may be no solution");
        if (const double larger = std::max(alpha, beta); larger < 1e-150 || larger > 1e150)
            throw Error(ErrorCode::data,
                        found + "wanted the larger one between 1e-150 and 1e+150: multiply both, and the data γ");
        if (beta == 0.0 && axis.centering == Centering::node)
            throw Error(ErrorCode::data, found + "which fixes u at the node there: use dirichlet");
    }
}

void validate_custom(const Axis& axis, const std::string& who) {
    if (axis.custom == Coefficients{}) return;
    const bool cells = axis.centering == Centering::cell;
    const std::vector<double>& g = axis.custom.conductances;
    validate_list(axis, g, step_count(axis) + (cells ? 1 : 0), who + "custom conductances");
    validate_list(axis, axis.custom.weights, axis.points, who + "custom weights");
    const auto refuse = [&](const char* what, std::size_t j, double found) {
        throw Error(ErrorCode::data, who + "custom " + what + ": found " + format_number(found) + " at index " +
                                         std::to_string(j) + ", wanted numbers above 0");
    };
    for (std::size_t j = 0; j < g.size(); ++j) {
        const bool closed = cells && ((j == 0 && axis.lower == Boundary::neumann) ||
                                      (j + 1 == g.size() && axis.upper == Boundary::neumann));
        if (!(closed ? g[j] >= 0.0 : g[j] > 0.0)) refuse("conductances", j, g[j]);
    }
    for (std::size_t j = 0; j < axis.custom.weights.size(); ++j)
        if (!(axis.custom.weights[j] > 0.0)) refuse("weights", j, axis.custom.weights[j]);
    if (cells && axis.periodic() && g.front() != g.back())
        throw Error(ErrorCode::data, who + "custom conductances: found " + format_number(g.front()) +
                                         " first and " + format_number(g.back()) +
                                         " last, wanted the same: both are the one that closes the ring");
}

void validate_axis(const Axis& axis, char label) {
    const std::string who = std::string("axis ") + label + ": ";
    if ((axis.lower == Boundary::periodic) != (axis.upper == Boundary::periodic))
        throw Error(ErrorCode::data, who + "found boundary " + name(axis.lower) + " below and " + name(axis.upper) +
                                         " above; periodic must be on both sides or on none");
    if (axis.points < fewest_points(axis))
        throw Error(ErrorCode::data, who + "found " + std::to_string(axis.points) + " points, " +
                                         name(axis.centering) + " axes with boundary " + name(axis.lower) + ":" +
                                         name(axis.upper) + " need at least " +
                                         std::to_string(fewest_points(axis)));
    if (!axis.listed()) {
        if (!std::isfinite(axis.spacing) || axis.spacing <= 0.0)
            throw Error(ErrorCode::data,
                        who + "found spacing " + format_number(axis.spacing) + ", wanted a finite number above 0");
        if (!useful_step(axis.spacing))
            throw Error(ErrorCode::data,
                        who + "found spacing " + format_number(axis.spacing) +
                            ", whose inverse square is not a finite number above 0: choose other units");
    } else {
        validate_steps(axis, who);
    }
    validate_custom(axis, who);
    validate_robin(axis, who);
    if (!std::isfinite(axis.origin))
        throw Error(ErrorCode::data,
                    who + "found origin " + format_number(axis.origin) + ", wanted a finite number");
}

}  // namespace

void validate(const Grid& grid) {
    constexpr Index max_points = Index{1} << 55;  // so that bytes of several fields fit 64 bits
    Index size = 1;
    for (int a = 0; a < 3; ++a) {
        validate_axis(grid.axes[a], grid.labels[a]);
        if (grid.axes[a].points > max_points / size)
            throw Error(ErrorCode::data, "the field has more than 2^55 points, which no memory holds");
        size *= grid.axes[a].points;
    }
}

}  // namespace poisson3d
