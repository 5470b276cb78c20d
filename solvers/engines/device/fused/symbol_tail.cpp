#include "symbol_tail.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace poisson3d::fused {

namespace {

template <class Real>
using Row = std::vector<Real>;

/// Over the terms, of which there is a multiple of 4.
template <class Real>
Real dot(const Row<Real>& a, const Row<Real>& b) {
    std::array<Real, 4> sums{};
    for (std::size_t q = 0; q < a.size(); q += 4)
        for (std::size_t i = 0; i < 4; ++i) sums[i] += a[q + i] * b[q + i];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/// The most that a sum over the terms can be: Σ |row|, since weights are bounds of the other two axes.
double most_of(const Row<double>& row) {
    std::array<double, 4> sums{};
    for (std::size_t q = 0; q < row.size(); q += 4)
        for (std::size_t i = 0; i < 4; ++i) sums[i] += std::abs(row[q + i]);
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

template <class Real>
void take_out(Row<Real>& row, const Row<Real>& direction) {
    const Real part = dot(row, direction);
    for (std::size_t q = 0; q < row.size(); ++q) row[q] -= part * direction[q];
}

/// Orthogonal to `known` and of length 1. Once would leave what rounding left of a row that mostly lies in them.
template <class Real>
void make_orthonormal(Row<Real>& row, const std::vector<Row<Real>>& known) {
    for (int twice = 0; twice < 2; ++twice) {
        for (const Row<Real>& direction : known) take_out(row, direction);
        const Real length = std::sqrt(dot(row, row));
        for (Real& value : row) value /= length;
    }
}

/// Orthonormal rows from which all rows from `head` on are combined, largest rest first, until no sum over a rest
/// can be above `tolerance`; none if that takes more than `most`. A direction is taken out of rests twice: what
/// rounding leaves of the first large ones would be above the tolerance, though it lies in rows that are known.
std::vector<Row<double>> basis_of(const std::vector<Row<double>>& rows, Index head, double tolerance,
                                  std::size_t most) {
    std::vector<Row<double>> rest(rows.begin() + head, rows.end());
    std::vector<Row<double>> basis;
    std::vector<double> sizes(rest.size());
    while (true) {
        std::ranges::transform(rest, sizes.begin(), most_of);
        const auto largest = std::ranges::max_element(sizes);
        if (*largest <= tolerance) return basis;
        if (basis.size() == std::min(most, rest.size())) return {};
        Row<double> next = rest[static_cast<std::size_t>(largest - sizes.begin())];
        make_orthonormal(next, basis);
        for (Row<double>& row : rest)
            for (int twice = 0; twice < 2; ++twice) take_out(row, next);
        basis.push_back(std::move(next));
    }
}

/// To the last digits of what tables hold.
std::vector<Row<long double>> refined(const std::vector<Row<double>>& basis) {
    std::vector<Row<long double>> result;
    for (const Row<double>& row : basis) {
        Row<long double> finer(row.begin(), row.end());
        make_orthonormal(finer, result);
        result.push_back(std::move(finer));
    }
    return result;
}

}  // namespace

template <class T>
SymbolTail<T> symbol_tail(const PaddedSymbol<T>& symbol, int along) {
    const auto terms = static_cast<std::size_t>(symbol.terms);
    const auto count = static_cast<Index>(symbol.eigenvalue[along].size());
    SymbolTail<T> tail;
    tail.head = count;
    if (terms == 0) return tail;
    Row<double> weight(terms, 1.0);
    for (int a = 0; a < 3; ++a) {
        if (a == along) continue;
        Row<double> most(terms, 0.0);
        for (std::size_t i = 0; i < symbol.late[a].size(); ++i)
            most[i % terms] = std::max(most[i % terms], std::abs(static_cast<double>(symbol.late[a][i])));
        for (std::size_t q = 0; q < terms; ++q) weight[q] *= most[q];
    }
    const auto weighted = [&]<class Real>(Index k, Real) {
        Row<Real> row(terms);
        for (std::size_t q = 0; q < terms; ++q)
            row[q] = static_cast<Real>(symbol.late[along][k * symbol.terms + q]) * static_cast<Real>(weight[q]);
        return row;
    };
    std::vector<Row<double>> rows;
    for (Index k = 0; k < count; ++k) rows.push_back(weighted(k, 0.0));
    const auto of_lowest = [&](Index k) {
        std::array<Index, 3> mode{};
        mode[along] = k;
        return std::abs(static_cast<double>(symbol.value(mode[0], mode[1], mode[2])));
    };
    constexpr double eps = std::numeric_limits<T>::epsilon();
    std::vector<Row<double>> best;
    Index least = count * symbol.terms;
    for (Index head = 16; head < count; head += std::max<Index>(8, head / 32 * 8)) {
        // A basis row is a number of each row beyond the head, and of each term for what the lines are mixed by.
        const Index each = count - head + symbol.terms;
        const Index room = (least - head * symbol.terms) / each;
        if (room <= 0) break;  // rows of the head alone are as much work
        std::vector<Row<double>> basis =
            basis_of(rows, head, 1.5 * eps * of_lowest(head), static_cast<std::size_t>(room));
        const Index work = head * symbol.terms + each * static_cast<Index>(basis.size());
        if (basis.empty() || work >= least) continue;
        least = work;
        tail.head = head;
        best = std::move(basis);
    }
    tail.rank = static_cast<Index>(best.size());
    tail.rows.assign(tail.rank * count, T(0));
    const std::vector<Row<long double>> basis = refined(best);
    for (Index k = tail.head; k < count; ++k) {
        const Row<long double> row = weighted(k, 0.0L);
        for (Index r = 0; r < tail.rank; ++r) tail.rows[r * count + k] = static_cast<T>(dot(row, basis[r]));
    }
    for (const Row<long double>& row : basis)
        for (std::size_t q = 0; q < terms; ++q)
            tail.mixing.push_back(weight[q] > 0 ? static_cast<T>(row[q] / static_cast<long double>(weight[q]))
                                                : T(0));
    return tail;
}

template SymbolTail<float> symbol_tail(const PaddedSymbol<float>&, int);
template SymbolTail<double> symbol_tail(const PaddedSymbol<double>&, int);

}  // namespace poisson3d::fused
