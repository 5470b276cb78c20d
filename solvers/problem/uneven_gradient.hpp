// The gradient rule of an axis that is eliminated (gradient_rule.hpp).
#pragma once

#include "gradient_rule.hpp"

namespace poisson3d {

template <class T>
AxisRule<T> make_uneven_rule(const Axis& axis, Slopes<T>& slopes);

}  // namespace poisson3d
