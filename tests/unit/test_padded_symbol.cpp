// The symbol of padded lines: modes multiplied by it, with transforms written out as sums, give the solution of
// problems that brute force solves (free_space.hpp).
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "free_mixes.hpp"
#include "free_space.hpp"
#include "heat_kernel.hpp"
#include "padded_symbol.hpp"
#include "tolerance.hpp"

namespace poisson3d {
namespace {

using namespace test;

/// The modes of an axis, padded to its window, written out: rows from values to modes and from modes to values, and
/// which k each of them has. cos θ(j − j') takes a cosine and a sine; with an image one of them is left.
struct PaddedLine {
    explicit PaddedLine(const Axis& axis) {
        const auto [first, count] = unknowns(axis);
        if (!axis.unbounded()) {
            const Matrix modes = mode_matrix(axis);
            const Matrix there = inverse(modes);
            for (Index m = 0; m < count; ++m) {
                k.push_back(m);
                for (Index j = 0; j < count; ++j) {
                    forward.push_back(there[m][j]);
                    backward.push_back(modes[j][m]);
                }
            }
            return;
        }
        const Index rim = window(axis);
        const bool images = axis.lower != axis.upper;
        const bool nodes = axis.centering == Centering::node;
        const bool odd = axis.lower == Boundary::dirichlet || axis.upper == Boundary::dirichlet;
        for (Index mode = 0; mode <= rim; ++mode)
            for (const bool sine : {false, true}) {
                if (images && sine != odd) continue;
                k.push_back(mode);
                for (Index j = first; j < first + count; ++j) {
                    const Index place = images && axis.lower == Boundary::free ? axis.points - 1 - j : j;
                    const Real x = static_cast<Real>(place) + (images && !nodes ? 0.5L : 0.0L);
                    const Real theta = std::numbers::pi_v<Real> * static_cast<Real>(mode) / static_cast<Real>(rim);
                    const Real value = sine ? std::sin(theta * x) : std::cos(theta * x);
                    const Real once = mode == 0 || mode == rim ? 1 : 2;
                    forward.push_back(images && nodes && place == 0 ? value / 2 : value);
                    backward.push_back(value * once * (images ? 2 : 1) / static_cast<Real>(2 * rim));
                }
            }
    }

    std::vector<Index> k;
    std::vector<Real> forward, backward;  ///< [mode][value]
};

/// A dense box, one axis after the other multiplied by rows.
class Box {
public:
    explicit Box(const Unknown3& field) : values(field.values_) {
        for (int a = 0; a < 3; ++a) extents[a] = field.range_[a].count;
    }
    /// rows[r][c], or its transpose.
    void multiply(int axis, const std::vector<Real>& rows, bool transposed) {
        const Index in = extents[axis];
        const Index out = static_cast<Index>(rows.size()) / in;
        Index stride = 1;
        for (int a = axis + 1; a < 3; ++a) stride *= extents[a];
        std::vector<Real> result(values.size() / in * out);
        const Index outer = static_cast<Index>(values.size()) / (in * stride);
        for (Index o = 0; o < outer; ++o)
            for (Index r = 0; r < out; ++r)
                for (Index c = 0; c < in; ++c) {
                    const Real factor = transposed ? rows[c * out + r] : rows[r * in + c];
                    for (Index s = 0; s < stride; ++s)
                        result[(o * out + r) * stride + s] += factor * values[(o * in + c) * stride + s];
                }
        values = std::move(result);
        extents[axis] = out;
    }

