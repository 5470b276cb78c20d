// largest_rhs: the greatest value of scale · f + what the faces add, over the unknowns, in slabs of any height.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "poisson3d/boundary_data.hpp"
#include "problems.hpp"

namespace poisson3d {
namespace {

using namespace test;

constexpr Extents points{5, 4, 6};
constexpr double scale = -3.0;

bool holds_value(const Axis& axis, Index j) {
    if (axis.centering == Centering::cell) return false;
    return (j == 0 && axis.lower == Boundary::dirichlet) ||
           (j == axis.points - 1 && axis.upper == Boundary::dirichlet);
}

/// What face value g adds at point j, which lies `away` points from the face: the table of ghost values.
double added(const Axis& axis, Boundary kind, Index away, double g) {
    const double h = axis.spacing;
    if (kind == Boundary::periodic) return 0.0;
    if (axis.centering == Centering::cell)
        return away != 0 ? 0.0 : kind == Boundary::dirichlet ? -2.0 * g / (h * h) : -g / h;
    if (kind == Boundary::dirichlet) return away == 1 ? -g / (h * h) : 0.0;
    return away == 0 ? -2.0 * g / h : 0.0;
}

TEST(LargestRhs, IsThatOfTheTermsWrittenOut) {
    std::array<std::array<std::vector<double>, 2>, 3> memory;
    for (int a = 0; a < 3; ++a)
        for (int side = 0; side < 2; ++side)
            for (Index at = 0; at < 64; ++at)
                memory[a][side].push_back(uniform(at, static_cast<std::uint64_t>(10 + 2 * a + side)));
    for (int number = 0; number < combinations; ++number) {
        const Grid grid = make_problem(combination(number), points).grid;
        BoundaryData<double> data;
        for (int a = 0; a < 3; ++a)
            for (int side = 0; side < 2; ++side) {
                if (grid.axes[a].periodic()) continue;
                FaceValues<double>& face = data.faces[a][side];
                if ((number + a + side) % 4 == 0)
                    face.constant = 2.5;
                else
                    face = {0.0, memory[a][side].data(), 7 + side};
            }
        Field<float> f = random_field<float>(points, static_cast<std::uint64_t>(number));
        const double infinity = std::numeric_limits<double>::infinity();
        double with = 0.0, without = 0.0;
        for (Index i = 0; i < points[0]; ++i)
            for (Index j = 0; j < points[1]; ++j)
                for (Index k = 0; k < points[2]; ++k) {
                    const std::array<Index, 3> at{i, j, k};
                    const bool fixed = holds_value(grid.axes[0], i) || holds_value(grid.axes[1], j) ||
                                       holds_value(grid.axes[2], k);
                    if (fixed) f.view()(i, j, k) = static_cast<float>(infinity);  // must not be seen
                    if (fixed) continue;
                    double value = scale * static_cast<double>(f.view()(i, j, k));
                    without = std::max(without, std::abs(value));
                    for (std::size_t a = 0; a < 3; ++a)
                        for (std::size_t side = 0; side < 2; ++side) {
                            const Axis& axis = grid.axes[a];
                            const FaceValues<double>& face = data.faces[a][side];
                            const Index row = at[a == 0 ? 1 : 0], column = at[a == 2 ? 1 : 2];
                            const double g =
                                face.data != nullptr ? face.data[row * face.stride + column] : face.constant;
                            value += added(axis, side == 0 ? axis.lower : axis.upper,
                                           side == 0 ? at[a] : axis.points - 1 - at[a], g);
                        }
                    with = std::max(with, std::abs(value));
                }
        double found = 0.0, found_without = 0.0;
        for (const Index first : {3, 0, 1}) {
            const FieldView<const float> slab = read(f).slab(first, first == 0 ? 1 : 2);
            found = std::max(found, largest_rhs(grid, data, scale, first, slab));
            found_without = std::max(found_without, largest_rhs(grid, {}, scale, first, slab));
        }
        EXPECT_NEAR(found, with, 1e-14 * with) << number;
        EXPECT_EQ(found_without, without) << number;
    }
}

}  // namespace
}  // namespace poisson3d
