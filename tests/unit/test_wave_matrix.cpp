// The matrices of uniform axes as a GPU makes them from tables are those that are made row by row, bit for bit.
#include "wave_matrix.hpp"

#include <gtest/gtest.h>

#include "line_modes.hpp"
#include "problems.hpp"

namespace poisson3d::fused {
namespace {

TEST(WaveMatrix, HasTheElementsOfTheModes) {
    for (int kind = 0; kind < 10; ++kind)
        for (const Index points : {1, 2, 3, 5, 16, 17, 32, 33, 61, 128}) {
            const Axis axis = test::make_axis(kind, points, 0.3);
            if (points < fewest_points(axis)) continue;
            SCOPED_TRACE(std::string(test::kinds[kind].name) + " " + std::to_string(points));
            const lines::WaveTables tables = lines::make_wave_tables(axis);
            const lines::LineModes modes = lines::make_line_modes(axis);
            EXPECT_EQ(tables.eigenvalues, modes.eigenvalues);
            for (const bool forward : {true, false}) {
                const LineMatrix matrix = line_matrix(axis, forward);
                const std::vector<double>& by_rows = forward ? modes.forward : modes.backward;
                const Index n = matrix.unknowns, h = matrix.even;
                std::vector<double> made(static_cast<std::size_t>(matrix.size()));
                for (Index place = 0; place < matrix.size(); ++place)
                    made[static_cast<std::size_t>(place)] = wave_element(matrix, tables.view(), forward, place);
                EXPECT_EQ(made, tiled(matrix, by_rows));
                // Element by element, from where the product reads it.
                const auto element = [&](int part, Index row, Index column) {
                    return made[static_cast<std::size_t>(tile_element(matrix, part, row, column))];
                };
                for (Index row = 0; row < std::min(h, n); ++row)
                    for (Index column = 0; column < matrix.columns(); ++column) {
                        EXPECT_EQ(element(0, row, column), by_rows[static_cast<std::size_t>(row * n + column)]);
                        if (matrix.fold == Fold::before && h + row < n && matrix.paired(column))
                            EXPECT_EQ(element(1, row, column),
                                      by_rows[static_cast<std::size_t>((h + row) * n + column)]);
                        if (matrix.fold == Fold::after && h + column < n && matrix.paired(row))
                            EXPECT_EQ(element(1, row, column),
                                      by_rows[static_cast<std::size_t>(row * n + h + column)]);
                        if (matrix.fold == Fold::none && h + row < n)
                            EXPECT_EQ(element(1, row, column),
                                      by_rows[static_cast<std::size_t>((h + row) * n + column)]);
                    }
            }
        }
}

}  // namespace
}  // namespace poisson3d::fused
