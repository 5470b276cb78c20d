// Sweeps over whole fields in their own order, that all ways through the passes share. All launches are
// asynchronous on `stream` and throw Error{device} when refused.
#pragma once

#include "boundary_terms.hpp"
#include "engine.hpp"
#include "poisson3d/field.hpp"
#include "poisson3d/stream.hpp"
#include "typical_value.hpp"

namespace poisson3d::device {

/// typical_value(f + b · f_next) to `value`, moved by b · value_next numbers, for all b < fields.
template <class T>
void launch_typical_value(const T* f, const Strides& strides, const Extents& extents, Constant<T>* value,
                          Index fields, Index f_next, Index value_next, Stream stream);

/// Writes what Dirichlet nodes hold, zero without data, to points begin … end of each of `fields` fields, `next`
/// elements apart.
template <class T>
void launch_held(const FieldView<T>& u, const Extents& begin, const Extents& end, const BoundaryTerms<T>& terms,
                 Index fields, Index next, Stream stream);

/// The last pass has written those at the ends of lines.
template <class T>
void write_dirichlet_planes(const Call<T>& call, Stream stream) {
    for_each_dirichlet_plane(call.boundary, call.u.extents, [&](const Extents& begin, const Extents& end) {
        launch_held(call.u, begin, end, call.boundary, call.fields, call.u_next, stream);
    });
}

}  // namespace poisson3d::device
