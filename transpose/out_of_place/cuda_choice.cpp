// The measured tables: 108 random boxes of 2^24 to 2^26 elements in all orders, and small cubes, on an H100
// (docs/benchmarks.md). Where two algorithms are within 2 % of each other the older one stays.
#include "out_of_place/cuda_choice.hpp"

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

/// Matrices below this size have too few strips to fill a device; tiles of 32 × 32 in narrow bands have more.
bool is_small(const MatrixBatch& m, Index size) {
    const Index bytes = m.rows * m.columns * m.count() * size;
    return size >= 4 && m.rows >= 32 && m.columns >= 32 && bytes < (size == 16 ? Index{15} << 20 : Index{8} << 20);
}

bool wide_loads_pay(const MatrixBatch& m, Index size) {
    // xyz → zyx: the matrices of neighbouring y lie side by side on both sides.
    const bool side_by_side = m.batch[1] > 1 && m.in_batch[1] == m.columns && m.out_batch[1] == m.rows;
    const bool tall = m.rows > m.columns;
    if (size == 4) {
        // Strips of 64 columns that would be half empty.
        if (m.rows >= 64 && (between(m.columns, 36, 48) || between(m.columns, 65, 96))) return true;
        if (side_by_side) return tall && between(m.columns, 15, 24);
        return between(m.rows, 64, 127) && m.columns >= 128;
    }
    return size >= 8 && side_by_side && tall && (between(m.columns, 6, 8) || between(m.columns, 12, 28));
}

}  // namespace

Algorithm choose_algorithm(const Movement& movement, int element_bytes) {
    if (movement.is_copy)
        return wide_rows_pay(movement.copy, element_bytes) ? Algorithm::wide_loads : Algorithm::aligned;
    const MatrixBatch& matrix = movement.matrix;
    if (is_small(matrix, element_bytes)) return Algorithm::banded;
    if (wide_loads_pay(matrix, element_bytes)) return Algorithm::wide_loads;
    const bool thin = thin_applies(matrix, element_bytes) && thin_is_faster(matrix, element_bytes);
    return thin ? Algorithm::thin : Algorithm::aligned;
}

}  // namespace poisson3d::cuda
