// On a device mode low goes another way through the passes than mode fast: another order of the axes, other lines
// beside each other, other tables of distances. Both solve one problem, so they agree to rounding, wherever a
// length, a wall, a face value or the constant could make a difference. On the host the modes are one way, in
// sweeps that depend on the number of threads: there they agree to the last bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "axis_rules.hpp"
#include "padded.hpp"
#include "plain_faces.hpp"
#include "problems.hpp"
#include "test_solver.hpp"
#include "worst.hpp"

namespace poisson3d {
namespace {

using namespace test;

template <class T>
class MemoryModes : public testing::Test {
protected:
    static Options with(Memory memory, int threads) {
        Options options = test_options();
        options.memory = memory;
        options.threads = threads;
        return options;
    }

    /// A handful of random numbers may nearly miss the smoothest mode, which then is a difference of large ones:
    /// the norm is taken over a batch of right-hand sides.
    static void compare(const Problem& problem, const BoundaryData<T>& data, int number, Worst<T>& worst) {
        const Extents points = problem.grid.points();
        TestSolver<T> fast(problem, with(Memory::fast, 1));
        TestSolver<T> low(problem, with(Memory::low, 2 + number % 3));
        EXPECT_EQ(low.memory(), Memory::low);
        double difference = 0.0;
        double norm = 0.0;
        for (int seed = 0; seed < (problem.grid.size() < 200 ? 8 : 2); ++seed) {
            const Field<T> f = random_field<T>(points, 100 * number + seed);
            const T scale = seed % 2 == 0 ? T(1) : T(-1.5);
            Field<T> expected = filled_field<T>(points);
            Field<T> u = filled_field<T>(points);
            fast.solve(f.view(), expected.view(), data, scale);
            if (seed % 2 == 0) {
                low.solve(f.view(), u.view(), data, scale);
            } else {  // where f lies
                std::copy_n(f.data(), f.size(), u.data());
                low.solve(u.view(), u.view(), data, scale);
            }
            for (Index i = 0; i < u.size(); ++i) {
                const double wanted = static_cast<double>(expected.data()[i]);
                difference += std::pow(static_cast<double>(u.data()[i]) - wanted, 2);
                norm += wanted * wanted;
            }
            const double mean = fast.result().mean_removed;
            EXPECT_EQ(low.result().singular, fast.result().singular) << describe(problem);
            EXPECT_NEAR(low.result().mean_removed, mean, allowed(points) * std::max(1.0, std::abs(mean)));
            expect_same_where_the_way_is(u, expected, problem);
            if (singular(problem) && problem.gauge.point) {
                const auto [i, j, k] = *problem.gauge.point;
                EXPECT_EQ(u.view()(i, j, k), T(0)) << describe(problem);
            }
        }
        if (norm > 0.0 || difference > 0.0)
            worst.check(std::sqrt(difference / norm), allowed(points), describe(problem));
    }

    static void expect_same_where_the_way_is(const Field<T>& u, const Field<T>& expected, const Problem& problem) {
        if (on_device_under_test) return;
        EXPECT_EQ(different<T>(u.view(), expected.view()), 0) << describe(problem);
    }

    /// Two rounded solutions.
    static double allowed(const Extents& points) {
        return 2.0 * std::max(tolerance::solve<T>(points), tolerance::solve<T>({8, 8, 8}));
    }
};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(MemoryModes, Precisions);

/// Every kind meets every length on every axis: 1, 2, 3, primes, whole and ragged blocks.
Problem sample(int number) {
    constexpr std::array<Index, 11> lengths{1, 2, 3, 4, 5, 7, 8, 13, 16, 17, 31};
    const Kinds which = combination(number);
    Extents points = smallest_points(which);
    for (int a = 0; a < 3; ++a)
        points[a] = std::max(points[a], lengths[(number * (a + 1) + number / 10 + 4 * a) % lengths.size()]);
    return make_problem(which, points, discretizations[number / 2 % 2], number % 4 == 3 ? 0.7 : 0.0);
}

TYPED_TEST(MemoryModes, LowIsFastToRounding) {
    Worst<TypeParam> worst("low − fast");
    for (int number = 0; number < combinations; number += 3) {
        Problem problem = sample(number);
        const Extents points = problem.grid.points();
        if (number % 2 == 1 && singular(problem))
            problem.gauge.point = {number % points[0], number % points[1], number % points[2]};
        this->compare(problem, {}, number, worst);
    }
}

TYPED_TEST(MemoryModes, LowIsFastToRoundingWithBoundaryData) {
    Worst<TypeParam> worst("low − fast");
    for (int number = 1; number < combinations; number += 7) {
        Problem problem = sample(number);
        problem.discretization = Discretization::second_order;
        const PlainFaces<TypeParam> faces(problem.grid, number % 2 == 0, [&](int axis, int side, const auto& at) {
            return static_cast<TypeParam>(
                uniform(at[0] + 37 * (at[1] + 41 * at[2]), 10 * number + 2 * axis + side));
        });
        this->compare(problem, faces.data(), number, worst);
    }
}

TYPED_TEST(MemoryModes, LowIsFastToRoundingInLargerBoxes) {
    Worst<TypeParam> worst("low − fast");
    const std::array<Extents, 4> sizes{{{97, 31, 53}, {64, 128, 32}, {33, 130, 65}, {3, 7, 1009}}};
    for (int number = 0; number < combinations; number += 61)
        this->compare(make_problem(combination(number), sizes[number % 4], discretizations[number / 4 % 2]), {},
                      number, worst);
}

/// apply() is the other mode operation, and undoes solve().
TYPED_TEST(MemoryModes, LowAppliesAsFastDoes) {
    using T = TypeParam;
    Worst<T> worst("low − fast");
    for (int number = 2; number < combinations; number += 11) {
        const Problem problem = sample(number);
        const Extents points = problem.grid.points();
        const Field<T> u = random_field<T>(points, number);
        Field<T> expected = filled_field<T>(points);
        Field<T> applied = filled_field<T>(points);
        TestSolver<T>(problem, this->with(Memory::fast, 1)).apply(u.view(), expected.view(), T(3));
        TestSolver<T>(problem, this->with(Memory::low, 2)).apply(u.view(), applied.view(), T(3));
        this->expect_same_where_the_way_is(applied, expected, problem);
        double difference = 0.0;
        double norm = 0.0;
        for (Index i = 0; i < u.size(); ++i) {
            difference += std::pow(static_cast<double>(applied.data()[i] - expected.data()[i]), 2);
            norm += std::pow(static_cast<double>(expected.data()[i]), 2);
        }
        if (norm > 0.0 || difference > 0.0)
            worst.check(std::sqrt(difference / norm), this->allowed(points), describe(problem));
    }
}

}  // namespace
}  // namespace poisson3d
