// The known fields of Gaussians: against closed forms in free space, against the spectral solver between walls, and
// what they are far away.
#include <cmath>
#include <numbers>

#include "gaussians.hpp"
#include "h5_test_file.hpp"
#include "poisson3d/known_fields.hpp"

namespace poisson3d::test {
namespace {

constexpr Boundary P = Boundary::periodic, D = Boundary::dirichlet, N = Boundary::neumann, F = Boundary::free;
constexpr double pi = std::numbers::pi, eps = std::numeric_limits<double>::epsilon();

using Faces = std::array<std::array<Boundary, 2>, 3>;

Problem box(const Faces& faces, Centering centering, const Extents& points, double helmholtz = 0.0,
            const std::array<double, 3>& length = {1.0, 1.25, 0.8}) {
    Problem problem;
    for (std::size_t a = 0; a < 3; ++a) {
        Axis& axis = problem.grid.axes[a];
        axis = {.points = points[a], .centering = centering, .lower = faces[a][0], .upper = faces[a][1]};
        axis.spacing = length[a] / axis.length();
        axis.origin = -3.0;
    }
    problem.helmholtz = helmholtz;
    return problem;
}

struct Pair {
    Field<double> f, u;
    double largest = 0.0;  ///< of u
    Pair(const std::string& name, const Problem& problem) : f(problem.grid.points()), u(problem.grid.points()) {
        fill_known_field(name, problem, 0, 0, f.view(), u.view());
        for (Index i = 0; i < u.size(); ++i) largest = std::max(largest, std::abs(u.data()[i]));
    }
};

/// body(x, y, z, i, j, k), from the lower faces.
template <class Body>
void for_each_point(const Grid& grid, const Body& body) {
    const Extents n = grid.points();
    for (Index i = 0; i < n[0]; ++i)
        for (Index j = 0; j < n[1]; ++j)
            for (Index k = 0; k < n[2]; ++k)
                body(grid.axes[0].position(i) - grid.axes[0].origin, grid.axes[1].position(j) - grid.axes[1].origin,
                     grid.axes[2].position(k) - grid.axes[2].origin, i, j, k);
}

/// A charge of 1, spread: −u at a distance.
double spread(double r, double sigma, double helmholtz) {
    const double s = std::numbers::sqrt2 * sigma;
    if (helmholtz == 0.0)
        return r < 1e-9 ? std::sqrt(2.0 / pi) / (4.0 * pi * sigma) : std::erf(r / s) / (4.0 * pi * r);
    const double kappa = std::sqrt(helmholtz);
    const double shift = kappa * sigma * sigma;
    return std::exp(0.5 * kappa * shift) / (8.0 * pi * r) *
           (std::exp(-kappa * r) * std::erfc((shift - r) / s) - std::exp(kappa * r) * std::erfc((shift + r) / s));
}

// Walls by images: signs of those behind the lower face of x and the upper of y; 0: none.
void expect_closed_form(const Problem& problem, double behind_x, double behind_y) {
    for (const std::string name : {"gaussians", "ring"}) {
        const Pair pair(name, problem);
        const std::vector<Bells> all = bells_of(name, problem.grid);
        const double width = problem.grid.axes[1].length();
        for_each_point(problem.grid, [&](double x, double y, double z, Index i, Index j, Index k) {
            if ((i + j + k) % 5 != 0) return;
            double u = 0.0;
            double f = 0.0;
            const auto add = [&](double sign, bool mx, bool my) {
                if (sign == 0.0) return;
                for (const Bells& bells : all)
                    for (const Bells::Place& place : bells.places) {
                        const double dx = x - (mx ? -place.x : place.x);
                        const double dy = y - (my ? 2.0 * width - place.y : place.y);
                        const double square = dx * dx + dy * dy + (z - bells.z) * (z - bells.z);
                        const double s = bells.sigma * bells.sigma;
                        u -= sign * place.amount * spread(std::sqrt(square), bells.sigma, problem.helmholtz);
                        f += sign * place.amount * std::exp(-0.5 * square / s) / std::pow(2.0 * pi * s, 1.5);
                    }
            };
            add(1.0, false, false);
            add(behind_x, true, false);
            add(behind_y, false, true);
            add(behind_x * behind_y, true, true);
            ASSERT_NEAR(pair.u.view()(i, j, k), u, 60 * eps * pair.largest) << name << i << ' ' << j << ' ' << k;
            ASSERT_NEAR(pair.f.view()(i, j, k), f, 40 * eps * (1.0 + std::abs(f)));
        });
    }
}

TEST(Gaussians, InFreeSpaceAreErrorFunctions) {
    for (const double helmholtz : {0.0, 1e-3, 7.0, 400.0})
        for (const Centering c : {Centering::cell, Centering::node}) {
            expect_closed_form(box({{{F, F}, {F, F}, {F, F}}}, c, {12, 14, 10}, helmholtz), 0.0, 0.0);
            expect_closed_form(box({{{D, F}, {F, F}, {F, F}}}, c, {12, 14, 10}, helmholtz), -1.0, 0.0);
            expect_closed_form(box({{{N, F}, {F, D}, {F, F}}}, c, {12, 14, 10}, helmholtz), 1.0, -1.0);
        }
}

TEST(Gaussians, BetweenWallsAreSpectralSolutions) {
    for (const Faces& faces : {Faces{{{P, P}, {P, P}, {P, P}}}, Faces{{{N, N}, {N, N}, {N, N}}},
                               Faces{{{D, D}, {P, P}, {N, D}}}, Faces{{{D, N}, {N, N}, {P, P}}}})
        for (const double helmholtz : {0.0, 20.0})
            for (const Centering c : {Centering::cell, Centering::node}) {
                Problem problem = box(faces, c, {40, 50, 33}, helmholtz);
                problem.discretization = Discretization::spectral;
                const Pair pair("gaussians", problem);
                Field<double> u(problem.grid.points());
                Options host;
                host.engine = Engine::host;
                Solver<double>(problem, host).solve(pair.f.view(), u.view());
                const double constant = singular(problem) ? u.data()[0] - pair.u.data()[0] : 0.0;
                for (Index i = 0; i < u.size(); ++i)
                    ASSERT_NEAR(u.data()[i] - constant, pair.u.data()[i], 1e-8 * pair.largest) << i;
                EXPECT_LE(std::abs(constant), 1e-8 * pair.largest);
            }
}

// A ring of 1 in the plane of x and y: seen from outside as if all of it were on its axis.
TEST(Gaussians, GrowAsTheyMustFarAway) {
    const Problem two = box({{{F, F}, {F, F}, {P, P}}}, Centering::cell, {20, 24, 3}, 0.0, {9.0, 11.0, 0.7});
    const Pair line("ring", two);
    for_each_point(two.grid, [&](double x, double y, double, Index i, Index j, Index k) {
        const double r = std::hypot(x - 4.5, y - 5.5);
        if (r < 2.0) return;
        ASSERT_NEAR(line.u.view()(i, j, k), std::log(r) / (2.0 * pi * 0.7), 1e-3 * std::exp(-4.0 * r) + 1e-13);
    });
    const Problem one = box({{{N, N}, {P, P}, {F, F}}}, Centering::node, {4, 3, 20}, 0.0, {0.6, 0.7, 8.0});
    const Pair sheet("ring", one);
    for_each_point(one.grid, [&](double, double, double z, Index i, Index j, Index k) {
        const double r = std::abs(z - 4.0);
        if (r < 1.0) return;
        ASSERT_NEAR(sheet.u.view()(i, j, k), 0.5 * r / (0.6 * one.grid.axes[1].length()),
                    1.0 * std::exp(-5.0 * r) + 1e-12);
    });
    // A Neumann wall doubles it by its image, a Dirichlet wall takes it away.
    const Problem doubled = box({{{N, N}, {P, P}, {N, F}}}, Centering::cell, {4, 3, 20}, 0.0, {0.6, 0.7, 8.0});
    const Pair half("ring", doubled);
    EXPECT_NEAR(half.u.view()(0, 0, 19), 7.8 / (0.6 * 0.7), 1e-6);
    const Problem held = box({{{N, N}, {P, P}, {D, F}}}, Centering::cell, {4, 3, 20}, 0.0, {0.6, 0.7, 8.0});
    const Pair grounded("ring", held);
    EXPECT_NEAR(grounded.u.view()(0, 0, 19), -4.0 / (0.6 * 0.7), 1e-6);
}

TEST(Gaussians, SatisfyTheEquationInMixesOfFreeAndBoundedAxes) {
    // By differences of order 8, h/σ about 0.2.
    constexpr std::array<double, 5> weights{-205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560};
    for (const Faces& faces :
         {Faces{{{F, F}, {P, P}, {F, F}}}, Faces{{{D, F}, {F, F}, {D, N}}}, Faces{{{F, F}, {N, N}, {P, P}}},
          Faces{{{D, D}, {F, N}, {N, N}}}, Faces{{{P, P}, {N, F}, {P, P}}}, Faces{{{N, N}, {F, F}, {N, F}}}})
        for (const double helmholtz : {0.0, 40.0}) {
            const Problem problem = box(faces, Centering::cell, {80, 90, 70}, helmholtz, {1.0, 1.1, 0.9});
            const Pair pair("gaussians", problem);
            const Extents n = problem.grid.points();
            double worst = 0.0;
            for (Index i = 4; i < n[0] - 4; i += 3)
                for (Index j = 4; j < n[1] - 4; j += 2)
                    for (Index k = 4; k < n[2] - 4; k += 3) {
                        double sum = -helmholtz * pair.u.view()(i, j, k);
                        for (int a = 0; a < 3; ++a) {
                            const double h = problem.grid.axes[a].spacing;
                            for (Index m = -4; m <= 4; ++m)
                                sum +=
                                    weights[std::abs(m)] / (h * h) *
                                    pair.u.view()(i + (a == 0 ? m : 0), j + (a == 1 ? m : 0), k + (a == 2 ? m : 0));
                        }
                        worst = std::max(worst, std::abs(sum - pair.f.view()(i, j, k)));
                    }
            EXPECT_LE(worst, 1e-4);
        }
}

TEST(Gaussians, SlabsMakeTheSameFieldAndItEndsBeforeFreeFaces) {
    const Problem problem = box({{{F, F}, {P, P}, {F, D}}}, Centering::node, {17, 12, 19});
    const Pair whole("gaussians", problem);
    Field<float> f({5, 12, 19}), u({5, 12, 19});
    fill_known_field("gaussians", problem, 9, 6, f.view(), u.view());
    for (Index i = 0; i < 5; ++i)
        for (Index j = 0; j < 12; ++j)
            for (Index k = 0; k < 19; ++k) {
                ASSERT_EQ(f.view()(i, j, k), static_cast<float>(whole.f.view()(6 + i, j, k)));
                ASSERT_EQ(u.view()(i, j, k), static_cast<float>(whole.u.view()(6 + i, j, k)));
            }
    for (Index j = 0; j < 12; ++j)
        for (Index k = 0; k < 19; ++k) {
            ASSERT_LE(std::abs(whole.f.view()(0, j, k)), 2e-11);
            ASSERT_LE(std::abs(whole.f.view()(16, j, k)), 2e-11);
        }
}

TEST(Gaussians, Refuse) {
    Field<double> f({4, 4, 4});
    const auto fill = [&](const Problem& problem) {
        fill_known_field<double>("gaussians", problem, 0, 0, f.view(), {});
    };
    Problem problem = box({{{F, F}, {N, Boundary::robin}, {P, P}}}, Centering::cell, {4, 4, 4});
    expect_error(ErrorCode::usage, {"gaussians", "Robin", "axis y"}, [&] { fill(problem); });
    problem = box({{{F, F}, {N, N}, {P, P}}}, Centering::cell, {4, 4, 4}, -1.0);
    expect_error(ErrorCode::usage, {"gaussians", "-1", "0 or more"}, [&] { fill(problem); });
    problem.helmholtz = 0.0;
    expect_error(ErrorCode::usage, {"sine", "x=dirichlet"},
                 [&] { fill_known_field<double>("sine", problem, 0, 0, f.view(), {}); });
    expect_error(ErrorCode::usage, {"mixed", "free face on axis x"},
                 [&] { fill_known_field<double>("mixed", problem, 0, 0, f.view(), {}); });
    expect_error(ErrorCode::usage, {"x_lower", "free"}, [&] { known_face_values("random", problem, 0, 0); });
}

}  // namespace
}  // namespace poisson3d::test
