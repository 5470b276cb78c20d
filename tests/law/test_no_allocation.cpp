// solve() and apply() of the host engine and gradients ask for no memory: what they need was taken when the plan
// was made. (A device engine calls a runtime whose own host memory is not ours to count.)
#include <gtest/gtest.h>

#include "count_allocations.hpp"
#include "engine_under_test.hpp"
#include "poisson3d/distributed.hpp"
#include "poisson3d/gradient.hpp"
#include "poisson3d/mixed_solver.hpp"
#include "poisson3d/variable_solver.hpp"
#include "problems.hpp"

namespace poisson3d {
namespace {

using namespace test;

TEST(Counting, SeesWhatItShouldSee) {
    const long news = new_calls;
    const long mallocs = malloc_calls;
    auto* volatile number = new int(7);
    EXPECT_EQ(new_calls - news, 1);
    EXPECT_EQ(malloc_calls - mallocs, 0);
    delete number;
    if (!counts_malloc) return;
    void* volatile block = std::malloc(10);
    std::free(block);
    block = std::aligned_alloc(64, 128);
    std::free(block);
    EXPECT_EQ(malloc_calls - mallocs, 2);
}

/// In a first solve and in what follows it.
template <class T>
void expect_no_allocation(const Problem& problem, const Options& options) {
    const Extents points = problem.grid.points();
    const Field<T> f = random_field<T>(points);
    Field<T> u(points);
    Solver<T> solver(problem, options);
    const std::array before{new_calls.load(), malloc_calls.load()};
    solver.solve(f.view(), u.view());
    const std::array first{new_calls.load(), malloc_calls.load()};
    solver.solve(f.view(), u.view(), T(2));
    solver.apply(f.view(), u.view());
    const Result result = solver.result();
    const std::array last{new_calls.load(), malloc_calls.load()};
    EXPECT_FALSE(result.singular) << "the last call was apply()";
    EXPECT_EQ(first[0] - before[0], 0) << "in the first solve: " << describe(problem);
    EXPECT_EQ(last[0] - first[0], 0) << "in later calls: " << describe(problem);
    EXPECT_EQ(first[1] - before[1], 0) << "by a library, in the first solve: " << describe(problem);
    EXPECT_EQ(last[1] - first[1], 0) << "by a library, in later calls: " << describe(problem);
}

/// Every kind along the longest axis, all memory modes, and a singular problem with a gauge point.
void expect_no_allocation(Index length) {
    for (int kind = 0; kind < 10; ++kind)
        for (const Memory memory : all_memories) {
            Options options = test_options();
            options.memory = memory;
            options.threads = 2;
            const Problem problem = make_problem({(kind + 3) % 10, (kind + 7) % 10, kind}, {9, 6, length});
            expect_no_allocation<double>(problem, options);
            expect_no_allocation<float>(problem, options);
        }
    Problem problem = make_problem({cell_p, node_nn, cell_nn}, {length, 8, length});
    problem.gauge.point = {1, 2, 3};
    expect_no_allocation<double>(problem, test_options());
    expect_no_allocation<float>(problem, test_options());
}

TEST(NoAllocation, InSolveAndApply) {
    // FFTs by radices, and of large primes, also for the one less that node axes need.
    for (const Index length : {8, 13, 17, 31, 53, 64, 65, 97, 173, 178, 225, 256, 257, 300, 509})
        expect_no_allocation(length);
}

/// Two or three free axes closed by walls, and padded; x eliminated in one.
template <class T>
void expect_no_allocation_in_free_space() {
    for (int number = 0; number < 4; ++number) {
        Problem problem = make_problem({cell_dd, node_nn, cell_nn}, {number == 3 ? 94 : 9, 12, 10});
        for (int a = number == 0 ? 1 : 0; a < 3; ++a) problem.grid.axes[a].upper = Boundary::free;
        problem.grid.axes[1].lower = Boundary::free;
        Options options = test_options();
        options.threads = 2;
        if (number == 2) options.middle = Middle::transform;
        const Field<T> f = random_field<T>(problem.grid.points());
        Field<T> u(problem.grid.points());
        Solver<T> solver(problem, options);
        const std::array before{new_calls.load(), malloc_calls.load()};
        solver.solve(f.view(), u.view());
        static_cast<void>(solver.result());
        EXPECT_EQ(new_calls - before[0], 0) << describe(problem);
        EXPECT_EQ(malloc_calls - before[1], 0) << "by a library: " << describe(problem);
    }
}

TEST(NoAllocation, InFreeSpace) {
    expect_no_allocation_in_free_space<double>();
    expect_no_allocation_in_free_space<float>();
}

/// Of members that share a box, whichever method; singular, with a gauge point, too, and with free faces.
template <class T>
void expect_no_allocation_of_members(Method method, int free_axes) {
    Problem problem = make_problem({cell_nn, cell_p, node_nn}, {17, 9, 20});
    for (int axis = 0; axis < free_axes; ++axis) problem.grid.axes[2 - axis].upper = Boundary::free;
    if (free_axes > 1) problem.grid.axes[1].lower = Boundary::free;
    problem.gauge.point = {12, 3, 4};
    const Extents points = problem.grid.points();
    const Decomposition parts = Decomposition::slabs(points, 3);
    DistributedSolver<T> solver(problem, parts, threads(3), {.method = method, .threads = 3});
    const Field<T> f = random_field<T>(points);
    Field<T> u(points);
    std::vector<FieldView<const T>> from;
    std::vector<FieldView<T>> to;
    for (int m = 0; m < 3; ++m) {
        from.push_back(read(f).slab(parts.first(m), parts.planes(m)));
        to.push_back(u.view().slab(parts.first(m), parts.planes(m)));
    }
    const std::array before{new_calls.load(), malloc_calls.load()};
    solver.solve(std::span<const FieldView<const T>>(from), std::span<const FieldView<T>>(to));
    if (free_axes == 0) solver.apply(std::span<const FieldView<const T>>(from), std::span<const FieldView<T>>(to));
    EXPECT_EQ(new_calls - before[0], 0) << name(method) << ", " << free_axes << " free axes";
    EXPECT_EQ(malloc_calls - before[1], 0) << name(method) << ", " << free_axes << " free axes";
}

TEST(NoAllocation, InSolvesOfMembers) {
    for (const Method method : {Method::eliminate, Method::transpose})
        for (const int free_axes : {0, 1, 2}) {
            expect_no_allocation_of_members<double>(method, free_axes);
            expect_no_allocation_of_members<float>(method, free_axes);
        }
}

template <class T>
void expect_no_allocation_of_gradients(const Problem& problem) {
    const Extents points = problem.grid.points();
    const Field<T> u = random_field<T>(points);
    Field<T> x(points), y(points), z(points);
    Options options = test_options();
    options.threads = 2;
    Gradient<T> gradient(problem, options);
    const std::array before{new_calls.load(), malloc_calls.load()};
    for (int again = 0; again < 2; ++again) gradient.evaluate(u.view(), {x.view(), y.view(), z.view()});
    EXPECT_EQ(new_calls - before[0], 0) << describe(problem);
    EXPECT_EQ(malloc_calls - before[1], 0) << "by a library: " << describe(problem);
}

TEST(NoAllocation, InGradients) {
    for (const Index length : {53, 65, 97, 128, 173, 178, 257, 509})
        for (int kind = 0; kind < 10; ++kind)
            for (const Discretization discretization : discretizations) {
                const Problem problem =
                    make_problem({(kind + 3) % 10, (kind + 7) % 10, kind}, {9, 6, length}, discretization);
                expect_no_allocation_of_gradients<double>(problem);
                expect_no_allocation_of_gradients<float>(problem);
            }
}

TEST(NoAllocation, WithAVariableCoefficient) {
    for (const Kinds& which : {Kinds{cell_p, node_nn, cell_nn}, {cell_dd, node_dn, cell_p}}) {
        Problem problem = make_problem(which, {9, 32, 64});
        problem.grid.axes[2].widths.assign(64, 0.1);
        problem.grid.axes[2].widths[3] = 0.2;
        const Field<double> f = random_field<double>(problem.grid.points());
        Field<double> u(problem.grid.points()), eps = filled_field<double>(problem.grid.points(), 1.0);
        eps.view()(4, 5, 6) = 7.0;
        BoundaryData<double> boundary;
        boundary.faces[1][0].constant = 1.0;
        VariableSolver<double> solver(problem);
        solver.set_coefficient(read(eps));
        const std::array before{new_calls.load(), malloc_calls.load()};
        EXPECT_TRUE(solver.solve(f.view(), u.view(), boundary).converged);
        EXPECT_EQ(new_calls - before[0], 0) << describe(problem);
        EXPECT_EQ(malloc_calls - before[1], 0) << describe(problem);
    }
}

TEST(NoAllocation, InMixedPrecision) {
    for (const Kinds& which : {Kinds{cell_p, node_nn, cell_nn}, {cell_dd, node_dn, cell_p}}) {
        const Problem problem = make_problem(which, {9, 32, 64});
        const Field<double> f = random_field<double>(problem.grid.points());
        Field<double> u(problem.grid.points());
        BoundaryData<double> boundary;
        boundary.faces[1][0].constant = 1.0;
        MixedSolver solver(problem, test_options());
        const std::array before{new_calls.load(), malloc_calls.load()};
        for (int again = 0; again < 2; ++again) solver.solve(f.view(), u.view(), boundary, 2.0);
        (void)solver.result();
        EXPECT_EQ(new_calls - before[0], 0) << describe(problem);
        EXPECT_EQ(malloc_calls - before[1], 0) << describe(problem);
    }
}

}  // namespace
}  // namespace poisson3d
