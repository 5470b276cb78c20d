// Laws of free space that need no reference: known constants, no residual with the values found on free faces, the
// same numbers in a larger box, images, walls that hold what is found, symmetry.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "free_mixes.hpp"
#include "poisson3d/residual.hpp"
#include "test_solver.hpp"
#include "tolerance.hpp"

namespace poisson3d {
namespace {

using namespace test;

constexpr double pi = std::numbers::pi;
constexpr std::array<Middle, 2> ways{Middle::automatic, Middle::transform};

Options by_way(Middle way) {
    Options options = test_options();
    options.middle = way;
    return options;
}

template <class T>
double largest(const Field<T>& u) {
    double value = 0;
    for (Index i = 0; i < u.size(); ++i) value = std::max(value, std::abs(static_cast<double>(u.data()[i])));
    return value;
}

/// max |a − b| / max |b|; NaN counts as infinite.
template <class T>
double difference(const Field<T>& a, const Field<T>& b) {
    double value = 0;
    for (Index i = 0; i < a.size(); ++i) {
        const double d = std::abs(static_cast<double>(a.data()[i]) - static_cast<double>(b.data()[i]));
        if (!(d <= value)) value = std::isnan(d) ? INFINITY : d;
    }
    return value / largest(b);
}

class FreeSpaceLaws : public testing::Test {
protected:
    void SetUp() override {
        if (on_device_under_test) GTEST_SKIP() << "free faces are solved on the host";
    }
};

/// Mixes of one, two and three free axes, with cells, nodes, walls and images.
std::vector<Mix> some_mixes() {
    return {{free_kinds[cell_ff], free_kinds[cell_ff], free_kinds[cell_ff]},
            {free_kinds[node_nf], free_kinds[cell_df], free_kinds[node_ff]},
            {free_kinds[cell_fn], free_kinds[node_fd], free_kinds[cell_ff]},
            {kinds[cell_p], free_kinds[cell_ff], free_kinds[cell_fn]},
            {free_kinds[node_nf], kinds[node_dd], free_kinds[cell_ff]},
            {free_kinds[cell_ff], free_kinds[node_fd], kinds[cell_nn]},
            {free_kinds[cell_ff], kinds[cell_p], kinds[node_dn]},
            {kinds[node_nn], free_kinds[cell_fn], kinds[cell_p]},
            {kinds[cell_dd], kinds[cell_p], free_kinds[node_nf]}};
}

TEST_F(FreeSpaceLaws, ASinglePointGivesTheGreensFunctionOfTheCubicLattice) {
    const double origin = 0.2527310098586630;
    for (const Middle way : ways)
        for (const double h : {1.0, 0.02}) {
            Problem problem =
                make_problem({free_kinds[cell_ff], free_kinds[cell_ff], free_kinds[node_ff]}, {24, 20, 9});
            for (Axis& axis : problem.grid.axes) axis.spacing = h;
            Field<double> f = filled_field<double>(problem.grid.points(), 0.0);
            f.view()(2, 3, 1) = 1 / (h * h);
            const Field<double> u = solved(problem, f, nullptr, 1.0, by_way(way));
            const double allowed = tolerance::solve<double>(problem.grid.points());
            EXPECT_NEAR(u.view()(2, 3, 1), -origin, allowed * origin) << name(way);
            for (const Extents& next : {Extents{1, 3, 1}, {3, 3, 1}, {2, 4, 1}, {2, 3, 0}, {2, 3, 2}})
                EXPECT_NEAR(u.view()(next[0], next[1], next[2]) - u.view()(2, 3, 1), 1.0 / 6, allowed * origin);
            const double r2 = 20 * 20 + 15 * 15 + 7 * 7;
            const double fourth = (std::pow(20.0, 4) + std::pow(15.0, 4) + std::pow(7.0, 4)) / (r2 * r2);
            const double far = -(1 + (5 * fourth - 3) / (8 * r2)) / (4 * pi * std::sqrt(r2));
            EXPECT_NEAR(u.view()(22, 18, 8) / far, 1, 3 / (r2 * r2)) << name(way);
        }
}

TEST_F(FreeSpaceLaws, ALineGivesTheGreensFunctionOfTheSquareLattice) {
    const double euler = 0.57721566490153286;
    for (const Middle way : ways)
        for (const double h : {1.0, 0.02, 30.0})
            for (int constant = 0; constant < 3; ++constant) {
                Mix mix{free_kinds[cell_ff], free_kinds[cell_ff], free_kinds[cell_ff]};
                mix[constant] = kinds[constant == 0 ? cell_p : cell_nn];
                Extents points{7, 7, 7};
                points[constant] = 3;
                Problem problem = make_problem(mix, points);
                for (int a = 0; a < 3; ++a) problem.grid.axes[a].spacing = a == constant ? 0.6 : h;
                Field<double> f = filled_field<double>(points, 0.0);
                std::array<Index, 3> at{2, 2, 2};
                for (Index k = 0; k < 3; ++k) {
                    at[constant] = k;
                    f.view()(at[0], at[1], at[2]) = 1;
                }
                const Field<double> u = solved(problem, f, nullptr, 1.0, by_way(way));
                const auto value = [&](Index i, Index j) {
                    std::array<Index, 3> place{};
                    place[constant == 0 ? 1 : 0] = 2 + i;
                    place[constant == 2 ? 1 : 2] = 2 + j;
                    place[constant] = 1;
                    return u.view()(place[0], place[1], place[2]) / (h * h);
                };
                const double allowed = tolerance::solve<double>(points) * largest(u) / (h * h);
                EXPECT_NEAR(value(0, 0), (std::log(h) - euler - 1.5 * std::log(2.0)) / (2 * pi), allowed)
                    << name(way);
                EXPECT_NEAR(value(1, 0) - value(0, 0), 0.25, allowed) << name(way);
                EXPECT_NEAR(value(1, 1) - value(0, 0), 1 / pi, allowed) << name(way);
            }
}

TEST_F(FreeSpaceLaws, APlaneGivesHalfTheDistance) {
    for (const Middle way : ways) {
        const Problem problem = make_problem({kinds[cell_p], free_kinds[node_ff], kinds[cell_nn]}, {3, 9, 2});
        const double h = problem.grid.axes[1].spacing;
        Field<double> f = filled_field<double>(problem.grid.points(), 0.0);
        for (Index i = 0; i < 3; ++i)
            for (Index k = 0; k < 2; ++k) f.view()(i, 2, k) = 1;
        const Field<double> u = solved(problem, f, nullptr, 1.0, by_way(way));
        const double allowed = tolerance::solve<double>(problem.grid.points()) * largest(u);
        for (Index j = 0; j < 9; ++j)
            EXPECT_NEAR(u.view()(1, j, 1), h * h * std::abs(static_cast<double>(j - 2)) / 2, allowed) << name(way);
    }
}

/// Boundary data in double, owned.
struct DoubleFaces {
    template <class T>
    DoubleFaces(const Grid& grid, const BoundaryData<T>& of) {
        for (int a = 0; a < 3; ++a)
            for (int side = 0; side < 2; ++side) {
                const FaceValues<T>& face = of.faces[a][side];
                data.faces[a][side].constant = static_cast<double>(face.constant);
                if (face.data == nullptr) continue;
                const auto [rows, columns] = extents_of_face(grid.points(), a);
                std::vector<double>& values = memory.emplace_back();
                for (Index r = 0; r < rows; ++r)
                    for (Index c = 0; c < columns; ++c)
                        values.push_back(static_cast<double>(face.data[r * face.stride + c]));
                data.faces[a][side].data = values.data();
                data.faces[a][side].stride = columns;
            }
    }

