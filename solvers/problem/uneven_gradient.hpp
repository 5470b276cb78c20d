// The gradient rule of an axis without fast transform (gradient_rule.hpp), from its steps: coefficients of one that
// has its own say nothing about distances.
#pragma once

#include "gradient_rule.hpp"

namespace poisson3d {

template <class T>
AxisRule<T> make_uneven_rule(const Axis& axis, Slopes<T>& slopes);

}  // namespace poisson3d
