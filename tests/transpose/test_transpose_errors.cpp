// What a transpose refuses, and that it says what was found.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "out_of_place/movement.hpp"
#include "poisson3d/device.hpp"
#include "poisson3d/error.hpp"
#include "reference.hpp"

namespace poisson3d {
namespace {

using test::problem_of;

void expect_refused(const std::function<void()>& call, ErrorCode code, const std::string& word) {
    try {
        call();
        FAIL() << "accepted, wanted a refusal that says " << word;
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), code) << error.what();
        EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
}

void expect_refused(const TransposeProblem& problem, const std::string& word) {
    expect_refused([&] { Transpose plan(problem); }, ErrorCode::usage, word);
}

TransposeProblem good() {
    return problem_of({4, 5, 6}, rotation, 8, 2);
}

/// `good()` with one thing changed.
template <class Change>
TransposeProblem with(Change change) {
    TransposeProblem problem = good();
    change(problem);
    return problem;
}

TEST(Refused, NothingOfAGoodProblem) {
    EXPECT_NO_THROW(Transpose plan(good()));
    EXPECT_NO_THROW(Transpose plan(with([](auto& p) { p.in = {200, 7, 1}, p.in_batch = 1000; })));
}

TEST(Refused, SizesThatMakeNoSense) {
    expect_refused(with([](auto& p) { p.extents[1] = 0; }), "extents (4, 0, 6)");
    expect_refused(with([](auto& p) { p.extents[0] = -1; }), "extents (-1, 5, 6)");
    expect_refused(with([](auto& p) { p.batch = 0; }), "batch of 0");
    for (const int bytes : {0, 3, 5, 12, 32, -8})
        expect_refused(with([&](auto& p) { p.element_bytes = bytes; }), std::to_string(bytes) + " bytes");
}

TEST(Refused, PermutationsThatAreNone) {
    expect_refused(with([](auto& p) { p.permutation = {0, 1, 1}; }), "permutation (0, 1, 1)");
    expect_refused(with([](auto& p) { p.permutation = {1, 2, 3}; }), "permutation (1, 2, 3)");
    expect_refused(with([](auto& p) { p.permutation = {-1, 0, 1}; }), "permutation");
}

TEST(Refused, StridesThatMakeNoSense) {
    expect_refused(with([](auto& p) { p.in[2] = 2; }), "input strides (30, 6, 2)");
    expect_refused(with([](auto& p) { p.out[2] = 0; }), "output strides");
    expect_refused(with([](auto& p) { p.in[1] = 5; }), "rows overlap");
    expect_refused(with([](auto& p) { p.in[1] = 0; }), "rows overlap");
    expect_refused(with([](auto& p) { p.in[0] = 29; }), "planes overlap");
    expect_refused(with([](auto& p) { p.in[0] = -30; }), "planes overlap");
    expect_refused(with([](auto& p) { p.out[0] = 23; }), "output strides (23, 4, 1)");
    expect_refused(with([](auto& p) { p.in_batch = 119; }), "batches overlap");
    expect_refused(with([](auto& p) { p.out_batch = 0; }), "batches overlap");
}

TEST(Refused, SizesBeyondTheAddressSpace) {
    const Index large = Index{1} << 40;
    expect_refused(with([&](auto& p) { p.in[0] = large << 20; }), "2^62");
    expect_refused(with([&](auto& p) {
                       p.batch = 1;
                       p.extents = {large, large, 2};
                       p.in = {2 * large, 2, 1};
                       p.out = {2 * large, large, 1};
                   }),
                   "2^62");
    expect_refused(problem_of({1 << 20, 1 << 20, 1 << 20}, rotation, 8), "2^62");
}

TEST(Refused, OptionsThatMakeNoSense) {
    const auto refuse = [](const TransposeOptions& options, const std::string& word) {
        expect_refused([&] { Transpose plan(good(), options); }, ErrorCode::usage, word);
    };
    TransposeOptions options;
    options.order = BlockOrder::v1b;
    refuse(options, "v1b");
    options = {};
    options.band = -1;
    refuse(options, "band of -1");
    options = {};
    options.threads = -2;
    refuse(options, "-2 threads");
}

TEST(Refused, MemoryThatOverlaps) {
    const Index n = 4 * 5 * 6 * 2;
    std::vector<double> memory(static_cast<std::size_t>(2 * n), 1.0);
    const Transpose plan(good());
    double* const first = memory.data();
    const auto refuse = [&](const void* in, void* out, const char* word) {
        expect_refused([&] { plan.execute(in, out); }, ErrorCode::usage, word);
    };
    refuse(first, first, "overlap");
    refuse(first, first + n - 1, "overlap");
    refuse(first + n - 1, first, "overlap");
    EXPECT_NO_THROW(plan.execute(first, first + n));
    EXPECT_NO_THROW(plan.execute(first + n, first));
    refuse(nullptr, first, "null");
    refuse(first, nullptr, "null");
    refuse(reinterpret_cast<char*>(first) + 4, first + n, "aligned");
}

/// Only what the strides reach counts: a field may lie in the gap that another leaves.
TEST(Refused, NotMemoryInTheTail) {
    TransposeProblem problem = problem_of({1, 3, 4}, rotation_back, 8, 1, {6, 0, 0}, {});
    std::vector<double> memory(static_cast<std::size_t>(2 * 10 + 4 + 12));
    EXPECT_NO_THROW(Transpose(problem).execute(memory.data(), memory.data() + 24));
    EXPECT_THROW(Transpose(problem).execute(memory.data(), memory.data() + 23), Error);
}

TEST(Refused, AViewOfAnotherShape) {
    std::vector<double> memory(240);
    const FieldView<const double> in(memory.data(), {4, 5, 6});
    const FieldView<double> out(memory.data() + 120, {4, 5, 6});
    expect_refused([&] { transpose(in, out, rotation); }, ErrorCode::usage, "(5, 6, 4)");
}

TEST(Refused, ADeviceThatIsNotThere) {
    if (!find_devices().devices.empty()) GTEST_SKIP() << "there is a device";
    TransposeOptions options;
    options.backend = Backend::cuda;
    try {
        Transpose plan(good(), options);
        FAIL() << "accepted";
    } catch (const Error& error) {
        EXPECT_TRUE(error.code() == ErrorCode::unsupported || error.code() == ErrorCode::device) << error.what();
        EXPECT_NE(std::string(error.what()).find(find_devices().reason), std::string::npos) << error.what();
    }
}

TEST(AlgorithmNames, AreReadBack) {
    for (int value = 0; value <= static_cast<int>(Algorithm::thin); ++value) {
        const auto algorithm = static_cast<Algorithm>(value);
        EXPECT_EQ(parse_algorithm(name(algorithm)), algorithm);
    }
    EXPECT_STREQ(name(Algorithm::padded_tile), "padded-tile");
    expect_refused([] { parse_algorithm("fast"); }, ErrorCode::usage, "super-grid");
}

}  // namespace
}  // namespace poisson3d
