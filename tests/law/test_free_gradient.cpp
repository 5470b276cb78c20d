// Spectral gradients beside free faces, against products of known functions: Gaussians along free axes, continued
// through a wall with or against their sign, the lowest modes along the others. All have vanished at the free
// faces.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "expect_error.hpp"
#include "free_laws.hpp"
#include "guarded_workspace.hpp"
#include "test_gradient.hpp"

namespace poisson3d {
namespace {

using namespace test;

/// A function of one axis with its two derivatives.
struct Profile {
    double value, first, second;
};

/// At distance t from the lower end of an axis of length L.
Profile along(const Axis& axis, double t) {
    const double length = static_cast<double>(axis.points) * axis.step();
    if (!axis.unbounded()) {
        const double pi = std::numbers::pi;
        const bool below = axis.lower == Boundary::dirichlet, above = axis.upper == Boundary::dirichlet;
        const double k = (axis.periodic() ? 2 * pi : below == above ? pi : pi / 2) / axis.length();
        const double sine = std::sin(k * t), cosine = std::cos(k * t);
        if (axis.periodic() || below) return {sine, k * cosine, -k * k * sine};
        return {cosine, -k * sine, -k * k * cosine};
    }
    if (axis.lower == Boundary::free && axis.upper == Boundary::free) {
        const double s = length / 18, x = (t - 0.48 * length) / s, g = std::exp(-x * x / 2);
        return {g, -x / s * g, (x * x - 1) / (s * s) * g};
    }
    const bool wall_above = axis.lower == Boundary::free;
    const double s = length / 10, x = (wall_above ? t - axis.length() : t) / s, g = std::exp(-x * x / 2);
    if ((wall_above ? axis.upper : axis.lower) == Boundary::neumann)
        return {g, -x / s * g, (x * x - 1) / (s * s) * g};
    return {x * g, (1 - x * x) / s * g, x * (x * x - 3) / (s * s) * g};
}

struct Known {
    explicit Known(const Problem& problem)
        : u(problem.grid.points()),
          f(u.extents()),
          slopes{Field<double>(u.extents()), Field<double>(u.extents()), Field<double>(u.extents())} {
        const auto& axes = problem.grid.axes;
        const auto profile = [&](int a, Index j) {
            return along(axes[a], (static_cast<double>(j) + (axes[a].centering == Centering::cell ? 0.5 : 0.0)) *
                                      axes[a].step());
        };
        const Extents n = problem.grid.points();
        for (Index i = 0; i < n[0]; ++i)
            for (Index j = 0; j < n[1]; ++j)
                for (Index k = 0; k < n[2]; ++k) {
                    const std::array p{profile(0, i), profile(1, j), profile(2, k)};
                    const auto product = [&](const auto& of) { return of(p[0], 0) * of(p[1], 1) * of(p[2], 2); };
                    const auto values = [](const Profile& q, int) { return q.value; };
                    u.view()(i, j, k) = product(values);
                    f.view()(i, j, k) = -problem.helmholtz * product(values);
                    for (int a = 0; a < 3; ++a) {
                        slopes[a].view()(i, j, k) =
                            product([a](const Profile& q, int b) { return a == b ? q.first : q.value; });
                        f.view()(i, j, k) +=
                            product([a](const Profile& q, int b) { return a == b ? q.second : q.value; });
                    }
                }
    }

