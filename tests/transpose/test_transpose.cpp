// Transposes through the public class, on the backend that the environment names: every order of the axes, every
// element, every algorithm, sizes on both sides of what tiles and cache lines like.
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "backend_under_test.hpp"
#include "exactness.hpp"
#include "poisson3d/device.hpp"
#include "poisson3d/error.hpp"

namespace poisson3d {
namespace {

using test::backend;
using test::Gaps;
using test::problem_of;
using test::Shifts;

constexpr int element_sizes[] = {1, 2, 4, 8, 16};
constexpr Algorithm algorithms[] = {
    Algorithm::automatic, Algorithm::naive,      Algorithm::tile,       Algorithm::padded_tile,
    Algorithm::slices,    Algorithm::banded,     Algorithm::aligned,    Algorithm::super_grid,
    Algorithm::thin,      Algorithm::wide_loads, Algorithm::short_axes,
};

void expect_exact(const TransposeProblem& problem, TransposeOptions options,
                  const std::vector<Shifts>& shifts = {{0, 0}}) {
    options.backend = backend;
    const Transpose plan(problem, options);
    SCOPED_TRACE(test::describe(problem) + ", " + plan.description());
    EXPECT_NE(plan.algorithm(), Algorithm::automatic);
    test::expect_exact(problem, backend, shifts, [&](const void* in, void* out) { plan.execute(in, out); });
}

TransposeOptions with(Algorithm algorithm, int threads = 1) {
    TransposeOptions options;
    options.algorithm = algorithm;
    options.threads = threads;
    return options;
}

/// Skips where there is no device; a test of such a build is never shown as passed.
class OnBackend : public testing::Test {
protected:
    void SetUp() override {
        if (backend != Backend::cuda) return;
        const DeviceList list = find_devices();
        if (list.devices.empty()) GTEST_SKIP() << list.reason;
        // Present, but not in this version: said once by the stub.
        try {
            TransposeOptions options;
            options.backend = backend;
            Transpose plan(problem_of({2, 2, 2}, rotation, 8), options);
        } catch (const Error& error) {
            if (error.code() == ErrorCode::unsupported) GTEST_SKIP() << error.what();
            throw;
        }
    }
};

struct Case {
    Permutation permutation;
    int element_bytes;

