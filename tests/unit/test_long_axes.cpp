// Axes whose lines do not fit a block's shared memory, one, two or three of a box, in every memory mode, beside
// axes of any other method. Passes run on the host, most of them where blocks have little shared memory.
#include <gtest/gtest.h>

#include <algorithm>

#include "pipeline_law.hpp"
#include "pipelines.hpp"
#include "shared_memory.hpp"
#include "stretched_axis.hpp"

namespace poisson3d::fused {
namespace {

using namespace test;

constexpr Memory modes[] = {Memory::fast, Memory::standard, Memory::low};

Extents with_ends(const Kinds& kinds, Extents lengths) {
    for (int a = 0; a < 3; ++a)
        if (kinds[a] >= node_dd) lengths[a] += 1;
    return lengths;
}

/// `long_ones`: how many axes take several sweeps.
template <class T>
void check(const Problem& problem, int long_ones, bool in_place = false, bool with_data = false,
           int eliminated = -1) {
    SCOPED_TRACE(describe(problem));
    for (const Memory memory : modes) {
        SCOPED_TRACE(name(memory));
        const auto make = [&](const Problem& p) { return make_fused_pipeline<T>(p, memory, 1, eliminated); };
        const auto pipeline = make(problem);
        ASSERT_NE(pipeline, nullptr);
        const std::string text = pipeline->name();
        int found = 0;
        for (std::size_t at = 0; (at = text.find("in two steps", at)) != std::string::npos; ++at) ++found;
        EXPECT_EQ(found, long_ones) << text;
        check_pipeline<T>(problem, make, in_place, with_data);
    }
}

/// Lines that devices of today do not hold: products of two lengths with radices, one of them by a chirp, odd ones,
/// primes; a prime that fits, but not the chirp that serves it.
TEST(LongAxes, AreOneOfABox) {
    for (int kind = 0; kind < 10; ++kind)
        for (int a = 0; a < 3; ++a) {
            const Index n = std::array{
                16384, 18 * 1024, 17 * 1019, 24000, 16411, 8191}[static_cast<std::size_t>((kind + a) % 6)];
            Kinds which{cell_dn, cell_p, cell_nn};
            Extents lengths{4, 5, 9};
            which[a] = kind;
            lengths[a] = n;
            Problem problem = make_problem(which, with_ends(which, lengths));
            if (singular(problem)) problem.gauge.point = {2, 3, 2};
            check<double>(problem, 1, kind % 2 == 0, kind % 3 == 0);
            if (n != 8191 && kind % 3 == 1) check<float>(problem, 1, false, true);
        }
}

TEST(LongAxes, AreTwoOfABox) {
    const SharedMemory limited(1536);
    for (int number = 0; number < combinations; number += 7) {
        const Kinds kinds = combination(number);
        const int short_one = number % 3;
        Extents lengths{Index{192} + number % 5 * 8, Index{210} + number % 7, Index{197} + number % 4};
        lengths[short_one] = std::array{4, 5, 7}[static_cast<std::size_t>(number / 3 % 3)];
        Problem problem = make_problem(kinds, with_ends(kinds, lengths), Discretization::second_order,
                                       number % 4 == 1 ? 0.7 : 0.0);
        if (number % 2 == 0) problem.gauge.point = {3, 2, 5};
        const bool with_data = number % 5 < 3;
        number % 2 == 0 ? check<double>(problem, 2, number % 4 == 0, with_data)
                        : check<float>(problem, 2, number % 4 == 1, with_data);
    }
}

TEST(LongAxes, AreAllOfABox) {
    const SharedMemory limited(768);
    for (int number = 0; number < combinations; number += 61) {
        const Kinds kinds = combination(number);
        Problem problem = make_problem(kinds, with_ends(kinds, {100, 102, 108}));
        if (number % 2 == 0) problem.gauge.point = {3, 2, 5};
        number % 2 == 0 ? check<double>(problem, 3, number % 4 == 0, number % 5 < 3)
                        : check<float>(problem, 3, number % 4 == 1, number % 5 < 3);
    }
}

/// Beside lengths with large primes, which go by convolutions and chirps.
TEST(LongAxes, AreBesideLargePrimes) {
    const SharedMemory limited(std::size_t{10} << 10);
    for (int kind = 0; kind < 10; ++kind)
        for (int a = 0; a < 3; ++a) {
            Kinds which{cell_nn, node_dd, cell_p};
            Extents lengths{131, 131, 131};
            which[a] = kind;
            lengths[a] = std::array{1536, 2011, 1458}[static_cast<std::size_t>((kind + a) % 3)];
            lengths[(a + 1) % 3] = 5;
            const Problem problem = make_problem(which, with_ends(which, lengths));
            check<double>(problem, 1, kind % 2 == 0, kind % 3 == 0);
        }
}

/// Beside an axis that is eliminated, and one that is multiplied with the matrix of its modes.
TEST(LongAxes, AreBesideAnEliminatedAxis) {
    const SharedMemory limited(std::size_t{40} << 10);
    for (int kind = 0; kind < 10; ++kind)
        for (int a = 0; a < 3; ++a) {
            const int eliminated = (a + 1 + kind % 2) % 3;
            Kinds which{cell_nn, cell_dn, cell_nn};
            Extents lengths{6, 6, 6};
            which[a] = kind;
            lengths[a] = std::array{3072, 2411}[static_cast<std::size_t>(kind % 2)];
            lengths[eliminated] = 17;
            Problem problem = make_problem(which, with_ends(which, lengths));
            problem.grid.axes[eliminated] = stretched_axis(Centering::cell, all_walls()[1], 17, 3.0, 4);
            if (singular(problem)) problem.gauge.point = {3, 2, 5};
            check<double>(problem, 1, kind % 2 == 0, kind % 3 == 0, eliminated);
            const int other = 3 - a - eliminated;
            problem.grid.axes[other] = stretched_axis(Centering::cell, all_walls()[2], 9, 3.0, 5);
            if (singular(problem)) problem.gauge.point = {3, 2, 5};
            check<double>(problem, 1, kind % 2 == 1, kind % 3 == 1, eliminated);
        }
}

/// Fields inside the workspace, of which one is an area for lines; ranges of several blocks.
TEST(LongAxes, SolveFieldsInsideTheirWorkspace) {
    const SharedMemory limited(1536);
    for (const Memory memory : {Memory::fast, Memory::standard})
        for (int short_one = 0; short_one < 3; ++short_one) {
            const Kinds kinds{cell_nn, node_dd, cell_p};
            Extents lengths{192, 194, 212};
            lengths[short_one] = 37;
            const Problem problem = make_problem(kinds, with_ends(kinds, lengths));
            check_staged(problem, make_fused_pipeline<double>(problem, memory));
        }
    const Problem large = make_problem({cell_nn, cell_p, cell_dd}, {320, 300, 96});  // 74 MB
    check_staged(large, make_fused_pipeline<double>(large, Memory::fast));
}

/// The work area is 64 MiB or 2 % of the field; tables come besides, in modes fast and standard copies of faces, in
/// fast rows of 128 bytes.
TEST(LongAxes, HaveBoundedAreas) {
    for (const Extents& points : {Extents{16384, 16384, 8}, Extents{64, 16400, 20000}, Extents{16384, 64, 64},
                                  Extents{16384, 509, 64}, Extents{4, 16411, 16384}}) {
        const Problem problem = make_problem({cell_dd, cell_nn, cell_p}, points);
        const auto field = static_cast<std::size_t>(problem.grid.size()) * sizeof(double);
        const std::size_t work = std::max(std::size_t{64} << 20, field / 50);
        const std::size_t tables = std::size_t{512} * static_cast<std::size_t>(points[0] + points[1] + points[2]);
        const auto bytes = [&](Memory memory) {
            return make_fused_pipeline<double>(problem, memory)->workspace_bytes();
        };
        EXPECT_LE(bytes(Memory::low), work + tables) << describe(problem);
        const std::size_t faces = static_cast<std::size_t>(device::face_points(problem.grid)) * sizeof(double);
        const std::size_t rows =
            field / static_cast<std::size_t>(points[2]) * static_cast<std::size_t>((points[2] + 15) / 16 * 16);
        EXPECT_LE(bytes(Memory::standard), field + 2 * work + tables + faces) << describe(problem);
        EXPECT_LE(bytes(Memory::fast), 2 * rows + work + tables + faces) << describe(problem);
    }
}

}  // namespace
}  // namespace poisson3d::fused
