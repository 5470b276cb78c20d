// Freeness and the source meter. Right solutions come from a box so much larger that λ lets nothing reach its
// walls, or from the sum over the lattice: no engine for free faces is involved.
#include <cmath>
#include <cstdint>

#include "expect_error.hpp"
#include "heat_kernel.hpp"
#include "poisson3d/free_space.hpp"
#include "poisson3d/residual.hpp"
#include "random_values.hpp"
#include "time_nodes.hpp"
#include "tolerance.hpp"

namespace poisson3d::test {
namespace {

constexpr Boundary P = Boundary::periodic, D = Boundary::dirichlet, N = Boundary::neumann, F = Boundary::free;
constexpr double eps = tolerance::eps<double>;

/// u in the box and on its free faces.
struct Found {
    Problem problem;
    Field<double> f, u;
    std::vector<std::vector<double>> arrays{6};
    BoundaryData<double> faces{};

    explicit Found(const Problem& of) : problem(of), f(of.grid.points()), u(of.grid.points()) {}

    /// value(i, j, k), one step beyond free faces too.
    template <class Value>
    void take(const Value& value) {
        const Grid& grid = problem.grid;
        const Extents n = grid.points();
        for (Index i = 0; i < n[0]; ++i)
            for (Index j = 0; j < n[1]; ++j)
                for (Index k = 0; k < n[2]; ++k) u.view()(i, j, k) = value(i, j, k);
        for (int a = 0; a < 3; ++a)
            for (int side = 0; side < 2; ++side) {
                const Axis& axis = grid.axes[a];
                if ((side == 0 ? axis.lower : axis.upper) != F) continue;
                std::vector<double>& array = arrays[2 * a + side];
                const auto [rows, length] = extents_of_face(n, a);
                for (Index p = 0; p < rows; ++p)
                    for (Index q = 0; q < length; ++q) {
                        std::array<Index, 3> in{};
                        in[a] = side == 0 ? 0 : axis.points - 1;
                        in[across(a)[0]] = p, in[across(a)[1]] = q;
                        std::array<Index, 3> out = in;
                        out[a] += side == 0 ? -1 : 1;
                        const double beyond = value(out[0], out[1], out[2]);
                        array.push_back(axis.centering == Centering::node
                                            ? beyond
                                            : 0.5 * (beyond + value(in[0], in[1], in[2])));
                    }
                faces.faces[a][side] = {0.0, array.data(), length};
            }
    }
    [[nodiscard]] double freeness() const {
        return poisson3d::freeness<double>(problem, FieldView<const double>(u.view()), faces);
    }
};

void fill_random(Field<double>& field, std::uint64_t seed) {
    for (Index i = 0; i < field.size(); ++i) field.data()[i] = uniform(static_cast<std::uint64_t>(i), seed);
}

Axis axis_of(Index points, double h, Centering centering, Boundary lower, Boundary upper) {
    return {.points = points, .spacing = h, .centering = centering, .lower = lower, .upper = upper};
}

/// λ = 4/h²: by 24 points nothing is left.
Found in_a_larger_box(const Problem& problem) {
    constexpr Index margin = 24;
    Found found(problem);
    fill_random(found.f, 3);
    Problem larger = problem;
    std::array<Index, 3> shift{};
    for (std::size_t a = 0; a < 3; ++a)
        for (Boundary* const face : {&larger.grid.axes[a].lower, &larger.grid.axes[a].upper}) {
            if (*face != F) continue;
            *face = D;
            larger.grid.axes[a].points += margin;
            if (face == &larger.grid.axes[a].lower) shift[a] = margin;
        }
    Field<double> f(larger.grid.points()), u(larger.grid.points());
    std::fill_n(f.data(), f.size(), 0.0);
    const Extents n = problem.grid.points();
    for (Index i = 0; i < n[0]; ++i)
        for (Index j = 0; j < n[1]; ++j)
            for (Index k = 0; k < n[2]; ++k)
                f.view()(i + shift[0], j + shift[1], k + shift[2]) = found.f.view()(i, j, k);
    Options host;
    host.engine = Engine::host;
    Solver<double>(larger, host).solve(f.view(), u.view());
    found.take([&](Index i, Index j, Index k) { return u.view()(i + shift[0], j + shift[1], k + shift[2]); });
    return found;
}

TEST(Freeness, IsRoundingInEveryMixAndSeesEveryFace) {
    const double h = 0.1;
    for (const Centering c : {Centering::cell, Centering::node})
        for (const auto& [x, y, z] :
             std::vector<std::array<std::array<Boundary, 2>, 3>>{{{{F, F}, {F, F}, {F, F}}},
                                                                 {{{D, F}, {F, N}, {F, F}}},
                                                                 {{{F, F}, {P, P}, {F, D}}},
                                                                 {{{N, F}, {F, F}, {D, N}}},
                                                                 {{{D, D}, {F, F}, {F, F}}},
                                                                 {{{P, P}, {F, F}, {N, N}}},
                                                                 {{{D, N}, {P, P}, {F, N}}},
                                                                 {{{D, F}, {D, D}, {N, D}}}}) {
            Problem problem;
            problem.grid.axes = {axis_of(6, h, c, x[0], x[1]), axis_of(5, 1.1 * h, c, y[0], y[1]),
                                 axis_of(7, 0.9 * h, c, z[0], z[1])};
            problem.helmholtz = 4.0 / (h * h);
            Found found = in_a_larger_box(problem);
            EXPECT_LE(found.freeness(), 10 * eps);
            for (auto& array : found.arrays) {
                if (array.empty()) continue;
                for (double& value : array) value *= 1.0 + 1e-6;
                EXPECT_GE(found.freeness(), 1e-9);
                for (double& value : array) value /= 1.0 + 1e-6;
            }
            for (auto& face : found.faces.faces) face = {};  // plain walls
            EXPECT_GE(found.freeness(), 1e-3);
        }
}

/// λ = 0 by the sum over the lattice.
Found on_the_lattice(const Problem& problem) {
    Found found(problem);
    fill_random(found.f, 5);
    const Grid& grid = problem.grid;
    const TimeNodes nodes = all_times(grid, 0.0L, eps);
    std::array<std::vector<std::vector<long double>>, 3> kernels;
    for (std::size_t a = 0; a < 3; ++a)
        for (const long double t : nodes.times)
            kernels[a].push_back(
                heat_kernel(Discretization::second_order, grid.axes[a].step(), t, window(grid.axes[a]) + 3));
    const Extents n = grid.points();
    found.take([&](Index i, Index j, Index k) {
        long double sum = 0.0L;
        for (std::size_t q = 0; q < nodes.times.size(); ++q)
            for (Index x = 0; x < n[0]; ++x)
                for (Index y = 0; y < n[1]; ++y) {
                    const long double across = nodes.weights[q] * heat_between(kernels[0][q], grid.axes[0], i, x) *
                                               heat_between(kernels[1][q], grid.axes[1], j, y);
                    for (Index z = 0; z < n[2]; ++z)
                        sum += across * heat_between(kernels[2][q], grid.axes[2], k, z) * found.f.view()(x, y, z);
                }
        return static_cast<double>(-sum);
    });
    return found;
}

TEST(Freeness, IsRoundingWithoutLambda) {
    for (const Centering c : {Centering::cell, Centering::node})
        for (const Boundary wall : {F, N, D}) {
            Problem problem;
            problem.grid.axes = {axis_of(5, 0.1, c, wall, F), axis_of(4, 0.2, c, F, F), axis_of(6, 0.15, c, F, F)};
            Found found = on_the_lattice(problem);
            EXPECT_LE(found.freeness(), 10 * eps);
            ResidualMeter<double> meter(problem, FieldView<const double>(found.u.view()), 1.0, 0.0, found.faces);
            meter.add(0, FieldView<const double>(found.f.view()));
            EXPECT_LE(meter.result().backward, 4 * eps);
            for (double& value : found.arrays[5]) value += 1e-6 * std::abs(value);
            EXPECT_GE(found.freeness(), 1e-9);
        }
}

TEST(Freeness, OfOneAxisKnowsTheFarField) {
    // u = Σ |x − x'| f(x')/2 of sheets, h = 1: linear on both sides.
    Problem problem;
    problem.grid.axes = {axis_of(6, 1.0, Centering::cell, F, F), axis_of(3, 1.0, Centering::cell, P, P),
                         axis_of(4, 1.0, Centering::node, N, N)};
    const std::array<double, 6> sheets{1.0, -0.25, 0.5, 0.0, 2.0, -1.0};
    Found found(problem);
    double shift = 0.0;
    const auto value = [&](Index i, Index, Index) {
        double sum = shift;
        for (std::size_t m = 0; m < 6; ++m)
            sum += 0.5 * std::abs(static_cast<double>(i) - static_cast<double>(m)) * sheets[m];
        return sum;
    };
    found.take(value);
    EXPECT_LE(found.freeness(), 4 * eps);
    shift = 1e-3;
    Found shifted(problem);
    shifted.take(value);
    EXPECT_GE(shifted.freeness(), 1e-5);
    shifted.problem.gauge.mean = true;
    EXPECT_LE(shifted.freeness(), 4 * eps);
}

TEST(Freeness, Refuses) {
    Problem problem;
    problem.grid.axes = {axis_of(3, 0.1, Centering::cell, F, F), axis_of(3, 0.1, Centering::cell, F, F),
                         axis_of(3, 0.1, Centering::cell, F, F)};
    problem.discretization = Discretization::spectral;
    const Field<double> u(problem.grid.points());
    expect_error(ErrorCode::unsupported, {"spectral"}, [&] { (void)freeness<double>(problem, u.view(), {}); });
}

TEST(Source, IsTheSumOfTheRightHandSideLessWhatNeumannFacesLetThrough) {
    Problem problem;
    problem.grid.axes = {axis_of(4, 0.5, Centering::cell, F, F), axis_of(5, 0.25, Centering::node, N, F),
                         axis_of(3, 2.0, Centering::cell, N, N)};
    const Extents n = problem.grid.points();
    Field<float> f(n);
    double sum = 0.0;
    for (Index i = 0; i < n[0]; ++i)
        for (Index j = 0; j < n[1]; ++j)
            for (Index k = 0; k < n[2]; ++k) {
                const double value = static_cast<float>(
                    i == 1 && j == 1 ? 4.0 : uniform(static_cast<std::uint64_t>(f.size() + i + 7 * j + 31 * k)));
                f.view()(i, j, k) = static_cast<float>(value);
                sum += value * 0.5 * 0.25 * 2.0 * (j == 0 ? 0.5 : 1.0);
            }
    const auto measure = [&](const BoundaryData<double>& walls) {
        SourceMeter meter(problem, -3.0, walls);
        meter.add(2, FieldView<const float>(f.view().slab(2, 2)));
        meter.add(0, FieldView<const float>(f.view().slab(0, 2)));
        return meter.result();
    };
    const double height = 5 * 0.25 - 0.125;
    EXPECT_NEAR(measure({}).net, -3.0 * sum, 1e-13);
    EXPECT_NEAR(measure({}).mean, -3.0 * sum / (2.0 * height * 6.0), 1e-14);
    EXPECT_LE(measure({}).edge, 0.25);
    EXPECT_GT(measure({}).edge, 0.1);
    BoundaryData<double> walls;
    walls.faces[1][0].constant = 0.5;
    std::vector<double> slope(4 * 5, 0.25);
    walls.faces[2][1] = {0.0, slope.data(), 5};
    EXPECT_NEAR(measure(walls).net, -3.0 * sum - 0.5 * 2.0 * 6.0 - 0.25 * 2.0 * height, 1e-13);
}

}  // namespace
}  // namespace poisson3d::test
