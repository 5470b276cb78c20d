#include "h5_slabs.hpp"

#include <algorithm>
#include <cmath>

#include "finite.hpp"
#include "selection.hpp"

namespace poisson3d::h5 {

namespace {

constexpr Index slab_bytes = Index{16} << 20;
constexpr Index largest_slab_bytes = Index{256} << 20;

// Planes of about slab_bytes in double precision, in whole chunks where there are any; at least one, and no more
// than there are.
Index chunk_aligned_planes(const Source& source) {
    const Index plane_bytes = source.points[1] * source.points[2] * 8;
    const Index chunk = std::min(source.storage.chunk_planes, source.points[0]);
    const Index planes = std::max(Index{1}, slab_bytes / plane_bytes);
    return std::min(std::max(Index{1}, planes / chunk) * chunk, source.points[0]);
}

// The stored value of one point, in double: what stands in the file, not what became of it in a narrower type. It
// is part of a complaint that is made anyway: what cannot be read again is told as NaN.
double stored_value(const Source& source, const Extents& index) {
    const Space point = box_space(source.points, index, {1, 1, 1}, source.subject, source.steps);
    const Space scalar(H5Screate(H5S_SCALAR));
    double value = std::nan("");
    const hid_t file = source.dataset.get();
    const herr_t read = H5Dread(file, H5T_NATIVE_DOUBLE, scalar.get(), point.get(), H5P_DEFAULT, &value);
    return read >= 0 ? value : std::nan("");
}

template <class T>
void read_directly(const Source& source, Index first, FieldView<T> slab) {
    const Subject& subject = source.subject;
    for (const Transfer& transfer : plan_transfers(slab.extents, slab.strides)) {
        const auto memory = memory_space(transfer, slab.extents, subject);
        const auto file = file_space(source.points, first + transfer.first, transfer.count, subject, source.steps);
        subject.check(H5Dread(source.dataset.get(), native_type<T>(), memory.get(), file.get(), H5P_DEFAULT,
                              slab.data + transfer.offset),
                      "cannot be read");
    }
}

// HDF5 swaps bytes fast and changes precision fast, but both at once 50 times slower. So it swaps here, into a
// buffer of the stored precision, and the precision changes on the way to the slab.
template <class Stored, class T>
void read_swapped(const Source& source, Index first, FieldView<T> slab) {
    const auto [planes, rows, row_length] = slab.extents;
    const Index most = std::max(Index{1}, slab_bytes / (rows * row_length * static_cast<Index>(sizeof(Stored))));
    const Index step = std::min({planes, chunk_aligned_planes(source), most});
    Field<Stored> buffer({step, rows, row_length});
    for (Index i = 0; i < planes; i += step) {
        const Index count = std::min(step, planes - i);
        read_directly(source, first + i, buffer.view().slab(0, count));
        for (Index p = 0; p < count; ++p)
            for (Index j = 0; j < rows; ++j)
                std::transform(&buffer.view()(p, j, 0), &buffer.view()(p, j, 0) + row_length, &slab(i + p, j, 0),
                               [](Stored value) { return static_cast<T>(value); });
    }
}

}  // namespace

Index slab_planes(const Source& source) {
    const Index most = std::max(Index{1}, largest_slab_bytes / (source.points[1] * source.points[2] * 8));
    return std::min(chunk_aligned_planes(source), most);
}

template <class T>
void read_slab(const Source& source, Index first, FieldView<T> slab) {
    const Quiet quiet;
    if (slab.extents[0] == 0) return;
    if (source.native_order || source.type_bytes == sizeof(T))
        read_directly(source, first, slab);
    else if (source.type_bytes == sizeof(float))
        read_swapped<float>(source, first, slab);
    else
        read_swapped<double>(source, first, slab);
    if (source.unit != 1.0)
        for (Index i = 0; i < slab.extents[0]; ++i)
            for (Index j = 0; j < slab.extents[1]; ++j)
                std::transform(&slab(i, j, 0), &slab(i, j, 0) + slab.extents[2], &slab(i, j, 0),
                               [&](T value) { return static_cast<T>(source.unit * static_cast<double>(value)); });
    require_finite<T>(
        source.subject, first, slab, [&](const Extents& index) { return stored_value(source, index); },
        source.steps.index());
}

template void read_slab(const Source&, Index, FieldView<float>);
template void read_slab(const Source&, Index, FieldView<double>);

}  // namespace poisson3d::h5
