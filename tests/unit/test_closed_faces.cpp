// Walls and faces (solvers/engines/host/walled_engine.cpp): two or three free axes, against lines that are padded
// with zeros (padded_engine.cpp), and what engines owe their callers. Laws of free space are in tests/law.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "padded.hpp"
#include "poisson3d/solver.hpp"
#include "problems.hpp"
#include "random_values.hpp"
#include "tolerance.hpp"

namespace poisson3d::test {
namespace {

constexpr Boundary dirichlet = Boundary::dirichlet, neumann = Boundary::neumann, open = Boundary::free;

struct Ends {
    Centering centering;
    Boundary lower, upper;
};

constexpr std::array<Ends, 10> free_kinds{{{Centering::cell, open, open},
                                           {Centering::node, open, open},
                                           {Centering::cell, neumann, open},
                                           {Centering::cell, dirichlet, open},
                                           {Centering::cell, open, neumann},
                                           {Centering::cell, open, dirichlet},
                                           {Centering::node, neumann, open},
                                           {Centering::node, dirichlet, open},
                                           {Centering::node, open, neumann},
                                           {Centering::node, open, dirichlet}}};

Axis free_axis(int kind, Index points, double spacing) {
    Axis axis{points, spacing, 0.0, free_kinds[kind].centering, free_kinds[kind].lower, free_kinds[kind].upper};
    axis.points = std::max(axis.points, fewest_points(axis));
    return axis;
}

/// Three free axes for every number below 1000.
Problem three_free(int number, const Extents& points) {
    Problem problem;
    problem.grid.axes = {free_axis(number / 100, points[0], 1.0), free_axis(number / 10 % 10, points[1], 0.7),
                         free_axis(number % 10, points[2], 1.6)};
    problem.helmholtz = number % 3 == 2 ? 0.3 : 0.0;
    return problem;
}

/// Axis `bound` is not free, its kind the last digit of the number.
Problem two_free(int number, int bound, const Extents& points) {
    Problem problem;
    const std::array<int, 2> kinds{number / 100, number / 10 % 10};
    for (int a = 0, next = 0; a < 3; ++a)
        problem.grid.axes[a] = a == bound ? make_axis(number % 10, points[a], 0.8)
                                          : free_axis(kinds[next++], points[a], 1.0 + 0.3 * a);
    Axis& axis = problem.grid.axes[bound];
    axis.points = std::max(axis.points, fewest_points(axis));
    problem.helmholtz = number % 3 == 2 ? 0.3 : 0.0;
    return problem;
}

std::string words(const Problem& problem) {
    std::string text;
    for (const Axis& axis : problem.grid.axes)
        text += std::string(name(axis.centering)) + " " + name(axis.lower) + ":" + name(axis.upper) + " " +
                std::to_string(axis.points) + ", ";
    return text + "helmholtz " + std::to_string(problem.helmholtz);
}

Options host_options(int threads = 2) {
    Options options;
    options.engine = Engine::host;
    options.threads = threads;
    return options;
}

template <class T>
Field<T> random_values(const Extents& points, std::uint64_t seed = 0) {
    Field<T> field(points);
    for (Index i = 0; i < field.size(); ++i)
        field.data()[i] = static_cast<T>(uniform(static_cast<std::uint64_t>(i), seed));
    return field;
}

template <class T>
FieldView<const T> view(const Field<T>& field) {
    return field.view();
}

/// Largest difference from padded lines of doubles over their largest value, in eps of T.
template <class T>
double error(const Problem& problem) {
    const Extents points = problem.grid.points();
    const Field<T> f = random_values<T>(points);
    const Field<double> same = random_values<double>(points);
    Field<T> u(points);
    Field<double> padded(points);
    Solver<T>(problem, host_options()).solve(view(f), u.view());
    Options options = host_options();
    options.middle = Middle::transform;
    Solver<double>(problem, options).solve(view(same), padded.view());
    double worst = 0, largest = 0;
    for (Index i = 0; i < u.size(); ++i) {
        worst = std::max(worst, std::abs(static_cast<double>(u.data()[i]) - padded.data()[i]));
        largest = std::max(largest, std::abs(padded.data()[i]));
    }
    return worst / largest / tolerance::eps<T>;
}

template <class T>
class ClosedFaces : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(ClosedFaces, Precisions);

TYPED_TEST(ClosedFaces, SolvesEveryMixOfThreeFreeAxes) {
    constexpr std::array<Extents, 5> sizes{{{3, 2, 5}, {8, 3, 4}, {2, 5, 9}, {4, 4, 4}, {1, 2, 1}}};
    for (int number = 0; number < 1000; number += 3) {
        const Problem problem = three_free(number, sizes[number % 5]);
        EXPECT_LT(error<TypeParam>(problem), 12) << words(problem);
    }
}

TYPED_TEST(ClosedFaces, SolvesEveryMixOfTwoFreeAxes) {
    constexpr std::array<Extents, 3> sizes{{{5, 4, 6}, {3, 3, 3}, {3, 8, 4}}};
    for (int bound = 0; bound < 3; ++bound)
        for (int number = bound; number < 1000; number += 7) {
            const Problem problem = two_free(number, bound, sizes[number % 7 % 3]);
            EXPECT_LT(error<TypeParam>(problem), 16) << words(problem);
        }
}

TYPED_TEST(ClosedFaces, EliminatesSlowLinesAlongX) {
    for (int number = 0; number < 1000; number += 59) {
        const Problem problem =
            number % 3 == 1 ? two_free(number, 1 + number % 2, {94, 3, 4}) : three_free(number, {94, 3, 4});
        ASSERT_NE(Solver<TypeParam>(problem, host_options()).description().find("x eliminated"), std::string::npos);
        EXPECT_LT(error<TypeParam>(problem), 16) << words(problem);
    }
}

TYPED_TEST(ClosedFaces, SolvesBoxesOfAnyShape) {
    // Blocks of lines that are whole and not, thin boxes, rows that collide in the cache, one coarse axis.
    for (const Extents& points : {Extents{5, 40, 70}, Extents{33, 6, 3}, Extents{6, 70, 2}, Extents{4, 64, 256}})
        for (const int number : {0, 111, 234, 678, 389}) {
            Problem problem = three_free(number, points);
            EXPECT_LT(error<TypeParam>(problem), 16) << words(problem);
            problem.grid.axes[number % 3].spacing *= 20;
            EXPECT_LT(error<TypeParam>(problem), 16) << words(problem);
        }
}

TYPED_TEST(ClosedFaces, GiveTheSameBitsEveryTimeAndInBatches) {
    using T = TypeParam;
    for (const int number : {0, 128, 345, 999}) {
        const Problem problem =
            number % 2 == 0 ? three_free(number, {36, 20, 35}) : two_free(number, 1, {12, 20, 35});
        const Extents points = problem.grid.points();
        const Index size = points[0] * points[1] * points[2];
        Options options = host_options(3);
        options.batch = 2;
        std::vector<std::byte> memory(Solver<T>::workspace_bytes(problem, options) + 64);
        auto* const aligned =
            reinterpret_cast<std::byte*>((reinterpret_cast<std::uintptr_t>(memory.data()) + 63) / 64 * 64);
        options.workspace = {aligned, memory.size() - 64};
        Solver<T> solver(problem, options);
        const Field<T> f = random_values<T>({2 * points[0], points[1], points[2]});
        Field<T> u({2 * points[0], points[1], points[2]}), alone(points);
        solver.solve(FieldBatch<const T>(f.data(), points, 2), FieldBatch<T>(u.data(), points, 2));
        const BoundaryData<T> both = solver.faces();
        std::vector<T> second;
        const FaceValues<T>& face = both.faces[2][free_kinds[number % 10].upper == open || number % 2 == 1 ? 1 : 0];
        if (face.data != nullptr)
            second.assign(face.data + face.field_stride, face.data + face.field_stride + points[0] * face.stride);
        Solver<T> other(problem, host_options(3));
        for (int field = 0; field < 2; ++field) {
            std::copy_n(f.data() + field * size, size, alone.data());
            other.solve(view(alone), alone.view());  // where f stands
            EXPECT_EQ(0, std::memcmp(alone.data(), u.data() + field * size, size * sizeof(T))) << words(problem);
        }
        if (second.empty()) continue;
        const BoundaryData<T> last = other.faces();
        const FaceValues<T>& same = last.faces[2][free_kinds[number % 10].upper == open || number % 2 == 1 ? 1 : 0];
        EXPECT_EQ(0, std::memcmp(second.data(), same.data, second.size() * sizeof(T))) << words(problem);
    }
}

TYPED_TEST(ClosedFaces, RememberNothingOfEarlierSolves) {
    using T = TypeParam;
    for (const int number : {0, 367, 852, 719}) {
        const Problem problem = number % 2 == 0 ? three_free(number, {6, 20, 9}) : two_free(number, 0, {6, 7, 20});
        const Extents points = problem.grid.points();
        const Field<T> f = random_values<T>(points);
        Field<T> none(points), u(points), fresh(points);
        std::fill_n(none.data(), none.size(), nan_of<T>(0));
        Solver<T> solver(problem, host_options());
        solver.solve(view(none), none.view());
        solver.solve(view(f), u.view());
        Solver<T>(problem, host_options()).solve(view(f), fresh.view());
        EXPECT_EQ(0, different(view(u), view(fresh))) << words(problem);
    }
}

TYPED_TEST(ClosedFaces, TouchNothingBesideTheField) {
    using T = TypeParam;
    for (const int number : {0, 367, 852, 719}) {
        const Problem problem = number % 2 == 0 ? three_free(number, {6, 20, 9}) : two_free(number, 0, {6, 7, 20});
        const Extents points = problem.grid.points();
        Padded<T> f(points, {1, 2, 1}, {2, 1, 3}), u(points, {1, 1, 2}, {0, 3, 1});
        const Field<T> values = random_values<T>(points);
        Field<T> plain(points);
        f.fill(view(values));
        Solver<T> solver(problem, host_options());
        solver.solve(std::as_const(f).view(), u.view());
        solver.solve(view(values), plain.view());
        EXPECT_EQ(0, different(std::as_const(u).view(), view(plain))) << words(problem);
        EXPECT_EQ(0, f.damage() + u.damage()) << words(problem);
    }
}

}  // namespace
}  // namespace poisson3d::test
