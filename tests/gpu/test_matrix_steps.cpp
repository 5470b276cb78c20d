// Lines whose FFTs are matrix steps: radices that one, two or four warps share, pairs of them, one alone, all
// kinds. Spectral boxes transform all axes, others eliminate one of three.
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
            Extents points{13, 10, 14};
            which[a] = kind;
            points[a] = GetParam() + (kind == node_dd || kind == node_nn ? 1 : 0);
            // Each kind by both, and each axis.
            const Discretization discretization = discretizations[turn % 2];
            agreement.check(make_problem(which, points, discretization, 0.01 * (turn / 2 % 2)), Memory::fast,
                            turn / 3 % 2 == 0 ? Memory::low : Memory::standard);
        }
}

// Radices of up to 61 in one warp, 94, 103 and 107 in two; single precision has 94, 611 and 799. Those of 139 and
// 167, which four warps share, are less accurate, and these lengths go by chirps.
INSTANTIATE_TEST_SUITE_P(Lengths, MatrixSteps,
                         testing::Values(11, 34, 94, 143, 167, 286, 354, 377, 515, 583, 611, 642, 667, 799, 834,
                                         858, 899, 1003),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace poisson3d
