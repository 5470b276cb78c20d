#include "solving/solvability.hpp"

#include <cmath>

#include "poisson3d/error.hpp"
#include "reporting/table.hpp"

namespace poisson3d::app {

double relative_mean(double mean, double max_rhs) noexcept {
    return mean == 0.0 ? 0.0 : std::fabs(mean) / max_rhs;
}

std::string all_mean_warning(double mean, double max_rest, double eps) {
    const double rounding = 8.0 * eps * std::fabs(mean);
    if (mean == 0.0 || !(max_rest <= rounding)) return {};
    return "warning: the right-hand side is all mean: without it, " + brief(mean) + ", at most " + brief(max_rest) +
           " is left, which rounding explains (" + brief(rounding) + "); so the solution is 0 or rounding";
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

}  // namespace poisson3d::app
