// Host and device engine give the same solutions: every mix of kinds at small extents, a sample at many others.
#include <gtest/gtest.h>

#include "agreement.hpp"

namespace poisson3d {
namespace {

using namespace test;

/// Every other singular problem asks for a gauge point, the last point of the grid or one within.
void choose_gauge(Problem& problem, int number) {
    if (number % 2 == 0) return;
    const Extents n = problem.grid.points();
    if (number % 4 == 1)
        problem.gauge.point = {n[0] - 1, n[1] - 1, n[2] - 1};
    else
        problem.gauge.point = {n[0] / 2, n[1] / 3, n[2] / 2};
}

std::string discretization_name(Discretization discretization) {
    return discretization == Discretization::spectral ? "Spectral" : "Stencil";
}

class EveryMix : public testing::TestWithParam<std::tuple<Discretization, int>> {};

// A plan on a device takes milliseconds, so each mix meets each precision in each memory mode with one λ of the
// two.
TEST_P(EveryMix, AgreesAtUnequalOddExtents) {
    const auto [discretization, first] = GetParam();
    Agreement agreement;
    for (int number = 100 * first; number < 100 * (first + 1); ++number) {
        Problem problem = make_problem(combination(number), {5, 3, 7}, discretization, 0.0);
        choose_gauge(problem, number);
        agreement.check(problem, Memory::fast, Memory::standard);
        problem.helmholtz = 0.7;
        agreement.check(problem, Memory::standard, Memory::fast);
    }
}

std::string mix_name(const testing::TestParamInfo<std::tuple<Discretization, int>>& info) {
    const auto [discretization, first] = info.param;
    return discretization_name(discretization) + std::string(kinds[first].name);
}

INSTANTIATE_TEST_SUITE_P(All, EveryMix, testing::Combine(testing::ValuesIn(discretizations), testing::Range(0, 10)),
                         mix_name);

struct Sizes {
    const char* name;
    Extents points;
};

constexpr std::array<Sizes, 24> all_sizes{{
    {"Odd", {33, 47, 129}},         {"Even", {64, 64, 64}},       {"EvenAndOne", {65, 65, 65}},
    {"Thin", {31, 1, 2}},           {"Primes", {101, 7, 53}},     {"OnePoint", {1, 1, 1}},
    {"LineX", {23, 1, 1}},          {"LineY", {1, 19, 1}},        {"LineZ", {1, 1, 29}},
    {"PlaneXY", {30, 41, 1}},       {"PlaneXZ", {30, 1, 41}},     {"PlaneYZ", {1, 30, 41}},
    {"LongX", {2049, 2, 5}},        {"LongY", {2, 1500, 3}},      {"LongZ", {3, 2, 4099}},
    {"LongPowerX", {4096, 3, 2}},   {"LongPowerY", {3, 1024, 2}}, {"LongPowerZ", {2, 3, 8192}},
    {"TwosAndOdd", {97, 41, 45}},   {"OddHalves", {64, 12, 100}}, {"Layers", {65, 70, 4}},
    {"PrimeLayers", {33, 131, 13}}, {"TwoLayers", {128, 96, 2}},  {"SixteenLayers", {48, 130, 16}},
}};

class SomeMixes : public testing::TestWithParam<std::tuple<Discretization, std::size_t>> {};

TEST_P(SomeMixes, Agree) {
    const auto [discretization, index] = GetParam();
    Agreement agreement;
    for (int n = 0; n < 10; ++n) {  // every kind on every axis
        const int number = (static_cast<int>(index) * 37 + 111 * n) % combinations;
        const Kinds which = combination(number);
        Extents points = all_sizes[index].points;
        for (int a = 0; a < 3; ++a) points[a] = std::max(points[a], smallest_points(which)[a]);
        Problem problem = make_problem(which, points, discretization, n % 3 == 2 ? 0.7 : 0.0);
        choose_gauge(problem, n);
        agreement.check_all(problem);
    }
}

// Singular problems are few among the mixes, and they have a gauge and a mean.
TEST_P(SomeMixes, AgreeWithoutADirichletFace) {
    const auto [discretization, index] = GetParam();
    constexpr std::array<int, 4> closed{cell_p, cell_nn, node_p, node_nn};
    Agreement agreement;
    for (int n = 0; n < 4; ++n) {
        const Kinds which{closed[n], closed[(n + 1) % 4], closed[(n + 3) % 4]};
        Extents points = all_sizes[index].points;
        for (int a = 0; a < 3; ++a) points[a] = std::max(points[a], smallest_points(which)[a]);
        Problem problem = make_problem(which, points, discretization);
        choose_gauge(problem, n);
        agreement.check_all(problem);
    }
}

// Lengths for which all kinds have FFTs of 2, 3, 5 and 7 alone: nodes have a point more.
class GracefulMixes : public testing::TestWithParam<Extents> {};

TEST_P(GracefulMixes, Agree) {
    Agreement agreement;
    for (int n = 0; n < 20; ++n) {
        const int number = (37 + 211 * n) % combinations;
        const Kinds which = combination(number);
        Extents points = GetParam();
        for (int a = 0; a < 3; ++a) points[a] += which[a] >= node_dd ? 1 : 0;
        Problem problem = make_problem(which, points, Discretization::second_order, n % 3 == 2 ? 0.7 : 0.0);
        choose_gauge(problem, n);
        agreement.check_all(problem);
    }
}

std::string points_name(const testing::TestParamInfo<Extents>& info) {
    const auto [x, y, z] = info.param;
    return std::to_string(x) + "x" + std::to_string(y) + "x" + std::to_string(z);
}

INSTANTIATE_TEST_SUITE_P(All, GracefulMixes,
                         testing::Values(Extents{10, 8, 12}, Extents{48, 64, 20}, Extents{128, 40, 36},
                                         Extents{3, 98, 250}, Extents{512, 16, 5}, Extents{7, 6, 1024}),
                         points_name);

std::string size_name(const testing::TestParamInfo<std::tuple<Discretization, std::size_t>>& info) {
    const auto [discretization, index] = info.param;
    return discretization_name(discretization) + all_sizes[index].name;
}

INSTANTIATE_TEST_SUITE_P(All, SomeMixes,
                         testing::Combine(testing::ValuesIn(discretizations),
                                          testing::Range(std::size_t{0}, all_sizes.size())),
                         size_name);

}  // namespace
}  // namespace poisson3d
