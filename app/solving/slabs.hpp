// Fields in slabs of planes of the slowest index: memory for one slab is all that reading and writing take.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include "poisson3d/distributed.hpp"
#include "poisson3d/field_file.hpp"
#include "process/interrupt.hpp"

namespace poisson3d::app {

/// Planes of `extents` that hold about 16 MiB of elements of `size` bytes, at least one.
inline Index planes_of(const Extents& extents, std::size_t size) {
    const Index plane = std::max<Index>(1, extents[1] * extents[2] * static_cast<Index>(size));
    return std::clamp<Index>((Index{16} << 20) / plane, 1, std::max<Index>(1, extents[0]));
}

/// A box of the grid in a field that begins at point `first` of it.
template <class T>
FieldView<T> box_in(const FieldView<T>& field, const Extents& first, const poisson3d::Box& box) {
    FieldView<T> view = field;
    view.extents = box.points;
    for (int a = 0; a < 3; ++a) view.data += (box.first[a] - first[a]) * field.strides[a];
    return view;
}

/// Calls body(first, count) for slabs of at most `step` planes that cover `planes`; interrupts end it between two.
template <class Body>
void for_each_slab(Index planes, Index step, const Body& body) {
    for (Index first = 0; first < planes; first += step) {
        stop_if_interrupted();
        body(first, std::min(step, planes - first));
    }
}

/// Calls body(first, slab) for slabs of a data set of the input, in double precision.
template <class Body>
void for_each_slab_of(const FieldReader& reader, const std::string& dataset, const Body& body) {
    const Extents points = reader.header().points;
    const Index step = reader.planes_per_slab();
    Field<double> memory({step, points[1], points[2]});
    for_each_slab(points[0], step, [&](Index first, Index count) {
        const FieldView<double> slab = memory.view().slab(0, count);
        reader.read_from(dataset, first, slab);
        body(first, FieldView<const double>(slab));
    });
}

/// The larger one; NaN is above all.
inline double larger(double a, double b) noexcept {
    return a >= b || std::isnan(a) ? a : b;
}

/// max |element|; not a number if one element is not.
template <class T>
double largest(FieldView<const T> field) {
    double most = 0.0;
    bool numbers = true;
    for (Index i = 0; i < field.extents[0]; ++i)
        for (Index j = 0; j < field.extents[1]; ++j) {
            const T* const line = &field(i, j, 0);
            for (Index k = 0; k < field.extents[2]; ++k) {
                const double size = std::fabs(static_cast<double>(line[k]));
                numbers = numbers && size == size;
                most = std::max(most, size);
            }
        }
    return numbers ? most : std::numeric_limits<double>::quiet_NaN();
}

/// The same field in double precision. Takes the memory of the wide field alone as soon as the narrow one was
/// copied into its upper half: widening from the front overwrites no value before it was read.
inline Field<double> widened(Field<float> field) {
    const Index size = field.size();
    Field<double> wide(field.extents());
    float* const upper = reinterpret_cast<float*>(wide.data()) + size;
    std::memcpy(upper, field.data(), static_cast<std::size_t>(size) * sizeof(float));
    field = Field<float>();
    for (Index i = 0; i < size; ++i) {
        float value = 0.0F;
        std::memcpy(&value, upper + i, sizeof(value));
        wide.data()[i] = static_cast<double>(value);
    }
    return wide;
}

}  // namespace poisson3d::app
