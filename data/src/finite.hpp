// Finding NaN and Inf at the speed of memory.
#pragma once

#include <optional>

#include "poisson3d/field.hpp"

namespace poisson3d {

/// Index (i, j, k) in the view of the first NaN or Inf in memory order of the dense field; empty if all values are
/// finite. T is float or double.
template <class T>
std::optional<Extents> first_not_finite(FieldView<const T> view) noexcept;

}  // namespace poisson3d
