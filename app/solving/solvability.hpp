// What became of the mean of a singular problem's right-hand side, and whether it was more than rounding.
#pragma once

#include <string>

namespace poisson3d::app {

/// |mean| / max|f̃|, where f̃ is the right-hand side after scaling and boundary data; 0 if both are 0.
double relative_mean(double mean, double max_rhs) noexcept;

/// A sentence if all that is left of f̃ without its mean, max_rest = max|f̃ − mean|, may be the rounding of f̃: at
/// most 8 eps · |mean|. Empty if there is more.
std::string all_mean_warning(double mean, double max_rest, double eps);

/// Throws Error{unsolvable} if a mean was removed that rounding, 64 eps · max|f̃|, does not explain.
void require_solvable(double mean, double max_rhs, double eps);

}  // namespace poisson3d::app
