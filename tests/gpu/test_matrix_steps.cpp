// Lines whose FFTs are matrix steps: radices that one, two or four warps share, pairs of them, one alone, all kinds.
// Spectral boxes transform all axes, others eliminate one of three.
#include <gtest/gtest.h>

#include "agreement.hpp"

namespace poisson3d {
namespace {

using namespace test;

class MatrixSteps : public testing::TestWithParam<Index> {};

TEST_P(MatrixSteps, AgreeOnEveryAxis) {
    Agreement agreement;
    int turn = 0;
    for (const int kind : {cell_p, cell_dd, cell_nn, cell_dn, cell_nd, node_p, node_dd, node_nn, node_dn, node_nd})
        for (int a = 0; a < 3; ++a, ++turn) {
            Kinds which{cell_nn, cell_p, cell_dd};
            Extents points{33, 26, 46};
            which[a] = kind;
            points[a] = GetParam() + (kind == node_dd || kind == node_nn ? 1 : 0);
            for (const Discretization discretization : discretizations)
                agreement.check(make_problem(which, points, discretization, 0.01 * (turn % 2)), Memory::fast,
                                turn % 2 == 0 ? Memory::low : Memory::standard);
        }
}

// With a first radix of 11, 29, 53 in one warp, 67 and 113 in two, 131 and 251 in four.
INSTANTIATE_TEST_SUITE_P(Lengths, MatrixSteps,
                         testing::Values(11, 34, 113, 143, 253, 286, 377, 402, 452, 493, 502, 511, 524, 530, 583,
                                         667, 899, 901, 1003),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace poisson3d
