// What free faces are: nothing is left of the equations with the values found there, walls that hold these give the
// same, a larger box of zeros does, and a wall on the other side is an image.
#include <gtest/gtest.h>

#include <cmath>

#include "free_laws.hpp"
#include "poisson3d/free_space.hpp"
#include "poisson3d/residual.hpp"

namespace poisson3d {
namespace {

using namespace test;

using FreeFaces = FreeSpaceTest;

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
        for (int side = 0; side < 2; ++side)
            EXPECT_EQ(is_free(problem.grid.axes[a], side), !faces.data.faces[a][side].zero());
    ResidualMeter<T> meter(problem, u.view(), 1.0, solver.result().mean_removed, faces.data);
    meter.add(0, FieldView<const T>(f.view()));
    EXPECT_LE(meter.result().backward, tolerance::backward<T>(problem.grid.points()) + tolerance::eps<T> / 2)
        << what;
}

TEST_F(FreeFaces, NoResidualIsLeftWithTheValuesOnFreeFaces) {
    for (const Mix& mix : some_mixes())
        for (const double lambda : {0.0, 2.0}) {
            expect_no_residual<double>(make_problem(mix, {9, 7, 8}, Discretization::second_order, lambda),
                                       describe(mix));
            expect_no_residual<float>(make_problem(mix, {9, 7, 8}, Discretization::second_order, lambda),
                                      describe(mix));
        }
}

TEST_F(FreeFaces, WallsThatHoldWhatWasFoundGiveTheSame) {
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

TEST_F(FreeFaces, ALargerBoxOfZerosGivesTheSameNumbers) {
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

TEST_F(FreeFaces, AWallIsAnImage) {
    for (const FreeKindName half : {cell_df, cell_fn, node_fd, node_nf})
        for (const Discretization discretization : free_discretizations)
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

}  // namespace
}  // namespace poisson3d
