// Solutions at real sizes against long double: the backward error cannot see a wrong smooth mode, this can.
#include <gtest/gtest.h>

#include "dense.hpp"
#include "problems.hpp"
#include "separable.hpp"
#include "test_solver.hpp"
#include "worst.hpp"

namespace poisson3d {
namespace {

using namespace test;

struct Sizes {
    const char* name;
    Extents points;
    std::vector<int> numbers;  ///< of combinations; every kind is on every axis somewhere
};

// Odd, even and prime lengths, long and short axes in every place; lines longer and shorter than a block.
const std::vector<Sizes> all_sizes{
    {"Odd", {33, 29, 129}, {7, 118, 229, 330, 441, 552, 663, 774, 885, 996}},
    {"Even", {32, 64, 48}, {0, 111, 222, 333, 444, 555, 666, 777, 888, 999}},
    {"Prime", {31, 97, 53}, {272, 383, 494, 505, 616, 727, 838, 949, 50, 161}},
    {"Mixed", {130, 18, 36}, {15, 136, 257, 378, 499, 510, 631, 752, 873, 994}},
    {"Flat", {1, 200, 257}, {98, 209, 310, 427, 15, 552}},
    {"Needle", {5, 3, 300}, {9, 120, 231, 342, 453, 564, 675, 786, 897, 908}},
};

class LargerSizes : public testing::TestWithParam<std::tuple<Discretization, std::size_t>> {
protected:
    template <class T>
    static void compare(const Problem& problem, const Field<Real>& expected, Worst<T>& worst) {
        const Field<T> u = solved(problem, random_field<T>(problem.grid.points(), 3));
        worst.check(relative_error(read(u), expected.view()), tolerance::solve<T>(problem.grid.points()),
                    describe(problem));
    }
};

TEST_P(LargerSizes, SolutionsAreThoseOfLongDouble) {
    const auto [discretization, index] = GetParam();
    const Sizes& sizes = all_sizes[index];
    Worst<double> worst("solution");
    Worst<float> worst_float("solution");
    for (std::size_t n = 0; n < sizes.numbers.size(); ++n) {
        const Kinds which = combination(sizes.numbers[n]);
        Extents points = sizes.points;
        for (int a = 0; a < 3; ++a) points[a] = std::max(points[a], smallest_points(which)[a]);
        // λ > 0 in every third case only: it makes a problem easier.
        const Problem problem = make_problem(which, points, discretization, n % 3 == 2 ? 0.01 : 0.0);
        const Field<Real> expected = separable_solve(problem, read(random_field<double>(points, 3)));
        compare<double>(problem, expected, worst);
        compare<float>(problem, expected, worst_float);
    }
}

std::string case_name(const testing::TestParamInfo<std::tuple<Discretization, std::size_t>>& info) {
    const auto [discretization, index] = info.param;
    return std::string(discretization == Discretization::spectral ? "Spectral" : "Stencil") + all_sizes[index].name;
}

INSTANTIATE_TEST_SUITE_P(All, LargerSizes,
                         testing::Combine(testing::ValuesIn(discretizations),
                                          testing::Range(std::size_t{0}, all_sizes.size())),
                         case_name);

// The reference itself, where the brute force can still judge it.
TEST(LargerSizesReference, AgreesWithTheDenseSolution) {
    for (int number = 0; number < combinations; number += 41)
        for (const Discretization discretization : discretizations) {
            const Problem problem = make_problem(combination(number), {4, 6, 5}, discretization);
            const Field<double> f = random_field<double>(problem.grid.points());
            const Field<Real> u = separable_solve(problem, read(f));
            EXPECT_LT(relative_error<Real>(u.view(), Dense(problem).solve(read(f)).u.view()), 1e-16)
                << describe(problem);
            const Field<Real> applied = separable_apply<Real>(problem, u.view());
            EXPECT_LT(relative_error<Real>(separable_solve<Real>(problem, applied.view()).view(), u.view()), 1e-16)
                << describe(problem);
        }
}

}  // namespace
}  // namespace poisson3d
