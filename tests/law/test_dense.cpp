// Every combination of axis kinds against the brute-force solution in long double.
#include <gtest/gtest.h>

#include "dense.hpp"
#include "problems.hpp"
#include "test_solver.hpp"
#include "worst.hpp"

namespace poisson3d {
namespace {

using namespace test;

/// Solves one problem in double and in float and compares with one dense solution: the right-hand side has 24 bits,
/// so it is the same for all.
class Comparison {
public:
    void run(const Problem& problem, int threads = 1) {
        const Field<double> f = random_field<double>(problem.grid.points(), count_++);
        const Dense::Solution expected = Dense(problem).solve(read(f));
        compare<double>(problem, expected, count_ - 1, threads, solution_, mean_);
        compare<float>(problem, expected, count_ - 1, threads, solution_float_, mean_float_);
    }

private:
    template <class T>
    static void compare(const Problem& problem, const Dense::Solution& expected, std::uint64_t seed, int threads,
                        Worst<T>& solution, Worst<T>& mean) {
        const Extents points = problem.grid.points();
        const Field<T> f = random_field<T>(points, seed);
        Result result;
        Options options = test_options();
        options.threads = threads;
        const Field<T> u = solved(problem, f, &result, T(1), options);
        // Below 8 points the roundings no longer become fewer with the logarithm of the length, and among a handful
        // of modes the smooth ones, which make up u, may be nearly missing from f.
        const double allowed = std::max(tolerance::solve<T>(points), tolerance::solve<T>({8, 8, 8}));
        solution.check(relative_error(read(u), expected.u.view()), allowed, describe(problem));
        // f is of order 1, and so is what its mean is rounded at.
        mean.check(static_cast<double>(std::abs(result.mean_removed - expected.mean_removed)), allowed,
                   describe(problem));
        expect_zero_at_dirichlet_nodes(problem, read(u));
    }

    template <class T>
    static void expect_zero_at_dirichlet_nodes(const Problem& problem, FieldView<const T> u) {
        const auto& axes = problem.grid.axes;
        Index wrong = 0;
        for (Index i = 0; i < u.extents[0]; ++i)
            for (Index j = 0; j < u.extents[1]; ++j)
                for (Index k = 0; k < u.extents[2]; ++k) {
                    const bool unknown = unknowns(axes[0]).contain(i) && unknowns(axes[1]).contain(j) &&
                                         unknowns(axes[2]).contain(k);
                    if (!unknown && u(i, j, k) != T(0)) ++wrong;
                }
        EXPECT_EQ(wrong, 0) << "Dirichlet nodes that are not 0: " << describe(problem);
    }

    std::uint64_t count_ = 0;
    Worst<double> solution_{"solution"}, mean_{"mean"};
    Worst<float> solution_float_{"solution"}, mean_float_{"mean"};
};

/// All combinations that begin with one kind.
class Combinations : public testing::TestWithParam<std::tuple<Discretization, int>> {
protected:
    template <class Body>
    void for_each_combination(Body body) const {
        const auto [discretization, first] = GetParam();
        for (int number = 100 * first; number < 100 * (first + 1); ++number)
            for (const double helmholtz : {0.0, 0.7}) body(number, discretization, helmholtz);
    }
};

TEST_P(Combinations, EveryCombinationAtUnequalOddExtents) {
    Comparison comparison;
    for_each_combination([&](int number, Discretization discretization, double helmholtz) {
        comparison.run(make_problem(combination(number), {5, 3, 7}, discretization, helmholtz), 1 + number % 3);
    });
}

TEST_P(Combinations, EveryCombinationAtItsSmallestExtents) {
    Comparison comparison;
    for_each_combination([&](int number, Discretization discretization, double helmholtz) {
        const Kinds which = combination(number);
        comparison.run(make_problem(which, smallest_points(which), discretization, helmholtz));
        // And one more point along one axis: the first length at which anything can be mixed up.
        Extents points = smallest_points(which);
        ++points[number % 3];
        comparison.run(make_problem(which, points, discretization, helmholtz));
    });
}

TEST_P(Combinations, SomeCombinationsAtEvenExtents) {
    Comparison comparison;
    for_each_combination([&](int number, Discretization discretization, double helmholtz) {
        if (number % 7 == 3)
            comparison.run(make_problem(combination(number), {6, 8, 4}, discretization, helmholtz), 2);
    });
}

TEST_P(Combinations, SomeCombinationsWhoseLinesFillWholeBlocks) {
    Comparison comparison;
    for_each_combination([&](int number, Discretization discretization, double helmholtz) {
        // Large systems take half a second each: one λ of the two.
        if (number % 37 == 5 && (helmholtz == 0.0) == (number % 2 == 0))
            comparison.run(make_problem(combination(number), {7, 9, 11}, discretization, helmholtz), 3);
    });
}

std::string case_name(const testing::TestParamInfo<std::tuple<Discretization, int>>& info) {
    const auto [discretization, first] = info.param;
    return (discretization == Discretization::spectral ? "Spectral" : "Stencil") + std::string(kinds[first].name);
}

INSTANTIATE_TEST_SUITE_P(All, Combinations,
                         testing::Combine(testing::ValuesIn(discretizations), testing::Range(0, 10)), case_name);

}  // namespace
}  // namespace poisson3d
