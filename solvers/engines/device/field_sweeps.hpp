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

/// Writes the data of a face to a plane of each of `fields` fields, `next` elements apart; `extents` with 1 for x
/// or y, or any where the data is one number.
template <class T>
void launch_face(T* out, Index stride_x, Index stride_y, const Extents& extents, const FaceValues<T>& face,
                 Index fields, Index next, Stream stream);

/// Dirichlet nodes on whole planes of x and y; x last, since its data stands where faces meet.
template <class T>
void write_dirichlet_planes(const Call<T>& call, Stream stream) {
    const FieldView<T>& u = call.u;
    const BoundaryTerms<T>& terms = call.boundary;
    for (const int a : {1, 0})
        for (const int side : {0, 1}) {
            if (!terms.fixed[a][side]) continue;
            Extents plane = u.extents;
            plane[a] = 1;
            launch_face(u.data + (side == 0 ? 0 : u.extents[a] - 1) * u.strides[a], u.strides[0], u.strides[1],
                        plane, terms.face[a][side], call.fields, call.u_next, stream);
        }
}

}  // namespace poisson3d::device
