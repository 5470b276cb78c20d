// Lines of which a block has one, and those that do not fit a block at all: products of two lengths with radices,
// one of them by a chirp, odd ones.
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
    agreement.check(make_problem({cell_nn, cell_dd, cell_p}, {12, 9, GetParam()}), Memory::standard, Memory::low);
}

INSTANTIATE_TEST_SUITE_P(Lengths, LongLines, testing::Values(7776, 8192, 16384, 17 * 1019, 24000, 27783),
                         testing::PrintToStringParamName());

/// Areas for the lines lie in an internal field that is larger than what they would have for themselves.
TEST(LongLinesInAField, UseTheOneThatIsFree) {
    Agreement agreement;
    agreement.check(make_problem({cell_dn, cell_nn, cell_p}, {16384, 24, 25}), Memory::fast, Memory::fast);
}

}  // namespace
}  // namespace poisson3d
