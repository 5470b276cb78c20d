// Known fields with boundary data, against their formulas written down once more in long double and differenced
// there; and the equation that the pressure of the cavity comes from.
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include "axis_functions.hpp"
#include "h5_test_file.hpp"
#include "poisson3d/known_fields.hpp"
#include "uneven_box.hpp"

namespace poisson3d::test {
namespace {

using Real = long double;
using Place = std::array<Real, 3>;  // between the faces: 0 at the lower, 1 at the upper
using Formula = std::function<Real(const Place&)>;

// Polynomials given by coefficients cancel: one term of the cavity is a difference of numbers near 200.
constexpr double rounding = 256 * std::numeric_limits<double>::epsilon();

constexpr Real pi = std::numbers::pi_v<Real>, step = 2.5e-4L;

// Differences of fourth order: all formulas here are smooth on both sides of the faces.
Real first(const Formula& u, const Place& at, std::size_t axis) {
    const auto value = [&](int steps) {
        Place moved = at;
        moved[axis] += static_cast<Real>(steps) * step;
        return u(moved);
    };
    return (8 * (value(1) - value(-1)) - (value(2) - value(-2))) / (12 * step);
}
Real second(const Formula& u, const Place& at, std::size_t axis) {
    const auto value = [&](int steps) {
        Place moved = at;
        moved[axis] += static_cast<Real>(steps) * step;
        return u(moved);
    };
    return (16 * (value(1) + value(-1)) - (value(2) + value(-2)) - 30 * value(0)) / (12 * step * step);
}

// The stream function's factors, and their derivatives by hand.
Real f(Real x) {
    return x * x * (1 - x) * (1 - x);
}
Real g(Real y) {
    return y * y * (y * y - 1);
}
Real g1(Real y) {
    return 4 * y * y * y - 2 * y;
}
Real g2(Real y) {
    return 12 * y * y - 2;
}
Real s(Real z) {
    return std::sin(pi * z) * (1 + std::cos(pi * z));
}

Real cavity(const Place& at) {
    const auto [x, y, z] = at;
    const Real f1 = 2 * x * (1 - x) * (1 - 2 * x), area = x * x * x * (1.0L / 3 - x / 2 + x * x / 5) - 1.0L / 60;
    const Real s2 = -pi * pi * (std::sin(pi * z) + 2 * std::sin(2 * pi * z));
    return 0.8L * (f1 * g1(y) * s(z) + area * 24 * y * s(z) + area * g1(y) * s2) +
           32 * (f(x) * f(x) - 1.0L / 630) * (g(y) * g2(y) - g1(y) * g1(y)) * s(z) * s(z) +
           (y * y * y * y - 0.2L) * (1 + z) / 2;
}

// Coordinates of periodic axes are 0.
Real linear(const Place& at) {
    return 2 + at[0] - 0.75L * at[1] + 0.5L * at[2];
}
Real quadratic(const Place& at) {
    const auto [x, y, z] = at;
    return linear(at) + x * x / 4 + 0.375L * y * y - z * z / 2 + 0.625L * x * y - y * z / 4 + 0.75L * z * x;
}

Formula formula(const std::string& name, const Grid& grid) {
    const Formula whole = name == "cavity" ? cavity : name == "linear" ? linear : quadratic;
    return [whole, grid](Place at) {
        for (std::size_t a = 0; a < 3; ++a)
            if (grid.axes[a].periodic()) at[a] = 0;
        return whole(at);
    };
}

struct Case {
    std::string name;
    Faces faces;
};
std::ostream& operator<<(std::ostream& out, const Case& c) {
    out << c.name;
    for (const auto& face : c.faces) out << " " << name(face[0]) << ":" << name(face[1]);
    return out;
}
std::vector<Case> all_cases() {
    std::vector<Case> cases{{"cavity", {{{N, N}, {N, N}, {N, N}}}}};
    for (const char* name : {"linear", "quadratic"})
        for (const Faces& faces :
             {Faces{{{D, D}, {D, D}, {D, D}}}, Faces{{{N, N}, {N, N}, {N, N}}}, Faces{{{D, N}, {N, D}, {D, D}}},
              Faces{{{N, D}, {D, D}, {D, N}}}, Faces{{{P, P}, {D, N}, {N, N}}}, Faces{{{N, N}, {P, P}, {N, D}}},
              Faces{{{D, D}, {N, N}, {P, P}}}, Faces{{{P, P}, {P, P}, {P, P}}}})
            cases.push_back({name, faces});
    return cases;
}

class KnownFaces : public ::testing::TestWithParam<Case> {
protected:
    // Cells and nodes in turn, extents and lengths all different; from number 8 on steps of y that differ, and
    // Robin faces in the place of its Neumann ones where the field takes them.
    static constexpr int problems = 16;
    static Problem problem(int number, double helmholtz) {
        Problem made = make_problem(GetParam().faces, Centering::cell, {7, 5, 9}, helmholtz);
        for (std::size_t a = 0; a < 3; ++a) {
            Axis& axis = made.grid.axes[a];
            const double length = axis.length();
            axis.centering = (number >> a) % 2 == 0 ? Centering::cell : Centering::node;
            axis.spacing *= length / axis.length();
        }
        if (number < 8) return made;
        Axis& y = made.grid.axes[1];
        const Index steps = step_count(y);
        for (Index j = 0; j <= steps; ++j)
            y.positions.push_back(10.0 + 2.5 * static_cast<double>(j * j) / static_cast<double>(steps * steps));
        if (GetParam().name == "cavity") return made;
        y.robin = {Robin{0.75, 2.0}, Robin{1.5, 0.5}};
        if (y.lower == N) y.lower = Boundary::robin;
        if (y.upper == N) y.upper = Boundary::robin;
        return made;
    }
    static Real place(const Axis& axis, Index j) {
        if (const auto& x = axis.positions; !x.empty()) {
            const bool cell = axis.centering == Centering::cell;
            const Real at = cell ? (static_cast<Real>(x[j]) + x[j + 1]) / 2 : static_cast<Real>(x[j]);
            return (at - x.front()) / (static_cast<Real>(x.back()) - x.front());
        }
        const Real offset = axis.centering == Centering::cell ? 0.5L : 0.0L;
        return (static_cast<Real>(j) + offset) * axis.spacing / static_cast<Real>(axis.length());
    }
};
INSTANTIATE_TEST_SUITE_P(All, KnownFaces, ::testing::ValuesIn(all_cases()),
                         [](const auto& c) { return "case" + std::to_string(c.index); });

TEST_P(KnownFaces, FieldsAreTheFormula) {
    for (int number = 0; number < problems; ++number)
        for (const double helmholtz : {0.0, 3.5}) {
            const Problem made = problem(number, helmholtz);
            const auto& axes = made.grid.axes;
            const Formula u = formula(GetParam().name, made.grid);
            Field<double> right(made.grid.points()), exact(made.grid.points());
            fill_known_field(GetParam().name, made, 0, 0, right.view(), exact.view());
            for (Index i = 0; i < axes[0].points; ++i)
                for (Index j = 0; j < axes[1].points; ++j)
                    for (Index k = 0; k < axes[2].points; ++k) {
                        const Place at{place(axes[0], i), place(axes[1], j), place(axes[2], k)};
                        Real operated = -static_cast<Real>(helmholtz) * u(at);
                        for (std::size_t a = 0; a < 3; ++a) {
                            const Real length = axes[a].length();
                            operated += second(u, at, a) / (length * length);
                        }
                        ASSERT_NEAR(exact.view()(i, j, k), static_cast<double>(u(at)), rounding);
                        ASSERT_NEAR(right.view()(i, j, k), static_cast<double>(operated), 1e-8);
                    }
        }
}

TEST_P(KnownFaces, FacesHoldValuesAndOutwardSlopes) {
    for (int number = 0; number < problems; ++number) {
        const Problem made = problem(number, 0.0);
        const auto& axes = made.grid.axes;
        const Formula u = formula(GetParam().name, made.grid);
        for (std::size_t a = 0; a < 3; ++a)
            for (int side = 0; side < 2; ++side) {
                const auto values = [&] {
                    return known_face_values(GetParam().name, made, static_cast<int>(a), side);
                };
                if (axes[a].periodic()) {
                    expect_error(ErrorCode::usage, {std::string("axis ") + "xyz"[a], "periodic"}, values);
                    continue;
                }
                const std::vector<double> found = values();
                const std::size_t b = a == 0 ? 1 : 0, c = a == 2 ? 1 : 2;
                ASSERT_EQ(found.size(), static_cast<std::size_t>(axes[b].points * axes[c].points));
                auto value = found.begin();
                Place at{};
                at[a] = side;
                for (Index m = 0; m < axes[b].points; ++m)
                    for (Index n = 0; n < axes[c].points; ++n, ++value) {
                        at[b] = place(axes[b], m);
                        at[c] = place(axes[c], n);
                        const Real outward = (side == 0 ? -1 : 1) * first(u, at, a) / axes[a].length();
                        const Boundary wall = side == 0 ? axes[a].lower : axes[a].upper;
                        const auto [alpha, beta] = axes[a].robin[static_cast<std::size_t>(side)];
                        const Real wanted = wall == D   ? u(at)
                                            : wall == N ? outward
                                                        : alpha * u(at) + beta * outward;
                        ASSERT_NEAR(*value, static_cast<double>(wanted), wall == D ? rounding : 1e-10)
                            << "axis " << a << " side " << side << " at " << m << ", " << n;
                    }
            }
    }
}

// To the last bit, so that nobody can find a difference in any precision.
TEST_P(KnownFaces, FacesAgreeOnTheirEdges) {
    const Problem made = problem(7, 0.0);
    BoundaryData<double> data;
    std::array<std::array<std::vector<double>, 2>, 3> memory;
    for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t side = 0; side < 2; ++side) {
            if (made.grid.axes[a].periodic()) continue;
            memory[a][side] = known_face_values(GetParam().name, made, static_cast<int>(a), static_cast<int>(side));
            data.faces[a][side] = {0.0, memory[a][side].data(), made.grid.axes[a == 2 ? 1 : 2].points};
        }
    EXPECT_NO_THROW(validate(made.grid, data));
    const auto value = [&](std::size_t axis, std::size_t side, const std::array<Index, 3>& at) {
        const std::size_t b = axis == 0 ? 1 : 0, c = axis == 2 ? 1 : 2;
        return memory[axis][side][static_cast<std::size_t>(at[b] * made.grid.axes[c].points + at[c])];
    };
    for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t b = a + 1; b < 3; ++b)
            for (const std::size_t i : {0U, 1U})
                for (const std::size_t j : {0U, 1U}) {
                    if (GetParam().faces[a][i] != D || GetParam().faces[b][j] != D) continue;
                    const std::size_t c = 3 - a - b;
                    std::array<Index, 3> at{};
                    at[a] = i == 0 ? 0 : made.grid.axes[a].points - 1;
                    at[b] = j == 0 ? 0 : made.grid.axes[b].points - 1;
                    for (at[c] = 0; at[c] < made.grid.axes[c].points; ++at[c])
                        ASSERT_EQ(value(a, i, at), value(b, j, at));
                }
}

