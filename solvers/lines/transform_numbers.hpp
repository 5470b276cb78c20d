// The unnormalised transforms of a line (axis_kind.hpp) as matrices, element by element.
#pragma once

#include <vector>

#include "axis_kind.hpp"
#include "roots_of_unity.hpp"

namespace poisson3d::lines {

/// Output k of input j = 1 of a transform of n numbers, FFTW's definitions. Angles are whole fractions of a turn,
/// so that those of the far end are as good as any.
class TransformNumbers {
public:
    /// `tabulated`: for so many elements that sines and cosines are better computed once.
    TransformNumbers(Transform transform, Index n, bool tabulated = false)
        : transform_(transform), n_(n), samples_(samples(transform, n)), roots_(samples_) {
        for (Index turn = 0; tabulated && turn < samples_; ++turn) table_.push_back(roots_(turn));
    }

    [[nodiscard]] long double operator()(Index k, Index j) const {
        const long double sign = k % 2 == 0 ? 1 : -1;
        switch (transform_) {
            case Transform::dft: return 2 * k <= n_ ? cosine(j * k) : sine(j * k);
            case Transform::inverse_dft:
                if (2 * j > n_) return 2 * sine(j * k);
                return (j == 0 || 2 * j == n_ ? 1 : 2) * cosine(j * k);
            case Transform::dct1: return j == 0 ? 1 : j == n_ - 1 ? sign : 2 * cosine(j * k);
            case Transform::dst1: return 2 * sine((j + 1) * (k + 1));
            case Transform::dct2: return 2 * cosine(2 * (2 * j + 1) * k);
            case Transform::dst2: return 2 * sine(2 * (2 * j + 1) * (k + 1));
            case Transform::dct3: return j == 0 ? 1 : 2 * cosine(2 * j * (2 * k + 1));
            case Transform::dst3: return j == n_ - 1 ? sign : 2 * sine(2 * (j + 1) * (2 * k + 1));
            case Transform::dct4: return 2 * cosine((2 * j + 1) * (2 * k + 1));
            case Transform::dst4: return 2 * sine((2 * j + 1) * (2 * k + 1));
        }
        return 0;
    }

private:
    /// Roots in a turn.
    static Index samples(Transform transform, Index n) {
        switch (transform) {
            case Transform::dft:
            case Transform::inverse_dft: return n;
            case Transform::dct1: return n > 1 ? 2 * (n - 1) : 1;
            case Transform::dst1: return 2 * (n + 1);
            default: return 8 * n;
        }
    }
    [[nodiscard]] Complex<long double> root(Index turn) const {
        return table_.empty() ? roots_(turn) : table_[turn % samples_];
    }
    [[nodiscard]] long double cosine(Index turn) const { return root(turn).re; }
    [[nodiscard]] long double sine(Index turn) const { return -root(turn).im; }

    Transform transform_;
    Index n_, samples_;
    RootsOfUnity roots_;
    std::vector<Complex<long double>> table_;
};

}  // namespace poisson3d::lines
