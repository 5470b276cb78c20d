// Nodes between two like faces: DST-I and DCT-I of a half-period N = points − 1 are halved as often as N is even,
// so every power of two times every odd number is a way of its own through the transform.
#include <gtest/gtest.h>

#include "agreement.hpp"

namespace poisson3d {
namespace {

using namespace test;

class TypeOne : public testing::TestWithParam<Index> {};

TEST_P(TypeOne, AgreesOnEveryAxis) {
    const Index half_period = GetParam();
    Agreement agreement;
    int turn = 0;
    for (const int kind : {node_dd, node_nn})
        for (int a = 0; a < 3; ++a, ++turn) {
            Kinds which{cell_dn, cell_p, cell_nn};
            which[a] = kind;
            Extents points{3, 5, 4};
            points[a] = std::max(half_period + 1, smallest_points(which)[a]);
            const Problem problem = make_problem(which, points, discretizations[turn % 2], 0.01 * (turn % 3));
            const std::array modes{Memory::fast, Memory::standard};
            agreement.check(problem, modes[turn % 2], modes[(turn / 2 + 1) % 2]);
        }
}

// 1; powers of two; small odd factors under many twos; odd numbers and primes; primes under twos; chirps;
// without prime factors above 7.
INSTANTIATE_TEST_SUITE_P(HalfPeriods, TypeOne,
                         testing::Values(1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 16, 20, 24, 28, 32, 40, 44, 47, 48,
                                         55, 56, 59, 64, 80, 88, 94, 96, 99, 112, 127, 128, 160, 166, 192, 224, 256,
                                         270, 320, 343, 352, 375, 384, 405, 448, 500, 509, 512, 640, 729, 768, 875, 893,
                                         945, 960, 972, 976, 997, 998, 1000, 1003, 1018, 1023, 1024, 1344, 1536, 2039, 2048, 2560, 3968, 4088, 5003),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace poisson3d
