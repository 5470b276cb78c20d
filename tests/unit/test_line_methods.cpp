// How lines are done, for lengths of which all ways were measured and one is faster by far (docs/notes.md, "How a
// line is done").
#include "line_methods.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "problems.hpp"

namespace poisson3d::fused {
namespace {

using namespace test;
using lines::LineMethod;

template <class T = double>
LineMethod method_of(int kind, Index points, int eliminated) {
    return line_method<T>(make_problem({kind, cell_dd, cell_dd}, {points, 64, 64}), 0, eliminated);
}

void expect(LineMethod method, int kind, const std::vector<Index>& lengths, int eliminated = 1) {
    for (const Index points : lengths) EXPECT_EQ(method_of(kind, points, eliminated), method) << points;
}

/// In copies of a solve on an H200.
TEST(LineMethods, AreTheFastestOfThoseMeasured) {
    for (const int kind : {cell_dd, cell_nn}) {
        expect(LineMethod::radix_steps, kind, {256, 343, 512, 768, 945, 1000, 1024});
        expect(LineMethod::radix_steps, kind, {704, 832});  // 704: 6.9, matrices 11.1
        expect(LineMethod::chirp, kind,
               {314, 398, 443, 509, 677, 773, 883, 907, 1021});  // 313: 13.7, product 14.6, steps 16.6
        expect(LineMethod::matrix_steps, kind,
               {377, 438, 511, 551, 657, 667, 690, 715, 782, 858, 901});  // 657: 10.8, steps 11.4
        expect(LineMethod::matrix, kind, {262, 326});
    }
    expect(LineMethod::matrix_steps, cell_p, {406, 551, 667, 682, 754, 833});
    expect(LineMethod::chirp, cell_p, {263, 331, 362, 557, 683, 809});  // 331: 12.4, product 17.3
    // 311: 7.2, steps 11.8, chirp 13.5; 714: 8.3, 22.5, 13.7
    expect(LineMethod::matrix_steps, node_dd, {311, 349, 407, 494, 552, 590, 668, 703, 714, 755, 916, 947});
    expect(LineMethod::radix_steps, node_dd, {885});  // 13.0, matrices 13.6
    expect(LineMethod::chirp, node_dd, {509, 707, 803, 998});
    expect(LineMethod::matrix_steps, node_dn, {311, 435, 494, 552, 667, 755, 947});  // 311: 9.7, chirp 14.1
    expect(LineMethod::chirp, cell_dn, {453, 463});
    // 372: 7.2, chirp 13.0
    expect(LineMethod::matrix_steps, cell_dn, {310, 372, 551, 667, 696, 754, 946});
    EXPECT_EQ(method_of<float>(cell_dd, 606, 1), LineMethod::radix_steps);
    EXPECT_EQ(method_of<float>(cell_dd, 326, 1),
              LineMethod::chirp);  // products take as long as in double precision
}

/// Products with the matrix of all modes are for boxes with an eliminated axis.
TEST(LineMethods, WithoutAnEliminatedAxisLinesHaveFfts) {
    expect(LineMethod::chirp, cell_dd, {314, 326}, -1);
    expect(LineMethod::none, cell_dd, {314}, 0);
}

/// The axis that costs most is eliminated: of these each costs more than the one before.
TEST(LineMethods, PassesCostMoreWithLargePrimes) {
    const std::vector<Index> lengths{512, 511, 509, 773, 967};
    std::vector<double> copies;
    for (const Index points : lengths)
        copies.push_back(pass_copies(make_problem({cell_dd, cell_p, cell_p}, {points, 8, 8}).grid.axes[0]));
    EXPECT_TRUE(std::ranges::is_sorted(copies, std::less_equal<>{})) << testing::PrintToString(copies);
}

}  // namespace
}  // namespace poisson3d::fused