    friend std::ostream& operator<<(std::ostream& out, const Case& c) {
        return out << test::letters(c.permutation) << ", elements of " << c.element_bytes << " bytes";
    }
};

std::vector<Case> cases() {
    std::vector<Case> all;
    for (const Permutation& permutation : test::all_permutations)
        for (const int bytes : element_sizes) all.push_back({permutation, bytes});
    return all;
}

std::string case_name(const testing::TestParamInfo<Case>& test) {
    return test::letters(test.param.permutation) + std::to_string(test.param.element_bytes);
}

class EveryCase : public OnBackend, public testing::WithParamInterface<Case> {
protected:
    [[nodiscard]] TransposeProblem problem(const Extents& extents, Index batch = 1, Gaps in = {},
                                           Gaps out = {}) const {
        return problem_of(extents, GetParam().permutation, GetParam().element_bytes, batch, in, out);
    }
};
INSTANTIATE_TEST_SUITE_P(, EveryCase, testing::ValuesIn(cases()), case_name);

/// A number without pattern in [first, last].
Index pick(std::uint64_t index, std::uint64_t seed, Index first, Index last) {
    return first + static_cast<Index>(test::hash(index, seed) % static_cast<std::uint64_t>(last - first + 1));
}

Extents some_extents(std::uint64_t index, Index largest) {
    return {pick(index, 11, 1, largest), pick(index, 12, 1, largest), pick(index, 13, 1, largest)};
}

TEST_P(EveryCase, SmallSizesByEveryAlgorithm) {
    for (const Algorithm algorithm : algorithms)
        for (std::uint64_t i = 0; i < 40; ++i) {
            const std::uint64_t seed = i + 100 * static_cast<std::uint64_t>(algorithm);
            expect_exact(problem(some_extents(seed, i % 4 == 0 ? 8 : 40)), with(algorithm),
                         {{0, 0}, {static_cast<int>(i % 7), static_cast<int>(i % 5)}});
            if (HasFatalFailure()) return;
        }
}

TEST_P(EveryCase, PitchesAndBatches) {
    for (const Algorithm algorithm : algorithms)
        for (std::uint64_t i = 0; i < 30; ++i) {
            const std::uint64_t seed = i + 1000 * static_cast<std::uint64_t>(algorithm);
            const Gaps in{pick(seed, 21, 0, 5), pick(seed, 22, 0, 1) * 3, pick(seed, 23, 0, 1) * 7};
            const Gaps out{pick(seed, 24, 0, 5), pick(seed, 25, 0, 1) * 3, pick(seed, 26, 0, 1) * 7};
            expect_exact(problem(some_extents(seed, 24), pick(seed, 27, 1, 4), in, out), with(algorithm),
                         {{static_cast<int>(i % 3), static_cast<int>(i % 4)}});
            if (HasFatalFailure()) return;
        }
}

TEST_P(EveryCase, NumbersOfThreads) {
    for (const int threads : {1, 2, 5})
        for (const Algorithm algorithm : algorithms) {
            expect_exact(problem({67, 35, 70}), with(algorithm, threads));
            expect_exact(problem({13, 97, 66}, 2, {1, 0, 0}, {0, 1, 0}), with(algorithm, threads), {{1, 3}});
            if (HasFatalFailure()) return;
        }
}

TEST_P(EveryCase, LongAndThin) {
    for (const Algorithm algorithm :
         {Algorithm::automatic, Algorithm::aligned, Algorithm::thin, Algorithm::wide_loads})
        for (const Index n : {1, 2, 3, 5, 7, 8, 15, 16, 17, 31, 32})
            for (const Extents& extents :
                 {Extents{n, 1, 3001}, Extents{3001, 1, n}, Extents{1, n, 3001}, Extents{n, 33, 41}}) {
                expect_exact(problem(extents), with(algorithm, 2), {{0, 1}});
                if (HasFatalFailure()) return;
            }
}

TEST_P(EveryCase, OneLongAxis) {
    for (const Extents& extents : {Extents{1, 1, 100003}, Extents{1, 100003, 1}, Extents{100003, 1, 1}})
        for (const Algorithm algorithm : {Algorithm::automatic, Algorithm::naive, Algorithm::tile}) {
            expect_exact(problem(extents), with(algorithm, 2), {{1, 2}});
            expect_exact(problem(extents, 1, {1, 0, 0}, {2, 0, 0}), with(algorithm, 2));
            if (HasFatalFailure()) return;
        }
}

/// Rows that begin at every distance from a boundary of 16 and of 128 bytes, and the words of 16 bytes at both ends
/// of the field, which reach beyond it.
struct Surroundings {
    Gaps gaps;
    std::vector<Shifts> shifts;
};
const Surroundings surroundings[] = {
    {{}, {{0, 0}, {1, 3}}}, {{1, 0, 3}, {{5, 2}}}, {{0, 0, 1}, {{3, 0}}}, {{32, 0, 0}, {{15, 17}}}};

/// Several tiles, pieces of rows and segments.
TEST_P(EveryCase, WideLoads) {
    for (const Extents& extents : {Extents{5, 7, 1031}, Extents{3, 331, 67}, Extents{331, 3, 30},
                                   Extents{163, 121, 2}, Extents{1, 1, 5003}, Extents{2, 96, 320}})
        for (const auto& [gaps, shifts] : surroundings) {
            expect_exact(problem(extents, 2, gaps, gaps), with(Algorithm::wide_loads, 2), shifts);
            if (HasFatalFailure()) return;
        }
}

/// Short rows, two short axes, one short axis beside a long one; in the order that has the kernel for it.
TEST_P(EveryCase, ShortAxes) {
    for (const Extents& extents :
         {Extents{301, 70, 7}, Extents{5, 301, 6}, Extents{211, 5, 9}, Extents{3, 101, 130}, Extents{130, 101, 3},
          Extents{67, 5, 170}, Extents{35, 33, 37}, Extents{40, 61, 129}})
        for (const auto& [gaps, shifts] : surroundings) {
            expect_exact(problem(extents, 2, gaps, gaps), with(Algorithm::short_axes, 2), shifts);
            if (HasFatalFailure()) return;
        }
}

class EveryElement : public OnBackend, public testing::WithParamInterface<int> {};
INSTANTIATE_TEST_SUITE_P(, EveryElement, testing::ValuesIn(element_sizes),
                         [](const auto& test) { return std::to_string(test.param) + "bytes"; });

TEST_P(EveryElement, Squares) {
    constexpr Permutation swap_yz{0, 2, 1};
    for (const Index n : {31, 32, 33, 63, 64, 65, 127, 129, 255, 257, 1000, 1023, 1025}) {
        for (const Algorithm algorithm : algorithms) {
            if (n >= 1000 && algorithm != Algorithm::automatic && GetParam() != 8) continue;
            expect_exact(problem_of({1, n, n}, swap_yz, GetParam()), with(algorithm, 2));
            if (HasFatalFailure()) return;
        }
        expect_exact(problem_of({2, n, n}, swap_yz, GetParam(), 1, {3, 0, 0}, {1, 0, 0}),
                     with(Algorithm::automatic), {{1, 1}});
    }
    expect_exact(problem_of({1, 4099, 4099}, swap_yz, GetParam()), with(Algorithm::automatic, 2));
}

TEST_P(EveryElement, BandsAndOrders) {
    for (const BlockOrder order :
         {BlockOrder::automatic, BlockOrder::row_major, BlockOrder::column_major, BlockOrder::v1bf})
        for (const Index band : {0, 1, 2, 3, 8, 100})
            for (const Algorithm algorithm : {Algorithm::banded, Algorithm::super_grid}) {
                TransposeOptions options = with(algorithm, 2);
                options.order = order;
                options.band = band;
                expect_exact(problem_of({300, 3, 217}, rotation, GetParam()), options, {{0, 1}});
                if (HasFatalFailure()) return;
            }
}

class Large : public OnBackend, public testing::WithParamInterface<int> {};
INSTANTIATE_TEST_SUITE_P(, Large, testing::Values(4, 8),
                         [](const auto& test) { return std::to_string(test.param) + "bytes"; });

TEST_P(Large, ThreeTimesTenMillion) {
    constexpr Index n = 10'000'000;
    expect_exact(problem_of({3, 1, n}, rotation, GetParam()), with(Algorithm::automatic, 2), {{0, 1}});
    expect_exact(problem_of({n, 1, 3}, rotation, GetParam()), with(Algorithm::automatic, 2), {{1, 0}});
}

TEST_P(Large, PermutationsThatDoNotFitTheCache) {
    for (const Permutation& permutation : test::all_permutations)
        expect_exact(problem_of({129, 193, 255}, permutation, GetParam()), with(Algorithm::automatic, 2), {{1, 1}});
}

/// What `automatic` is on a device, by the tables that were measured (docs/benchmarks.md), and that it is right
/// there.
class Chosen : public OnBackend {};

TEST_F(Chosen, OnADevice) {
    if (backend != Backend::cuda) GTEST_SKIP() << "the host chooses by other sizes";
    struct Row {
        Extents extents;
        Permutation permutation;
        int element_bytes;
        Algorithm algorithm;
    };
    constexpr Permutation xzy{0, 2, 1}, yxz{1, 0, 2}, zyx{2, 1, 0};
    const Row rows[] = {
        {{3, 220, 4001}, zyx, 4, Algorithm::short_axes},
        {{999, 301, 9}, zyx, 8, Algorithm::short_axes},
        {{33, 2111, 31}, zyx, 4, Algorithm::short_axes},
        {{17, 300, 9}, zyx, 4, Algorithm::banded},
        {{413, 31, 417}, zyx, 8, Algorithm::aligned},
        {{300, 901, 15}, yxz, 4, Algorithm::short_axes},
        {{30, 20, 15}, yxz, 4, Algorithm::aligned},
        {{9001, 27, 11}, xzy, 8, Algorithm::short_axes},
        {{127, 129, 255}, rotation, 4, Algorithm::wide_loads},
        {{128, 129, 255}, rotation, 4, Algorithm::aligned},
        {{127, 129, 255}, rotation, 8, Algorithm::aligned},
        {{7, 1001, 501}, rotation, 8, Algorithm::thin},
    };
    for (const Row& row : rows) {
        const TransposeProblem problem = problem_of(row.extents, row.permutation, row.element_bytes);
        TransposeOptions options;
        options.backend = backend;
        const Transpose plan(problem, options);
        EXPECT_EQ(plan.algorithm(), row.algorithm) << test::describe(problem) << ": " << plan.description();
        expect_exact(problem, with(Algorithm::automatic), {{1, 3}});
        if (HasFatalFailure()) return;
    }
}

}  // namespace
}  // namespace poisson3d
