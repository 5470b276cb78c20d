// The sweeps that a GPU makes for a variable coefficient, its points one after the other on the host: what the
// host's own sweeps by rows find, number by number, in a solve's steps.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "face_arrays.hpp"
#include "plain_stencil.hpp"
#include "point_sweeps.hpp"
#include "problems.hpp"
#include "random_values.hpp"
#include "stretched_axis.hpp"

namespace poisson3d {
namespace {

using namespace test;

class HostExecutor {
public:
    explicit HostExecutor(std::size_t bytes) : memory_(bytes) {}
    std::byte* memory() { return memory_.data(); }
    static void upload(void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); }
    static void wait() {}
    template <class T>
    static T value(const T* from) {
        return *from;
    }
    template <class Step>
    static void run(const Step& step, const Extents& first, const Extents& last) {
        (void)sum(step, first, last);
    }
    template <class Step>
    static std::array<double, 4> sum(const Step& step, const Extents& first, const Extents& last) {
        std::array<double, 4> value{};
        for (int n = Step::sums; n < 4; ++n)
            value[static_cast<std::size_t>(n)] = -std::numeric_limits<double>::infinity();
        for (Index i = first[0]; i <= last[0]; ++i)
            for (Index j = first[1]; j <= last[1]; ++j)
                for (Index k = first[2]; k <= last[2]; ++k) step(i, j, k, value.data());
        return value;
    }
    template <class Step, class T>
    static std::array<double, 4> columns(const Step& step, const ScaledPoints<T>& op, const Extents& first,
                                         const Extents& last) {
        std::array<double, 4> value{};
        for (Index i = first[0]; i <= last[0]; ++i)
            for (Index j = first[1]; j <= last[1]; ++j)
                for (Index k = first[2]; k <= last[2]; ++k) {
                    double terms[std::max(Step::sums, 1)] = {};
                    step(i, j, k, op.place(i, j, k), terms);
                    for (int n = 0; n < Step::sums; ++n)
                        value[static_cast<std::size_t>(n)] += op.weight(i, j, k) * terms[n];
                }
        return value;
    }
    /// As a device does it: all threads of a block fill the tile, then all multiply.
    template <class Task>
    static std::array<double, 4> tiles(const Task& task, const points::TileGrid& grid) {
        using Column = points::StencilColumn<Task>;
        std::array<double, 4> value{};
        for (Index tile = 0; tile < grid.count(); ++tile) {
            std::vector<Column> threads;
            for (int t = 0; t < points::TileShape::threads; ++t) threads.emplace_back(task, grid, tile, t);
            while (threads[0].more()) {
                typename Column::Plane plane;
                for (auto& row : plane.at) std::fill(std::begin(row), std::end(row), std::nan(""));
                for (Column& each : threads) each.fill(plane);
                for (Column& each : threads) each.multiply(plane, value.data());
            }
        }
        return value;
    }

private:
    std::vector<std::byte> memory_;
};

template <class T>
Field<T> positive_field(const Extents& points, double log_range, std::uint64_t seed) {
    Field<T> field = random_field<T>(points, seed);
    for (Index n = 0; n < field.size(); ++n)
        field.data()[n] = static_cast<T>(std::exp(log_range * static_cast<double>(field.data()[n])));
    return field;
}

/// Largest difference at unknowns over the largest number.
template <class T>
double apart(const Grid& grid, FieldView<const T> a, FieldView<const T> b) {
    double difference = 0.0, size = 1e-300;
    for_each_unknown(grid, [&](Index i, Index j, Index k) {
        difference =
            std::max(difference, std::abs(static_cast<double>(a(i, j, k)) - static_cast<double>(b(i, j, k))));
        size = std::max(size, std::abs(static_cast<double>(b(i, j, k))));
    });
    return difference / size;
}

template <class T, class N>
void check(const Problem& problem, const Coefficient<T>& coefficient, std::optional<double> scaling,
           std::uint64_t seed) {
    const double tolerance = 200.0 * static_cast<double>(std::numeric_limits<N>::epsilon());
    const auto expect_same = [&](double mine, double wanted) {
        EXPECT_LE(std::abs(mine - wanted), tolerance * std::abs(wanted)) << describe(problem);
    };
    const Extents points = problem.grid.points();
    PointSweeps<T, N, HostExecutor> sweeps(problem);
    const auto host = make_host_variable_sweeps<T, N>(problem, 1);
    EXPECT_EQ(sweeps.set(coefficient, scaling), host->set(coefficient, scaling));
    expect_same(sweeps.shift(), host->shift());
    EXPECT_EQ(sweeps.singular(), host->singular());
    EXPECT_LE(std::abs(sweeps.mean_of_operator() - host->mean_of_operator()),
              1e-6 * (1.0 + std::abs(host->mean_of_operator())));

    const Field<T> f = random_field<T>(points, seed), guess = random_field<T>(points, seed + 1);
    Field<T> u(points), v(points);
    std::copy_n(guess.data(), guess.size(), u.data());
    std::copy_n(guess.data(), guess.size(), v.data());
    const FaceArrays<T> faces(problem.grid, [seed](int axis, int side, const std::array<Index, 3>& at) {
        return uniform(static_cast<std::uint64_t>(at[0] + 20 * at[1] + 400 * at[2] + axis), seed + side);
    });
    for (const auto start : {VariableSweeps<T, N>::Start::from_u, VariableSweeps<T, N>::Start::from_zero}) {
        const VariableCall<T> mine{f.view(), u.view(), 0.7, faces.data()},
            his{f.view(), v.view(), 0.7, faces.data()};
        const ResidualNorms a = sweeps.residual(mine, start), b = host->residual(his, start);
        expect_same(a.residual, b.residual);
        expect_same(a.scaled, b.scaled);
        expect_same(a.rhs, b.rhs);
        expect_same(a.diagonal, b.diagonal);
        EXPECT_LE(std::abs(a.mean - b.mean), 1e-5 * std::sqrt(b.rhs));
        EXPECT_LE(apart(problem.grid, sweeps.residual_field(), host->residual_field()), tolerance)
            << describe(problem);
        double alpha = 0.0;
        for (const bool first : {true, false, false, false, false, false}) {  // more than are kept
            // In the place of a preconditioner.
            for (Index n = 0; n < f.size(); ++n) {
                const N z = static_cast<N>(static_cast<double>(host->residual_field().data[n]) *
                                           (1.0 + 0.1 * static_cast<double>(n % 3)));
                sweeps.correction_field().data[n] = z;
                host->correction_field().data[n] = z;
            }
            expect_same(sweeps.residual_with(0.25), host->residual_with(0.25));
            const double curvature = host->direction(his, first, alpha, 0.5, 0.25);
            expect_same(sweeps.direction(mine, first, alpha, 0.5, 0.25), curvature);
            const double size = std::sqrt(std::abs(host->residual_with(0.0) * curvature));
            EXPECT_LE(std::abs(sweeps.residual_along() - host->residual_along()), tolerance * size);
            EXPECT_LE(std::abs(sweeps.correction_along(0.25) - host->correction_along(0.25)),
                      tolerance * size * 10.0);
            alpha = 1e-3 * host->residual_along() / curvature;
            expect_same(sweeps.reduce(alpha), host->reduce(alpha));
            expect_same(sweeps.unscaled(), host->unscaled());
        }
        sweeps.advance(mine, alpha);
        host->advance(his, alpha);
        sweeps.finish(mine);
        host->finish(his);
        double largest = 0.0, size = 0.0;  // of all stored points
        for (Index n = 0; n < u.size(); ++n) {
            largest =
                std::max(largest, std::abs(static_cast<double>(u.data()[n]) - static_cast<double>(v.data()[n])));
            size = std::max(size, std::abs(static_cast<double>(v.data()[n])));
        }
        EXPECT_LE(largest, tolerance * size) << describe(problem);
    }
    Field<T> a = filled_field<T>(points), b = filled_field<T>(points);
    sweeps.apply(guess.view(), a.view());
    host->apply(guess.view(), b.view());
    EXPECT_LE(apart(problem.grid, test::read(a), test::read(b)), 200.0 * std::numeric_limits<T>::epsilon());
    for (Index n = 0; n < a.size(); ++n) ASSERT_TRUE(std::isfinite(a.data()[n]));
}

template <class T, class N>
void check_mixes(int step) {
    for (int number = 0; number < combinations; number += step) {
        // Less than a tile, and several tiles and chunks of planes with rests.
        const Extents box = number % 2 == 0 ? Extents{3 + number % 4, 8, 7} : Extents{5 + number % 3, 17, 67};
        Problem problem =
            make_problem(combination(number), box, Discretization::second_order, number % 3 == 0 ? 2.5 : 0.0);
        Axis& y = problem.grid.axes[1];
        if (number % 5 == 1) y = stretched_axis(y.centering, {y.lower, y.upper, ""}, y.points, 3.0, 11);
        if (singular(problem) && number % 2 == 0) problem.gauge.point = {{1, 2, 3}};
        const Extents points = problem.grid.points();
        const auto seed = static_cast<std::uint64_t>(number);
        const Field<T> eps = positive_field<T>(points, number % 2 == 0 ? 1.0 : 0.05, seed);
        const Field<T> lambda = positive_field<T>(points, 1.0, seed + 7);
        Coefficient<T> coefficient{eps.view()};
        if (number % 4 == 1) coefficient.helmholtz = lambda.view();
        check<T, N>(problem, coefficient, number % 7 == 0 ? std::optional(0.1 * (number % 11)) : std::nullopt,
                    seed);
    }
}

TEST(PointSweeps, AreThoseOfTheHostInDouble) {
    check_mixes<double, double>(37);
}
TEST(PointSweeps, AreThoseOfTheHostInSingle) {
    check_mixes<float, float>(53);
}
TEST(PointSweeps, AreThoseOfTheHostMixed) {
    check_mixes<double, float>(41);
}

/// What looks at a coefficient before it is taken, beside the host's checks.
TEST(PointSweeps, SeeWhatIsWrongWithACoefficient) {
    const Extents points{3, 4, 5}, last{2, 3, 4};
    constexpr double most = std::numeric_limits<double>::max();
    const auto look = [&](const Field<double>& field, bool zero) {
        return HostExecutor::sum(points::LookAt<double>{{}, points::Rows<const double>(field.view()), most, zero},
                                 {0, 0, 0}, last);
    };
    Field<double> field = positive_field<double>(points, 1.0, 3);
    const auto [least, greatest] = std::minmax_element(field.data(), field.data() + field.size());
    EXPECT_EQ(look(field, false)[0], -*least);
    EXPECT_EQ(look(field, false)[1], *greatest);
    EXPECT_EQ(look(field, false)[2], 0.0);
    const double inf = std::numeric_limits<double>::infinity();
    for (const double bad : {0.0, -1.0, inf, -inf, std::nan("")})
        for (const Index n : {Index{0}, Index{17}, field.size() - 1}) {
            const double before = std::exchange(field.data()[n], bad);
            EXPECT_EQ(look(field, false)[2], 1.0) << bad;
            EXPECT_EQ(look(field, true)[2], bad == 0.0 ? 0.0 : 1.0) << bad;
            field.data()[n] = before;
        }
    const auto ends = [&] {
        return HostExecutor::sum(
            points::LookAtEnds<double>{
                {}, points::Rows<const double>(field.view()), last[0] * points[1] * points[2]},
            {0, 0, 0}, {0, last[1], last[2]})[0];
    };
    for (Index n = 0; n < points[1] * points[2]; ++n)
        field.data()[n + last[0] * points[1] * points[2]] = field.data()[n];
    EXPECT_EQ(ends(), 0.0);
    field.data()[7] *= 1.001;
    EXPECT_EQ(ends(), 1.0);
}

TEST(PointSweeps, TakeACoefficientOnFaces) {
    const Problem problem = make_problem(combination(432), {5, 6, 7});
    std::array<Field<double>, 3> faces;
    Coefficient<double> coefficient;
    for (std::size_t a = 0; a < 3; ++a) {
        Extents extents = problem.grid.points();
        ++extents[a];
        faces[a] = positive_field<double>(extents, 1.0, a);
        coefficient.on_faces[a] = faces[a].view();
    }
    check<double, double>(problem, coefficient, std::nullopt, 5);
}

}  // namespace
}  // namespace poisson3d
