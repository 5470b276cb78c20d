// What a problem must be to be solved: numbers that the precision holds to the last digit, and in singular problems
// a right-hand side without a mean. The rest is refused with a sentence, not solved to something else.
#pragma once

#include <string>

#include "poisson3d/solver.hpp"

namespace poisson3d::app {

/// Throws Error{data} if max|f̃| is neither 0 nor in the range. `precision` is a word of the report.
void require_rhs_in_range(double max_rhs, const Range& range, const std::string& precision);

/// Throws Error{data} if the solution overflowed, or lost digits to underflow; `may_vanish`: it may be 0, or
/// rounding of 0.
void require_solution_in_range(double max_solution, bool may_vanish, const Range& range,
                               const std::string& precision);

/// ", since …" for the message about a backward error, if the solution is too small for all of its digits.
std::string why_inaccurate(double max_solution, const Range& range, const std::string& precision);

/// |mean| / max|f̃|, where f̃ is the right-hand side after scaling and boundary data; 0 if both are 0.
double relative_mean(double mean, double max_rhs) noexcept;

/// A sentence if all that is left of f̃ without its mean, max_rest = max|f̃ − mean|, may be the rounding of f̃: at
/// most 8 eps · |mean|. Empty if there is more.
std::string all_mean_warning(double mean, double max_rest, double eps);

/// Throws Error{unsolvable} if u grows without bound far from free faces: grows_far_away(), and a mean of f̃ that
/// rounding, 64 eps · max|f̃|, does not explain.
void require_bounded(const Problem& problem, double mean, double max_rhs, double eps);

/// Throws Error{unsolvable} if a mean was removed that rounding, 64 eps · max|f̃|, does not explain.
void require_solvable(double mean, double max_rhs, double eps);

}  // namespace poisson3d::app