TEST(KnownFacesOfOthers, AreZero) {
    for (const KnownField& field : known_fields()) {
        if (field.has_boundary_data) continue;
        const bool walls = field.boundary == "dirichlet" || field.boundary == "neumann" || field.any_boundary;
        const Boundary wall = field.boundary == "dirichlet" ? D : N;
        const Problem made = make_problem(
            walls ? Faces{{{wall, wall}, {wall, wall}, {wall, wall}}} : Faces{{{P, P}, {N, N}, {P, P}}},
            Centering::node, {4, 5, 6}, 0.0);
        if (field.name == "waves" || field.name == "taylor-green") {
            expect_error(ErrorCode::usage, {field.name}, [&] { known_face_values(field.name, made, 1, 0); });
            continue;
        }
        EXPECT_EQ(known_face_values(field.name, made, 1, 1), std::vector<double>(4 * 6, 0.0)) << field.name;
    }
    const Problem made = make_problem({{{N, N}, {D, N}, {N, N}}}, Centering::node, {4, 5, 6}, 0.0);
    expect_error(ErrorCode::usage, {"cavity", "axis y"}, [&] { known_face_values("cavity", made, 0, 0); });
    for (const int wrong : {-1, 2})
        expect_error(ErrorCode::usage, {"side " + std::to_string(wrong)},
                     [&] { known_face_values("linear", made, 0, wrong); });
    for (const int wrong : {-1, 3})
        expect_error(ErrorCode::usage, {"axis " + std::to_string(wrong)},
                     [&] { known_face_values("linear", made, wrong, 0); });
}

