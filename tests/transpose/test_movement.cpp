// A movement, carried out element by element, is the permutation it was made from; and the forms it takes.
#include "out_of_place/movement.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "reference.hpp"

namespace poisson3d {
namespace {

using test::Gaps;
using test::problem_of;

/// Calls move(input offset, output offset) for every element of a movement.
template <class Move>
void execute(const Movement& movement, Move move) {
    if (movement.is_copy) {
        const RowCopy& c = movement.copy;
        for (Index i = 0; i < c.extents[0]; ++i)
            for (Index j = 0; j < c.extents[1]; ++j)
                for (Index k = 0; k < c.extents[2]; ++k)
                    for (Index l = 0; l < c.length; ++l)
                        move(i * c.in[0] + j * c.in[1] + k * c.in[2] + l,
                             i * c.out[0] + j * c.out[1] + k * c.out[2] + l);
        return;
    }
    const MatrixBatch& m = movement.matrix;
    for (Index i = 0; i < m.batch[0]; ++i)
        for (Index j = 0; j < m.batch[1]; ++j)
            for (Index r = 0; r < m.rows; ++r)
                for (Index c = 0; c < m.columns; ++c)
                    move(i * m.in_batch[0] + j * m.in_batch[1] + r * m.in_pitch + c,
                         i * m.out_batch[0] + j * m.out_batch[1] + c * m.out_pitch + r);
}

void expect_same_movement(const TransposeProblem& problem, bool merge) {
    const Extents result = permute(problem.extents, problem.permutation);
    const Index size = span(result, problem.out, problem.batch, problem.out_batch);
    const Index source = span(problem.extents, problem.in, problem.batch, problem.in_batch);
    std::vector<Index> expected(static_cast<std::size_t>(size), -1);
    test::for_each_element(problem, [&](Index from, Index to) { expected[static_cast<std::size_t>(to)] = from; });

    std::vector<Index> found(static_cast<std::size_t>(size), -1);
    bool in_range = true;
    bool once = true;
    execute(classify(problem, merge), [&](Index from, Index to) {
        if (from < 0 || from >= source || to < 0 || to >= size) {
            in_range = false;
            return;
        }
        once = once && found[static_cast<std::size_t>(to)] == -1;
        found[static_cast<std::size_t>(to)] = from;
    });
    ASSERT_TRUE(in_range && once && found == expected)
        << test::letters(problem.permutation) << " of " << problem.extents[0] << "×" << problem.extents[1] << "×"
        << problem.extents[2] << ", batch " << problem.batch << ", merge " << merge;
}

class EveryPermutation : public testing::TestWithParam<Permutation> {};
INSTANTIATE_TEST_SUITE_P(Orders, EveryPermutation, testing::ValuesIn(test::all_permutations),
                         [](const auto& test) { return test::letters(test.param); });

constexpr Gaps gaps[] = {{0, 0, 0}, {0, 0, 3}, {0, 2, 0}, {1, 0, 0}, {3, 1, 2}};

TEST_P(EveryPermutation, IsMovedAsDefined) {
    for (Index i = 1; i <= 4; ++i)
        for (Index j = 1; j <= 4; ++j)
            for (Index k = 1; k <= 4; ++k)
                for (const Index batch : {1, 2, 3})
                    for (const Gaps& in : gaps)
                        for (const Gaps& out : gaps)
                            for (const bool merge : {true, false}) {
                                const auto problem = problem_of({i, j, k}, GetParam(), 8, batch, in, out);
                                ASSERT_NO_THROW(validate(problem));
                                expect_same_movement(problem, merge);
                                if (HasFatalFailure()) return;
                            }
}

/// Fields interleaved row by row: the batch index runs between rows and planes.
TEST_P(EveryPermutation, IsMovedAsDefinedFromInterleavedFields) {
    for (Index batch = 1; batch <= 3; ++batch) {
        TransposeProblem problem = problem_of({2, 3, 4}, GetParam(), 8, batch);
        problem.in = {3 * 4 * batch, 4 * batch, 1};
        problem.in_batch = 4;
        ASSERT_NO_THROW(validate(problem));
        expect_same_movement(problem, true);
    }
}

// ---- The forms ----

const Extents extents{5, 7, 11};
constexpr Permutation swap_yz{0, 2, 1};
constexpr Permutation swap_xy{1, 0, 2};
constexpr Permutation swap_xz{2, 1, 0};

void expect_matrix(const TransposeProblem& problem, const MatrixBatch& expected) {
    const Movement movement = classify(problem);
    EXPECT_FALSE(movement.is_copy);
    EXPECT_EQ(movement.matrix, expected);
}

void expect_copy(const TransposeProblem& problem, const RowCopy& expected) {
    const Movement movement = classify(problem);
    EXPECT_TRUE(movement.is_copy);
    EXPECT_EQ(movement.copy, expected);
}

TEST(Forms, DenseRotationsAreOneMatrix) {
    expect_matrix(problem_of(extents, rotation, 8), {5, 7 * 11, 7 * 11, 5, {1, 1}, {0, 0}, {0, 0}});
    expect_matrix(problem_of(extents, rotation_back, 8), {5 * 7, 11, 11, 5 * 7, {1, 1}, {0, 0}, {0, 0}});
}

TEST(Forms, ABatchOfDenseRotationsHasOneBatchIndex) {
    expect_matrix(problem_of(extents, rotation, 8, 3), {5, 77, 77, 5, {1, 3}, {0, 385}, {0, 385}});
}

TEST(Forms, APitchedRotationHasAMatrixPerPlane) {
    expect_matrix(problem_of(extents, rotation, 8, 1, {1, 2, 0}, {}),
                  {5, 11, 7 * 12 + 2, 5, {1, 7}, {0, 12}, {0, 55}});
}

TEST(Forms, SlicesKeepsThePlanesApart) {
    const MatrixBatch planes{5, 11, 77, 5, {1, 7}, {0, 11}, {0, 55}};
    EXPECT_EQ(classify(problem_of(extents, rotation, 8), false).matrix, planes);
}

TEST(Forms, ExchangesOfTwoAxes) {
    expect_matrix(problem_of(extents, swap_yz, 8), {7, 11, 11, 7, {1, 5}, {0, 77}, {0, 77}});
    expect_matrix(problem_of(extents, swap_xz, 8), {5, 11, 77, 35, {1, 7}, {0, 11}, {0, 5}});
    expect_copy(problem_of(extents, swap_xy, 8), {{1, 7, 5}, {0, 11, 77}, {0, 55, 11}, 11});
}

TEST(Forms, ADenseCopyIsOneRow) {
    expect_copy(problem_of(extents, identity_order, 8, 4), {{1, 1, 1}, {0, 0, 0}, {0, 0, 0}, 4 * 385});
    expect_copy(problem_of(extents, identity_order, 8, 1, {1, 0, 0}, {}), {{1, 1, 35}, {0, 0, 12}, {0, 0, 11}, 11});
}

TEST(Forms, OneLongSideIsACopyOnlyIfItIsContiguousInBoth) {
    expect_copy(problem_of({1, 1, 9}, rotation, 8), {{1, 1, 1}, {0, 0, 0}, {0, 0, 0}, 9});
    expect_copy(problem_of({9, 1, 1}, rotation, 8), {{1, 1, 1}, {0, 0, 0}, {0, 0, 0}, 9});
    expect_matrix(problem_of({9, 1, 1}, rotation, 8, 1, {1, 0, 0}, {}), {9, 1, 2, 1, {1, 1}, {0, 0}, {0, 0}});
    expect_copy(problem_of({1, 1, 1}, rotation, 8), {{1, 1, 1}, {0, 0, 0}, {0, 0, 0}, 1});
}

TEST(Span, CountsFromTheFirstToTheLastElement) {
    EXPECT_EQ(span({2, 3, 4}, dense_strides({2, 3, 4}), 1, 0), 24);
    EXPECT_EQ(span({2, 3, 4}, {100, 10, 1}, 1, 0), 124);
    EXPECT_EQ(span({2, 3, 4}, {100, 10, 1}, 3, 1000), 2124);
    EXPECT_EQ(span({1, 1, 1}, {7, 7, 1}, 1, 9), 1);
}

}  // namespace
}  // namespace poisson3d
