// Small dense matrices in long double: what the brute-force references are made of.
#pragma once

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "poisson3d/grid.hpp"

namespace poisson3d::test {

using Real = long double;

/// A square matrix, row by row.
class Matrix {
public:
    explicit Matrix(Index size) : size_(size), values_(static_cast<std::size_t>(size * size)) {}
    [[nodiscard]] Index size() const { return size_; }
    Real* operator[](Index row) { return values_.data() + row * size_; }
    const Real* operator[](Index row) const { return values_.data() + row * size_; }

private:
    Index size_;
    std::vector<Real> values_;
};

/// P A = L U with partial pivoting; solves for any number of right-hand sides.
class LU {
public:
    explicit LU(Matrix a) : a_(std::move(a)), order_(a_.size()) {
        const Index n = a_.size();
        for (Index i = 0; i < n; ++i) order_[i] = i;
        for (Index c = 0; c < n; ++c) {
            Index best = c;
            for (Index r = c + 1; r < n; ++r)
                if (std::abs(a_[r][c]) > std::abs(a_[best][c])) best = r;
            std::swap(order_[c], order_[best]);
            for (Index k = 0; best != c && k < n; ++k) std::swap(a_[c][k], a_[best][k]);
            for (Index r = c + 1; r < n; ++r) eliminate(a_[r], a_[c], c, n);
        }
    }

    [[nodiscard]] std::vector<Real> solve(const std::vector<Real>& b) const {
        const Index n = a_.size();
        std::vector<Real> x(n);
        for (Index i = 0; i < n; ++i) {
            x[i] = b[order_[i]];
            for (Index k = 0; k < i; ++k) x[i] -= a_[i][k] * x[k];
        }
        for (Index i = n - 1; i >= 0; --i) {
            for (Index k = i + 1; k < n; ++k) x[i] -= a_[i][k] * x[k];
            x[i] /= a_[i][i];
        }
        return x;
    }

private:
    static void eliminate(Real* row, const Real* pivot, Index c, Index n) {
        if (row[c] == 0) return;
        const Real factor = row[c] / pivot[c];
        row[c] = factor;
        for (Index k = c + 1; k < n; ++k) row[k] -= factor * pivot[k];
    }

    Matrix a_;
    std::vector<Index> order_;
};

inline Matrix inverse(const Matrix& matrix) {
    const Index n = matrix.size();
    const LU lu(matrix);
    Matrix result(n);
    for (Index c = 0; c < n; ++c) {
        std::vector<Real> unit(n);
        unit[c] = 1;
        const std::vector<Real> column = lu.solve(unit);
        for (Index r = 0; r < n; ++r) result[r][c] = column[r];
    }
    return result;
}

}  // namespace poisson3d::test
