// Lines of which a block has one, and those that do not fit a block at all: products of two lengths with radices,
// one of them by a chirp, odd ones, primes. Boxes of two such axes are in test_low_memory.cu.
#include <gtest/gtest.h>

#include "agreement.hpp"

namespace poisson3d {
namespace {

using namespace test;

class LongLines : public testing::TestWithParam<Index> {};

TEST_P(LongLines, AgreeOnEveryAxis) {
    Agreement agreement;
    for (int kind = 0; kind < 10; ++kind) {
        const int a = kind % 3;
        Kinds which{cell_dn, cell_p, cell_nn};
        Extents points{9, 12, 9};
        which[a] = kind;
        points[a] = GetParam() + (kind >= node_dd ? 1 : 0);
        const Problem problem = make_problem(which, points, discretizations[kind % 2], kind % 4 < 2 ? 0.0 : 0.01);
        agreement.check(problem, Memory::fast, Memory::fast);
    }
    for (int a = 0; a < 3; ++a) {
        Extents points{9, 12, 10};
        points[a] = GetParam();
        agreement.check(make_problem({cell_nn, cell_dd, cell_p}, points), Memory::standard, Memory::low);
    }
}

INSTANTIATE_TEST_SUITE_P(Lengths, LongLines,
                         testing::Values(7776, 8191, 8192, 16384, 16411, 17 * 1019, 24000, 27783),
                         testing::PrintToStringParamName());

/// Areas for the lines lie in an internal field that is larger than what they would have for themselves.
TEST(LongLinesInAField, UseTheOneThatIsFree) {
    Agreement agreement;
    agreement.check(make_problem({cell_dn, cell_nn, cell_p}, {16384, 24, 25}), Memory::fast, Memory::fast);
    agreement.check(make_problem({cell_dn, cell_nn, cell_p}, {24, 25, 16384}), Memory::fast, Memory::fast);
}

/// Beside an axis that is eliminated, and others by chirps.
TEST(LongLinesBesideOthers, AgreeOnEveryAxis) {
    Agreement agreement;
    for (int a = 0; a < 3; ++a) {
        Extents points{11, 11, 11};
        points[a] = 16384;
        points[(a + 1) % 3] = 131;
        const Problem problem = make_problem({cell_dn, cell_nd, cell_dd}, points);
        agreement.check(problem, Memory::fast, Memory::low);
        agreement.check(problem, Memory::low, Memory::standard);
    }
}

}  // namespace
}  // namespace poisson3d
