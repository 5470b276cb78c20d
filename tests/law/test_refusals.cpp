// What a solver does not accept, and that it says why; and what it reports of itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "expect_error.hpp"
#include "padded.hpp"
#include "poisson3d/threads.hpp"
#include "problems.hpp"
#include "test_solver.hpp"

namespace poisson3d {
namespace {

using namespace test;

constexpr Extents points{6, 7, 8};
/// Between rows, between planes, between both.
constexpr std::array<Strides, 3> gaps{{{63, 9, 1}, {57, 8, 1}, {72, 8, 1}}};

template <class T>
class Refusals : public testing::Test {
protected:
    Problem problem = make_problem({cell_dd, cell_p, node_nn}, points);
    Field<T> memory = random_field<T>({8, 9, 10});
};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(Refusals, Precisions);

TYPED_TEST(Refusals, OfViewsThatDoNotFit) {
    using T = TypeParam;
    TestSolver<T> solver(this->problem, test_options());
    T* const data = this->memory.data();
    const FieldView<T> good(data, points);
    struct Case {
        FieldView<T> view;
        std::vector<std::string> parts;
    };
    const std::vector<Case> cases{
        {{nullptr, points}, {"null"}},
        {{data, {7, 7, 8}}, {"7 x 7 x 8", "6 x 7 x 8"}},
        {{data, {6, 6, 8}}, {"6 x 6 x 8", "6 x 7 x 8"}},
        {{data, {8, 7, 6}}, {"8 x 7 x 6", "6 x 7 x 8"}},
        {{data, points, {56, 8, 2}}, {"strides 56 x 8 x 2"}},
        {{data, points, {56, 7, 1}}, {"strides 56 x 7 x 1"}},
        {{data, points, {55, 8, 1}}, {"strides 55 x 8 x 1"}},
        {{data, points, {56, 9, 1}}, {"strides 56 x 9 x 1"}},
        {{data, points, {56, -8, 1}}, {"strides 56 x -8 x 1"}},
        {{data, points, {8, 48, 1}}, {"strides 8 x 48 x 1"}},
    };
    const Field<T> before = random_field<T>({8, 9, 10});
    for (const Case& wrong : cases) {
        std::vector<std::string> parts = wrong.parts;
        parts.emplace_back("field f ");
        expect_error(ErrorCode::usage, parts, [&] { solver.solve(wrong.view, good); });
        expect_error(ErrorCode::usage, parts, [&] { solver.apply(wrong.view, good); });
        parts.back() = "field u ";
        expect_error(ErrorCode::usage, parts, [&] { solver.solve(good, wrong.view); });
        expect_error(ErrorCode::usage, parts, [&] { solver.apply(good, wrong.view); });
        EXPECT_EQ(different<T>(this->memory.view(), before.view()), 0) << "a refused call wrote";
    }
    solver.solve(good, good);  // and goes on as if nothing had happened
    EXPECT_EQ(different<T>(good, solved(this->problem, random_field<T>(points)).view()), 0);
}

TYPED_TEST(Refusals, OfGapsInUWhereItServesAsScratch) {
    using T = TypeParam;
    if (!on_device_under_test) GTEST_SKIP() << "the host works in u as it lies";
    Options options = test_options();
    options.memory = Memory::standard;
    TestSolver<T> solver(this->problem, options);
    T* const data = this->memory.data();
    const FieldView<T> dense(data, points);
    for (const Strides& strides : gaps) {
        const FieldView<T> pitched(data, points, strides);
        expect_error(ErrorCode::usage, {"standard", "dense", "fast"}, [&] { solver.solve(dense, pitched); });
        expect_error(ErrorCode::usage, {"standard", "dense", "fast"}, [&] { solver.apply(dense, pitched); });
        EXPECT_NO_THROW(solver.solve(pitched, dense));
    }
}

TYPED_TEST(Refusals, OfOverlapInPartWhereUIsWrittenBeforeFIsRead) {
    using T = TypeParam;
    if (!on_device_under_test) GTEST_SKIP() << "the host moves f first";
    Options options = test_options();
    options.memory = Memory::low;
    TestSolver<T> solver(this->problem, options);
    T* const data = this->memory.data();
    const FieldView<T> low(data, points), high(data + points[2], points);
    for (const auto& [f, u] : {std::pair{low, high}, {high, low}}) {
        expect_error(ErrorCode::usage, {"overlap", "same view", "low"}, [&] { solver.solve(f, u); });
        expect_error(ErrorCode::usage, {"overlap", "same view", "low"}, [&] { solver.apply(f, u); });
    }
    EXPECT_NO_THROW(solver.solve(low, low));
}

TYPED_TEST(Refusals, OfGapsInUAreNoneOfTheHost) {
    using T = TypeParam;
    if (on_device_under_test) GTEST_SKIP() << "modes standard and low want a dense u";
    const Field<T> f = random_field<T>(points, 3);
    for (const Memory mode : all_memories)
        for (const Strides& strides : gaps) {
            Options options = test_options();
            options.memory = mode;
            TestSolver<T> solver(this->problem, options);
            Field<T> dense(points);
            Field<T> around = random_field<T>({8, 9, 10});
            Field<T> expected = random_field<T>({8, 9, 10});
            const FieldView<T> u(around.data(), points, strides);
            const auto expect_same = [&] {
                for (Index i = 0; i < points[0]; ++i)
                    for (Index j = 0; j < points[1]; ++j)
                        std::copy_n(&dense.view()(i, j, 0), points[2],
                                    expected.data() + i * strides[0] + j * strides[1]);
                EXPECT_EQ(different<T>(around.view(), expected.view()), 0) << name(mode);
            };
            solver.solve(f.view(), dense.view());
            solver.solve(f.view(), u);
            expect_same();
            solver.apply(f.view(), dense.view());
            solver.apply(f.view(), u);
            expect_same();
        }
}

// Rows of f that lie wider than those of u within planes and closer between them move both ways at once.
TYPED_TEST(Refusals, OfLayoutsThatOverlapAndCannotBeMovedIntoEachOther) {
    using T = TypeParam;
    if (on_device_under_test) GTEST_SKIP() << "u is dense there";
    T* const data = this->memory.data();
    const Field<T> before = random_field<T>({8, 9, 10});
    const FieldView<T> high(data, points, {80, 8, 1});
    const FieldView<T> wide(data + 3, points, {81, 10, 1});
    for (const Memory mode : all_memories) {
        Options options = test_options();
        options.memory = mode;
        TestSolver<T> solver(this->problem, options);
        for (const auto& [f, u] : {std::pair{wide, high}, {high, wide}}) {
            expect_error(ErrorCode::usage, {"overlap", "one layout"}, [&] { solver.solve(f, u); });
            expect_error(ErrorCode::usage, {"overlap", "one layout"}, [&] { solver.apply(f, u); });
        }
    }
    EXPECT_EQ(different<T>(this->memory.view(), before.view()), 0) << "a refused call wrote";
}

TYPED_TEST(Refusals, OfEnginesThatAreNotThereWithTheReason) {
    for (const Engine engine : {Engine::cufft, Engine::fused}) {
        const std::string reason = engine_unavailable(engine);
        if (reason.empty()) continue;  // it is there
        Options options = test_options();
        options.engine = engine;
        try {
            const TestSolver<TypeParam> solver(this->problem, options);
            ADD_FAILURE() << name(engine) << " is unavailable (" << reason << ") and was planned";
        } catch (const Error& error) {
            EXPECT_TRUE(error.code() == ErrorCode::unsupported || error.code() == ErrorCode::device);
            EXPECT_NE(std::string(error.what()).find(reason), std::string::npos) << error.what();
            EXPECT_NE(std::string(error.what()).find(name(engine)), std::string::npos) << error.what();
        }
        EXPECT_THROW((void)TestSolver<TypeParam>::workspace_bytes(this->problem, options), Error);
    }
    EXPECT_EQ(engine_unavailable(Engine::host), "");
    EXPECT_EQ(engine_unavailable(Engine::automatic), "");
}

TYPED_TEST(Refusals, OfProblemsThatMakeNoSense) {
    using T = TypeParam;
    Problem wrong = this->problem;
    wrong.grid.axes[1].points = 0;
    expect_error(ErrorCode::data, {"axis y"}, [&] { TestSolver<T>(wrong, test_options()); });
    wrong = this->problem;
    for (int a = 0; a < 3; ++a)
        for (const Index index : {Index{-1}, points[a]}) {
            wrong.gauge.point = {0, 0, 0};
            (*wrong.gauge.point)[a] = index;
            const std::string axis = std::string("axis ") + wrong.grid.labels[a];
            expect_error(ErrorCode::usage, {axis, std::to_string(index), std::to_string(points[a] - 1)},
                         [&] { TestSolver<T>(wrong, test_options()); });
        }
    wrong = this->problem;
    for (Axis& axis : wrong.grid.axes) axis.spacing = sizeof(T) == 4 ? 1e-19 : 2e-154;
    expect_error(ErrorCode::data, {sizeof(T) == 4 ? "single" : "double", "units"},
                 [&] { TestSolver<T>(wrong, test_options()); });
    for (Axis& axis : wrong.grid.axes) axis.spacing = sizeof(T) == 4 ? 1e19 : 1e154;
    expect_error(ErrorCode::data, {sizeof(T) == 4 ? "single" : "double", "units"},
                 [&] { TestSolver<T>(wrong, test_options()); });
}

TYPED_TEST(Refusals, NegativeThreadsAndAConstantThatVanishes) {
    using T = TypeParam;
    Options options = test_options();
    options.threads = -1;
    expect_error(ErrorCode::usage, {"-1 threads"}, [&] { TestSolver<T>(this->problem, options); });
    expect_error(ErrorCode::usage, {"-1 threads"}, [&] { TestSolver<T>::workspace_bytes(this->problem, options); });
    options.threads = std::numeric_limits<int>::max();
    expect_error(ErrorCode::usage, {"2147483647 threads", "65536"}, [&] { TestSolver<T>(this->problem, options); });
    if (sizeof(T) != 4) return;
    Problem tiny = this->problem;
    tiny.helmholtz = 1e-46;  // not 0, but 0 in single precision
    expect_error(ErrorCode::data, {"1e-46", "single"}, [&] { TestSolver<T>(tiny, test_options()); });
}

TYPED_TEST(Refusals, LeaveWhatASolverSaysOfItself) {
    using T = TypeParam;
    Options options = test_options();
    options.memory = Memory::standard;
    options.threads = 3;
    TestSolver<T> solver(this->problem, options);
    EXPECT_EQ(solver.engine(), engine_under_test);
    EXPECT_EQ(solver.memory(), Memory::standard);
    for (const char* word : {name(engine_under_test), "standard memory"})
        EXPECT_NE(solver.description().find(word), std::string::npos) << solver.description();
    EXPECT_FALSE(solver.result().singular);
    EXPECT_EQ(solver.result().mean_removed, 0.0);

    const bool rotated = engine_under_test == Engine::cufft;
    const std::array<std::string, 5> wanted{"1 z forward", rotated ? "2 x forward" : "2 y forward",
                                            rotated ? "3 y both ways" : "3 x both ways",
                                            rotated ? "4 x backward" : "4 y backward", "5 z backward"};
    ASSERT_EQ(solver.passes().size(), wanted.size());
    for (std::size_t p = 0; p < wanted.size(); ++p) {
        EXPECT_EQ(solver.passes()[p].name, wanted[p]);
        EXPECT_EQ(solver.passes()[p].seconds, 0.0);
        // The host's passes cross memory once, the device's more often.
        const double once = 2.0 * sizeof(T) * static_cast<double>(this->problem.grid.size());
        if (on_device_under_test)
            EXPECT_GE(solver.passes()[p].bytes, once);
        else
            EXPECT_EQ(solver.passes()[p].bytes, once);
    }
    const FieldView<T> field(this->memory.data(), points);
    solver.solve(field, field);
    (void)solver.result();  // on a device there are no times before it
    for (const PassReport& pass : solver.passes()) EXPECT_GT(pass.seconds, 0.0) << pass.name;
}

// Two passes go through a plane together where every thread has enough of them.
TYPED_TEST(Refusals, LeaveTheHostItsSweeps) {
    using T = TypeParam;
    if (on_device_under_test) GTEST_SKIP() << "a device does one pass after the other";
    const auto names = [](const Extents& box, int threads) {
        Options options = test_options();
        options.threads = threads;
        options.middle = Middle::transform;
        const TestSolver<T> solver(make_problem({cell_dd, cell_p, node_nn}, box), options);
        const double once = 2.0 * sizeof(T) * static_cast<double>(box[0] * box[1] * box[2]);
        std::string all;
        for (const PassReport& sweep : solver.passes()) {
            EXPECT_EQ(sweep.bytes, once) << sweep.name;
            all += sweep.name + ", ";
        }
        return all;
    };
    const std::string three = "1 z y forward, 2 x both ways, 3 y z backward, ";
    const std::string five = "1 z forward, 2 y forward, 3 x both ways, 4 y backward, 5 z backward, ";
    EXPECT_EQ(names({5, 7, 8}, 1), three);
    EXPECT_EQ(names({23, 7, 32}, 3), five);
    EXPECT_EQ(names({24, 7, 32}, 3), three);
    EXPECT_EQ(names({24, 7, 3}, 3), five) << "thin in z";
}

TYPED_TEST(Refusals, LeaveTheHostItsThreads) {
    using T = TypeParam;
    if (on_device_under_test) GTEST_SKIP() << "a device engine has no threads of its own";
    Options options = test_options();
    options.threads = 3;
    const TestSolver<T> solver(this->problem, options);
    EXPECT_EQ(solver.threads(), 3);
    EXPECT_NE(solver.description().find("3 threads"), std::string::npos) << solver.description();
    options.threads = 0;
    EXPECT_EQ(TestSolver<T>(this->problem, options).threads(), available_threads());
    options.threads = 1;
    EXPECT_NE(TestSolver<T>(this->problem, options).description().find("1 thread,"), std::string::npos);
}

}  // namespace
}  // namespace poisson3d
