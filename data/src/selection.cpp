#include "selection.hpp"

namespace poisson3d::h5 {

namespace {

// `before`, and the three of a field.
std::vector<hsize_t> joined(std::vector<hsize_t> before, const Extents& extents) {
    for (const Index extent : extents) before.push_back(static_cast<hsize_t>(extent));
    return before;
}

}  // namespace

Index Steps::count() const {
    Index product = 1;
    for (const hsize_t extent : extents) product *= static_cast<Index>(extent);
    return product;
}

std::vector<hsize_t> Steps::index() const {
    std::vector<hsize_t> index(extents.size());
    auto rest = static_cast<hsize_t>(chosen);
    for (std::size_t a = extents.size(); a-- > 0; rest /= extents[a]) index[a] = rest % extents[a];
    return index;
}

Space box_space(const Extents& points, const Extents& first, const Extents& box, const Subject& subject,
                const Steps& steps) {
    const std::vector<hsize_t> all = joined(steps.extents, points), start = joined(steps.index(), first),
                               count = joined(std::vector<hsize_t>(steps.extents.size(), 1), box);
    Space space(subject.check(H5Screate_simple(static_cast<int>(all.size()), all.data(), nullptr),
                              "cannot describe its shape"));
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

Space file_space(const Extents& points, Index first, Index count, const Subject& subject, const Steps& steps) {
    return box_space(points, {first, 0, 0}, {count, points[1], points[2]}, subject, steps);
}

}  // namespace poisson3d::h5
