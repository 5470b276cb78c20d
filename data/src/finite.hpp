// Fields that must hold finite numbers: where the first other one stands, and the complaint about it.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "h5.hpp"
#include "poisson3d/field.hpp"

namespace poisson3d::h5 {

/// Index (i, j, k) in the view of the first NaN or Inf in memory order of the dense field; empty if all values are
/// finite. T is float or double.
template <class T>
std::optional<Extents> first_not_finite(FieldView<const T> view) noexcept;

/// Throws Error{data} of `subject` naming the first NaN or Inf of planes first … of a field and its index.
/// `stored(index)` is the number that stands there in the file: not what became of it in a narrower type. `before`
/// are the indices of the field in its data set, which are told before those of the point.
template <class T>
void require_finite(const Subject& subject, Index first, FieldView<const T> slab,
                    const std::function<double(const Extents&)>& stored, const std::vector<hsize_t>& before = {});

/// "8 x 16 x 16".
std::string describe_points(const Extents& points);

/// Throws Error{usage} of `subject` unless planes first … of `slab` are planes of a field of `points`.
void require_planes(const Subject& subject, const Extents& points, Index first, const Extents& slab);

}  // namespace poisson3d::h5
