#include "line_matrix.hpp"

#include "axis_kind.hpp"
#include "line_modes.hpp"

namespace poisson3d::fused {

LineMatrix line_matrix(const Axis& axis, bool forward) {
    LineMatrix matrix;
    matrix.unknowns = axis_kind(axis).unknowns;
    matrix.periodic = axis.periodic();
    if (lines::has_even_modes(axis)) {
        matrix.fold = forward ? Fold::before : Fold::after;
        matrix.even = lines::even_modes(axis);
    } else {
        matrix.even = tile_side * tiles((matrix.unknowns + 1) / 2);  // whole tiles of rows in the first part
    }
    return matrix;
}

std::vector<double> tiled(const LineMatrix& matrix, const std::vector<double>& by_rows) {
    std::vector<double> result(static_cast<std::size_t>(matrix.size()), 0.0);
    const Index n = matrix.unknowns, h = matrix.even;
    const auto set = [&](int part, Index row, Index column, Index from_row, Index from_column) {
        if (from_row >= n || from_column >= n) return;
        result[static_cast<std::size_t>(tile_element(matrix, part, row, column))] =
            by_rows[static_cast<std::size_t>(from_row * n + from_column)];
    };
    for (Index row = 0; row < h; ++row)
        for (Index column = 0; column < matrix.columns(); ++column) {
            set(0, row, column, row, column);
            switch (matrix.fold) {
                case Fold::none: set(1, row, column, h + row, column); break;
                case Fold::before:
                    if (matrix.paired(column)) set(1, row, column, h + row, column);
                    break;
                case Fold::after:
                    if (matrix.paired(row)) set(1, row, column, row, h + column);
                    break;
            }
        }
    return result;
}

}  // namespace poisson3d::fused