    Field<double> u, f;
    std::array<Field<double>, 3> slopes;
};

template <class T>
Field<T> rounded(const Field<double>& field) {
    Field<T> result(field.extents());
    for (Index i = 0; i < field.size(); ++i) result.data()[i] = static_cast<T>(field.data()[i]);
    return result;
}

Options host_options() {
    Options options;
    options.engine = Engine::host;
    options.threads = 2;
    return options;
}

/// Enough points for a Gaussian; others are few.
Problem resolved(const Mix& mix, double lambda) {
    Extents points{7, 9, 6};
    for (int a = 0; a < 3; ++a) {
        const bool below = mix[a].lower == Boundary::free, above = mix[a].upper == Boundary::free;
        if (below || above) points[a] = (below && above ? 48 : 30) + a;
    }
    return make_problem(mix, points, Discretization::spectral, lambda);
}

template <class T>
void expect_known_slopes(const Mix& mix, double lambda) {
    const Problem problem = resolved(mix, lambda);
    const std::string what = describe(mix) + ", lambda " + std::to_string(lambda);
    const Known known(problem);
    const Extents points = problem.grid.points();
    const T scale(-0.5);
    const Field<T> u = rounded<T>(known.u);
    Field<T> f = rounded<T>(known.f);
    for (Index i = 0; i < f.size(); ++i) f.data()[i] /= scale;
    GradientFields<T> found(points);
    Gradient<T>(problem, host_options()).evaluate_with_source(u.view(), f.view(), scale, found.views());
    for (int a = 0; a < 3; ++a) {
        const double steepest = std::numbers::pi / problem.grid.axes[a].step();
        const double allowed =
            tolerance::solve<T>(points) * steepest * largest(known.u) + 1e-11 * largest(known.slopes[a]);
        double worst = 0;
        for (Index i = 0; i < points[0]; ++i)
            for (Index j = 0; j < points[1]; ++j)
                for (Index k = 0; k < points[2]; ++k) {
                    const double error = std::abs(static_cast<double>(found.fields[a].view()(i, j, k)) -
                                                  known.slopes[a].view()(i, j, k));
                    if (!(error <= worst)) worst = std::isnan(error) ? INFINITY : error;
                }
        EXPECT_LE(worst, allowed) << what << ", component " << a << (sizeof(T) == 4 ? ", float" : "");
    }
}

TEST(FreeGradient, IsThatOfKnownSolutionsInEveryMix) {
    const std::vector<Mix> mixes = free_mixes();
    for (std::size_t m = 0; m < mixes.size(); ++m) {
        expect_known_slopes<double>(mixes[m], m % 2 == 0 ? 0.0 : 0.3);
        if (m % 8 == 0) expect_known_slopes<float>(mixes[m], 0.0);
    }
}

TEST(FreeGradient, BoxesOfFewPointsHaveOne) {
    for (const Mix& mix : {Mix{free_kinds[node_nf], free_kinds[cell_ff], free_kinds[cell_df]},
                           Mix{kinds[cell_p], free_kinds[node_nf], free_kinds[node_fd]}})
        for (const Extents& points : {Extents{1, 1, 1}, {2, 1, 3}, {3, 2, 2}}) {
            const Problem problem = make_problem(mix, points, Discretization::spectral);
            const auto f = random_field<double>(problem.grid.points(), 3);
            GradientFields<double> found(problem.grid.points());
            Gradient<double>(problem, host_options()).evaluate_with_source(f.view(), f.view(), 1.0, found.views());
            for (const Field<double>& field : found.fields)
                EXPECT_TRUE(std::isfinite(largest(field))) << describe(mix);
        }
}

TEST(FreeGradient, TakesNoMoreThanItSaysAndWorksInPlace) {
    const Mix mix{free_kinds[cell_ff], kinds[node_nd], free_kinds[cell_df]};
    const Problem problem = make_problem(mix, {9, 8, 13}, Discretization::spectral);
    const Extents points = problem.grid.points();
    const auto f = random_field<double>(points, 7), u = random_field<double>(points, 8);
    GradientFields<double> expected(points);
    Gradient<double>(problem, host_options()).evaluate_with_source(u.view(), f.view(), 2.0, expected.views());

    Options options = host_options();
    GuardedWorkspace workspace(Gradient<double>::workspace_bytes(problem, options));
    options.workspace = workspace.inside();
    Gradient<double> gradient(problem, options);
    EXPECT_EQ(gradient.workspace(), workspace.inside().size());
    GradientFields<double> found(points);
    found.fields[2] = rounded<double>(f);
    gradient.evaluate_with_source(u.view(), found.fields[2].view(), 2.0, found.views());
    for (int a = 0; a < 3; ++a) EXPECT_EQ(difference(found.fields[a], expected.fields[a]), 0.0) << a;
    EXPECT_EQ(workspace.damage(), 0u);
    options.workspace = options.workspace.first(options.workspace.size() - 1);
    expect_error(ErrorCode::usage, {"workspace"}, [&] { Gradient<double>(problem, options); });
}

TEST(FreeGradient, NeedsTheRightHandSideAndAnEngineThatHasIt) {
    const Mix mix{free_kinds[cell_ff], kinds[cell_p], kinds[cell_dd]};
    const Problem problem = make_problem(mix, {4, 5, 6}, Discretization::spectral);
    const auto f = random_field<double>(problem.grid.points(), 7);
    GradientFields<double> found(problem.grid.points());
    Gradient<double> gradient(problem);
    EXPECT_EQ(gradient.engine(), Engine::host);
    expect_error(ErrorCode::unsupported, {"evaluate_with_source"},
                 [&] { gradient.evaluate(f.view(), found.views()); });
    expect_error(ErrorCode::usage, {"f"}, [&] { gradient.evaluate_with_source(f.view(), {}, 1.0, found.views()); });
    Options options;
    options.engine = Engine::cufft;
    expect_error(ErrorCode::unsupported, {"found engine cufft", "wanted host or fused"},
                 [&] { Gradient<double>(problem, options); });
}

}  // namespace
}  // namespace poisson3d
