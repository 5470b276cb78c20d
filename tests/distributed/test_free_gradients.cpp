// Spectral gradients beside free faces by members on threads: those of one, whatever boxes members have.
#include <gtest/gtest.h>

#include <algorithm>

#include "accuracy.hpp"
#include "expect_error.hpp"
#include "member_mixes.hpp"
#include "one_solver.hpp"
#include "padded_gradients.hpp"
#include "source_gradients.hpp"
#include "tolerance.hpp"
#include "worst.hpp"

namespace poisson3d {
namespace {

using namespace test;

Problem spectral_mix(int mix, const Extents& points) {
    Problem problem = member_mix(mix, points);
    problem.discretization = Discretization::spectral;
    return problem;
}

Decomposition some_parts(const Extents& points, int which) {
    switch (which % 5) {
        case 0: return Decomposition::slabs(points, 2);
        case 1: return Decomposition::slabs(points, std::vector<Index>{1, points[0] - 1, 0});
        case 2: return Decomposition::pencils(points, {2, 3});
        case 3: return Decomposition::slabs(points, static_cast<int>(points[0]) + 1);
        default: return Decomposition::boxes(points, random_boxes(points, 5, static_cast<std::uint64_t>(which)));
    }
}

template <class T>
class FreeMemberGradients : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(FreeMemberGradients, Types);

/// Every third mix with free axes, each with one decomposition. A component is compared where it is: the one of f
/// along a free axis is not as large as the one of a random u along a wall.
TYPED_TEST(FreeMemberGradients, AreThoseOfOne) {
    using T = TypeParam;
    Worst<T> worst("gradients beside free faces");
    int compared = 0;
    for (int mix = 0; mix < 1000; mix += 3) {
        const Problem problem = spectral_mix(mix, {7, 6, mix % 2 == 0 ? 9 : 5});
        if (unbounded_axes(problem.grid) == 0) continue;
        const Extents points = problem.grid.points();
        const Field<T> u = random_field<T>(points, mix), f = random_field<T>(points, mix + 1);
        const Gradients<T> expected = source_gradient_of_one(problem, u, f, T(-0.5));
        const Decomposition parts = some_parts(points, mix);
        const Gradients<T> found =
            source_gradient_of_members(problem, parts, threads(parts.members()), u, f, T(-0.5));
        for (std::size_t a = 0; a < 3; ++a) {
            const double size = largest(expected[a]);
            if (size == 0.0) {
                EXPECT_TRUE(equal(found[a], expected[a])) << "axis " << a << ", " << describe(problem);
                continue;
            }
            worst.check(largest_difference(found[a], expected[a]) / size, 2 * tolerance::solve<T>(points),
                        describe(problem));
            ++compared;
        }
    }
    EXPECT_GT(compared, 700);
}

/// Views with pitches and ghosts, f the last component, components left out, a second evaluation.
TYPED_TEST(FreeMemberGradients, KeepToTheirViews) {
    using T = TypeParam;
    for (const int mix : {0, 13, 660, 307}) {
        const Problem problem = spectral_mix(mix, {11, 8, 9});
        const Extents points = problem.grid.points();
        const Decomposition parts = Decomposition::slabs(points, std::vector<Index>{3, 0, 7, 1});
        const Field<T> u = random_field<T>(points, 1), f = random_field<T>(points, 2);
        const Gradients<T> expected = source_gradient_of_members(problem, parts, threads(4), u, f, T(2));
        DistributedGradient<T> gradient(problem, parts, threads(4), {.threads = 3});
        for (const std::size_t left_out : {0, 1, 3, 3}) {
            PaddedGradients<T> padded(parts, u, left_out);
            const auto source = padded.fill(2, f);  // z, computed last
            gradient.evaluate_with_source(std::span(std::as_const(padded.u)), std::span(source), T(2),
                                          std::span(std::as_const(padded.to)));
            padded.expect(expected, describe(problem));
        }
    }
}

/// Where faces are not free, or differences are central, f is not looked at.
TYPED_TEST(FreeMemberGradients, NeedNoSourceElsewhere) {
    using T = TypeParam;
    Problem problem = spectral_mix(0, {9, 7, 6});
    for (int time = 0; time < 2; ++time) {
        if (time == 0)
            problem.discretization = Discretization::second_order;
        else
            problem = make_problem(combination(617), {9, 7, 6}, Discretization::spectral);
        const Extents points = problem.grid.points();
        const Field<T> u = random_field<T>(points, 1);
        const Decomposition parts = Decomposition::slabs(points, 3);
        const Gradients<T> expected = gradient_of_members(problem, parts, u);
        const Gradients<T> found = source_gradient_of_members(problem, parts, threads(3), u, u, T(7));
        for (std::size_t a = 0; a < 3; ++a) EXPECT_TRUE(equal(found[a], expected[a])) << describe(problem);
    }
}

TEST(FreeMemberGradients, RefuseWhatTheyCannotHave) {
    const Problem problem = spectral_mix(660, {16, 12, 20});  // z free, x and y periodic
    ASSERT_FALSE(problem.grid.axes[1].unbounded());
    const Extents points = problem.grid.points();
    const Decomposition parts = Decomposition::slabs(points, 2);
    const Field<double> u = random_field<double>(points);
    Gradients<double> found = filled_gradient<double>(points);
    const auto from = boxes_of<const double>(parts, u.view());
    auto source = from;
    auto to = components_of<double>(parts, found);
    DistributedGradient<double> gradient(problem, parts, threads(2));
    const auto evaluate = [&] {
        gradient.evaluate_with_source(std::span(from), std::span(std::as_const(source)), 1.0,
                                      std::span(std::as_const(to)));
    };
    expect_error(ErrorCode::unsupported, {"spectral gradient beside free faces", "evaluate_with_source"},
                 [&] { gradient.evaluate(std::span(from), std::span(std::as_const(to))); });
    source[1].extents[2] = 7;
    expect_error(ErrorCode::usage, {"f of member 1", "8 x 12 x 7", "8 x 12 x 20"}, evaluate);
    source.resize(1);
    expect_error(ErrorCode::usage, {"found 1 views of f, wanted 2"}, evaluate);
    source = from;
    std::size_t free = 0;
    while (!problem.grid.axes[free].unbounded()) ++free;
    to[1][free] = {};
    expect_error(ErrorCode::usage, {"left out by some members", "since"}, evaluate);
    to[0][free] = {}, to[1][1] = {};
    evaluate();
    // A solve and more travels for a component along a free axis.
    const DistributedGradient<double> walls(make_problem(combination(111), points, Discretization::spectral), parts,
                                            threads(2));
    EXPECT_GT(gradient.traffic().bytes, walls.traffic().bytes);
    EXPECT_GT(gradient.workspace(), walls.workspace());
}

}  // namespace
}  // namespace poisson3d