    BoundaryData<double> data;
    std::vector<std::vector<double>> memory;  ///< whose arrays stay where they are when it grows
};

template <class T>
void expect_no_residual(const Problem& problem, const std::string& what) {
    TestSolver<T> solver(problem);
    const auto f = random_field<T>(problem.grid.points(), 2);
    Field<T> u = filled_field<T>(problem.grid.points());
    solver.solve(f.view(), u.view());
    const DoubleFaces faces(problem.grid, solver.solver().faces());
    for (int a = 0; a < 3; ++a)
        for (int side = 0; side < 2; ++side) {
            const Axis& axis = problem.grid.axes[a];
            const bool is_free = (side == 0 ? axis.lower : axis.upper) == Boundary::free;
            EXPECT_EQ(is_free, !faces.data.faces[a][side].zero());
        }
    ResidualMeter<T> meter(problem, u.view(), 1.0, solver.result().mean_removed, faces.data);
    meter.add(0, FieldView<const T>(f.view()));
    EXPECT_LE(meter.result().backward, tolerance::backward<T>(problem.grid.points()) + tolerance::eps<T> / 2)
        << what;
}

TEST_F(FreeSpaceLaws, NoResidualIsLeftWithTheValuesOnFreeFaces) {
    for (const Mix& mix : some_mixes())
        for (const double lambda : {0.0, 2.0}) {
            expect_no_residual<double>(make_problem(mix, {9, 7, 8}, Discretization::second_order, lambda),
                                       describe(mix));
            expect_no_residual<float>(make_problem(mix, {9, 7, 8}, Discretization::second_order, lambda),
                                      describe(mix));
        }
}

TEST_F(FreeSpaceLaws, ALargerBoxOfZerosGivesTheSameNumbers) {
    for (const Mix& mix : some_mixes())
        for (const double lambda : {0.0, 1e-3, 2.0})
            for (const Middle way : ways) {
                const Problem problem = make_problem(mix, {6, 5, 7}, Discretization::second_order, lambda);
                Problem larger = problem;
                std::array<Index, 3> shift{};
                for (int a = 0; a < 3; ++a) {
                    Axis& axis = larger.grid.axes[a];
                    if (axis.upper == Boundary::free) axis.points += 2 + a;
                    if (axis.lower == Boundary::free) axis.points += shift[a] = 3;
                }
                const auto f = random_field<double>(problem.grid.points(), 4);
                Field<double> spread = filled_field<double>(larger.grid.points(), 0.0);
                Field<double> cut(problem.grid.points());
                const Extents n = problem.grid.points();
                const auto for_each = [&](auto body) {
                    for (Index i = 0; i < n[0]; ++i)
                        for (Index j = 0; j < n[1]; ++j)
                            for (Index k = 0; k < n[2]; ++k)
                                body(i, j, k, i + shift[0], j + shift[1], k + shift[2]);
                };
                for_each([&](Index i, Index j, Index k, Index x, Index y, Index z) {
                    spread.view()(x, y, z) = f.view()(i, j, k);
                });
                const Field<double> u = solved(problem, f, nullptr, 1.0, by_way(way));
                const Field<double> wide = solved(larger, spread, nullptr, 1.0, by_way(way));
                for_each([&](Index i, Index j, Index k, Index x, Index y, Index z) {
                    cut.view()(i, j, k) = wide.view()(x, y, z);
                });
                EXPECT_LE(difference(u, cut),
                          tolerance::solve<double>(larger.grid.points()) * largest(wide) / largest(cut))
                    << describe(mix) << ", lambda " << lambda << ", " << name(way);
            }
}

TEST_F(FreeSpaceLaws, AWallIsAnImage) {
    for (const FreeKindName half : {cell_df, cell_fn, node_fd, node_nf})
        for (const Discretization discretization : discretizations)
            for (int a = 0; a < 3; ++a)
                for (const double lambda : {0.0, 2.0}) {
                    Mix mix{free_kinds[cell_ff], free_kinds[cell_ff], kinds[cell_dd]};
                    if (a == 2) mix = {kinds[cell_dd], free_kinds[cell_ff], free_kinds[cell_ff]};
                    mix[a] = free_kinds[half];
                    const Problem problem = make_problem(mix, {5, 5, 5}, discretization, lambda);
                    const bool nodes = mix[a].centering == Centering::node;
                    Problem whole = problem;
                    Axis& axis = whole.grid.axes[a];
                    const bool wall_above = axis.lower == Boundary::free;
                    const double sign =
                        axis.lower == Boundary::dirichlet || axis.upper == Boundary::dirichlet ? -1 : 1;
                    axis.lower = axis.upper = Boundary::free;
                    axis.points = 10;  // as long as the window with the wall: nodes leave one at the end empty
                    const auto f = random_field<double>(problem.grid.points(), 6);
                    Field<double> mirrored = filled_field<double>(whole.grid.points(), 0.0);
                    // Where stored point j, counted from the wall, and its image stand.
                    const auto place = [&](Index j, bool image) {
                        const Index from_wall = wall_above ? 4 - j : j;
                        const Index above = 5 + from_wall;
                        const Index below = (nodes ? 5 : 4) - from_wall;
                        return image != wall_above ? below : above;
                    };
                    const auto for_each = [&](auto body) {
                        for (Index i = 0; i < 5; ++i)
                            for (Index j = 0; j < 5; ++j)
                                for (Index k = 0; k < 5; ++k)
                                    for (const bool image : {true, false}) {
                                        std::array<Index, 3> to{i, j, k};
                                        to[a] = place(to[a], image);
                                        body(std::array<Index, 3>{i, j, k}, to, image);
                                    }
                    };
                    for_each([&](std::array<Index, 3> from, std::array<Index, 3> to, bool image) {
                        const bool on_wall = nodes && (wall_above ? 4 - from[a] : from[a]) == 0;
                        const double value = on_wall && sign < 0 ? 0 : f.view()(from[0], from[1], from[2]);
                        mirrored.view()(to[0], to[1], to[2]) = image ? sign * value : value;
                    });
                    const Field<double> u = solved(problem, f);
                    const Field<double> both = solved(whole, mirrored);
                    Field<double> cut(problem.grid.points());
                    for_each([&](std::array<Index, 3> from, std::array<Index, 3> to, bool image) {
                        if (!image) cut.view()(from[0], from[1], from[2]) = both.view()(to[0], to[1], to[2]);
                    });
                    EXPECT_LE(difference(u, cut), 2 * tolerance::solve<double>(whole.grid.points()))
                        << describe(mix) << ", " << name(discretization) << ", lambda " << lambda;
                }
}

TEST_F(FreeSpaceLaws, WallsThatHoldWhatWasFoundGiveTheSame) {
    for (const Mix& mix : some_mixes()) {
        const Problem problem = make_problem(mix, {6, 5, 7});
        bool cells = true;
        for (const Axis& axis : problem.grid.axes)
            cells = cells && (!axis.unbounded() || axis.centering == Centering::cell);
        if (!cells) continue;  // beyond nodes stands another one
        const auto f = random_field<double>(problem.grid.points(), 4);
        Field<double> u = filled_field<double>(problem.grid.points());
        TestSolver<double> solver(problem);
        solver.solve(f.view(), u.view());
        const DoubleFaces faces(problem.grid, solver.solver().faces());
        Problem walled = problem;
        for (Axis& axis : walled.grid.axes)
            for (Boundary* const face : {&axis.lower, &axis.upper})
                if (*face == Boundary::free) *face = Boundary::dirichlet;
        Field<double> between = filled_field<double>(problem.grid.points());
        TestSolver<double>(walled).solve(f.view(), between.view(), faces.data);
        EXPECT_LE(difference(u, between), 2 * tolerance::solve<double>(problem.grid.points())) << describe(mix);
    }
}

TEST_F(FreeSpaceLaws, SolvesAreLinearAndSelfAdjoint) {
    for (const Mix& mix : some_mixes())
        for (const Discretization discretization : discretizations) {
            const Problem problem = make_problem(mix, {6, 5, 7}, discretization);
            const Extents n = problem.grid.points();
            const auto f = random_field<double>(n, 4), g = random_field<double>(n, 5);
            Field<double> sum(n);
            for (Index i = 0; i < f.size(); ++i) sum.data()[i] = f.data()[i] - 0.75 * g.data()[i];
            const Field<double> u = solved(problem, f), v = solved(problem, g), w = solved(problem, sum);
            double error = 0, here = 0, there = 0, size = 0;
            for (Index i = 0; i < n[0]; ++i)
                for (Index j = 0; j < n[1]; ++j)
                    for (Index k = 0; k < n[2]; ++k) {
                        const std::array<Index, 3> at{i, j, k};
                        double weight = 1;
                        for (int a = 0; a < 3; ++a) {
                            const Axis& axis = problem.grid.axes[a];
                            if (axis.centering != Centering::node || axis.periodic()) continue;
                            const Boundary wall = at[a] == 0                 ? axis.lower
                                                  : at[a] == axis.points - 1 ? axis.upper
                                                                             : Boundary::free;
                            weight *= wall == Boundary::neumann ? 0.5 : wall == Boundary::dirichlet ? 0 : 1;
                        }
                        error = std::max(
                            error, std::abs(u.view()(i, j, k) - 0.75 * v.view()(i, j, k) - w.view()(i, j, k)));
                        here += weight * u.view()(i, j, k) * g.view()(i, j, k);
                        there += weight * v.view()(i, j, k) * f.view()(i, j, k);
                        size += weight * std::abs(v.view()(i, j, k) * f.view()(i, j, k));
                    }
            const double allowed = 2 * tolerance::solve<double>(n);
            EXPECT_LE(error, allowed * std::max(largest(u), largest(v))) << describe(mix);
            EXPECT_NEAR(here, there, allowed * size) << describe(mix);
        }
}

TEST_F(FreeSpaceLaws, AxesMayBePermuted) {
    for (const Mix& mix : some_mixes())
        for (const Discretization discretization : discretizations)
            for (const Middle way : ways) {
                const Problem problem = make_problem(mix, {4, 5, 6}, discretization);
                const Extents n = problem.grid.points();
                const auto f = random_field<double>(n, 4);
                const Field<double> u = solved(problem, f, nullptr, 1.0, by_way(way));
                for (const std::array<int, 3>& order : {std::array{1, 2, 0}, {2, 0, 1}, {1, 0, 2}}) {
                    Problem turned = problem;
                    for (int a = 0; a < 3; ++a) turned.grid.axes[a] = problem.grid.axes[order[a]];
                    Field<double> g(turned.grid.points()), expected(turned.grid.points());
                    for (Index i = 0; i < n[0]; ++i)
                        for (Index j = 0; j < n[1]; ++j)
                            for (Index k = 0; k < n[2]; ++k) {
                                const std::array<Index, 3> at{i, j, k};
                                g.view()(at[order[0]], at[order[1]], at[order[2]]) = f.view()(i, j, k);
                                expected.view()(at[order[0]], at[order[1]], at[order[2]]) = u.view()(i, j, k);
                            }
                    EXPECT_LE(difference(solved(turned, g, nullptr, 1.0, by_way(way)), expected),
                              2 * tolerance::solve<double>(n))
                        << describe(mix) << ", " << name(way);
                }
            }
}

TEST_F(FreeSpaceLaws, ASmallLambdaTakesAConstantAway) {
    // e^{−√λ r}/4πr = 1/4πr − √λ/4π + λ r/8π.
    for (const Discretization discretization : discretizations)
        for (const Middle way : ways) {
            const Mix mix{free_kinds[cell_ff], free_kinds[node_ff], free_kinds[cell_ff]};
            Problem problem = make_problem(mix, {7, 6, 8}, discretization);
            const auto f = random_field<double>(problem.grid.points(), 3);
            double charge = 0;
            for (Index i = 0; i < f.size(); ++i) charge += f.data()[i] * 0.7 * 1.3 * 0.45;
            const Field<double> u = solved(problem, f, nullptr, 1.0, by_way(way));
            problem.helmholtz = 1e-10;
            const Field<double> screened = solved(problem, f, nullptr, 1.0, by_way(way));
            for (Index i = 0; i < u.size(); ++i)
                EXPECT_NEAR(screened.data()[i] - u.data()[i], charge * 1e-5 / (4 * pi), 3e-9 * largest(u))
                    << name(discretization) << ", " << name(way);
        }
}

TEST_F(FreeSpaceLaws, BatchesAndFieldsInPlaceGiveTheSameBits) {
    for (const Mix& mix : some_mixes())
        for (const Discretization discretization : discretizations)
            for (const Middle way : ways) {
                const Problem problem = make_problem(mix, {6, 5, 7}, discretization);
                const Extents n = problem.grid.points();
                Options options = by_way(way);
                options.batch = 3;
                Solver<double> solver(problem, options);
                Field<double> f({3 * n[0], n[1], n[2]}), u({3 * n[0], n[1], n[2]});
                for (Index i = 0; i < f.size(); ++i) f.data()[i] = uniform(i, 7);
                const Index size = n[0] * n[1] * n[2];
                const Strides strides{n[1] * n[2], n[2], 1};
                solver.solve(FieldBatch<const double>{FieldView<const double>(f.data(), n, strides), 3, size},
                             FieldBatch<double>{FieldView<double>(u.data(), n, strides), 3, size});
                for (Index b = 0; b < 3; ++b) {
                    Field<double> alone(n), in_place(n);
                    for (Index i = 0; i < size; ++i) in_place.data()[i] = f.data()[b * size + i];
                    solver.solve(in_place.view(), alone.view());
                    solver.solve(in_place.view(), in_place.view());
                    for (Index i = 0; i < size; ++i) {
                        ASSERT_EQ(alone.data()[i], u.data()[b * size + i]) << describe(mix) << ", " << name(way);
                        ASSERT_EQ(in_place.data()[i], alone.data()[i]) << describe(mix) << ", " << name(way);
                    }
                }
            }
}

}  // namespace
}  // namespace poisson3d
