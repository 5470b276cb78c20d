#include "permuted_copy.hpp"

#include <algorithm>
#include <array>

namespace poisson3d {

namespace {

constexpr Index least_run = 1024;  // of elements: 4 or 8 KiB are read as fast as more
constexpr Index side = 16;         // of a tile: two cache lines of double, and no longer than the ways of a cache

// Both sides of the tile in runs, whatever the strides: they are often powers of two, at which lines of a column
// would push each other out of the cache.
template <class T>
void copy_tile(Index rows, Index columns, const T* from, Index column_stride, T* to, Index row_stride, Index step) {
    std::array<T, side * side> tile;
    for (Index c = 0; c < columns; ++c) std::copy_n(from + c * column_stride, rows, tile.data() + c * side);
    for (Index r = 0; r < rows; ++r)
        for (Index c = 0; c < columns; ++c)
            to[r * row_stride + c * step] = tile[static_cast<std::size_t>(c * side + r)];
}

// Axis `across` is contiguous in `from`, the last one in `to`.
template <class T>
void copy_across(const Extents& extents, const T* from, const Strides& strides, T* to, Index step,
                 std::size_t across) {
    const std::size_t other = 1 - across;
    const Strides to_strides{extents[1] * extents[2] * step, extents[2] * step, step};
    for (Index o = 0; o < extents[other]; ++o)
        for (Index row = 0; row < extents[across]; row += side)
            for (Index column = 0; column < extents[2]; column += side)
                copy_tile(std::min(side, extents[across] - row), std::min(side, extents[2] - column),
                          from + o * strides[other] + row + column * strides[2], strides[2],
                          to + o * to_strides[other] + row * to_strides[across] + column * step, to_strides[across],
                          step);
}

}  // namespace

template <class T>
void permuted_copy(const Extents& extents, const T* from, const Strides& strides, T* to, Index step) {
    for (const std::size_t across : {std::size_t{0}, std::size_t{1}})
        if (strides[across] == 1) return copy_across(extents, from, strides, to, step, across);
    for (Index i = 0; i < extents[0]; ++i)
        for (Index j = 0; j < extents[1]; ++j) {
            const T* const line = from + i * strides[0] + j * strides[1];
            for (Index k = 0; k < extents[2]; ++k, to += step) *to = line[k * strides[2]];
        }
}

Extents permuted_block(const Extents& points, std::size_t source, std::size_t size) {
    const Index whole = std::max<Index>(1, (Index{16} << 20) / static_cast<Index>(size));
    Extents block{1, 1, 1};
    block[source] = std::min(points[source], least_run);
    for (const std::size_t axis : {2, 1, 0}) {
        const Index others = block[0] * block[1] * block[2] / block[axis];
        block[axis] = std::clamp<Index>(whole / others, 1, points[axis]);
    }
    return block;
}

template void permuted_copy(const Extents&, const float*, const Strides&, float*, Index);
template void permuted_copy(const Extents&, const double*, const Strides&, double*, Index);

}  // namespace poisson3d
