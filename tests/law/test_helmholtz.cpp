// λ < 0: between eigenvalues the problem has a solution, on one it has none, and the error says which modes.
#include <gtest/gtest.h>

#include "dense.hpp"
#include "poisson3d/error.hpp"
#include "problems.hpp"
#include "test_solver.hpp"
#include "worst.hpp"

namespace poisson3d {
namespace {

using namespace test;

/// Λ of a mode, as a λ that meets it.
double eigenvalue(const Problem& problem, const std::array<Index, 3>& mode) {
    Real sum = 0;
    for (int a = 0; a < 3; ++a) sum += mode_eigenvalue(problem.grid.axes[a], problem.discretization, mode[a]);
    return static_cast<double>(sum);
}

/// How much larger than their difference the numbers Λ and λ get: what rounding of Λ − λ is multiplied by.
double cancellation(const Problem& problem) {
    double worst = 1;
    std::array<Index, 3> mode{};
    for (mode[0] = 0; mode[0] < unknowns(problem.grid.axes[0]).count; ++mode[0])
        for (mode[1] = 0; mode[1] < unknowns(problem.grid.axes[1]).count; ++mode[1])
            for (mode[2] = 0; mode[2] < unknowns(problem.grid.axes[2]).count; ++mode[2]) {
                const double sum = eigenvalue(problem, mode);
                worst = std::max(worst,
                                 (std::abs(sum) + std::abs(problem.helmholtz)) / std::abs(sum - problem.helmholtz));
            }
    return worst;
}

/// The message of the Error{resonant} that planning throws; empty if it throws none.
template <class T>
std::string resonance(const Problem& problem) {
    try {
        const TestSolver<T> solver(problem, test_options());
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::resonant) << error.what();
        return error.what();
    }
    return {};
}

std::string text(const std::array<Index, 3>& mode) {
    return "(" + std::to_string(mode[0]) + ", " + std::to_string(mode[1]) + ", " + std::to_string(mode[2]) + ")";
}

bool contains(const std::string& message, const std::string& part) {
    return message.find(part) != std::string::npos;
}

/// Mixes without a periodic axis, whose eigenvalues are all single.
const std::vector<Kinds> single_mixes{{cell_dd, node_nn, cell_nd},
                                      {cell_nn, cell_nn, node_nn},
                                      {node_dn, cell_dn, node_dd},
                                      {node_nd, cell_dd, cell_nn}};
constexpr Extents points{9, 7, 11};
constexpr std::array<Index, 3> some_modes[] = {{2, 1, 3}, {0, 3, 0}, {5, 0, 1}, {6, 4, 7}};

TEST(Resonance, NamesTheModeThatIsMet) {
    for (const Kinds& which : single_mixes)
        for (const Discretization discretization : discretizations)
            for (const auto& mode : some_modes) {
                Problem problem = make_problem(which, points, discretization);
                problem.helmholtz = eigenvalue(problem, mode);
                for (const std::string& message : {resonance<double>(problem), resonance<float>(problem)}) {
                    EXPECT_TRUE(contains(message, "mode " + text(mode) + " ")) << describe(problem) << message;
                    EXPECT_FALSE(contains(message, "others")) << message;
                }
            }
}

TEST(Resonance, NamesBothModesOfAPeriodicPair) {
    // Slots k and n − k of a periodic axis are the cosine and the sine of one wave.
    for (const int kind : {cell_p, node_p}) {
        Problem problem = make_problem({cell_nn, kind, cell_dd}, points);
        problem.helmholtz = eigenvalue(problem, {1, 2, 3});
        const std::string message = resonance<double>(problem);
        EXPECT_TRUE(contains(message, text({1, 2, 3}))) << message;
        EXPECT_TRUE(contains(message, text({1, 5, 3}))) << message;
        EXPECT_FALSE(contains(message, "others")) << message;
    }
}

TEST(Resonance, SaysThatThereAreMoreThanItNames) {
    Problem problem = make_problem({cell_p, cell_p, cell_p}, {8, 8, 8});
    for (Axis& axis : problem.grid.axes) axis.spacing = 0.5;
    problem.helmholtz = eigenvalue(problem, {1, 2, 3});  // 6 orders of the axes, 8 signs
    EXPECT_TRUE(contains(resonance<double>(problem), "others"));
}

TEST(Resonance, NearIsNotMet) {
    for (const Kinds& which : single_mixes)
        for (const double shift : {1e-10, -1e-10}) {
            Problem problem = make_problem(which, points);
            const double met = eigenvalue(problem, {2, 1, 3});
            problem.helmholtz = met * (1 + shift);
            EXPECT_EQ(resonance<double>(problem), "") << describe(problem);
            EXPECT_NE(resonance<float>(problem), "") << describe(problem);  // in float that is the eigenvalue
            problem.helmholtz = met * (1 + 1e4 * shift);
            EXPECT_EQ(resonance<float>(problem), "") << describe(problem);
        }
}

TEST(Resonance, NearlyMetProblemsAreSolved) {
    Problem problem = make_problem(single_mixes[0], points);
    problem.helmholtz = eigenvalue(problem, {2, 1, 3}) * (1 + 1e-10);
    const Field<double> f = random_field<double>(points);
    const Field<double> u = solved(problem, f);
    // u is the resonant mode, 10¹⁰ times what f has of it: known to some 6 digits.
    const Dense::Solution expected = Dense(problem).solve(read(f));
    EXPECT_LT(relative_error(read(u), expected.u.view()), tolerance::solve<double>(points) * 4e10);
}

TEST(Resonance, IsNotLookedForWithoutANegativeConstant) {
    Problem problem = make_problem({cell_p, cell_nn, node_nn}, points);
    for (const double helmholtz : {0.0, 1e-300, 1e-20, 5.0}) {
        problem.helmholtz = helmholtz;
        EXPECT_EQ(resonance<double>(problem), "") << helmholtz;
    }
}

TEST(NegativeHelmholtz, SolutionsBetweenEigenvaluesAreThoseOfTheDenseSystem) {
    Worst<double> worst("solution");
    Worst<float> worst_float("solution");
    for (int number = 0; number < combinations; number += 7) {
        Problem problem = make_problem(combination(number), {5, 3, 7}, discretizations[number % 2]);
        for (const double helmholtz : {-0.3, -3.7, -60.0}) {
            problem.helmholtz = helmholtz;
            const double lost = cancellation(problem);
            const Field<double> f = random_field<double>(problem.grid.points(), number);
            const Dense::Solution expected = Dense(problem).solve(read(f));
            const Field<double> u = solved(problem, f);
            worst.check(relative_error(read(u), expected.u.view()),
                        tolerance::solve<double>(problem.grid.points()) * lost, describe(problem));
            const Field<float> single = solved(problem, random_field<float>(problem.grid.points(), number));
            worst_float.check(relative_error(read(single), expected.u.view()),
                              tolerance::solve<float>(problem.grid.points()) * lost, describe(problem));
        }
    }
}

TEST(Helmholtz, MustBeFinite) {
    Problem problem = make_problem({cell_p, cell_nn, node_nn}, points);
    for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        problem.helmholtz = bad;
        EXPECT_THROW(TestSolver<double>(problem, test_options()), Error);
        EXPECT_THROW((void)TestSolver<double>::workspace_bytes(problem, test_options()), Error);
    }
}

}  // namespace
}  // namespace poisson3d
