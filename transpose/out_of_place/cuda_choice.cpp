// The measured tables: 188 random boxes of 2^24 to 2^26 elements in all orders, and small ones, on H100s
// (docs/benchmarks.md). Where two algorithms are within 2 % of each other, the one stays that asks less of the
// second-level cache: an H200, whose memory is 1.4 times as fast behind the same cache, is limited by that.
#include "out_of_place/cuda_choice.hpp"

#include <algorithm>

#include "out_of_place/cuda_launchers.hpp"

namespace poisson3d::cuda {

namespace {

constexpr bool between(Index value, Index least, Index greatest) {
    return least <= value && value <= greatest;
}

/// Bytes that divide the length of every row and the distances between them.
Index common_bytes(const RowCopy& copy, Index size) {
    auto bits = static_cast<std::uint64_t>(copy.length * size);
    for (int d = 0; d < 3; ++d)
        if (copy.extents[d] > 1)
            bits |= static_cast<std::uint64_t>(copy.in[d] * size) | static_cast<std::uint64_t>(copy.out[d] * size);
    return static_cast<Index>(bits & -bits);
}

/// Rows that begin at boundaries of 16 bytes are copied best as they are, and so are short ones.
bool wide_rows_pay(const RowCopy& copy, Index size) {
    const Index common = common_bytes(copy, size);
    return size >= 4 && common < 16 && copy.length * size >= (common == 4 ? 512 : 1000);
}

/// Fields below this size have too few strips, or tiles of whole short axes, to fill a device.
bool is_small(Index bytes, Index size) {
    return bytes < (size == 16 ? Index{15} << 20 : Index{8} << 20);
}

/// Tiles of 32 × 32 in narrow bands, of which there are more.
bool small_tiles_pay(const MatrixBatch& m, Index size) {
    const Index bytes = m.rows * m.columns * m.count() * size;
    const Index side = std::min(m.rows, m.columns);
    return size >= 4 && is_small(bytes, size) && (side >= 32 || (side >= 8 && bytes < Index{1} << 20));
}

bool wide_loads_pay(const MatrixBatch& m, Index size) {
    if (size != 4) return false;
    if (m.count() == 1) return m.rows >= 60 && m.columns >= 36 && m.rows * size % 128 != 0;
    // Strips of 64 columns that would be half empty; tiles of all rows.
    if (m.rows >= 64 && (between(m.columns, 36, 48) || between(m.columns, 65, 96))) return true;
    return between(m.rows, 60, 256) && m.columns >= 128 && m.rows * size % 128 != 0;
}

/// Short rows, small matrices, a short axis beside y.
bool short_axes_pay(const Movement& movement, Index size) {
    const int bytes = static_cast<int>(size);
    const RowCopy& copy = movement.copy;
    if (movement.is_copy)
        return short_applies(movement, bytes) &&
               !is_small(copy.extents[0] * copy.extents[1] * copy.extents[2] * copy.length * size, size);
    const MatrixBatch& m = movement.matrix;
    if (is_small(m.rows * m.columns * m.count() * size, size)) return false;
    const bool whole_lines = m.rows * size % 128 == 0;
    if (merged_applies(movement, bytes)) {  // x and z of zyx
        if (short_applies(movement, bytes)) return true;
        if (m.rows < m.columns) return m.rows <= 400 && (m.rows < 64 || !whole_lines);
        return m.columns <= (size == 8 ? 64 : 400) && (m.columns < 64 || !whole_lines);
    }
    if (!short_applies(movement, bytes) || (whole_lines && m.columns * size % 128 == 0)) return false;
    return m.rows * m.columns * size <= (size == 4 ? 25'600 : size == 8 ? 10'240 : 17'408);
}

}  // namespace

Algorithm choose_algorithm(const Movement& movement, int element_bytes) {
    if (short_axes_pay(movement, element_bytes)) return Algorithm::short_axes;
    if (movement.is_copy)
        return wide_rows_pay(movement.copy, element_bytes) ? Algorithm::wide_loads : Algorithm::aligned;
    const MatrixBatch& matrix = movement.matrix;
    if (small_tiles_pay(matrix, element_bytes)) return Algorithm::banded;
    if (wide_loads_pay(matrix, element_bytes)) return Algorithm::wide_loads;
    const bool thin = thin_applies(matrix, element_bytes) && thin_is_faster(matrix, element_bytes);
    return thin ? Algorithm::thin : Algorithm::aligned;
}

}  // namespace poisson3d::cuda
