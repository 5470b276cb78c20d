#include "selection.hpp"

#include <array>

namespace poisson3d::h5 {

namespace {

using Extents3 = std::array<hsize_t, 3>;

Extents3 to_hdf5(const Extents& extents) {
    return {static_cast<hsize_t>(extents[0]), static_cast<hsize_t>(extents[1]), static_cast<hsize_t>(extents[2])};
}

}  // namespace

Space box_space(const Extents& points, const Extents& first, const Extents& box, const Subject& subject) {
    const Extents3 all = to_hdf5(points), start = to_hdf5(first), count = to_hdf5(box);
    Space space(subject.check(H5Screate_simple(3, all.data(), nullptr), "cannot describe its shape"));
    subject.check(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr),
                  "cannot select a box");
    return space;
}

std::vector<Transfer> plan_transfers(const Extents& extents, const Strides& strides) {
    const auto [planes, rows, row_length] = extents;
    if (planes <= 0 || rows <= 0 || row_length <= 0) return {};
    // A stride that is never taken may hold anything.
    const Index row = rows > 1 ? strides[1] : row_length;
    const Index plane = planes > 1 ? strides[0] : rows * row;
    if (row < row_length)
        throw Error(ErrorCode::usage, "a view with rows of " + std::to_string(row_length) +
                                          " elements has a row stride of " + std::to_string(row) +
                                          ": rows must not overlap");
    if (plane % row == 0 && plane / row >= rows) return {{0, planes, 0, {planes, plane / row, row}}};
    std::vector<Transfer> transfers;
    for (Index i = 0; i < planes; ++i) transfers.push_back({i, 1, i * plane, {1, rows, row}});
    return transfers;
}

Space memory_space(const Transfer& transfer, const Extents& extents, const Subject& subject) {
    return box_space(transfer.memory, {}, {transfer.count, extents[1], extents[2]}, subject);
}

Space file_space(const Extents& points, Index first, Index count, const Subject& subject) {
    return box_space(points, {first, 0, 0}, {count, points[1], points[2]}, subject);
}

}  // namespace poisson3d::h5
