#include "solving/checks.hpp"

#include <cmath>

#include "poisson3d/error.hpp"
#include "reporting/table.hpp"

namespace poisson3d::app {

namespace {

std::string advice(const std::string& precision) {
    return precision == "single" ? ": use --precision double, or --scale"
                                 : ": use --scale, or other units of length";
}

std::string bounds(const Range& range, const std::string& precision) {
    return brief(range.smallest) + " to " + brief(range.largest) + ", which " + precision +
           " precision holds with all digits for this box";
}

}  // namespace

void require_rhs_in_range(double max_rhs, const Range& range, const std::string& precision) {
    if (max_rhs == 0.0 || (max_rhs >= range.smallest && max_rhs <= range.largest)) return;
    throw Error(ErrorCode::data,
                "the right-hand side, scaled and with what boundary values add, has the largest value " +
                    (std::isfinite(max_rhs) ? brief(max_rhs) : "infinity") + ", wanted " +
                    bounds(range, precision) + advice(precision));
}

void require_solution_in_range(double max_solution, bool may_vanish, const Range& range,
                               const std::string& precision) {
    if (!std::isfinite(max_solution))
        throw Error(ErrorCode::data,
                    "the solution has values beyond the range of " + precision + " precision" + advice(precision));
    if (may_vanish || max_solution >= range.smallest) return;
    throw Error(ErrorCode::data, "the solution has the largest value " + brief(max_solution) + ", wanted " +
                                     bounds(range, precision) + advice(precision));
}

std::string why_inaccurate(double max_solution, const Range& range, const std::string& precision) {
    if (max_solution >= range.smallest) return "";
    return ", since the largest value of the solution, " + brief(max_solution) + ", is below what " + precision +
           " precision holds with all digits";
}

double relative_mean(double mean, double max_rhs) noexcept {
    return mean == 0.0 ? 0.0 : std::fabs(mean) / max_rhs;
}

std::string all_mean_warning(double mean, double max_rest, double eps) {
    const double rounding = 8.0 * eps * std::fabs(mean);
    if (mean == 0.0 || !(max_rest <= rounding)) return {};
    return "warning: the right-hand side is constant but for rounding: its mean is " + brief(mean) +
           ", and at most " + brief(max_rest) + " is left without it (rounding: " + brief(rounding) +
           "); so the solution is 0 or rounding";
}

void require_solvable(double mean, double max_rhs, double eps) {
    const double rounding = 64.0 * eps * max_rhs;
    if (std::fabs(mean) <= rounding) return;
    throw Error(
        ErrorCode::unsolvable,
        "no solution as posed: without a Dirichlet face and with lambda 0 the right-hand side, boundary values "
        "included, must have mean 0, found " +
            brief(mean) + ", " + brief(relative_mean(mean, max_rhs)) + " of its largest value (rounding would be " +
            brief(rounding) + "); without --strict the mean is removed and reported");
}

void require_bounded(const Problem& problem, double mean, double max_rhs, double eps) {
    const double rounding = 64.0 * eps * max_rhs;
    if (!grows_far_away(problem) || std::fabs(mean) <= rounding) return;
    std::string axes;
    for (std::size_t a = 0; a < 3; ++a)
        if (problem.grid.axes[a].unbounded())
            axes += (axes.empty() ? "" : " and ") + std::string(1, problem.grid.labels[a]);
    throw Error(ErrorCode::unsolvable,
                "the solution grows without bound far away: between free faces on " + axes +
                    ", with no face that holds u and with lambda 0, the right-hand side, boundary values included, "
                    "must have mean 0, found " +
                    brief(mean) + ", " + brief(relative_mean(mean, max_rhs)) +
                    " of its largest value (rounding would be " + brief(rounding) +
                    "); without --strict it is solved all the same");
}

}  // namespace poisson3d::app
