// What plans take of a device: what they said, nothing while they solve, and all of it back. Devices that are not
// there, and problems that no device holds.
#include <gtest/gtest.h>

#include <cmath>

#include "device_field.hpp"
#include "expect_error.hpp"
#include "guarded_workspace.hpp"
#include "padded.hpp"
#include "poisson3d/device.hpp"
#include "test_solver.hpp"

namespace poisson3d {
namespace {

using namespace test;

constexpr std::array<Memory, 2> memories{Memory::fast, Memory::standard};
/// Tables of an FFT library beside the workspace, and the pages in which a driver hands out memory.
constexpr std::size_t small = std::size_t{64} << 20;

template <class T>
class DeviceMemory : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(DeviceMemory, Precisions);

Options with(Memory memory) {
    Options options = test_options();
    options.memory = memory;
    return options;
}

const std::array<Problem, 3> problems{make_problem({cell_p, cell_p, cell_p}, {128, 160, 144}),
                                      make_problem({cell_dd, cell_nn, cell_dn}, {120, 131, 97}),
                                      make_problem({node_dd, node_nn, node_dn}, {129, 161, 97})};

TYPED_TEST(DeviceMemory, SolvesTakeNothing) {
    using T = TypeParam;
    for (const Problem& problem : problems)
        for (const Memory memory : memories) {
            Solver<T> solver(problem, with(memory));
            const DeviceField<T> f(random_field<T>(problem.grid.points()));
            const DeviceField<T> u(problem.grid.points());
            solver.solve(f.view(), u.view());  // the driver loads kernels when they are first called
            solver.apply(f.view(), u.view());
            (void)solver.result();
            const std::size_t before = free_device_memory();
            for (int again = 0; again < 10; ++again) solver.solve(f.view(), u.view());
            EXPECT_EQ(free_device_memory(), before) << "while solving: " << describe(problem);
            solver.apply(f.view(), u.view());
            (void)solver.result();
            EXPECT_EQ(free_device_memory(), before) << describe(problem) << ", " << name(memory);
        }
}

TYPED_TEST(DeviceMemory, PlansTakeWhatTheySaidAndGiveItBack) {
    using T = TypeParam;
    const Problem problem = make_problem({cell_dd, cell_p, node_nn}, {256, 250, 257});
    for (const Memory memory : memories) {
        { const Solver<T> first(problem, with(memory)); }  // libraries keep what they took once
        const std::size_t before = free_device_memory();
        const std::size_t bytes = Solver<T>::workspace_bytes(problem, with(memory));
        EXPECT_EQ(free_device_memory(), before) << "workspace_bytes() allocates";
        for (int again = 0; again < 5; ++again) {
            const Solver<T> solver(problem, with(memory));
            EXPECT_EQ(solver.workspace(), bytes);
            const std::size_t taken = before - free_device_memory();
            EXPECT_GE(taken, bytes);
            EXPECT_LE(taken, bytes + small) << name(memory);
        }
        EXPECT_EQ(free_device_memory(), before) << name(memory);
        GuardedWorkspace workspace(bytes);
        Options options = with(memory);
        options.workspace = workspace.inside();
        const std::size_t with_workspace = free_device_memory();
        const Solver<T> solver(problem, options);
        EXPECT_LE(with_workspace - free_device_memory(), small) << "beside the workspace given, " << name(memory);
    }
}

TYPED_TEST(DeviceMemory, AWorkspaceBroughtIsEnoughAtRealSizes) {
    using T = TypeParam;
    for (const Problem& problem : problems)
        for (const Memory memory : memories) {
            Options options = with(memory);
            const Field<T> f = random_field<T>(problem.grid.points());
            const Field<T> expected = solved(problem, f, nullptr, T(1), options);
            const GuardedWorkspace workspace(Solver<T>::workspace_bytes(problem, options));
            options.workspace = workspace.inside();
            EXPECT_EQ(different<T>(solved(problem, f, nullptr, T(1), options).view(), read(expected)), 0)
                << describe(problem) << ", " << name(memory);
            EXPECT_EQ(workspace.damage(), 0U) << describe(problem) << ", " << name(memory);
        }
}

TYPED_TEST(DeviceMemory, ProblemsThatAreTooLargeSaySo) {
    using T = TypeParam;
    const Problem problem = make_problem({cell_dd, cell_p, cell_nn}, {8192, 8192, 8192});
    const auto plan = [&](Memory memory) { const Solver<T> solver(problem, with(memory)); };
    expect_error(ErrorCode::out_of_memory, {}, [&] { plan(Memory::standard); });  // wakes what it wakes
    const std::size_t before = free_device_memory();
    for (const Memory memory : memories) {
        const std::size_t bytes = Solver<T>::workspace_bytes(problem, with(memory));
        EXPECT_GT(bytes, std::size_t{8192} * 8192 * 8192 * sizeof(T));
        expect_error(ErrorCode::out_of_memory, {std::to_string(bytes), "free"}, [&] { plan(memory); });
        EXPECT_EQ(free_device_memory(), before) << name(memory);
    }
    // Without a field of its own there may be room for a plan: of mode low, then.
    EXPECT_GT(Solver<T>::workspace_bytes(problem, with(Memory::standard)),
              Solver<T>::workspace_bytes(problem, with(Memory::automatic)));
    EXPECT_EQ(free_device_memory(), before);
    // The device is as it was.
    const Problem next = make_problem({cell_dd, cell_p, cell_nn}, {8, 9, 10});
    const Field<T> u = solved(next, random_field<T>({8, 9, 10}));
    EXPECT_TRUE(std::isfinite(u.data()[0]));
}

TYPED_TEST(DeviceMemory, AutomaticTakesLessWhereThereIsLess) {
    using T = TypeParam;
    const Problem problem = make_problem({cell_dd, cell_p, cell_nn}, {64, 64, 64});
    EXPECT_EQ(Solver<T>(problem, with(Memory::automatic)).memory(), Memory::fast);
    // A problem whose two fields do not fit what is free, while one does: some 60 percent of it in one field.
    const double elements = 0.6 * static_cast<double>(free_device_memory()) / sizeof(T);
    const Index n = static_cast<Index>(std::cbrt(elements)) / 64 * 64;
    const Problem large = make_problem({cell_dd, cell_p, cell_nn}, {n, n, n});
    if (Solver<T>::workspace_bytes(large, with(Memory::standard)) > free_device_memory() / 100 * 98)
        GTEST_SKIP() << "no room for a plan of " << n << " cubed points in memory standard";
    EXPECT_EQ(Solver<T>(large, with(Memory::automatic)).memory(), Memory::standard) << n;
}

TYPED_TEST(DeviceMemory, NumbersOfDevicesThatAreNotThere) {
    using T = TypeParam;
    const Problem problem = make_problem({cell_dd, cell_p, cell_nn}, {8, 9, 10});
    const int count = static_cast<int>(find_devices().devices.size());
    for (const int number : {-1, count, 99}) {
        Options options = test_options();
        options.device = number;
        expect_error(ErrorCode::device, {}, [&] { const Solver<T> solver(problem, options); });
    }
    const Field<T> f = random_field<T>({8, 9, 10});  // and the next plan does not meet the error of the last
    EXPECT_TRUE(std::isfinite(solved(problem, f).data()[0]));
}

TEST(AutomaticEngine, TakesTheDeviceWhereThereIsOne) {
    const Problem problem = make_problem({cell_dd, cell_p, cell_nn}, {8, 9, 10});
    EXPECT_NE(Solver<double>(problem).engine(), Engine::host);
    EXPECT_EQ(Solver<double>(problem, test_options()).engine(), engine_under_test);
}

}  // namespace
}  // namespace poisson3d