    std::array<Index, 3> extents{};
    std::vector<Real> values;
};

/// u = −K f of padded lines, all but K in long double.
template <class T>
std::vector<Real> padded_solution(const Problem& problem, const Field<double>& f) {
    const PaddedSymbol<T> symbol = padded_symbol<T>(problem);
    const std::array<PaddedLine, 3> lines{PaddedLine(problem.grid.axes[0]), PaddedLine(problem.grid.axes[1]),
                                          PaddedLine(problem.grid.axes[2])};
    Box box(Unknown3(problem.grid, read(f)));
    for (int a = 0; a < 3; ++a) box.multiply(a, lines[a].forward, false);
    Index place = 0;
    for (const Index i : lines[0].k)
        for (const Index j : lines[1].k)
            for (const Index k : lines[2].k) box.values[place++] *= -static_cast<Real>(symbol.value(i, j, k));
    for (int a = 0; a < 3; ++a) box.multiply(a, lines[a].backward, true);
    return box.values;
}

/// The largest difference from brute force, in eps of T times the largest |u|.
template <class T>
double error_in_eps(const Problem& problem, const Unknown3& expected, const Field<double>& f) {
    const std::vector<Real> u = padded_solution<T>(problem, f);
    Real error = 0, largest = 0;
    for (std::size_t p = 0; p < u.size(); ++p) {
        error = std::max(error, std::abs(u[p] - expected.values_[p]));
        largest = std::max(largest, std::abs(expected.values_[p]));
        if (!(u[p] == u[p])) return INFINITY;
    }
    return static_cast<double>(error / largest) / tolerance::eps<T>;
}

void expect_right(const Problem& problem, const std::string& what) {
    ASSERT_NO_THROW(validate(problem)) << what;
    const auto f = random_field<double>(problem.grid.points(), 3);
    const Field<Real> u = FreeSpace(problem).solve(read(f));
    const Unknown3 expected(problem.grid, FieldView<const Real>(u.view()));
    EXPECT_LT(error_in_eps<double>(problem, expected, f), 4) << what;
    EXPECT_LT(error_in_eps<float>(problem, expected, f), 4) << what;
}

TEST(PaddedSymbol, SolvesEveryMix) {
    std::size_t number = 0;
    for (const Mix& mix : free_mixes())
        for (const Discretization discretization : discretizations) {
            const double lambda = std::array{0.0, 1e-6, 0.0, 2.0, 0.0, 400.0, 30.0}[number++ % 7];
            expect_right(make_problem(mix, {4, 3, 5}, discretization, lambda),
                         describe(mix) + ", " + name(discretization) + ", lambda " + std::to_string(lambda));
        }
}

TEST(PaddedSymbol, SolvesBoxesOfFewPoints) {
    for (const Extents& points : {Extents{1, 1, 1}, {2, 1, 3}, {1, 7, 2}, {3, 3, 1}})
        for (const Discretization discretization : discretizations)
            for (const Mix& mix : {Mix{free_kinds[cell_ff], free_kinds[cell_df], free_kinds[node_nf]},
                                   Mix{kinds[cell_p], free_kinds[cell_ff], free_kinds[cell_fn]},
                                   Mix{free_kinds[node_fd], free_kinds[node_ff], kinds[cell_nn]},
                                   Mix{kinds[cell_dd], free_kinds[cell_ff], kinds[cell_p]}})
                for (const double lambda : {0.0, 5.0})
                    expect_right(make_problem(mix, points, discretization, lambda),
                                 describe(mix) + " " + std::to_string(points[0]) + ", " + name(discretization));
}

TEST(PaddedSymbol, SolvesFlatAndLongBoxes) {
    for (const std::array<double, 3>& steps : {std::array{1.0, 1.0, 1000.0}, {0.001, 1.0, 1.0}, {1.0, 30.0, 900.0}})
        for (const Discretization discretization : discretizations)
            for (const Mix& mix : {Mix{free_kinds[cell_ff], free_kinds[cell_ff], free_kinds[cell_fn]},
                                   Mix{free_kinds[cell_df], kinds[node_nn], free_kinds[cell_ff]},
                                   Mix{free_kinds[node_nf], free_kinds[cell_ff], kinds[cell_p]}}) {
                Problem problem = make_problem(mix, {4, 4, 4}, discretization);
                for (int a = 0; a < 3; ++a) problem.grid.axes[a].spacing = steps[a];
                expect_right(problem, describe(mix) + ", steps to " + std::to_string(steps[2]) + ", " +
                                          name(discretization));
            }
}

TEST(PaddedSymbol, TakesALambdaBelowZeroThatWallsAllow) {
    for (const Discretization discretization : discretizations)
        for (const Mix& mix : {Mix{kinds[cell_dd], free_kinds[cell_ff], free_kinds[cell_fn]},
                               Mix{free_kinds[cell_ff], kinds[node_dd], kinds[cell_dn]}})
            expect_right(make_problem(mix, {5, 5, 4}, discretization, -0.05), describe(mix));
}

TEST(PaddedSymbol, KeepsItsDigitsBesideASmallLambda) {
    for (const Discretization discretization : discretizations)
        for (const Mix& mix : {Mix{free_kinds[cell_ff], kinds[cell_p], kinds[node_nn]},
                               Mix{kinds[cell_nn], free_kinds[cell_ff], free_kinds[node_nf]},
                               Mix{free_kinds[cell_ff], free_kinds[cell_fn], free_kinds[cell_ff]}})
            for (const double lambda : {1e-9, 1e-16})
                expect_right(make_problem(mix, {4, 3, 5}, discretization, lambda),
                             describe(mix) + ", " + name(discretization) + ", lambda " + std::to_string(lambda));
}

TEST(PaddedSymbol, CountsRowsAsItsTablesDo) {
    for (const Mix& mix : free_mixes()) {
        const Problem problem = make_problem(mix, {6, 5, 4});
        const PaddedSymbol<double> symbol = padded_symbol<double>(problem);
        EXPECT_EQ(symbol.terms % 4, 0);
        for (int a = 0; a < 3; ++a) {
            const Index rows = symbol_rows(problem.grid.axes[a]);
            EXPECT_EQ(static_cast<Index>(symbol.eigenvalue[a].size()), rows);
            if (symbol.free_axis >= 0) continue;
            EXPECT_EQ(static_cast<Index>(symbol.early[a].size()), rows);
            EXPECT_EQ(static_cast<Index>(symbol.late[a].size()), rows * symbol.terms);
            for (const double value : symbol.early[a]) EXPECT_TRUE(value <= 0 && value >= -1);
        }
    }
}

}  // namespace
}  // namespace poisson3d
