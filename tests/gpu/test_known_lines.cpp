// Lines, and chirps, whose kernels know their numbers: all ends and lengths of which there are some, along every
// axis. Where rows begin at odd elements the first and the last pass have the general kernels, which must give the
// same bits.
#include <gtest/gtest.h>

#include "agreement.hpp"
#include "padded.hpp"

namespace poisson3d {
namespace {

using namespace test;

class KnownLines : public testing::TestWithParam<Index> {};

TEST_P(KnownLines, AgreeOnEveryAxis) {
    Agreement agreement;
    for (const int kind : {cell_p, cell_dd, cell_nn, cell_dn, cell_nd})
        for (int a = 0; a < 3; ++a) {
            Kinds which{cell_nn, cell_p, cell_dd};
            Extents points{36, 32, 40};
            which[a] = kind;
            points[a] = GetParam();
            agreement.check(make_problem(which, points, discretizations[a % 2], 0.01), Memory::fast, Memory::low);
        }
}

template <class T>
void expect_same_bits(const Problem& problem) {
    const Extents points = problem.grid.points();
    const Field<T> f = random_field<T>(points, 3);
    const Field<T> expected = solved(problem, f, nullptr, T(1), test_options());
    Padded<T> from(points, {0, 0, 1}, {0, 0, 3});
    from.fill(read(f));
    Padded<T> to(points, {0, 0, 1}, {0, 0, 3});
    TestSolver<T> solver(problem, test_options());
    solver.solve(from.view(), to.view());
    EXPECT_EQ(different<T>(to.view(), read(expected)), 0) << describe(problem);
    EXPECT_EQ(to.damage(), 0) << describe(problem);
}

/// Numbers of lines that no block divides, and odd ones.
TEST_P(KnownLines, AgreeBesideOddNumbersOfLines) {
    Agreement agreement;
    for (const int kind : {cell_dd, cell_nn, cell_p, cell_nd})
        for (int a = 0; a < 3; ++a) {
            Kinds which{cell_nn, cell_p, cell_dd};
            Extents points{35, 63, 45};
            which[a] = kind;
            points[a] = GetParam();
            agreement.check(make_problem(which, points, discretizations[a % 2], 0.01), Memory::fast, Memory::fast);
        }
}

TEST_P(KnownLines, GiveTheBitsOfGeneralKernels) {
    for (const int kind : {cell_p, cell_dd, cell_nn, cell_dn, cell_nd}) {
        const Problem problem = make_problem({cell_dd, cell_nn, kind}, {36, 32, GetParam()});
        expect_same_bits<double>(problem);
        expect_same_bits<float>(problem);
    }
}

INSTANTIATE_TEST_SUITE_P(Lengths, KnownLines,
                         testing::Values(64, 128, 192, 256, 384, 512, 768, 1024, 100, 240, 270, 343, 378, 405, 500,
                                         567, 625, 675, 720, 729, 864, 945, 972, 1000, 1280, 1536, 2304, 4096),
                         testing::PrintToStringParamName());

class KnownChirps : public testing::TestWithParam<Index> {};

/// Of types II, III and IV. Spectral, so that no axis is eliminated.
TEST_P(KnownChirps, AgreeOnEveryAxis) {
    Agreement agreement;
    int turn = 0;
    for (const int kind : {cell_dd, cell_nn, cell_dn, cell_nd, node_dn, node_nd})
        for (int a = 0; a < 3; ++a, ++turn) {
            Kinds which{cell_nn, cell_p, cell_dd};
            Extents points{5, 6, 10};
            which[a] = kind;
            points[a] = kind >= node_dd ? GetParam() + 1 : GetParam();
            points[(a + 1) % 3] += turn % 2;
            agreement.check(make_problem(which, points, Discretization::spectral, 0.01 * (turn % 2)), Memory::fast,
                            turn % 2 == 0 ? Memory::standard : Memory::low);
        }
}

/// A length for each of their kernels, and the longest one.
INSTANTIATE_TEST_SUITE_P(Lengths, KnownChirps,
                         testing::Values(262, 347, 443, 509, 563, 613, 677, 761, 809, 907, 1021, 1023),
                         testing::PrintToStringParamName());

class KnownPeriodicChirps : public testing::TestWithParam<Index> {};

TEST_P(KnownPeriodicChirps, AgreeOnEveryAxis) {
    Agreement agreement;
    for (int a = 0; a < 3; ++a)
        for (const bool odd : {false, true}) {
            Kinds which{cell_nn, cell_p, cell_dd};
            Extents points{5, 6, 10};
            which[a] = cell_p;
            points[a] = GetParam();
            points[(a + 1) % 3] += odd ? 1 : 0;
            agreement.check(make_problem(which, points, Discretization::spectral, odd ? 0.01 : 0), Memory::fast,
                            odd ? Memory::standard : Memory::low);
        }
}

/// The same of their kernels: even and odd lengths.
INSTANTIATE_TEST_SUITE_P(Lengths, KnownPeriodicChirps,
                         testing::Values(278, 311, 334, 383, 443, 466, 509, 557, 622, 643, 719, 887, 914, 1021),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace poisson3d
