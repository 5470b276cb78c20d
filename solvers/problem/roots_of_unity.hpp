// Roots of unity, e^{−2πi t/n}, many of them for one n.
//
// Below 2^17 every root is a sine and a cosine of its own. Above, where these would take minutes, it is the product
// of two roots from tables of about √n, after a reduction to the first eighth of a turn: there sines and cosines
// are sums without cancellation, so that both parts keep their relative accuracy, two units of long double.
#pragma once

#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "host_device.hpp"
#include "poisson3d/grid.hpp"

namespace poisson3d {

class RootsOfUnity {
public:
    explicit RootsOfUnity(Index n) : n_(n) {
        if (n < direct_below) return;
        while (Index{1} << 2 * shift_ < n) ++shift_;
        for (Index i = 0; i < Index{1} << shift_; ++i) fine_.push_back(of_eighths(i));
        for (Index i = 0; i <= n >> shift_; ++i) coarse_.push_back(of_eighths(i << shift_));
    }

    /// For any turn ≥ 0.
    [[nodiscard]] Complex<long double> operator()(Index turn) const {
        turn %= n_;
        if (coarse_.empty()) {
            const long double angle = 2 * std::numbers::pi_v<long double> * static_cast<long double>(turn) / n_;
            return {std::cos(angle), -std::sin(angle)};
        }
        const Index eighth = 8 * turn / n_;
        const Index within = 8 * turn % n_;
        const Index i = eighth % 2 == 0 ? within : n_ - within;
        const Complex<long double> a = coarse_[i >> shift_];
        const Complex<long double> b = fine_[i & ((Index{1} << shift_) - 1)];
        long double cosine = a.re * b.re - a.im * b.im;
        long double sine = a.im * b.re + a.re * b.im;
        if ((eighth + 1) / 2 % 2 == 1) std::swap(cosine, sine);
        return {eighth >= 2 && eighth < 6 ? -cosine : cosine, eighth < 4 ? -sine : sine};
    }

    /// Rounded once.
    template <class T>
    [[nodiscard]] Complex<T> rounded(Index turn) const {
        const Complex<long double> root = (*this)(turn);
        return {static_cast<T>(root.re), static_cast<T>(root.im)};
    }

private:
    static constexpr Index direct_below = Index{1} << 17;

    /// Cosine and sine of 2πi/8n.
    [[nodiscard]] Complex<long double> of_eighths(Index i) const {
        const long double angle = std::numbers::pi_v<long double> * static_cast<long double>(i) / (4 * n_);
        return {std::cos(angle), std::sin(angle)};
    }

    Index n_;
    int shift_ = 0;
    std::vector<Complex<long double>> coarse_, fine_;  ///< of multiples of 2^shift eighths of 1/n, and below
};

}  // namespace poisson3d
