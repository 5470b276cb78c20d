#include "symbol_tail.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace poisson3d::fused {

namespace {

using Row = std::vector<double>;

double dot(const Row& a, const Row& b) {
    double sum = 0;
    for (std::size_t q = 0; q < a.size(); ++q) sum += a[q] * b[q];
    return sum;
}

/// Orthonormal rows from which all rows from `head` on are combined, largest rest first, until rests are below
/// `tolerance`, or below what rounding has left of the largest; none if that takes more than `most`, or if rests
/// are rounding before: a rest that mostly lies in the rows that are known would not become orthogonal to them.
std::vector<Row> basis_of(const std::vector<Row>& rows, Index head, double tolerance, std::size_t most) {
    std::vector<Row> rest(rows.begin() + head, rows.end());
    std::vector<Row> basis;
    double enough = tolerance * tolerance;
    while (true) {
        const auto largest = std::ranges::max_element(rest, {}, [](const Row& row) { return dot(row, row); });
        const double size = dot(*largest, *largest);
        if (basis.empty()) enough = std::max(enough, size * 1e-31);
        if (size <= enough) return basis;
        if (basis.size() == std::min(most, rest.size())) return {};
        Row next = *largest;
        for (int twice = 0; twice < 2; ++twice) {
            for (const Row& known : basis) {
                const double part = dot(next, known);
                for (std::size_t q = 0; q < next.size(); ++q) next[q] -= part * known[q];
            }
            const double length = std::sqrt(dot(next, next));
            if (twice == 0 && 4 * length * length < size) return {};
            for (double& value : next) value /= length;
        }
        for (Row& row : rest) {
            const double part = dot(row, next);
            for (std::size_t q = 0; q < next.size(); ++q) row[q] -= part * next[q];
        }
        basis.push_back(std::move(next));
    }
}

}  // namespace

template <class T>
SymbolTail<T> symbol_tail(const PaddedSymbol<T>& symbol, int along) {
    const auto terms = static_cast<std::size_t>(symbol.terms);
    const auto count = static_cast<Index>(symbol.eigenvalue[along].size());
    SymbolTail<T> tail;
    tail.head = count;
    if (terms == 0) return tail;
    Row weight(terms, 1.0);
    for (int a = 0; a < 3; ++a) {
        if (a == along) continue;
        Row most(terms, 0.0);
        for (std::size_t i = 0; i < symbol.late[a].size(); ++i)
            most[i % terms] = std::max(most[i % terms], std::abs(static_cast<double>(symbol.late[a][i])));
        for (std::size_t q = 0; q < terms; ++q) weight[q] *= most[q];
    }
    std::vector<Row> rows(count, Row(terms));
    for (Index k = 0; k < count; ++k)
        for (std::size_t q = 0; q < terms; ++q)
            rows[k][q] = static_cast<double>(symbol.late[along][k * symbol.terms + q]) * weight[q];
    const auto of_lowest = [&](Index k) {
        std::array<Index, 3> mode{};
        mode[along] = k;
        return std::abs(static_cast<double>(symbol.value(mode[0], mode[1], mode[2])));
    };
    constexpr double eps = std::numeric_limits<T>::epsilon();
    std::vector<Row> best;
    Index least = count * symbol.terms;
    for (Index head = 16; head < count; head += std::max<Index>(8, head / 32 * 8)) {
        const Index room = (least - head * symbol.terms) / (count - head);
        if (room <= 0) break;  // rows of the head alone are as much work
        std::vector<Row> basis = basis_of(rows, head, eps / 4 * of_lowest(head), static_cast<std::size_t>(room));
        const Index work = head * symbol.terms + (count - head) * static_cast<Index>(basis.size());
        if (basis.empty() || work >= least) continue;
        least = work;
        tail.head = head;
        best = std::move(basis);
    }
    tail.rank = static_cast<Index>(best.size());
    tail.rows.assign(tail.rank * count, T(0));
    for (Index r = 0; r < tail.rank; ++r) {
        for (Index k = tail.head; k < count; ++k) tail.rows[r * count + k] = static_cast<T>(dot(rows[k], best[r]));
        for (std::size_t q = 0; q < terms; ++q)
            tail.mixing.push_back(weight[q] > 0 ? static_cast<T>(best[r][q] / weight[q]) : T(0));
    }
    return tail;
}

template SymbolTail<float> symbol_tail(const PaddedSymbol<float>&, int);
template SymbolTail<double> symbol_tail(const PaddedSymbol<double>&, int);

}  // namespace poisson3d::fused
