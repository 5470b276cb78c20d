// Numbers that a precision does not hold to the last digit: refused with a sentence, not solved to something else.
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

/// NaN is above all and stays.
void raise_largest(double& largest, double value) noexcept;

}  // namespace poisson3d::app
