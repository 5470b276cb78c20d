// The FFT cores of the fused engine, alone, against sums in long double: every length they are made for.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "fft_plan.hpp"
#include "random_values.hpp"
#include "tolerance.hpp"

namespace poisson3d::fused {
namespace {

using Exact = Complex<long double>;

/// e^{−2πi k/n} for all k.
std::vector<Exact> roots(Index n) {
    std::vector<Exact> table(n);
    for (Index k = 0; k < n; ++k) {
        const long double angle = -2 * std::numbers::pi_v<long double> * static_cast<long double>(k) / n;
        table[k] = {std::cos(angle), std::sin(angle)};
    }
    return table;
}

/// All modes for short lengths, about 64 of them for long ones.
std::vector<Index> some_modes(Index n) {
    std::vector<Index> modes;
    const Index step = n <= 128 ? 1 : n / 61;
    for (Index k = 0; k < n; k += step) modes.push_back(k);
    return modes;
}

template <class T>
struct Lines {
    Lines(const FftPlan<T>& made, Index n, int count, bool from_places) : plan(made), data(count * made.pitch) {
        plan.fft.twiddles = plan.twiddles.data();
        plan.fft.words = plan.words.data();
        for (int c = 0; c < count; ++c)
            for (Index j = 0; j < n; ++j) {
                const Complex<T> z{static_cast<T>(test::uniform(c * n + j, 1)),
                                   static_cast<T>(test::uniform(c * n + j, 2))};
                samples.push_back(z);
                data[c * plan.pitch + (from_places ? plan.reversed : plan.natural)[j]] = z;
            }
    }
    template <bool in_time>
    void transform(int count, int threads) {
        for (int phase = 0; phase < plan.fft.phases; ++phase)
            for (int t = 0; t < threads; ++t)
                fft_phase<in_time, false>(plan.fft, phase, data.data(), plan.pitch, count, t, threads);
    }
    FftPlan<T> plan;
    std::vector<Complex<T>> data, samples;
};

template <class T>
void check(Index n, bool in_time) {
    constexpr int count = 2;
    Lines<T> lines(make_fft_plan<T>({{0, n, 1}}, n), n, count, in_time);
    in_time ? lines.template transform<true>(count, 3) : lines.template transform<false>(count, 3);
    const std::vector<Exact> root = roots(n);
    long double error = 0, norm = 0;
    for (int c = 0; c < count; ++c)
        for (const Index k : some_modes(n)) {
            Exact sum{0, 0};
            for (Index j = 0; j < n; ++j) {
                const Exact w = root[j * k % n];
                const Complex<T> z = lines.samples[c * n + j];
                sum.re += w.re * z.re - w.im * z.im;
                sum.im += w.re * z.im + w.im * z.re;
            }
            const Complex<T> found =
                lines.data[c * lines.plan.pitch + (in_time ? lines.plan.natural : lines.plan.reversed)[k]];
            error += std::pow(found.re - sum.re, 2) + std::pow(found.im - sum.im, 2);
            norm += sum.re * sum.re + sum.im * sum.im;
        }
    EXPECT_LE(static_cast<double>(std::sqrt(error / norm)), tolerance::transform<T>(n))
        << n << (in_time ? " in time" : "");
}

TEST(LineFft, EveryLengthAgainstExactSums) {
    for (Index n = 1; n <= 2048; ++n) {
        if (!has_radices(n)) continue;
        check<double>(n, n % 3 == 0);
        check<double>(n, n % 3 != 0);
        check<float>(n, n % 2 == 0);
    }
}

TEST(LineFft, SeveralFftsOfALineDoNotTouchEachOther) {
    const std::vector<cufft::FftBlock> blocks{{0, 24, 1}, {24, 12, 1}, {40, 6, 2}};
    FftPlan<double> plan = make_fft_plan<double>(blocks, 128);
    plan.fft.twiddles = plan.twiddles.data();
    plan.fft.words = plan.words.data();
    EXPECT_GT(plan.fft.phases, 1);
    EXPECT_EQ(plan.pitch % 2, 1);
    std::vector<Complex<double>> data(plan.pitch, Complex<double>{0, 0});
    // A pulse at the beginning of each: all its modes are the pulse.
    const std::array<Index, 4> first{0, 24, 40, 40 + 64};
    const std::array<Index, 4> length{24, 12, 6, 6};
    for (int b = 0; b < 4; ++b) data[plan.natural[first[b]]] = {b + 1.0, 0};
    for (int phase = 0; phase < plan.fft.phases; ++phase)
        fft_phase<false, false>(plan.fft, phase, data.data(), plan.pitch, 1, 0, 1);
    for (int b = 0; b < 4; ++b)
        for (Index k = 0; k < length[b]; ++k)
            EXPECT_EQ(data[plan.reversed[first[b] + k]].re, b + 1.0) << b << ", " << k;
}

TEST(LineFft, LengthsWithOtherPrimesAreNotItsOwn) {
    EXPECT_TRUE(has_radices(1));
    EXPECT_TRUE(has_radices(2016));
    EXPECT_FALSE(has_radices(11));
    EXPECT_FALSE(has_radices(517));
}

}  // namespace
}  // namespace poisson3d::fused
