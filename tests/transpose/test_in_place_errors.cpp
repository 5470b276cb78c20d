// What a transpose in place refuses, and that it says what was found.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "count_allocations.hpp"
#include "expect_error.hpp"
#include "in_place_exactness.hpp"
#include "poisson3d/device.hpp"

namespace poisson3d {
namespace {

using test::expect_error;
using test::in_place_problem;

InPlaceProblem good() {
    return in_place_problem({4, 5, 6}, rotation, 8, 2, 3);
}

/// `good()` with one thing changed.
template <class Change>
void refuse(const std::string& part, Change change) {
    InPlaceProblem problem = good();
    change(problem);
    expect_error(ErrorCode::usage, {"in place", part}, [&] { TransposeInPlace plan(problem); });
}

TEST(InPlaceRefused, NothingOfAGoodProblem) {
    EXPECT_NO_THROW(TransposeInPlace plan(good()));
}

TEST(InPlaceRefused, SizesThatMakeNoSense) {
    refuse("extents (4, 0, 6)", [](auto& p) { p.extents[1] = 0; });
    refuse("extents (-1, 5, 6)", [](auto& p) { p.extents[0] = -1; });
    refuse("batch of 0", [](auto& p) { p.batch = 0; });
    refuse("batch stride of 119", [](auto& p) { p.batch_stride = 119; });
    refuse("batch stride of -200", [](auto& p) { p.batch_stride = -200; });
    for (const int bytes : {0, 1, 2, 3, 12, 32, -8})
        refuse(std::to_string(bytes) + " bytes", [&](auto& p) { p.element_bytes = bytes; });
    const Index large = Index{1} << 21;
    refuse("2^62", [&](auto& p) { p.extents = {large, large, large}, p.batch = 1; });
    refuse("2^62", [&](auto& p) { p.extents = {large * large, large * large, 1}, p.batch = 1; });
    refuse("2^62", [&](auto& p) { p.batch = large, p.batch_stride = large * large; });
}

TEST(InPlaceRefused, PermutationsThatAreNone) {
    const auto refuse_order = [](const Permutation& permutation) {
        InPlaceProblem problem = good();
        problem.permutation = permutation;
        expect_error(ErrorCode::usage, {"permutation"}, [&] { TransposeInPlace plan(problem); });
    };
    refuse_order({0, 1, 1});
    refuse_order({1, 2, 3});
}

TEST(InPlaceRefused, OptionsThatMakeNoSense) {
    const auto refuse_options = [](ErrorCode code, const std::string& part, const InPlaceOptions& options) {
        expect_error(code, {"in place", part}, [&] { TransposeInPlace plan(good(), options); });
    };
    refuse_options(ErrorCode::usage, "v1bf", {.order = BlockOrder::v1bf});
    refuse_options(ErrorCode::usage, "row-major", {.order = BlockOrder::row_major});
    refuse_options(ErrorCode::usage, "band of -1", {.band = -1});
    refuse_options(ErrorCode::usage, "-2 threads", {.threads = -2});
    refuse_options(ErrorCode::usage, "-1 bytes of scratch memory", {.scratch_bytes = -1});
}

TEST(InPlaceRefused, AlgorithmsThatDoNotFit) {
    const auto fits = [](const Extents& extents, const Permutation& permutation, InPlaceAlgorithm algorithm) {
        InPlaceOptions options;
        options.algorithm = algorithm;
        try {
            const TransposeInPlace plan(in_place_problem(extents, permutation, 8), options);
            EXPECT_EQ(plan.algorithm(), algorithm);
            return true;
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::unsupported) << error.what();
            EXPECT_NE(std::string(error.what()).find(name(algorithm)), std::string::npos) << error.what();
            return false;
        }
    };
    using enum InPlaceAlgorithm;
    constexpr Permutation swap_yz{0, 2, 1};
    for (const InPlaceAlgorithm algorithm : {thread_wise, exchange, super_grid}) {
        EXPECT_TRUE(fits({3, 4, 4}, swap_yz, algorithm));
        EXPECT_FALSE(fits({4, 4, 3}, swap_yz, algorithm));
        EXPECT_FALSE(fits({4, 4, 4}, rotation, algorithm));
        EXPECT_FALSE(fits({5, 4, 4}, {2, 1, 0}, algorithm)) << "half of it is a rectangle";
    }
    EXPECT_TRUE(fits({4, 4, 4}, rotation, cube));
    EXPECT_FALSE(fits({4, 4, 4}, swap_yz, cube));
    EXPECT_FALSE(fits({4, 4, 5}, rotation, cube));
    for (const Permutation& permutation : test::all_permutations)
        for (const InPlaceAlgorithm algorithm : {rectangle, cycles}) {
            EXPECT_TRUE(fits({4, 5, 6}, permutation, algorithm));
            EXPECT_TRUE(fits({4, 4, 4}, permutation, algorithm));
        }
}

TEST(InPlaceRefused, PointersThatMakeNoSense) {
    std::vector<double> memory(243);
    const TransposeInPlace plan(good());
    expect_error(ErrorCode::usage, {"null"}, [&] { plan.execute(nullptr); });
    expect_error(ErrorCode::usage, {"aligned", "8 bytes"},
                 [&] { plan.execute(reinterpret_cast<char*>(memory.data()) + 4); });
}

TEST(InPlaceRefused, ADeviceThatIsNotThere) {
    if (!find_devices().devices.empty()) GTEST_SKIP() << "there is a device";
    for (const Permutation& permutation : test::all_permutations) try {
            TransposeInPlace plan(in_place_problem({4, 4, 4}, permutation, 8), {.backend = Backend::cuda});
            FAIL() << "accepted";
        } catch (const Error& error) {
            EXPECT_TRUE(error.code() == ErrorCode::unsupported || error.code() == ErrorCode::device);
            EXPECT_NE(std::string(error.what()).find(find_devices().reason), std::string::npos) << error.what();
        }
}

TEST(InPlaceRefused, CyclesOnADevice) {
    if (find_devices().devices.empty()) GTEST_SKIP() << find_devices().reason;
    expect_error(ErrorCode::unsupported, {"cycles", "host"}, [] {
        TransposeInPlace plan(good(), {.backend = Backend::cuda, .algorithm = InPlaceAlgorithm::cycles});
    });
}

TEST(InPlaceAlgorithmNames, AreReadBack) {
    for (int value = 0; value <= static_cast<int>(InPlaceAlgorithm::cycles); ++value) {
        const auto algorithm = static_cast<InPlaceAlgorithm>(value);
        EXPECT_EQ(parse_in_place_algorithm(name(algorithm)), algorithm);
    }
    EXPECT_STREQ(name(InPlaceAlgorithm::thread_wise), "thread-wise");
    expect_error(ErrorCode::usage, {"super-grid", "'fast'"}, [] { parse_in_place_algorithm("fast"); });
}

TEST(InPlacePlan, OwnsWhatItUses) {
    const Index n = 48;
    std::vector<double> memory(static_cast<std::size_t>(n * n * n));
    for (const Permutation& permutation : test::all_permutations)
        for (const InPlaceAlgorithm algorithm : {InPlaceAlgorithm::automatic, InPlaceAlgorithm::cycles}) {
            const TransposeInPlace plan(in_place_problem({n, n, n}, permutation, 8),
                                        {.algorithm = algorithm, .threads = 2});
            EXPECT_LE(plan.scratch_bytes(), std::size_t{64} << 20);
            EXPECT_EQ(plan.scratch_bytes() == 0, permutation == identity_order);
            EXPECT_EQ(plan.description() == "nothing to move", permutation == identity_order);
            const long before = test::new_calls + test::malloc_calls;
            plan.execute(memory.data());
            EXPECT_EQ(test::new_calls + test::malloc_calls, before) << plan.description();
        }
}

}  // namespace
}  // namespace poisson3d
