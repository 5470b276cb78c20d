#include "line_matrix.hpp"

#include "axis_kind.hpp"
#include "line_modes.hpp"
#include "matrix_elements.hpp"

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

std::vector<double> tiled(const LineMatrix& matrix, const std::vector<double>& by_rows, ThreadTeam* team) {
    std::vector<double> result(static_cast<std::size_t>(matrix.size()));
    const auto fill = [&](Index begin, Index end, int) {
        for (Index place = begin; place < end; ++place)
            result[static_cast<std::size_t>(place)] = element_at(matrix, place, [&](Index row, Index column) {
                return by_rows[static_cast<std::size_t>(row * matrix.unknowns + column)];
            });
    };
    constexpr Index together = 1 << 14;
    if (team == nullptr)
        fill(0, matrix.size(), 0);
    else
        team->parallel_for(matrix.size(), together, fill);
    return result;
}

}  // namespace poisson3d::fused
