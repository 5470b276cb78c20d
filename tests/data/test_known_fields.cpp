// Known fields: f is (∇² − λ) u by differences of u, u meets its boundary data, slabs do not matter.
#include "poisson3d/known_fields.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "h5_test_file.hpp"
#include "uneven_box.hpp"

namespace poisson3d::test {
namespace {

struct Case {
    std::string name;
    Faces faces;
};
std::ostream& operator<<(std::ostream& out, const Case& c) {
    out << c.name;
    for (const auto& face : c.faces) out << " " << name(face[0]) << ":" << name(face[1]);
    return out;
}
const std::vector<Case> cases{
    {"sine", {{{D, D}, {D, D}, {D, D}}}},       {"cosine", {{{N, N}, {N, N}, {N, N}}}},
    {"waves", {{{P, P}, {P, P}, {P, P}}}},      {"channel", {{{P, P}, {N, N}, {P, P}}}},
    {"polynomial", {{{D, D}, {D, D}, {D, D}}}}, {"taylor-green", {{{P, P}, {P, P}, {P, P}}}},
    {"mixed", {{{P, P}, {D, N}, {N, N}}}},      {"mixed", {{{N, D}, {P, P}, {D, D}}}},
    {"mixed", {{{D, D}, {N, D}, {D, N}}}},      {"mixed", {{{N, N}, {D, D}, {P, P}}}},
    {"cavity", {{{N, N}, {N, N}, {N, N}}}},     {"linear", {{{N, D}, {D, N}, {P, P}}}},
    {"quadratic", {{{D, D}, {N, N}, {N, D}}}},  {"quadratic", {{{D, N}, {P, P}, {N, N}}}},
};

class KnownFields : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(All, KnownFields, ::testing::ValuesIn(cases),
                         [](const auto& c) { return "case" + std::to_string(c.index); });

double largest(const Field<double>& field) {
    double most = 0.0;
    for (Index n = 0; n < field.size(); ++n) most = std::max(most, std::abs(field.data()[n]));
    return most;
}

// The value `step` points further along `axis`; across a periodic face it comes from the other end. `inside` turns
// false where there is no such point.
double neighbour(const Field<double>& u, const Grid& grid, std::array<Index, 3> at, std::size_t axis, Index step,
                 bool& inside) {
    const Index n = grid.axes[axis].points;
    at[axis] += step;
    if (grid.axes[axis].periodic()) at[axis] = (at[axis] + n) % n;
    if (at[axis] < 0 || at[axis] >= n) {
        inside = false;
        return 0.0;
    }
    return u.view()(at[0], at[1], at[2]);
}

// d²u/dx² of fourth order: −1/12, 4/3, −5/2, 4/3, −1/12.
double second_derivative(const Field<double>& u, const Grid& grid, const std::array<Index, 3>& at, std::size_t axis,
                         bool& inside) {
    const auto value = [&](Index step) { return neighbour(u, grid, at, axis, step, inside); };
    const double h = grid.axes[axis].spacing;
    return (-(value(-2) + value(2)) / 12.0 + (value(-1) + value(1)) * 4.0 / 3.0 - value(0) * 2.5) / (h * h);
}

TEST_P(KnownFields, RightHandSideIsTheOperatorApplied) {
    for (const Centering centering : {Centering::cell, Centering::node})
        for (const double helmholtz : {0.0, 60.0, -35.0}) {
            const Problem problem = make_problem(GetParam().faces, centering, {80, 72, 88}, helmholtz);
            const Grid& grid = problem.grid;
            Field<double> f(grid.points()), u(grid.points());
            fill_known_field(GetParam().name, problem, 0, 0, f.view(), u.view());
            double error = 0.0;
            Index compared = 0;
            for (Index i = 0; i < grid.axes[0].points; ++i)
                for (Index j = 0; j < grid.axes[1].points; ++j)
                    for (Index k = 0; k < grid.axes[2].points; ++k) {
                        bool inside = true;
                        double operated = -helmholtz * u.view()(i, j, k);
                        for (const std::size_t axis : {0U, 1U, 2U})
                            operated += second_derivative(u, grid, {i, j, k}, axis, inside);
                        if (!inside) continue;
                        error = std::max(error, std::abs(operated - f.view()(i, j, k)));
                        ++compared;
                    }
            EXPECT_GT(compared, grid.size() * 8 / 10);
            // f of linear is 0 without λ; there, u is the scale.
            EXPECT_LT(error, 3e-5 * std::max(largest(f), largest(u))) << "λ = " << helmholtz;
            EXPECT_GT(largest(u), 0.05) << "a solution of size 1";
            EXPECT_LT(largest(u), 5.0);
        }
}

TEST_P(KnownFields, SolutionMeetsItsBoundaryData) {
    const Problem problem = make_problem(GetParam().faces, Centering::node, {61, 65, 69}, 0.0);
    const Grid& grid = problem.grid;
    Field<double> u(grid.points());
    fill_known_field<double>(GetParam().name, problem, 0, 0, {}, u.view());
    for (std::size_t axis = 0; axis < 3; ++axis)
        for (const std::size_t side : {0U, 1U}) {
            const Boundary boundary = GetParam().faces[axis][side];
            if (boundary == P) continue;  // the differences above went across
            const Index n = grid.axes[axis].points, step = side == 0 ? 1 : -1;
            const double spacing = grid.axes[axis].spacing;
            std::array<Index, 3> at{};
            double value = 0.0, difference = 0.0, scale = 0.0;
            const std::size_t b = axis == 0 ? 1 : 0, c = axis == 2 ? 1 : 2;
            const std::vector<double> data =
                known_face_values(GetParam().name, problem, static_cast<int>(axis), static_cast<int>(side));
            auto given = data.begin();
            at[axis] = side == 0 ? 0 : n - 1;
            for (at[b] = 0; at[b] < grid.axes[b].points; ++at[b])
                for (at[c] = 0; at[c] < grid.axes[c].points; ++at[c]) {
                    bool inside = true;
                    std::array<double, 5> p{};
                    for (Index s = 0; s < 5; ++s)
                        p[static_cast<std::size_t>(s)] = neighbour(u, grid, at, axis, s * step, inside);
                    value = std::max(value, std::abs(p[0]));
                    // Outward, one-sided, of fourth order, times h.
                    const double slope = (25 * p[0] - 48 * p[1] + 36 * p[2] - 16 * p[3] + 3 * p[4]) / 12;
                    difference =
                        std::max(difference, std::abs(boundary == D ? p[0] - *given : slope - *given * spacing));
                    ++given;
                    for (const double each : p) scale = std::max(scale, std::abs(each));
                }
            if (boundary == D) {
                EXPECT_LT(difference, 1e-14) << "axis " << axis << " side " << side;
            } else {
                // One point inside, the slope times h is about (2 pi/60)² of the value.
                EXPECT_LT(difference, 4e-4 * scale) << "axis " << axis << " side " << side;
                EXPECT_GT(value, 0.02) << "not also zero";
            }
        }
}

TEST_P(KnownFields, SolutionOfASingularProblemHasNoMean) {
    for (const auto& faces : GetParam().faces)
        for (const Boundary boundary : faces)
            if (boundary == D) GTEST_SKIP() << "not singular";
    if (GetParam().name == "quadratic" || GetParam().name == "linear") GTEST_SKIP() << "they keep theirs";
    const Problem problem = make_problem(GetParam().faces, Centering::cell, {32, 48, 40}, 0.0);
    Field<double> u(problem.grid.points());
    fill_known_field<double>(GetParam().name, problem, 0, 0, {}, u.view());
    const double mean = std::accumulate(u.data(), u.data() + u.size(), 0.0) / static_cast<double>(u.size());
    EXPECT_LT(std::abs(mean), 5e-4 * largest(u));
}

TEST_P(KnownFields, SlabsAndPrecisionDoNotMatter) {
    const Problem problem = make_problem(GetParam().faces, Centering::cell, {7, 6, 9}, 2.0);
    Field<double> f(problem.grid.points()), u(problem.grid.points());
    fill_known_field(GetParam().name, problem, 0, 0, f.view(), u.view());
    Field<double> f2({2, 6, 9});
    std::vector<float> memory(2 * 6 * 20, -9.0F);
    const FieldView<float> u2(memory.data(), {2, 6, 9}, {120, 20, 1});
    for (const Index first : {5, 0, 3}) {
        fill_known_field<double>(GetParam().name, problem, 0, first, f2.view(), {});
        fill_known_field<float>(GetParam().name, problem, 0, first, {}, u2);
        for (Index i = 0; i < 2; ++i)
            for (Index j = 0; j < 6; ++j)
                for (Index k = 0; k < 20; ++k) {
                    if (k >= 9) {
                        ASSERT_EQ(u2.data[i * 120 + j * 20 + k], -9.0F) << "a gap was written";
                        continue;
                    }
                    ASSERT_EQ(f2.view()(i, j, k), f.view()(first + i, j, k));
                    ASSERT_EQ(u2(i, j, k), static_cast<float>(u.view()(first + i, j, k)));
                }
    }
}

}  // namespace
}  // namespace poisson3d::test
