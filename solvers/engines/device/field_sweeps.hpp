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

/// The same from the samples of all who have parts of a box; and those of `f`, planes and rows from `first` on, to
/// their places among all numbers.
template <class T>
void launch_typical_value(const SharedSamples<T>& samples, Constant<T>* value, Stream stream);
template <class T>
void launch_samples(const FieldView<const T>& f, const std::array<Index, 2>& first, const SharedSamples<T>& box,
                    T* numbers, Stream stream);

/// The unknowns of fields, read and written; the fields may be the same.
template <class T>
struct RightHandSide {
    FieldView<const T> f;
    FieldView<T> out;
    Index f_next = 0, out_next = 0;
    T scale = 1;
    BoundaryTerms<T> boundary;
    const T* subtract = nullptr;  ///< two numbers for each field
    Index subtract_next = 0;

    [[nodiscard]] POISSON3D_HD T at(Index i, Index j, Index k, Index field) const {
        T value = f.data[field * f_next + i * f.strides[0] + j * f.strides[1] + k];
        if (subtract != nullptr)
            value = (value - subtract[field * subtract_next]) - subtract[field * subtract_next + 1];
        value *= scale;
        if (!boundary.any) return value;
        return value + boundary(boundary.first[0] + i, boundary.first[1] + j, boundary.first[2] + k, field);
    }
};

/// out := (f − subtract) · scale + what boundary data adds, at all points of the views of `fields` fields.
template <class T>
void launch_right_hand_side(const RightHandSide<T>& task, Index fields, Stream stream);

/// Takes the value at `point` from all points of each of `fields` fields; `values` has room for one of each.
template <class T>
void launch_subtract_value_at(const std::array<Index, 3>& point, const FieldView<T>& u, T* values, Index fields,
                              Index next, Stream stream);

/// Takes values[b] from all points of field b.
template <class T>
void launch_subtract(const FieldView<T>& u, const T* values, Index fields, Index next, Stream stream);

/// Writes what Dirichlet nodes hold, zero without data, to points begin … end of each of `fields` fields, `next`
/// elements apart.
template <class T>
void launch_held(const FieldView<T>& u, const Extents& begin, const Extents& end, const BoundaryTerms<T>& terms,
                 Index fields, Index next, Stream stream);

/// Of the first `axes` axes: with two, the last pass has written those at the ends of lines along z.
template <class T>
void write_dirichlet_planes(const Call<T>& call, Stream stream, int axes = 2) {
    const auto write = [&](const Extents& begin, const Extents& end) {
        launch_held(call.u, begin, end, call.boundary, call.fields, call.u_next, stream);
    };
    for_each_dirichlet_plane(call.boundary, call.u.extents, write, axes);
}

}  // namespace poisson3d::device
