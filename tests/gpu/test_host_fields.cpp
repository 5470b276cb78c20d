// A device engine given fields in host memory: it copies, and the bits are those of fields on the device.
#include <gtest/gtest.h>

#include "device_field.hpp"
#include "expect_error.hpp"
#include "padded.hpp"
#include "test_solver.hpp"

namespace poisson3d {
namespace {

using namespace test;

template <class T>
class HostFields : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(HostFields, Precisions);

Options with(Memory memory) {
    Options options = test_options();
    options.memory = memory;
    return options;
}

/// A sample of mixes; singular ones with and without a gauge point.
template <class Body>
void for_each_problem(Body body) {
    const std::array<Extents, 3> sizes{{{9, 19, 13}, {32, 24, 40}, {65, 33, 17}}};
    for (int n = 0; n < 24; ++n) {
        Problem problem = make_problem(combination(41 * n), sizes[n % 3], discretizations[n % 2]);
        if (n % 2 == 1) problem.gauge.point = {2, 4, 5};
        body(problem);
    }
    body(make_problem({cell_p, node_nn, cell_nn}, {24, 33, 20}));
}

// The fields of Solver itself here: TestSolver would move them to the device.
TYPED_TEST(HostFields, HaveTheBitsOfDeviceFields) {
    using T = TypeParam;
    for_each_problem([](const Problem& problem) {
        const Extents points = problem.grid.points();
        const Field<T> f = random_field<T>(points, 8);
        Result on_device;
        const Field<T> expected = solved(problem, f, &on_device, T(-3), with(Memory::fast));
        Padded<T> from(points, {1, 2, 3}, {2, 0, 5});
        from.fill(read(f));
        const Padded<T> before = from;
        Padded<T> to(points, {2, 1, 1}, {0, 3, 4});
        Solver<T> solver(problem, with(Memory::fast));
        for (int again = 0; again < 2; ++again) {
            solver.solve(from.view(), to.view(), T(-3));
            EXPECT_EQ(different<T>(to.view(), read(expected)), 0) << describe(problem);
            EXPECT_EQ(to.damage(), 0) << describe(problem);
            EXPECT_EQ(from.differs_from(before), 0) << "f was written: " << describe(problem);
            EXPECT_EQ(solver.result().mean_removed, on_device.mean_removed);
            solver.apply(from.view(), to.view());  // leaves other values behind
        }
    });
}

TYPED_TEST(HostFields, MayBeTheSameMemory) {
    using T = TypeParam;
    for_each_problem([](const Problem& problem) {
        const Field<T> f = random_field<T>(problem.grid.points(), 9);
        const Field<T> expected = solved(problem, f, nullptr, T(1), with(Memory::fast));
        Padded<T> both(problem.grid.points(), {1, 0, 2}, {0, 3, 1});
        both.fill(read(f));
        Solver<T>(problem, with(Memory::fast)).solve(both.view(), both.view());
        EXPECT_EQ(different<T>(both.view(), read(expected)), 0) << describe(problem);
        EXPECT_EQ(both.damage(), 0) << describe(problem);
    });
}

TYPED_TEST(HostFields, ApplyTakesThemToo) {
    using T = TypeParam;
    for_each_problem([](const Problem& problem) {
        const Field<T> u = random_field<T>(problem.grid.points(), 10);
        TestSolver<T> on_device(problem, with(Memory::fast));
        Field<T> expected = filled_field<T>(problem.grid.points());
        on_device.apply(u.view(), expected.view());
        Field<T> f = filled_field<T>(problem.grid.points());
        Solver<T>(problem, with(Memory::fast)).apply(u.view(), f.view());
        EXPECT_EQ(different<T>(f.view(), read(expected)), 0) << describe(problem);
    });
}

TYPED_TEST(HostFields, HaveNoRoomInMemoryStandard) {
    using T = TypeParam;
    const Problem problem = make_problem({cell_dd, cell_p, node_nn}, {9, 10, 11});
    const Field<T> f = random_field<T>(problem.grid.points());
    Field<T> u = filled_field<T>(problem.grid.points());
    Solver<T> solver(problem, with(Memory::standard));
    expect_error(ErrorCode::usage, {"standard", "fast"}, [&] { solver.solve(f.view(), u.view()); });
    expect_error(ErrorCode::usage, {"standard", "fast"}, [&] { solver.apply(f.view(), u.view()); });
    EXPECT_EQ(different<T>(u.view(), read(filled_field<T>(problem.grid.points()))), 0) << "a refused call wrote";
    EXPECT_NO_THROW((void)solver.result()) << "a refused call was timed";
    // And goes on as if nothing had happened.
    const DeviceField<T> from(f);
    const DeviceField<T> to(problem.grid.points());
    solver.solve(from.view(), to.view());
    const Field<T> expected = solved(problem, f, nullptr, T(1), with(Memory::standard));
    EXPECT_EQ(different<T>(to.get().view(), read(expected)), 0);
}

TYPED_TEST(HostFields, DoNotMixWithDeviceFields) {
    using T = TypeParam;
    const Problem problem = make_problem({cell_dd, cell_p, node_nn}, {9, 10, 11});
    const Field<T> f = random_field<T>(problem.grid.points());
    Field<T> u = filled_field<T>(problem.grid.points());
    const DeviceField<T> from(f);
    const DeviceField<T> to(filled_field<T>(problem.grid.points()));
    for (const Memory memory : {Memory::fast, Memory::standard}) {
        Solver<T> solver(problem, with(memory));
        expect_error(ErrorCode::usage, {}, [&] { solver.solve(from.view(), u.view()); });
        expect_error(ErrorCode::usage, {}, [&] { solver.solve(f.view(), to.view()); });
        expect_error(ErrorCode::usage, {}, [&] { solver.apply(from.view(), u.view()); });
        expect_error(ErrorCode::usage, {}, [&] { solver.apply(f.view(), to.view()); });
        const Field<T> before = filled_field<T>(problem.grid.points());
        EXPECT_EQ(different<T>(u.view(), read(before)), 0) << "a refused call wrote";
        EXPECT_EQ(different<T>(to.get().view(), read(before)), 0) << "a refused call wrote";
        EXPECT_EQ(different<T>(from.get().view(), read(f)), 0) << "a refused call wrote";
    }
}

}  // namespace
}  // namespace poisson3d