// Not every field has faces whose slope is wanted, but every factor knows its own.
TEST(AxisFunctions, KnowTheirDerivatives) {
    const std::vector<AxisFunction> functions{constant(),
                                              wave(2, 0.4),
                                              eigenfunction(D, D, 2, 0),
                                              eigenfunction(N, N, 1, 0),
                                              eigenfunction(D, N, 2, 0),
                                              eigenfunction(N, D, 1, 0),
                                              bump(2.0),
                                              core(3.0),
                                              wall_layer(4.0),
                                              polynomial({0.5, -1.0, 0.0, 2.0}),
                                              cosine_series({0.3, -0.5, 0.25}),
                                              sine_series({1.0, 0.5})};
    for (std::size_t n = 0; n < functions.size(); ++n)
        for (const double t : {0.0, 0.21, 0.5, 0.83, 1.0}) {
            constexpr double h = 1e-3;
            std::array<double, 5> u{};
            for (int j = -2; j <= 2; ++j) u[static_cast<std::size_t>(j + 2)] = functions[n](t + j * h).value;
            const Sample sample = functions[n](t);
            EXPECT_NEAR(sample.first, (u[0] - 8 * u[1] + 8 * u[3] - u[4]) / (12 * h), 1e-7) << n << " at " << t;
            EXPECT_NEAR(sample.second, (-u[0] + 16 * u[1] - 30 * u[2] + 16 * u[3] - u[4]) / (12 * h * h), 1e-6)
                << n << " at " << t;
        }
}

