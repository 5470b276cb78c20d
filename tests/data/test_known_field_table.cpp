// The list of known fields, what they refuse, one published formula, and the bits of the random field.
#include <cmath>
#include <numbers>

#include "counter_random.hpp"
#include "h5_test_file.hpp"
#include "poisson3d/known_fields.hpp"
#include "uneven_box.hpp"

namespace poisson3d::test {
namespace {

TEST(KnownFieldTable, NamesAndDefaults) {
    std::vector<std::string> names;
    for (const KnownField& field : known_fields()) names.push_back(field.name);
    EXPECT_EQ(names,
              (std::vector<std::string>{"sine", "cosine", "waves", "mixed", "channel", "taylor-green", "polynomial",
                                        "cavity", "linear", "quadratic", "gaussians", "ring", "random"}));
    for (const KnownField& field : known_fields()) {
        const bool any = field.name == "mixed" || field.name == "random" || field.boundary == "free";
        const bool polynomial = field.name == "linear" || field.name == "quadratic";
        EXPECT_EQ(field.any_boundary, any || polynomial) << field.name;
        EXPECT_EQ(field.has_boundary_data, polynomial || field.name == "cavity") << field.name;
    }
    EXPECT_FALSE(known_field("random").has_exact);
    expect_error(ErrorCode::usage, {"'cosinus'", "sine, cosine, waves"}, [] { known_field("cosinus"); });
}

TEST(KnownFieldTable, TaylorGreenOnACubeIsThePublishedPressure) {
    constexpr double pi = std::numbers::pi;
    Problem problem;
    for (Axis& axis : problem.grid.axes) axis = {16, 2 * pi / 16, 0.0, Centering::node, P, P};
    Field<double> p({16, 16, 16});
    fill_known_field<double>("taylor-green", problem, 0, 0, {}, p.view());
    for (Index i = 0; i < 16; ++i)
        for (Index j = 0; j < 16; ++j)
            for (Index k = 0; k < 16; ++k) {
                const auto position = [](Index n) { return static_cast<double>(n) * pi / 8; };
                const double x = position(i), y = position(j), z = position(k);
                ASSERT_NEAR(p.view()(i, j, k), (std::cos(2 * x) + std::cos(2 * y)) * (std::cos(2 * z) + 2) / 16,
                            1e-14);
            }
}

// On any box, the source is −∂i uj ∂j ui of u = (sin X cos Y cos Z, −(kx/ky) cos X sin Y cos Z, 0).
TEST(KnownFieldTable, TaylorGreenObeysThePressureEquation) {
    const Problem problem = make_problem({{{P, P}, {P, P}, {P, P}}}, Centering::cell, {8, 10, 12}, 0.0);
    const Grid& grid = problem.grid;
    Field<double> f(grid.points());
    fill_known_field<double>("taylor-green", problem, 0, 0, f.view(), {});
    std::array<double, 3> k{};
    for (std::size_t a = 0; a < 3; ++a) k[a] = 2 * std::numbers::pi / grid.axes[a].length();
    for (Index i = 0; i < 8; ++i)
        for (Index j = 0; j < 10; ++j)
            for (Index l = 0; l < 12; ++l) {
                const auto phase = [&](std::size_t a, Index n) {
                    return k[a] * (grid.axes[a].position(n) - grid.axes[a].origin);
                };
                const double x = phase(0, i), y = phase(1, j), z = phase(2, l), v = -k[0] / k[1];
                const double ux = k[0] * std::cos(x) * std::cos(y) * std::cos(z);
                const double uy = -k[1] * std::sin(x) * std::sin(y) * std::cos(z);
                const double vx = -k[0] * v * std::sin(x) * std::sin(y) * std::cos(z);
                const double vy = k[1] * v * std::cos(x) * std::cos(y) * std::cos(z);
                EXPECT_NEAR(ux + vy, 0.0, 1e-13);
                ASSERT_NEAR(f.view()(i, j, l), -(ux * ux + 2 * uy * vx + vy * vy), 1e-12 * k[0] * k[0]);
            }
}

TEST(KnownFieldTable, RefusesWhatItCannotDo) {
    const Problem problem = make_problem({{{P, P}, {D, D}, {N, N}}}, Centering::cell, {4, 4, 4}, 0.0);
    Field<double> f({4, 4, 4}), wrong({4, 4, 5});
    for (const char* name : {"sine", "cosine", "waves", "channel", "taylor-green", "polynomial", "cavity"})
        expect_error(ErrorCode::usage, {name, "mixed, quadratic and random"},
                     [&] { fill_known_field<double>(name, problem, 0, 0, f.view(), {}); });
    expect_error(ErrorCode::usage, {"x=periodic,y=neumann,z=periodic", "axis y", "dirichlet:dirichlet"},
                 [&] { fill_known_field<double>("channel", problem, 0, 0, f.view(), {}); });
    expect_error(ErrorCode::usage, {"random", "no exact"},
                 [&] { fill_known_field<double>("random", problem, 0, 0, f.view(), f.view()); });
    expect_error(ErrorCode::usage, {"do not fit"},
                 [&] { fill_known_field<double>("mixed", problem, 0, 1, f.view(), {}); });
    expect_error(ErrorCode::usage, {"do not fit"},
                 [&] { fill_known_field<double>("mixed", problem, 0, 0, wrong.view(), {}); });
    Problem bad = problem;
    bad.helmholtz = std::nan("");
    expect_error(ErrorCode::usage, {"nan"}, [&] { fill_known_field<double>("mixed", bad, 0, 0, f.view(), {}); });
    bad = problem;
    bad.grid.axes[1].spacing = -1.0;
    expect_error(ErrorCode::data, {"axis y"}, [&] { fill_known_field<double>("mixed", bad, 0, 0, f.view(), {}); });
}

TEST(KnownFieldTable, MixedHasNoFormulaBetweenRobinFaces) {
    Problem problem = make_problem({{{P, P}, {N, Boundary::robin}, {N, N}}}, Centering::cell, {4, 4, 4}, 0.0);
    Field<double> field({4, 4, 4});
    expect_error(ErrorCode::usage, {"mixed", "Robin faces", "axis y", "linear, quadratic and random"},
                 [&] { fill_known_field("mixed", problem, 0, 0, field.view(), FieldView<double>()); });
    EXPECT_NO_THROW(fill_known_field("random", problem, 0, 0, field.view(), FieldView<double>()));
    EXPECT_NO_THROW(fill_known_field("linear", problem, 0, 0, field.view(), FieldView<double>()));
}

TEST(RandomField, BitsAreFixed) {
    // SplitMix64 from state 0 begins so (as published with the generator).
    EXPECT_EQ(mix(0x9e3779b97f4a7c15ULL), 0xe220a8397b1dcdafULL);
    EXPECT_EQ(mix(2 * 0x9e3779b97f4a7c15ULL), 0x6e789e6aa1b965f4ULL);
    EXPECT_EQ(random_bits(0, 0), 0xa706dd2f4d197e6fULL);
    EXPECT_EQ(random_bits(42, 1234567890123ULL), 0xdd7466e41d601f6fULL);
    EXPECT_EQ(uniform<double>(42, 7), 0x1.e0b51ea662430p-2);
    EXPECT_EQ(uniform<float>(42, 7), 0x1.e0b5180000000p-2F);
}

TEST(RandomField, IsAFunctionOfSeedAndPlace) {
    const Problem problem = make_problem({{{P, P}, {D, N}, {N, N}}}, Centering::cell, {40, 30, 50}, 0.0);
    Field<double> f(problem.grid.points()), slab({3, 30, 50});
    fill_known_field<double>("random", problem, 5, 0, f.view(), {});
    fill_known_field<double>("random", problem, 5, 36, slab.view(), {});
    for (Index n = 0; n < slab.size(); ++n) ASSERT_EQ(slab.data()[n], f.data()[36 * 30 * 50 + n]);
    EXPECT_EQ(f.view()(3, 2, 1), uniform<double>(5, (3 * 30 + 2) * 50 + 1));

    Field<float> single(problem.grid.points());
    fill_known_field<float>("random", problem, 5, 0, single.view(), {});
    double sum = 0.0, squares = 0.0, products = 0.0;
    for (Index n = 0; n < f.size(); ++n) {
        const double value = f.data()[n];
        ASSERT_TRUE(value >= -1.0 && value < 1.0);
        ASSERT_EQ(static_cast<double>(single.data()[n]), std::floor(value * 8388608.0) / 8388608.0);
        sum += value;
        squares += value * value;
        products += n == 0 ? 0.0 : value * f.data()[n - 1];
    }
    // 60000 numbers of variance 1/3: five standard deviations of each mean.
    const double count = static_cast<double>(f.size());
    EXPECT_LT(std::abs(sum / count), 5 * 0.577 / std::sqrt(count));
    EXPECT_LT(std::abs(squares / count - 1.0 / 3.0), 5 * 0.298 / std::sqrt(count));
    EXPECT_LT(std::abs(products / count), 5 * 0.333 / std::sqrt(count)) << "neighbours are independent";

    Field<double> other(problem.grid.points());
    fill_known_field<double>("random", problem, 6, 0, other.view(), {});
    Index equal = 0;
    for (Index n = 1; n < f.size(); ++n)
        equal += other.data()[n - 1] == f.data()[n] || other.data()[n] == f.data()[n];
    EXPECT_EQ(equal, 0) << "neighbouring seeds share no numbers";
}

}  // namespace
}  // namespace poisson3d::test
