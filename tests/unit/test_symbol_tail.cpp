// Few terms in place of many in rows of a symbol: the sums are the same, in every mode.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "free_mixes.hpp"
#include "random_values.hpp"
#include "symbol_tail.hpp"

namespace poisson3d::fused {
namespace {

using namespace test;

/// What few terms differ from all of them at most, in any mode from the head on, where sums of all are exact.
struct Differences {
    double numbers = 0;   ///< of the numbers themselves, their sums exact; in roundings of K(head)
    double computed = 0;  ///< of sums in T; in roundings of K(head) or, if that is larger, of the largest sum
};

template <class T>
Differences differences(const PaddedSymbol<T>& symbol, const SymbolTail<T>& tail, int along) {
    const int first = along == 0 ? 1 : 0, later = along == 2 ? 1 : 2;
    const auto terms = static_cast<std::size_t>(symbol.terms), rank = static_cast<std::size_t>(tail.rank);
    const auto rows = [&](int a) { return symbol.eigenvalue[a].size(); };
    const auto late = [&](int a, std::size_t row) { return symbol.late[a].data() + row * terms; };
    const auto larger = [](long double worst, long double gap) {
        return std::isnan(gap) ? INFINITY : std::max(worst, std::abs(gap));
    };
    long double numbers = 0, computed = 0, largest = 0;
    for (std::size_t i = 0; i < rows(first); ++i)
        for (std::size_t j = 0; j < rows(later); ++j) {
            std::vector<long double> products(terms), exact(rank);
            std::vector<T> mixed(rank);
            for (std::size_t q = 0; q < terms; ++q)
                products[q] = static_cast<long double>(late(first, i)[q]) * late(later, j)[q];
            for (std::size_t r = 0; r < rank; ++r)
                for (std::size_t q = 0; q < terms; ++q) {
                    const T number = tail.mixing[r * terms + q];
                    exact[r] += number * products[q];
                    mixed[r] += number * (late(first, i)[q] * late(later, j)[q]);
                }
            for (auto k = static_cast<std::size_t>(tail.head); k < rows(along); ++k) {
                long double all = 0, few = 0;
                T sum = 0;
                for (std::size_t q = 0; q < terms; ++q) all += products[q] * late(along, k)[q];
                for (std::size_t r = 0; r < rank; ++r) {
                    few += exact[r] * tail.rows[r * rows(along) + k];
                    sum += mixed[r] * tail.rows[r * rows(along) + k];
                }
                numbers = larger(numbers, few - all);
                computed = larger(computed, sum - all);
                largest = std::max(largest, std::abs(all));
            }
        }
    std::array<Index, 3> lowest{};
    lowest[along] = std::min(tail.head, static_cast<Index>(rows(along)) - 1);
    const auto head = std::abs(static_cast<long double>(symbol.value(lowest[0], lowest[1], lowest[2])));
    const long double eps = std::numeric_limits<T>::epsilon();
    return {static_cast<double>(numbers / (eps * head)),
            static_cast<double>(computed / (eps * std::max(head, largest)))};
}

template <class T>
void expect_same_sums(const PaddedSymbol<T>& symbol, const SymbolTail<T>& tail, int along,
                      const std::string& what) {
    const auto [numbers, computed] = differences(symbol, tail, along);
    EXPECT_LE(numbers, 1.5) << what << ", head " << tail.head << ", rank " << tail.rank;
    EXPECT_LE(computed, 4) << what << ", head " << tail.head << ", rank " << tail.rank;
}

template <class T>
void check(const Mix& mix, const Extents& points, const std::array<double, 3>& steps, int along) {
    Problem problem = make_problem(mix, points, Discretization::spectral);
    for (int a = 0; a < 3; ++a) problem.grid.axes[a].spacing = steps[a];
    const PaddedSymbol<T> symbol = padded_symbol<T>(problem);
    const SymbolTail<T> tail = symbol_tail(symbol, along);
    expect_same_sums(symbol, tail, along, describe(mix) + " along " + std::to_string(along));
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

/// In flat and long boxes there are many terms of similar size, and singular values fall slowly.
TEST(SymbolTail, SumsAreThoseOfAllTermsInFlatBoxes) {
    const test::Kind& cells = test::free_kinds[cell_ff];
    for (const auto& [points, lambda] :
         {std::pair{Extents{16, 128, 16}, 0.2}, {Extents{16, 512, 16}, 0.0}, {Extents{16, 256, 16}, 0.0}}) {
        const Problem problem = make_problem({cells, cells, cells}, points, Discretization::spectral, lambda);
        const PaddedSymbol<double> symbol = padded_symbol<double>(problem);
        const SymbolTail<double> tail = symbol_tail(symbol, 1);
        expect_same_sums(symbol, tail, 1, describe(problem));
        // Far less work than by all terms.
        const auto rows = static_cast<Index>(symbol.eigenvalue[1].size());
        const Index work = tail.head * symbol.terms + (rows - tail.head + symbol.terms) * tail.rank;
        EXPECT_LE(static_cast<double>(work), 0.75 * static_cast<double>(rows * symbol.terms));
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

/// Nor do they depend on how a machine rounds: tables whose last digits differ are reduced to as few terms.
TEST(SymbolTail, HasAsManyTermsHoweverTablesAreRounded) {
    const test::Kind& cells = test::free_kinds[cell_ff];
    std::uint64_t number = 0;
    for (const Index n : {100, 128, 256})
        for (const double step : {0.3, 0.7, 1.0, 3.1}) {
            Problem problem = make_problem({cells, cells, cells}, {n, n, n}, Discretization::spectral);
            for (Axis& axis : problem.grid.axes) axis.spacing = step;
            PaddedSymbol<double> symbol = padded_symbol<double>(problem);
            for (int turn = 0; turn < 4; ++turn) {
                const SymbolTail<double> tail = symbol_tail(symbol, 1);
                EXPECT_EQ(tail.head, 24) << n << ", step " << step << ", turn " << turn;
                EXPECT_EQ(tail.rank, 6) << n << ", step " << step << ", turn " << turn;
                for (std::vector<double>& table : symbol.late)
                    for (double& value : table)
                        value = std::nextafter(value, uniform(++number) > 0 ? INFINITY : 0.0);
            }
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
