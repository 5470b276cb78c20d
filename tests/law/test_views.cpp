// Fields as users have them: pitches, ghost layers, one memory for both, overlaps, garbage where nothing should
// look. Everywhere the result has the bits of the plain solve of two dense fields, and nothing else is touched.
#include <algorithm>

#include <gtest/gtest.h>

#include "axis_rules.hpp"
#include "padded.hpp"
#include "problems.hpp"
#include "test_solver.hpp"

namespace poisson3d {
namespace {

using namespace test;

/// A sample of mixes at extents with whole and ragged blocks on every axis; singular ones with a gauge point.
template <class Body>
void for_each_problem(Body body) {
    const std::array<Extents, 3> sizes{{{9, 19, 13}, {20, 9, 8}, {3, 5, 34}}};
    for (int number = 0; number < combinations; number += 37) {
        Problem problem = make_problem(combination(number), sizes[number % 3], discretizations[number % 2]);
        if (number % 2 == 1) problem.gauge.point = {2, 4, 5};
        for (const Memory memory : all_memories) {
            Options options = test_options();
            options.memory = memory;
            options.threads = 1 + number % 2;
            body(problem, options);
        }
    }
}

template <class T>
Field<T> right_hand_side(const Problem& problem) {
    return random_field<T>(problem.grid.points(), 8);
}

template <class T>
class Views : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(Views, Precisions);

TYPED_TEST(Views, PitchesAndGhostLayersAreNeitherReadNorWritten) {
    using T = TypeParam;
    for_each_problem([](const Problem& problem, const Options& options) {
        const Extents points = problem.grid.points();
        const Field<T> f = right_hand_side<T>(problem);
        const Field<T> expected = solved(problem, f, nullptr, T(1), options);
        Padded<T> from(points, {1, 2, 3}, {2, 0, 5});
        from.fill(read(f));
        const Padded<T> before = from;
        const bool dense = needs_dense_solution(options.memory);
        Padded<T> to = dense ? Padded<T>(points, {0, 0, 0}, {0, 0, 0}) : Padded<T>(points, {2, 1, 1}, {0, 3, 4});
        TestSolver<T> solver(problem, options);
        for (int again = 0; again < 2; ++again) {
            solver.solve(from.view(), to.view());
            EXPECT_EQ(different<T>(to.view(), read(expected)), 0) << describe(problem);
            EXPECT_EQ(to.damage(), 0) << describe(problem);
            EXPECT_EQ(from.differs_from(before), 0) << "f was written: " << describe(problem);
        }
    });
}

/// Rows of x, or of y, 64 KiB apart or twice that share places of the cache, and the host moves them in another
/// way.
TYPED_TEST(Views, RowsMayBeALargePowerOfTwoApart) {
    using T = TypeParam;
    struct Shape {
        Extents points, below, above;
    };
    const std::array<Shape, 2> shapes{
        {{{9, 5, 75}, {1, 2, 3}, {0, 121, 50}}, {{3, 9, 75}, {0, 1, 1}, {0, 0, 16308}}}};
    for (int number = 0; number < combinations; number += 23) {
        const auto& [points, below, above] = shapes[number % 2];
        Problem problem = make_problem(combination(number), points, discretizations[number % 2]);
        if (number % 3 == 0) problem.gauge.point = {2, 4, 40};
        Options options = test_options();
        options.memory = Memory::fast;
        const Field<T> f = right_hand_side<T>(problem);
        const Field<T> expected = solved(problem, f, nullptr, T(1), options);
        Padded<T> both(points, below, above);
        both.fill(read(f));
        TestSolver<T>(problem, options).solve(both.view(), both.view());
        EXPECT_EQ(different<T>(both.view(), read(expected)), 0) << describe(problem);
        EXPECT_EQ(both.damage(), 0) << describe(problem);
    }
}

TYPED_TEST(Views, TheRightHandSideAndTheSolutionMayBeTheSameMemory) {
    using T = TypeParam;
    for_each_problem([](const Problem& problem, const Options& options) {
        const Field<T> f = right_hand_side<T>(problem);
        const Field<T> expected = solved(problem, f, nullptr, T(1), options);
        const bool dense = needs_dense_solution(options.memory);
        const Extents below = dense ? Extents{0, 0, 0} : Extents{1, 0, 2};
        const Extents above = dense ? Extents{0, 0, 0} : Extents{0, 3, 1};
        Padded<T> both(problem.grid.points(), below, above);
        both.fill(read(f));
        TestSolver<T>(problem, options).solve(both.view(), both.view());
        EXPECT_EQ(different<T>(both.view(), read(expected)), 0) << describe(problem);
        EXPECT_EQ(both.damage(), 0) << describe(problem);
    });
}

TYPED_TEST(Views, ApplyKeepsTheSameRules) {
    using T = TypeParam;
    for_each_problem([](const Problem& problem, const Options& options) {
        const Field<T> f = right_hand_side<T>(problem);
        TestSolver<T> solver(problem, options);
        Field<T> expected = filled_field<T>(problem.grid.points());
        solver.apply(f.view(), expected.view());
        const bool dense = needs_dense_solution(options.memory);
        Padded<T> both(problem.grid.points(), dense ? Extents{} : Extents{1, 2, 3}, Extents{});
        both.fill(read(f));
        solver.apply(both.view(), both.view());
        EXPECT_EQ(different<T>(both.view(), read(expected)), 0) << describe(problem);
        EXPECT_EQ(both.damage(), 0) << describe(problem);
    });
}

TYPED_TEST(Views, TheyMayOverlapInPart) {
    using T = TypeParam;
    for_each_problem([](const Problem& problem, const Options& options) {
        if (on_device_under_test && options.memory == Memory::low) return;  // the same memory, or apart
        const Extents points = problem.grid.points();
        const Field<T> f = right_hand_side<T>(problem);
        const Field<T> expected = solved(problem, f, nullptr, T(1), options);
        const Index plane = points[1] * points[2];
        TestSolver<T> solver(problem, options);
        for (const Index shift : {Index{1}, points[2] - 1, plane, 2 * plane + 3, -plane - 1, Index{-5}}) {
            const Index size = points[0] * plane;
            const Index f_at = std::max(Index{0}, -shift) + 3;
            const Index u_at = f_at + shift;
            std::vector<T> memory(size + std::abs(shift) + 6);
            for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = nan_of<T>(static_cast<Index>(i));
            std::copy_n(f.data(), size, memory.begin() + f_at);
            const std::vector<T> before = memory;
            solver.solve(FieldView<const T>(memory.data() + f_at, points),
                         FieldView<T>(memory.data() + u_at, points));
            EXPECT_EQ(different<T>({memory.data() + u_at, points}, read(expected)), 0)
                << "shift " << shift << ", " << describe(problem);
            Index damage = 0;
            for (Index i = 0; i < static_cast<Index>(memory.size()); ++i) {
                const bool part_of_u = i >= u_at && i < u_at + size;
                damage += part_of_u || same_bits(memory[i], before[i]) ? 0 : 1;
            }
            EXPECT_EQ(damage, 0) << "elements beside u were written, shift " << shift;
        }
    });
}

// Other pitches are other distances from row to row: some rows move up, some down.
TYPED_TEST(Views, TheyMayOverlapInPartWithOtherPitches) {
    using T = TypeParam;
    if (on_device_under_test) GTEST_SKIP() << "where u must be dense there is one case less";
    for (const Memory memory : {Memory::fast, Memory::low})
        for (const bool tight : {false, true}) {
            const Extents points{5, 6, 7};
            const Problem problem = make_problem({node_dn, cell_p, cell_nn}, points);
            const Field<T> f = right_hand_side<T>(problem);
            Options options = test_options();
            options.memory = memory;
            const Field<T> expected = solved(problem, f, nullptr, T(1), options);
            const Strides dense = dense_strides(points);
            const Strides wide{99, 11, 1};
            TestSolver<T> solver(problem, options);
            for (Index u_at = 0; u_at <= 600; u_at += 23) {
                std::vector<T> memory_of_both(1200);
                for (std::size_t i = 0; i < memory_of_both.size(); ++i)
                    memory_of_both[i] = nan_of<T>(static_cast<Index>(i));
                const FieldView<T> from(memory_of_both.data() + 300, points, tight ? dense : wide);
                const FieldView<T> to(memory_of_both.data() + u_at, points, tight ? wide : dense);
                for (Index i = 0; i < points[0]; ++i)
                    for (Index j = 0; j < points[1]; ++j)
                        for (Index k = 0; k < points[2]; ++k) from(i, j, k) = f.view()(i, j, k);
                std::vector<T> beside = memory_of_both;
                solver.solve(from, to);
                EXPECT_EQ(different<T>(to, read(expected)), 0) << "u at " << u_at << ", " << name(memory);
                const FieldView<T> same(beside.data() + u_at, points, to.strides);
                for (Index i = 0; i < points[0]; ++i)
                    for (Index j = 0; j < points[1]; ++j)
                        for (Index k = 0; k < points[2]; ++k) same(i, j, k) = to(i, j, k);
                Index damage = 0;
                for (std::size_t i = 0; i < beside.size(); ++i)
                    damage += same_bits(beside[i], memory_of_both[i]) ? 0 : 1;
                EXPECT_EQ(damage, 0) << "elements beside u were written, u at " << u_at;
            }
        }
}

TYPED_TEST(Views, GarbageInTheSolutionAndAtDirichletNodesIsIgnored) {
    using T = TypeParam;
    for_each_problem([](const Problem& problem, const Options& options) {
        const Extents points = problem.grid.points();
        Field<T> f = right_hand_side<T>(problem);
        const Field<T> expected = solved(problem, f, nullptr, T(1), options);
        const auto& axes = problem.grid.axes;
        for (Index i = 0; i < points[0]; ++i)
            for (Index j = 0; j < points[1]; ++j)
                for (Index k = 0; k < points[2]; ++k)
                    if (!unknowns(axes[0]).contain(i) || !unknowns(axes[1]).contain(j) ||
                        !unknowns(axes[2]).contain(k))
                        f.view()(i, j, k) = nan_of<T>(k);
        Field<T> u = filled_field<T>(points, nan_of<T>(0));
        TestSolver<T> solver(problem, options);
        solver.solve(f.view(), u.view());
        EXPECT_EQ(different<T>(u.view(), read(expected)), 0) << describe(problem);
        // The same when the garbage is in the memory that becomes the solution.
        solver.solve(f.view(), f.view());
        EXPECT_EQ(different<T>(f.view(), read(expected)), 0) << describe(problem);
    });
}

}  // namespace
}  // namespace poisson3d
