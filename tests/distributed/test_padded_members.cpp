// Members on threads whose free axes are padded with zeros, against one solver.
#include <gtest/gtest.h>

#include "accuracy.hpp"
#include "expect_error.hpp"
#include "member_mixes.hpp"
#include "members.hpp"
#include "one_solver.hpp"
#include "stretched_axis.hpp"
#include "tolerance.hpp"
#include "worst.hpp"

namespace poisson3d {
namespace {

using namespace test;

Decomposition some_parts(const Extents& points, int which) {
    switch (which % 7) {
        case 0: return Decomposition::slabs(points, 1);
        case 1: return Decomposition::slabs(points, 2);
        case 2: return Decomposition::slabs(points, 3);
        case 3: return Decomposition::slabs(points, std::vector<Index>{1, points[0] - 1, 0}).in_order_of({2, 0, 1});
        case 4: return Decomposition::slabs(points, static_cast<int>(points[0]) + 2);
        case 5: return Decomposition::pencils(points, {2, 2});
        default: return Decomposition::boxes(points, random_boxes(points, 4, static_cast<std::uint64_t>(which)));
    }
}

Problem spectral_mix(int mix, const Extents& points) {
    Problem problem = member_mix(mix, points);
    problem.discretization = Discretization::spectral;
    return problem;
}

template <class T>
class PaddedMembers : public testing::Test {
protected:
    void check(const Problem& problem, const Field<T>& u, const Field<T>& expected) {
        worst_.check(relative_error(read(u), long_field(expected).view()),
                     2 * tolerance::solve<T>(problem.grid.points()), describe(problem));
    }
    Worst<T> worst_{"padded members"};
};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(PaddedMembers, Types);

/// All mixes, each with one decomposition.
TYPED_TEST(PaddedMembers, SolveWhatOneSolves) {
    using T = TypeParam;
    int solved = 0;
    for (int mix = 0; mix < 1000; ++mix) {
        const Problem problem = spectral_mix(mix, {7, 6, mix % 2 == 0 ? 17 : 5});
        if (unbounded_axes(problem.grid) == 0) continue;
        const Extents points = problem.grid.points();
        const Field<T> f = random_field<T>(points, mix);
        this->check(problem, solved_by_members(problem, some_parts(points, mix), f, Method::automatic),
                    solved_by_one(problem, f, Middle::automatic));
        ++solved;
    }
    EXPECT_GT(solved, 700);
}

/// Whatever the number of members: neither lines nor what modes are multiplied with know of it.
TYPED_TEST(PaddedMembers, HaveTheSameBits) {
    using T = TypeParam;
    for (const int mix : {0, 1, 75, 150, 603, 480, 65}) {
        const Problem problem = spectral_mix(mix, {20, 33, 26});
        const Extents points = problem.grid.points();
        const Field<T> f = random_field<T>(points, mix);
        const Field<T> one = solved_by_members(problem, Decomposition::slabs(points, 1), f, Method::transpose);
        this->check(problem, one, solved_by_one(problem, f, Middle::automatic));
        for (int which = 1; which < 7; ++which)
            EXPECT_TRUE(equal(one, solved_by_members(problem, some_parts(points, which), f, Method::transpose)))
                << describe(problem) << ", parts " << which;
    }
}

/// In place, of a batch, twice, scaled.
TYPED_TEST(PaddedMembers, SolveBatchesInPlace) {
    using T = TypeParam;
    for (const int mix : {0, 6, 60, 216, 700}) {
        const Problem problem = spectral_mix(mix, {6, 5, 9});
        const Extents points = problem.grid.points();
        const Index size = problem.grid.size();
        const Decomposition parts = some_parts(points, mix + 1);
        DistributedSolver<T> solver(problem, parts, threads(parts.members()), {.threads = 2, .batch = 2});
        for (int time = 0; time < 2; ++time) {
            Field<T> all({2 * points[0], points[1], points[2]});
            const Field<T> one = random_field<T>(points, time), other = random_field<T>(points, time + 7);
            for (Index i = 0; i < size; ++i)
                all.data()[i] = one.data()[i] / 2, all.data()[size + i] = other.data()[i] / 2;
            std::vector<FieldBatch<const T>> from;
            std::vector<FieldBatch<T>> to;
            for (const FieldView<T>& box : boxes_of<T>(parts, all.view().slab(0, points[0]))) {
                from.emplace_back(box, 2, size);
                to.emplace_back(box, 2, size);
            }
            solver.solve(std::span<const FieldBatch<const T>>(from), std::span<const FieldBatch<T>>(to), {}, T(2));
            Field<T> u(points);
            std::copy_n(all.data(), size, u.data());
            this->check(problem, u, solved_by_one(problem, one, Middle::automatic));
            std::copy_n(all.data() + size, size, u.data());
            this->check(problem, u, solved_by_one(problem, other, Middle::automatic));
        }
    }
}

/// The gauge of the mean and at a point, where a constant is left open.
TYPED_TEST(PaddedMembers, FixTheGauge) {
    using T = TypeParam;
    int checked = 0;
    for (int mix = 0; mix < 1000; ++mix) {
        Problem problem = spectral_mix(mix, {7, 6, 8});
        if (!grows_far_away(problem)) continue;
        const Extents points = problem.grid.points();
        const Field<T> f = random_field<T>(points, mix);
        for (const bool mean : {false, true}) {
            problem.gauge = {};
            problem.gauge.mean = mean;
            if (!mean) problem.gauge.point = {5, 4, 3};
            const Field<T> u = solved_by_members(problem, some_parts(points, mix), f, Method::automatic);
            this->check(problem, u, solved_by_one(problem, f, Middle::automatic));
            if (!mean) {
                EXPECT_EQ(u.view()(5, 4, 3), T(0));
            }
            ++checked;
        }
    }
    EXPECT_GT(checked, 20);
}

TEST(PaddedMembersRefuse, WhatIsNotKnownBeyondTheBox) {
    const Problem problem = spectral_mix(0, {8, 6, 7});
    const Decomposition parts = Decomposition::slabs(problem.grid.points(), 2);
    DistributedSolver<double> solver(problem, parts, threads(2));
    EXPECT_NE(solver.description().find("padded lines"), std::string::npos);
    Field<double> u = random_field<double>(problem.grid.points());
    const auto to = boxes_of<double>(parts, u.view());
    const std::vector<FieldView<const double>> from(to.begin(), to.end());
    expect_error(ErrorCode::unsupported, {"operator cannot be applied", "pad with zeros"},
                 [&] { solver.apply(std::span(from), std::span(to)); });
    expect_error(ErrorCode::unsupported, {"spectral", "at the points alone"}, [&] { (void)solver.faces(); });
}

}  // namespace
}  // namespace poisson3d
