#include "solvability.hpp"

#include <cmath>

#include "poisson3d/error.hpp"
#include "table.hpp"

namespace poisson3d::app {

double relative_mean(double mean, double max_rhs) noexcept {
    return mean == 0.0 ? 0.0 : std::fabs(mean) / max_rhs;
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
