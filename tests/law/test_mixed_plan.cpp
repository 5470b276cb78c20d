// A plan in mixed precision: its memory, what it says of itself, what it refuses.
#include <gtest/gtest.h>

#include "axis_rules.hpp"
#include "expect_error.hpp"
#include "guarded_workspace.hpp"
#include "padded.hpp"
#include "test_mixed_solver.hpp"

namespace poisson3d {
namespace {

using namespace test;

constexpr Extents points{6, 7, 8};

class MixedPlan : public testing::Test {
protected:
    Problem problem = make_problem({cell_dd, cell_p, node_nn}, points);
    Field<double> memory = random_field<double>({20, 9, 10});
};

TEST_F(MixedPlan, HoldsTheBytesThatWereTold) {
    for (int number = 0; number < combinations; number += 43)
        for (const Memory mode : all_memories) {
            const Problem one = make_problem(combination(number), {9, 18, 13});
            Options options = test_options();
            options.memory = mode;
            options.threads = 1 + number % 3;
            const std::size_t bytes = MixedSolver::workspace_bytes(one, options);
            EXPECT_EQ(TestMixedSolver(one, options)->workspace(), bytes) << describe(one);
            // The plan in float, the field in float, and next to nothing.
            const std::size_t least = Solver<float>::workspace_bytes(one, options) + 9 * 18 * 13 * sizeof(float);
            EXPECT_GE(bytes, least);
            EXPECT_LE(bytes, least + 4096);
        }
}

TEST_F(MixedPlan, MemoryMayBeBroughtAndNothingBesideItIsTouched) {
    for (int number = 0; number < combinations; number += 87)
        for (const Memory mode : all_memories) {
            Problem one = make_problem(combination(number), {9, 18, 13});
            Options options = test_options();
            options.memory = mode;
            options.threads = 1 + number % 3;
            const Field<double> f = random_field<double>(one.grid.points());
            const Field<double> expected = mixed(one, f, nullptr, std::nullopt, {}, 1.0, options);
            GuardedWorkspace brought(MixedSolver::workspace_bytes(one, options));
            options.workspace = brought.inside();
            {
                TestMixedSolver solver(one, options);
                Field<double> u = filled_field<double>(one.grid.points());
                for (int again = 0; again < 2; ++again) {
                    solver.solve(f.view(), u.view());
                    EXPECT_EQ(different<double>(u.view(), read(expected)), 0) << describe(one);
                }
                EXPECT_EQ(solver->workspace(), brought.inside().size());
            }
            EXPECT_EQ(brought.damage(), 0U) << describe(one) << ", " << name(mode);
        }
}

TEST_F(MixedPlan, MemoryThatIsTooSmallOrCrookedIsRefused) {
    Options options = test_options();
    options.memory = Memory::fast;
    const std::size_t bytes = MixedSolver::workspace_bytes(problem, options);
    GuardedWorkspace brought(bytes);
    for (const std::size_t less : {bytes - 1, bytes / 2, std::size_t{1}}) {
        options.workspace = brought.inside().first(less);
        expect_error(ErrorCode::usage, {std::to_string(less) + " bytes", std::to_string(bytes)},
                     [&] { TestMixedSolver(problem, options); });
    }
    options.workspace = brought.inside(8);
    expect_error(ErrorCode::usage, {"aligned to " + std::to_string(workspace_alignment)},
                 [&] { TestMixedSolver(problem, options); });
    EXPECT_TRUE(brought.untouched()) << "a refused workspace was written";
}

TEST_F(MixedPlan, AutomaticMemoryIsFastOnTheHost) {
    if (on_device_under_test) GTEST_SKIP() << "it is the fastest that fits";
    Options options = test_options();
    options.threads = 2;
    options.memory = Memory::fast;
    const std::size_t fast = MixedSolver::workspace_bytes(problem, options);
    options.memory = Memory::automatic;
    EXPECT_EQ(TestMixedSolver(problem, options)->memory(), Memory::fast);
    EXPECT_EQ(MixedSolver::workspace_bytes(problem, options), fast);
    const GuardedWorkspace brought(fast);
    options.workspace = brought.inside();
    EXPECT_EQ(TestMixedSolver(problem, options)->memory(), Memory::fast);
    options.workspace = brought.inside().first(fast - 1);
    expect_error(ErrorCode::usage, {std::to_string(fast)}, [&] { TestMixedSolver(problem, options); });
}

TEST_F(MixedPlan, AutomaticMemoryIsTheFastestThatFitsIt) {
    if (!on_device_under_test) GTEST_SKIP() << "no mode has a field of its own";
    // Of a tiny box the tables of mode standard may be more than a field.
    problem = make_problem({cell_dd, cell_p, cell_nn}, {48, 60, 50});
    Options options = test_options();
    options.threads = 2;
    options.memory = Memory::standard;
    const std::size_t standard = MixedSolver::workspace_bytes(problem, options);
    options.memory = Memory::fast;
    const std::size_t fast = MixedSolver::workspace_bytes(problem, options);
    ASSERT_LT(standard, fast);
    options.memory = Memory::automatic;
    GuardedWorkspace brought(fast);
    options.workspace = brought.inside();
    EXPECT_EQ(TestMixedSolver(problem, options)->memory(), Memory::fast);
    options.workspace = brought.inside().first(fast - 1);
    EXPECT_EQ(TestMixedSolver(problem, options)->memory(), Memory::standard);
    EXPECT_EQ(MixedSolver::workspace_bytes(problem, options), standard);
    Options lowest = test_options();
    lowest.threads = 2;
    lowest.memory = Memory::low;
    if (MixedSolver::workspace_bytes(problem, lowest) < standard) {  // on a device not of so small a box
        options.workspace = brought.inside().first(standard - 1);
        EXPECT_EQ(TestMixedSolver(problem, options)->memory(), Memory::low);
    }
    options.workspace = {};
    EXPECT_EQ(TestMixedSolver(problem, options)->memory(), Memory::fast);
}

TEST_F(MixedPlan, SaysWhatItIs) {
    Options options = test_options();
    options.memory = Memory::standard;
    options.threads = 2;  // of the host: too many for a plane each of so few, so five sweeps
    TestMixedSolver solver(problem, options, 1);
    EXPECT_EQ(solver->engine(), engine_under_test);
    EXPECT_EQ(solver->refinements(), 1);
    for (const char* word : {name(engine_under_test), "standard memory, 1 refinement"})
        EXPECT_NE(solver->description().find(word), std::string::npos) << solver->description();
    EXPECT_NE(TestMixedSolver(problem)->description().find("2 refinements"), std::string::npos);
    EXPECT_EQ(solver->result().mean_removed, 0.0);
    EXPECT_FALSE(solver->result().singular);
    ASSERT_EQ(solver->passes().size(), 5U);
    const Field<double> f = random_field<double>(points);
    Field<double> u(points);
    solver.solve(f.view(), u.view());
    (void)solver->result();
    for (const PassReport& pass : solver->passes()) EXPECT_GT(pass.seconds, 0.0) << pass.name;
    // The engine is chosen as Solver chooses it.
    options.engine = Engine::automatic;
    EXPECT_EQ(MixedSolver(problem, options).engine(), automatic_engine());
}

TEST_F(MixedPlan, RefusesWhatItCannotDo) {
    Problem spectral = problem;
    spectral.discretization = Discretization::spectral;
    expect_error(ErrorCode::unsupported, {"spectral", "double"}, [&] { TestMixedSolver{spectral}; });
    expect_error(ErrorCode::unsupported, {"spectral"},
                 [&] { MixedSolver::workspace_bytes(spectral, test_options()); });
    for (const int wrong : {-1, 9})
        expect_error(ErrorCode::usage, {std::to_string(wrong) + " refinements", "0 to 8"},
                     [&] { TestMixedSolver(problem, test_options(), wrong); });
    Options options = test_options();
    options.threads = -1;
    expect_error(ErrorCode::usage, {"-1 threads"}, [&] { TestMixedSolver(problem, options); });
    if (const std::string reason = engine_unavailable(Engine::fused); !reason.empty()) {
        options = test_options();
        options.engine = Engine::fused;
        // Not built, or built and without a device.
        const bool built = cuda_build().rfind("built with CUDA", 0) == 0;
        const ErrorCode code = built ? ErrorCode::device : ErrorCode::unsupported;
        expect_error(code, {"fused", reason}, [&] { TestMixedSolver(problem, options); });
    }
    Problem far = problem;
    for (Axis& axis : far.grid.axes) axis.spacing = 1e19;
    expect_error(ErrorCode::data, {"single", "units"}, [&] { TestMixedSolver{far}; });
    Problem empty = problem;
    empty.grid.axes[1].points = 0;
    expect_error(ErrorCode::data, {"axis y"}, [&] { TestMixedSolver{empty}; });
}

TEST_F(MixedPlan, RefusesEigenvaluesThatSingleCannotTellFromZero) {
    Problem resonant = make_problem({cell_p, node_nn, cell_dd}, {16, 17, 18});
    const double eigenvalue =
        static_cast<double>(mode_eigenvalue(resonant.grid.axes[0], resonant.discretization, 2) +
                            mode_eigenvalue(resonant.grid.axes[1], resonant.discretization, 1) +
                            mode_eigenvalue(resonant.grid.axes[2], resonant.discretization, 0));
    resonant.helmholtz = eigenvalue;
    expect_error(ErrorCode::resonant, {"mode"}, [&] { TestMixedSolver{resonant}; });
    resonant.helmholtz = eigenvalue * (1 + 3e-6);  // told apart, but with two digits left
    expect_error(ErrorCode::unsupported, {"converge", "double"}, [&] { TestMixedSolver{resonant}; });
    expect_error(ErrorCode::unsupported, {"converge"}, [&] { TestMixedSolver(resonant, test_options(), 2); });
    resonant.helmholtz = eigenvalue * (1 + 3e-4);
    EXPECT_GT(
        TestMixedSolver { resonant } -> refinements(), 2);
}

TEST_F(MixedPlan, RefusesViewsThatDoNotFitOrMeet) {
    TestMixedSolver solver(problem);
    double* const data = memory.data();
    const FieldView<double> low(data, points);
    const FieldView<double> high(data + 6 * 7 * 8, points);
    const Field<double> before = random_field<double>({20, 9, 10});
    expect_error(ErrorCode::usage, {"field f", "null"}, [&] { solver.solve({nullptr, points}, low); });
    expect_error(ErrorCode::usage, {"field u", "null"}, [&] { solver.solve(low, {nullptr, points}); });
    expect_error(ErrorCode::usage, {"field u", "6 x 6 x 8"}, [&] { solver.solve(high, {data, {6, 6, 8}}); });
    expect_error(ErrorCode::usage, {"field f", "strides 56 x 7 x 1"}, [&] {
        solver.solve({data, points, {56, 7, 1}}, high);
    });
    expect_error(ErrorCode::usage, {"overlap in memory"}, [&] { solver.solve(low, low); });
    for (const Index shift : {Index{1}, Index{6 * 7 * 8 - 1}}) {
        const FieldView<double> near(data + shift, points);
        expect_error(ErrorCode::usage, {"overlap in memory"}, [&] { solver.solve(low, near); });
        expect_error(ErrorCode::usage, {"overlap in memory"}, [&] { solver.solve(near, low); });
    }
    BoundaryData<double> boundary;
    boundary.faces[1][0].constant = 1.0;
    expect_error(ErrorCode::usage, {"y_lower", "periodic"}, [&] { solver.solve(low, high, boundary); });
    EXPECT_EQ(different<double>(memory.view(), before.view()), 0) << "a refused call wrote";

    const Field<double> f = random_field<double>(points);
    solver.solve(low, high);  // side by side is apart; and goes on as if nothing had happened
    EXPECT_EQ(different<double>(read(mixed(problem, f)), high), 0);
}

TEST_F(MixedPlan, WantsFieldsWhereItsEngineWorks) {
    if (!on_device_under_test) GTEST_SKIP() << "a host has one memory only";
    MixedSolver solver(problem, test_options());
    const Field<double> f = random_field<double>(points);
    Field<double> u(points);
    expect_error(ErrorCode::usage, {"host memory"}, [&] { solver.solve(f.view(), u.view()); });
    const DeviceBuffer device(static_cast<std::size_t>(f.size()) * sizeof(double));
    const FieldView<double> there(static_cast<double*>(device.data()), points);
    expect_error(ErrorCode::usage, {"field u", "host memory"}, [&] { solver.solve(there, u.view()); });
    expect_error(ErrorCode::usage, {"field f", "host memory"}, [&] { solver.solve(f.view(), there); });
}

}  // namespace
}  // namespace poisson3d