// u·∇u = −∂p/∂x + ∇²u/Re on the unit cube, ∇·u = 0, and a lid that moves along x alone.
TEST(Cavity, ObeysTheEquationsOfAFluid) {
    constexpr Real reynolds = 10;
    const auto slope = [](Real x) { return 2 * x * (1 - x) * (1 - 2 * x); };
    const Formula u = [](const Place& at) { return 8 * f(at[0]) * g1(at[1]) * s(at[2]); };
    const Formula v = [&](const Place& at) { return -8 * slope(at[0]) * g(at[1]) * s(at[2]); };
    for (const Real x : {0.0L, 0.13L, 0.5L, 0.71L})
        for (const Real y : {0.0L, 0.24L, 0.9L, 1.0L})
            for (const Real z : {0.08L, 0.4L, 0.67L, 1.0L}) {
                const Place at{x, y, z};
                EXPECT_NEAR(static_cast<double>(first(u, at, 0) + first(v, at, 1)), 0.0, 1e-9);
                const Real inertia = u(at) * first(u, at, 0) + v(at) * first(u, at, 1);
                const Real friction = (second(u, at, 0) + second(u, at, 1) + second(u, at, 2)) / reynolds;
                EXPECT_NEAR(static_cast<double>(inertia + first(cavity, at, 0) - friction), 0.0, 1e-8);
            }
    EXPECT_NEAR(static_cast<double>(u({0.5L, 1, 0.3L})), static_cast<double>(16 * f(0.5L) * s(0.3L)), 1e-15);
    EXPECT_EQ(v({0.3L, 1, 0.3L}), 0);
}

}  // namespace
}  // namespace poisson3d::test
