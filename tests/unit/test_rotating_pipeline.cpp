// The rotating pipeline of the cufft engine with its sweeps executed on the host (host_sweeps.cpp): layout, tables
// and tasks, for all kinds of axis, in both memory modes. The law is the residual of the difference operator.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "axis_kind.hpp"
#include "axis_rules.hpp"
#include "pipeline.hpp"
#include "poisson3d/residual.hpp"
#include "problems.hpp"
#include "tolerance.hpp"

namespace poisson3d::cufft {
namespace {

using namespace test;

template <class T>
void expect_zero_at_dirichlet_nodes(const Problem& problem, FieldView<const T> u) {
    const auto& axes = problem.grid.axes;
    for (Index i = 0; i < u.extents[0]; ++i)
        for (Index j = 0; j < u.extents[1]; ++j)
            for (Index k = 0; k < u.extents[2]; ++k) {
                const bool unknown =
                    unknowns(axes[0]).contain(i) && unknowns(axes[1]).contain(j) && unknowns(axes[2]).contain(k);
                ASSERT_TRUE(unknown || u(i, j, k) == T(0)) << describe(problem);
            }
}

/// Solves as the engine does and returns the backward error; the workspace and u start as garbage.
template <class T>
double backward_error(const Problem& problem, Memory memory, bool in_place) {
    const Extents points = problem.grid.points();
    const auto pipeline = make_rotating_pipeline<T>(problem, memory);
    const HostBuffer block(pipeline->workspace_bytes() + 2 * Pipeline<T>::alignment);
    std::memset(block.data(), 0xff, block.size());  // not a number
    auto address = reinterpret_cast<std::uintptr_t>(block.data()) + Pipeline<T>::alignment - 1;
    address -= address % Pipeline<T>::alignment;
    pipeline->bind(reinterpret_cast<std::byte*>(address));

    const Field<T> f = random_field<T>(points, 5);
    Field<T> u = filled_field<T>(points);
    if (in_place) u = random_field<T>(points, 5);
    const PassClock clock;
    const T scale = T(-1.5);
    pipeline->run(ModeOperation::divide, in_place ? FieldView<const T>(u.view()) : f.view(), u.view(),
                  static_cast<double>(scale), {}, clock);
    double mean = 0.0;
    if (singular(problem)) {
        double round_trip = 1.0;
        for (const Axis& axis : problem.grid.axes) round_trip *= static_cast<double>(axis_kind(axis).round_trip);
        const auto* const removed = pipeline->removed();
        mean = static_cast<double>(scale) *
               (static_cast<double>(removed->constant_mode) / round_trip + static_cast<double>(removed->shift));
        if (problem.gauge.point) {
            const auto [i, j, k] = *problem.gauge.point;
            EXPECT_EQ(u.view()(i, j, k), T(0)) << describe(problem);
        }
    }
    expect_zero_at_dirichlet_nodes(problem, read(u));
    ResidualMeter<T> meter(problem, read(u), static_cast<double>(scale), mean);
    meter.add(0, read(f));
    return meter.result().backward;
}

template <class T>
void check(const Problem& problem, bool in_place = false) {
    for (const Memory memory : {Memory::fast, Memory::standard})
        EXPECT_LE(backward_error<T>(problem, memory, in_place),
                  tolerance::backward<T>(problem.grid.points()) + tolerance::eps<T>)
            << describe(problem) << ", " << name(memory) << (sizeof(T) == 4 ? ", single" : ", double");
}

TEST(RotatingPipeline, SolvesEveryMixOfKinds) {
    for (int number = 0; number < combinations; ++number) {
        Problem problem =
            make_problem(combination(number), {5, 4, 7}, Discretization::second_order, number % 3 == 1 ? 0.7 : 0.0);
        if (number % 2 == 0) problem.gauge.point = {3, 2, 5};
        number % 2 == 0 ? check<double>(problem, number % 4 == 0) : check<float>(problem, number % 4 == 1);
    }
}

TEST(RotatingPipeline, SolvesAtTheSmallestExtents) {
    for (int number = 0; number < combinations; number += 3)
        check<double>(make_problem(combination(number), smallest_points(combination(number)),
                                   Discretization::second_order, number % 2 == 0 ? 0.0 : 0.7));
}

// One axis long enough for runs, ragged tiles and every number of splits of type I.
TEST(RotatingPipeline, SolvesWithOneLongAxis) {
    for (int kind = 0; kind < 10; ++kind)
        for (const Index n : {16, 17, 33, 35, 37, 49, 66, 67})
            for (int a = 0; a < 3; ++a) {
                Kinds which{cell_nn, node_dd, cell_p};
                Extents points{3, 5, 4};
                which[a] = kind;
                points[a] = n;
                check<double>(make_problem(which, points));
            }
}

TEST(RotatingPipeline, TakesAsManyBytesAsTheSlabsThatUHasNoRoomFor) {
    const Problem problem = make_problem({cell_dd, cell_p, cell_nn}, {48, 60, 50});
    const std::size_t fast = make_rotating_pipeline<double>(problem, Memory::fast)->workspace_bytes();
    const std::size_t standard = make_rotating_pipeline<double>(problem, Memory::standard)->workspace_bytes();
    const std::size_t slab = std::size_t{48} * 50 * 16;
    EXPECT_EQ(fast - standard, 29 * slab);
}

}  // namespace
}  // namespace poisson3d::cufft
