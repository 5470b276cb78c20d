// FFTs by products with matrices, alone, against sums in long double: radices, pairs of them, and blocks of lines.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "matrix_plan.hpp"
#include "matrix_step.hpp"
#include "random_values.hpp"
#include "tolerance.hpp"

namespace poisson3d::lines {
namespace {

using Exact = Complex<long double>;

/// Element p of FFT f of a line; exact in both types.
Exact sample(Index p, int f, int line) {
    return {test::uniform(p, 2 * (8 * f + line)), test::uniform(p, 2 * (8 * f + line) + 1)};
}

std::vector<Exact> exact_modes(Index n, int f, int line) {
    std::vector<Exact> roots, modes;
    for (Index i = 0; i < n; ++i) {
        const long double angle = -2 * std::numbers::pi_v<long double> * static_cast<long double>(i) / n;
        roots.push_back({std::cos(angle), std::sin(angle)});
    }
    for (Index k = 0; k < n; ++k) {
        Exact sum{0, 0};
        for (Index j = 0; j < n; ++j) sum = sum + product(roots[j * k % n], sample(j, f, line));
        modes.push_back(sum);
    }
    return modes;
}

/// Both directions on 2^shift lines of `count` FFTs, all of which go in and come out; nothing else is written.
template <class T>
void check(Index n, int count, int shift) {
    auto plan = make_matrix_plan<T, Compact>(n, count);
    plan.fft.words = plan.words.data();
    plan.fft.twiddles = plan.twiddles.data();
    plan.fft.matrices = plan.matrices.data();
    const int lines = 1 << shift;
    std::vector<std::vector<Exact>> exact;
    for (int line = 0; line < lines; ++line)
        for (int f = 0; f < count; ++f) exact.push_back(exact_modes(n, f, line));
    for (const bool in_time : {false, true}) {
        constexpr T nothing = std::numeric_limits<T>::quiet_NaN();
        std::vector<Complex<T>> data(static_cast<std::size_t>(lines * plan.pitch), Complex<T>{nothing, nothing});
        const std::vector<int>& from = in_time ? plan.reversed : plan.natural;
        const std::vector<int>& to = in_time ? plan.natural : plan.reversed;
        const auto at = [&](int line, int f, int offset) -> Complex<T>& {
            return data[static_cast<std::size_t>(line * plan.pitch + f * plan.padded_length + offset)];
        };
        for (int line = 0; line < lines; ++line)
            for (int f = 0; f < count; ++f)
                for (Index p = 0; p < n; ++p) {
                    const Exact z = sample(p, f, line);
                    at(line, f, from[p]) = {static_cast<T>(z.re), static_cast<T>(z.im)};
                }
        for (int s = 0; s < plan.fft.steps; ++s) {
            const auto wait = [] {};
            if (in_time)
                matrix_step<true>(plan.fft, s, data.data(), plan.pitch, shift, wait);
            else
                matrix_step<false>(plan.fft, s, data.data(), plan.pitch, shift, wait);
        }
        long double error = 0, norm = 0;
        for (int line = 0; line < lines; ++line)
            for (int f = 0; f < count; ++f)
                for (Index k = 0; k < n; ++k) {
                    const Exact e = exact[line * count + f][k];
                    const Complex<T> found = at(line, f, to[k]);
                    error += std::pow(found.re - e.re, 2) + std::pow(found.im - e.im, 2);
                    norm += e.re * e.re + e.im * e.im;
                }
        EXPECT_LE(static_cast<double>(std::sqrt(error / norm)), tolerance::transform<T>(n))
            << n << ", " << count << " FFTs, " << lines << " lines" << (in_time ? ", in time" : "");
        std::size_t written = 0;
        for (const Complex<T>& z : data) written += std::isnan(z.re) ? 0 : 1;
        EXPECT_EQ(written, static_cast<std::size_t>(n * count * lines)) << n;
    }
}

TEST(MatrixSteps, EveryRadixIsADft) {
    for (Index n = 2; n <= largest_matrix_radix; ++n) {
        ASSERT_FALSE(matrix_radices(n).empty());
        check<double>(n, 1, 1);
        if (n % 3 == 0) check<float>(n, 1, 0);
    }
}

TEST(MatrixSteps, TwoRadicesAreAnFft) {
    for (const Index n : {286, 493, 502, 511, 515, 667, 706, 899, 917, 1003, 1007})
        if (!matrix_radices(n).empty()) {
            check<double>(n, 1, 2);
            check<float>(n, 1, 3);
        }
}

// What a warp takes begins in one line and ends in another, or in another FFT.
TEST(MatrixSteps, LinesAndFftsOfABlock) {
    for (const int count : {1, 2, 3, 5})
        for (int shift = 0; shift <= 4; ++shift)
            for (const Index n : {13, 58, 134}) check<double>(n, count, shift);
}

TEST(MatrixSteps, LengthsThatHaveThem) {
    EXPECT_EQ(matrix_radices(257), std::vector<int>{});
    EXPECT_EQ(matrix_radices(2 * 257), std::vector<int>{});
    EXPECT_EQ(matrix_radices(2 * 251).size(), 2U);
    EXPECT_EQ(matrix_radices(29 * 31).size(), 2U);
    EXPECT_EQ(matrix_radices(1), std::vector<int>{});
}

}  // namespace
}  // namespace poisson3d::lines
