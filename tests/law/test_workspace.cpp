// The memory of a plan: as many bytes as told, in the caller's block if there is one, and not one byte beside it.
#include <gtest/gtest.h>

#include <vector>

#include "padded.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/memory.hpp"
#include "problems.hpp"

namespace poisson3d {
namespace {

using namespace test;

template <class T>
class Workspace : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(Workspace, Precisions);

/// Bytes with a guard zone of a known pattern below and above; the pattern is also what the workspace starts with.
class Guarded {
public:
    explicit Guarded(std::size_t bytes) : bytes_(bytes), memory_(bytes + 2 * guard) {
        for (std::size_t i = 0; i < memory_.size(); ++i) data()[i] = pattern(i);
    }
    [[nodiscard]] std::span<std::byte> inside(std::size_t offset = 0) { return {data() + guard + offset, bytes_}; }
    [[nodiscard]] std::size_t damage() {
        std::size_t count = 0;
        for (std::size_t i = 0; i < memory_.size(); ++i)
            if ((i < guard || i >= guard + bytes_) && data()[i] != pattern(i)) ++count;
        return count;
    }

private:
    static constexpr std::size_t guard = 4096;  // a multiple of the alignment
    static std::byte pattern(std::size_t i) { return static_cast<std::byte>(0xff ^ (hash(i) & 0x0f)); }
    std::byte* data() { return static_cast<std::byte*>(memory_.data()); }

    std::size_t bytes_;
    HostBuffer memory_;
};

template <class Body>
void for_each_case(Body body) {
    for (int number = 0; number < combinations; number += 43)
        for (const Memory memory : {Memory::fast, Memory::standard}) {
            Problem problem = make_problem(combination(number), {9, 18, 13}, discretizations[number % 2]);
            if (number % 2 == 0) problem.gauge.point = {3, 17, 5};
            Options options = host_options();
            options.memory = memory;
            options.threads = 1 + number % 3;
            body(problem, options);
        }
}

template <class Call>
void expect_error(ErrorCode code, const std::string& part, Call call) {
    try {
        call();
        ADD_FAILURE() << "no error, wanted " << name(code) << " with '" << part << "'";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), code) << error.what();
        EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
}

TYPED_TEST(Workspace, HoldsTheBytesThatWereTold) {
    for_each_case([](const Problem& problem, const Options& options) {
        const std::size_t bytes = Solver<TypeParam>::workspace_bytes(problem, options);
        EXPECT_EQ(Solver<TypeParam>(problem, options).workspace(), bytes) << describe(problem);
        EXPECT_EQ(bytes % HostBuffer::alignment, 0U);
    });
}

TYPED_TEST(Workspace, StandardNeedsAFieldLessThanFast) {
    const Problem problem = make_problem({cell_dd, cell_p, node_nn}, {40, 30, 50});
    Options options = host_options();
    options.memory = Memory::fast;
    const std::size_t fast = Solver<TypeParam>::workspace_bytes(problem, options);
    options.memory = Memory::standard;
    const std::size_t standard = Solver<TypeParam>::workspace_bytes(problem, options);
    const auto field = static_cast<std::size_t>(problem.grid.size()) * sizeof(TypeParam);
    EXPECT_GE(fast, standard + field);
    EXPECT_GE(standard, field);
}

TYPED_TEST(Workspace, MayBeBroughtAndNothingBesideItIsTouched) {
    using T = TypeParam;
    for_each_case([](const Problem& problem, Options options) {
        const Field<T> f = random_field<T>(problem.grid.points());
        const Field<T> expected = solved(problem, f, nullptr, T(1), options);
        Guarded memory(Solver<T>::workspace_bytes(problem, options));
        options.workspace = memory.inside();
        {
            Solver<T> solver(problem, options);
            Field<T> u = filled_field<T>(problem.grid.points());
            for (int again = 0; again < 2; ++again) {
                solver.solve(f.view(), u.view());
                EXPECT_EQ(different<T>(u.view(), read(expected)), 0) << describe(problem);
            }
            EXPECT_EQ(solver.workspace(), memory.inside().size());
        }
        EXPECT_EQ(memory.damage(), 0U) << describe(problem) << ", " << name(options.memory);
    });
}

TYPED_TEST(Workspace, ThatIsTooSmallOrCrookedIsRefused) {
    using T = TypeParam;
    for_each_case([](const Problem& problem, Options options) {
        const std::size_t bytes = Solver<T>::workspace_bytes(problem, options);
        Guarded memory(bytes);
        options.workspace = memory.inside().first(bytes - 1);
        expect_error(ErrorCode::usage, std::to_string(bytes), [&] { Solver<T>(problem, options); });
        options.workspace = memory.inside().first(1);
        expect_error(ErrorCode::usage, std::to_string(bytes), [&] { Solver<T>(problem, options); });
        for (const std::size_t offset : {1, 8, 32, 63}) {
            options.workspace = memory.inside(offset);
            expect_error(ErrorCode::usage, "aligned to 64", [&] { Solver<T>(problem, options); });
        }
        EXPECT_EQ(memory.damage(), 0U);
    });
}

TYPED_TEST(Workspace, AutomaticMemoryIsTheFastestThatFitsIt) {
    using T = TypeParam;
    const Problem problem = make_problem({cell_dd, cell_p, node_nn}, {40, 30, 50});
    Options options = host_options();
    options.threads = 2;
    options.memory = Memory::standard;
    const std::size_t standard = Solver<T>::workspace_bytes(problem, options);
    options.memory = Memory::fast;
    const std::size_t fast = Solver<T>::workspace_bytes(problem, options);
    options.memory = Memory::automatic;
    Guarded memory(fast);
    options.workspace = memory.inside();
    EXPECT_EQ(Solver<T>(problem, options).memory(), Memory::fast);
    EXPECT_EQ(Solver<T>::workspace_bytes(problem, options), fast);
    options.workspace = memory.inside().first(fast - 1);
    EXPECT_EQ(Solver<T>(problem, options).memory(), Memory::standard);
    options.workspace = memory.inside().first(standard);
    EXPECT_EQ(Solver<T>(problem, options).memory(), Memory::standard);
    EXPECT_EQ(Solver<T>::workspace_bytes(problem, options), standard);
}

}  // namespace
}  // namespace poisson3d
