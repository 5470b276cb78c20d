// Few terms in place of many in rows of a symbol: the sums are the same, in every mode.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "free_mixes.hpp"
#include "symbol_tail.hpp"

namespace poisson3d::fused {
namespace {

using namespace test;

/// The largest difference of late terms, in roundings of K(head) where the other axes have their lowest modes.
template <class T>
double worst_difference(const PaddedSymbol<T>& symbol, const SymbolTail<T>& tail, int along) {
    const int first = along == 0 ? 1 : 0, later = along == 2 ? 1 : 2;
    const auto rows = [&](int a) { return static_cast<Index>(symbol.eigenvalue[a].size()); };
    const auto late = [&](int a, Index row, Index q) {
        return static_cast<double>(symbol.late[a][static_cast<std::size_t>(row * symbol.terms + q)]);
    };
    double worst = 0;
    for (Index i = 0; i < rows(first); ++i)
        for (Index j = 0; j < rows(later); ++j)
            for (Index k = tail.head; k < rows(along); ++k) {
                double all = 0, few = 0;
                for (Index q = 0; q < symbol.terms; ++q)
                    all += late(first, i, q) * late(later, j, q) * late(along, k, q);
                for (Index r = 0; r < tail.rank; ++r) {
                    double mixed = 0;
                    for (Index q = 0; q < symbol.terms; ++q)
                        mixed += static_cast<double>(tail.mixing[static_cast<std::size_t>(r * symbol.terms + q)]) *
                                 late(first, i, q) * late(later, j, q);
                    few += mixed * static_cast<double>(tail.rows[static_cast<std::size_t>(r * rows(along) + k)]);
                }
                const double gap = std::abs(all - few);
                worst = std::isnan(gap) ? INFINITY : std::max(worst, gap);
            }
    std::array<Index, 3> lowest{};
    lowest[along] = std::min(tail.head, rows(along) - 1);
    const auto unit = static_cast<double>(symbol.value(lowest[0], lowest[1], lowest[2]));
    return worst / (std::numeric_limits<T>::epsilon() * std::abs(unit));
}

template <class T>
void check(const Mix& mix, const Extents& points, const std::array<double, 3>& steps, int along) {
    Problem problem = make_problem(mix, points, Discretization::spectral);
    for (int a = 0; a < 3; ++a) problem.grid.axes[a].spacing = steps[a];
    const PaddedSymbol<T> symbol = padded_symbol<T>(problem);
    const SymbolTail<T> tail = symbol_tail(symbol, along);
    EXPECT_LE(worst_difference(symbol, tail, along), 4)
        << describe(mix) << " along " << along << ", head " << tail.head << ", rank " << tail.rank;
}

TEST(SymbolTail, SumsAreThoseOfAllTerms) {
    const auto& free = test::free_kinds;
    for (const Mix& mix :
         {Mix{free[cell_ff], free[cell_ff], free[cell_ff]}, Mix{free[cell_ff], free[cell_ff], kinds[cell_p]},
          Mix{kinds[cell_dn], free[cell_ff], free[cell_ff]}, Mix{free[cell_fn], free[cell_ff], free[node_nf]}})
        for (const std::array<double, 3>& steps : {std::array{1.0, 1.0, 1.0}, {1.0, 0.5, 20.0}, {7.0, 1.0, 1.0}}) {
            check<double>(mix, {24, 70, 20}, steps, 1);
            check<float>(mix, {24, 70, 20}, steps, 1);
        }
    check<double>({free[cell_ff], kinds[cell_p], free[cell_ff]}, {70, 10, 21}, {1, 1, 1}, 0);
    check<float>({free[cell_ff], kinds[cell_nn], free[cell_fn]}, {70, 10, 21}, {1, 1, 1}, 0);
}

/// In flat and long boxes rests end as rounding before they are small: what is left lies in the rows that are
/// known.
TEST(SymbolTail, SumsAreThoseOfAllTermsWhereRestsAreRounding) {
    const test::Kind& cells = test::free_kinds[cell_ff];
    for (const auto& [points, lambda] :
         {std::pair{Extents{16, 128, 16}, 0.2}, {Extents{16, 512, 16}, 0.0}, {Extents{16, 256, 16}, 0.0}}) {
        const Problem problem = make_problem({cells, cells, cells}, points, Discretization::spectral, lambda);
        const PaddedSymbol<double> symbol = padded_symbol<double>(problem);
        const SymbolTail<double> tail = symbol_tail(symbol, 1);
        EXPECT_LE(worst_difference(symbol, tail, 1), 4)
            << describe(problem) << ", head " << tail.head << ", rank " << tail.rank;
    }
}

/// As few terms as kernels count on.
TEST(SymbolTail, HasFewTermsInCubes) {
    const test::Kind& cells = test::free_kinds[cell_ff];
    for (const Index n : {128, 256}) {
        Problem problem = make_problem({cells, cells, cells}, {n, n, n}, Discretization::spectral);
        for (Axis& axis : problem.grid.axes) axis.spacing = 0.3;
        const PaddedSymbol<double> symbol = padded_symbol<double>(problem);
        const SymbolTail<double> tail = symbol_tail(symbol, 1);
        EXPECT_EQ(symbol.terms, 48);
        EXPECT_LE(tail.head, 40);
        EXPECT_LE(tail.rank, 7);
        EXPECT_GE(tail.rank, 1);
        const SymbolTail<float> shorter = symbol_tail(padded_symbol<float>(problem), 1);
        EXPECT_LE(shorter.head, 24);
        EXPECT_LE(shorter.rank, 4);
    }
}

/// One free axis has no late terms.
TEST(SymbolTail, IsNothingWithoutTerms) {
    const Problem problem = make_problem({kinds[cell_p], test::free_kinds[cell_ff], kinds[cell_p]}, {8, 32, 8},
                                         Discretization::spectral);
    const SymbolTail<double> tail = symbol_tail(padded_symbol<double>(problem), 1);
    EXPECT_EQ(tail.rank, 0);
    EXPECT_EQ(tail.head, 33);
}

}  // namespace
}  // namespace poisson3d::fused
