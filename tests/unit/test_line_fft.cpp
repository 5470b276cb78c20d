// The FFT cores of the fused engine, alone, against sums in long double: small DFTs, and every length they are made
// for.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>
#include <utility>
#include <vector>

#include "butterfly_pair_tables.hpp"
#include "chirp_tables.hpp"
#include "pass.hpp"
#include "poisson3d/threads.hpp"
#include "prime_step.hpp"
#include "random_values.hpp"
#include "roots_of_unity.hpp"
#include "tolerance.hpp"

namespace poisson3d::lines {
namespace {

using Exact = Complex<long double>;

Exact exact_root(long double turns) {
    const long double angle = -2 * std::numbers::pi_v<long double> * turns;
    return {std::cos(angle), std::sin(angle)};
}

/// Exact in both types.
Exact sample(Index index) {
    return {test::uniform(index, 1), test::uniform(index, 2)};
}

template <class T>
Complex<T> rounded(Exact z) {
    return {static_cast<T>(z.re), static_cast<T>(z.im)};
}

/// Relative L2 error.
class Distance {
public:
    template <class T>
    void add(Complex<T> found, Exact expected) {
        error_ += std::pow(found.re - expected.re, 2) + std::pow(found.im - expected.im, 2);
        norm_ += expected.re * expected.re + expected.im * expected.im;
    }
    [[nodiscard]] double relative() const { return static_cast<double>(std::sqrt(error_ / norm_)); }

private:
    long double error_ = 0, norm_ = 0;
};

/// `count` FFTs on one line. Row f + count · p is element p of FFT f.
struct Batch {
    Index n;
    int count;
    std::vector<Exact> samples, modes;

    Batch(Index length, int number) : Batch(length, number, rows(length * number)) {}
    Batch(Index length, int number, std::vector<Exact> given)
        : n(length), count(number), samples(std::move(given)) {
        std::vector<Exact> root;
        for (Index k = 0; k < n; ++k) root.push_back(exact_root(static_cast<long double>(k) / n));
        for (Index k = 0; k < n; ++k)
            for (int f = 0; f < count; ++f) {
                Exact sum{0, 0};
                Index turn = 0;
                for (Index j = 0; j < n; ++j) {
                    sum = sum + product(root[turn], samples[f + count * j]);
                    turn += k;
                    if (turn >= n) turn -= n;
                }
                modes.push_back(sum);
            }
    }

private:
    static std::vector<Exact> rows(Index number) {
        std::vector<Exact> all;
        for (Index row = 0; row < number; ++row) all.push_back(sample(row));
        return all;
    }
};

template <int r, class T>
void check_small() {
    const Batch batch(r, 1);
    Complex<T> z[r];
    for (int j = 0; j < r; ++j) z[j] = rounded<T>(batch.samples[j]);
    dft(z);
    Distance error;
    for (int k = 0; k < r; ++k) error.add(z[k], batch.modes[k]);
    EXPECT_LE(error.relative(), tolerance::transform<T>(r)) << r;
}

/// The upper half zeros, which are not set.
template <int r, class T>
void check_half() {
    Batch batch(r, 1);
    for (int j = r / 2; j < r; ++j) batch.samples[j] = {0, 0};
    const Batch expected(r, 1, batch.samples);
    Complex<T> z[r];
    constexpr T nothing = std::numeric_limits<T>::quiet_NaN();
    for (int j = 0; j < r; ++j) z[j] = j < r / 2 ? rounded<T>(batch.samples[j]) : Complex<T>{nothing, nothing};
    dft<true>(z);
    Distance error;
    for (int k = 0; k < r; ++k) error.add(z[k], expected.modes[k]);
    EXPECT_LE(error.relative(), tolerance::transform<T>(r)) << r;
}

template <int r, bool few, class T>
void check_twiddles() {
    constexpr long double turns = 0.0371L;
    Twiddles<r, few, T> twiddles;
    twiddles.read([&](int i) { return rounded<T>(exact_root(turns * twiddle_exponent(r, i, few))); });
    Complex<T> z[r];
    for (int k = 0; k < r; ++k) z[k] = rounded<T>(sample(k));
    twiddles.apply(z);
    for (int k = 0; k < r; ++k) {
        Distance error;
        error.add(z[k], product(exact_root(turns * k), sample(k)));
        EXPECT_LE(error.relative(), 4 * tolerance::eps<T>) << r << ", " << k;
    }
}

template <int... r>
void check_radices() {
    (check_small<r, float>(), ...);
    (check_small<r, double>(), ...);
    (check_twiddles<r, true, float>(), ...);
    (check_twiddles<r, true, double>(), ...);
    (check_twiddles<r, false, float>(), ...);
    (check_twiddles<r, false, double>(), ...);
}

TEST(Butterfly, SmallDftsAndTheirFactorsAreExact) {
    check_radices<1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 19, 20, 23>();
}

template <int... r>
void check_halves() {
    (check_half<r, float>(), ...);
    (check_half<r, double>(), ...);
}

TEST(Butterfly, UpperHalvesOfZerosAreNotRead) {
    check_halves<2, 4, 6, 8, 10, 12, 16>();
}

template <class T, class Format>
void set_addresses(ButterflyPairTable<T, Format>& table) {
    table.view.offsets = table.offsets.data();
    table.view.twiddles = table.twiddles.empty() ? nullptr : table.twiddles.data();
}

/// All steps of FFTs on two lines of "shared memory". The second line's elements are the first one's times i.
template <class Samples, class Modes, class T, class Format>
class Walk {
public:
    Walk(Index n, int count, Pairing samples, Pairing modes)
        : plan_(make_fft_plan<T, Format>(n, count, radices_of(n))),
          samples_(make_butterfly_pairs(plan_, Side::samples, samples, true)),
          modes_(make_butterfly_pairs(plan_, Side::modes, modes, false)),
          data_(lines * plan_.pitch, nothing),
          fft_(plan_.fft) {
        set_addresses(samples_);
        set_addresses(modes_);
        fft_.words = plan_.words.empty() ? nullptr : plan_.words.data();
        fft_.twiddles = plan_.twiddles.empty() ? nullptr : plan_.twiddles.data();
    }

    /// All rows of the first line, and all of the second.
    std::vector<Complex<T>> in_frequency(const std::vector<Exact>& rows) {
        put<Samples>(samples_, rows);
        for (int s = 0; s < fft_.steps; ++s)
            inner_step<false, Inner::all_and_primes>(fft_, s, data_.data(), plan_.pitch, lines);
        return take<Modes>(modes_);
    }
    std::vector<Complex<T>> in_time(const std::vector<Exact>& rows) {
        put<Modes>(modes_, rows);
        for (int s = 0; s < fft_.steps; ++s)
            inner_step<true, Inner::all_and_primes>(fft_, s, data_.data(), plan_.pitch, lines);
        return take<Samples>(samples_);
    }

private:
    /// body.operator()<r>(twins, line)
    template <class Body>
    void for_butterflies(const ButterflyPairTable<T, Format>& table, const Body& body) {
        with_radix<Outer::any>(table.view.radix, [&]<int r>() {
            for (int line = 0; line < lines; ++line)
                for (int o = 0; o < table.view.items.count; ++o) body.template operator()<r>(o, line);
        });
    }

    template <class Form>
    void put(const ButterflyPairTable<T, Format>& table, const std::vector<Exact>& rows) {
        std::fill(data_.begin(), data_.end(), nothing);
        for_butterflies(table, [&]<int r>(int o, int line) {
            const auto element = [&](Index row) {
                if (row < 0) return nothing;
                return rounded<T>(line == 0 ? rows[row] : times_i(rows[row]));
            };
            Complex<T> a[r], b[r];
            for (int m = 0; m < r; ++m) {
                const int pair = m * table.view.items.count + o;
                pair_first<r, Form::straight>(a, b, m) = element(table.first[pair]);
                pair_second<r, Form::straight>(a, b, m) = element(table.second[pair]);
            }
            first_step<r, Form>(table.view, o, data_.data() + line * plan_.pitch, a, b);
        });
    }

    template <class Form>
    std::vector<Complex<T>> take(const ButterflyPairTable<T, Format>& table) {
        const Index rows = plan_.length * plan_.count;
        std::vector<Complex<T>> found(lines * rows, nothing);
        for_butterflies(table, [&]<int r>(int o, int line) {
            Complex<T> a[r], b[r];
            last_step<r, Form>(table.view, o, data_.data() + line * plan_.pitch, a, b);
            for (int m = 0; m < r; ++m) {
                const int pair = m * table.view.items.count + o;
                const Index first = table.first[pair];
                const Index second = table.second[pair];
                if (first >= 0) found[line * rows + first] = pair_first<r, Form::straight>(a, b, m);
                if (second >= 0) found[line * rows + second] = pair_second<r, Form::straight>(a, b, m);
            }
        });
        return found;
    }

    static constexpr int lines = 2;
    static constexpr Complex<T> nothing{std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::quiet_NaN()};
    FftPlan<T, Format> plan_;
    ButterflyPairTable<T, Format> samples_, modes_;
    std::vector<Complex<T>> data_;
    LineFft<T, Format> fft_;
};

template <class Samples, class Modes, class T, class Format>
void check(const Batch& batch, Pairing samples, Pairing modes) {
    Walk<Samples, Modes, T, Format> walk(batch.n, batch.count, samples, modes);
    const std::size_t rows = batch.modes.size();
    for (const bool in_time : {false, true}) {
        const auto found = in_time ? walk.in_time(batch.samples) : walk.in_frequency(batch.samples);
        Distance error;
        for (std::size_t row = 0; row < rows; ++row) {
            error.add(found[row], batch.modes[row]);
            error.add(found[rows + row], times_i(batch.modes[row]));
        }
        EXPECT_LE(error.relative(), tolerance::transform<T>(batch.n))
            << batch.count << " of " << batch.n << (in_time ? " in time" : "") << ", pairs "
            << static_cast<int>(samples) << " and " << static_cast<int>(modes);
    }
}

template <Kind samples, Kind modes>
void check(const Batch& batch, Pairing at_samples, Pairing at_modes) {
    using Samples = Form<samples, Side::samples>;
    using Modes = Form<modes, Side::modes>;
    check<Samples, Modes, float, Plain>(batch, at_samples, at_modes);
    check<Samples, Modes, double, Plain>(batch, at_samples, at_modes);
    check<Samples, Modes, float, Compact>(batch, at_samples, at_modes);
    check<Samples, Modes, double, Compact>(batch, at_samples, at_modes);
}

/// Of factors 2, 3, 5 and 7.
bool smooth(Index n) {
    for (const int p : {2, 3, 5, 7})
        while (n % p == 0) n /= p;
    return n == 1;
}

TEST(LineFft, EveryLengthAgainstExactSums) {
    const std::set<Index> with_primes{517, 521, 530, 961, 1009, 1022, 1297, 1801, 1808, 1819};
    for (Index n = 1; n <= 2048; ++n) {
        if (!has_radices(n) || (n > 512 && !smooth(n) && !with_primes.contains(n))) continue;
        const Batch batch(n, 1);
        check<Kind::type2, Kind::type3>(batch, Pairing::none, Pairing::none);
        check<Kind::type2, Kind::type2>(batch, Pairing::none, Pairing::mirror);
        check<Kind::type3, Kind::type3>(batch, Pairing::mirror, Pairing::none);
    }
}

TEST(LineFft, SeveralFftsOfALineDoNotTouchEachOther) {
    for (Index n = 1; n <= 1024; ++n) {
        if (!has_radices(n) || (n > 256 && n % 32 != 0)) continue;
        const Batch batch(n, 2);
        check<Kind::type2, Kind::type3>(batch, Pairing::none, Pairing::none);
        check<Kind::type4, Kind::type4>(batch, Pairing::adjacent, Pairing::cross);
    }
    for (const Index n : {1, 7, 15, 24, 64})
        check<Kind::type2, Kind::type1>(Batch(n, 5), Pairing::none, Pairing::none);
}

/// `count` FFTs by chirps on a line, the first of other numbers.
template <class T, class Format>
void check_chirp(const Batch& batch, int count) {
    ThreadTeam alone(1);
    ChirpPlan<T, Format> made = make_chirp_plan<T, Format>(batch.n, count, alone);
    made.plan.fft.words = made.plan.words.data();
    made.plan.fft.twiddles = made.plan.twiddles.data();
    made.tables.view.chirp = made.tables.chirp.data();
    made.tables.view.filter = made.tables.filter.data();
    EXPECT_EQ(chirp_padded_length<Format>(batch.n), made.plan.padded_length);
    constexpr T nothing = std::numeric_limits<T>::quiet_NaN();
    std::vector<Complex<T>> line(count * made.plan.padded_length, Complex<T>{nothing, nothing});
    Complex<T>* const last = line.data() + (count - 1) * made.plan.padded_length;
    for (Index j = 0; j < batch.n; ++j) last[made.plan.natural[j]] = rounded<T>(batch.samples[j]);
    chirp_ffts(made.plan.fft, made.tables.view, line.data(), 0, 1, [] {});
    Distance error;
    for (Index k = 0; k < batch.n; ++k) error.add(last[made.plan.reversed[k]], batch.modes[k]);
    EXPECT_LE(error.relative(), tolerance::transform<T>(batch.n)) << batch.n;
}

TEST(ChirpFft, EveryLengthAgainstExactSums) {
    for (Index n = 2; n <= 2039; n += n < 300 ? 1 : n < 1024 ? 23 : 47) {
        const Batch batch(n, 1);
        check_chirp<float, Plain>(batch, 1 + static_cast<int>(n % 3));
        check_chirp<double, Plain>(batch, 1 + static_cast<int>(n % 2));
        check_chirp<float, Compact>(batch, 1 + static_cast<int>(n % 3));
        check_chirp<double, Compact>(batch, 1 + static_cast<int>(n % 2));
    }
}

TEST(ChirpFft, ConvolutionsHaveRoomAndRadicesThatTheirStepsKnow) {
    for (Index i = 2; i < 8400; ++i) {
        const Index n = i / 2;
        const Convolution found = chirp_convolution(n, i % 2 != 0);
        EXPECT_GE(found.length, 2 * n);
        EXPECT_LE(4 * found.length, 5 * std::max<Index>(4, 2 * n + n / 4)) << n;
        ASSERT_GE(found.radices.size(), 2U);
        ASSERT_LE(found.radices.size(), std::size_t{max_steps});
        EXPECT_TRUE(FirstRadices::has(found.radices.front())) << n;
        EXPECT_TRUE(LastRadices::has(found.radices.back())) << n;
        Index product = 1;
        for (const int radix : found.radices) {
            EXPECT_TRUE(MiddleRadices::has(radix)) << n;
            product *= radix;
        }
        EXPECT_EQ(product, found.length);
    }
}

TEST(ChirpFft, ConvolutionsHaveFewStepsAndSmallOuterOnes) {
    EXPECT_EQ(chirp_convolution(509).radices, (std::vector<int>{8, 16, 8}));
    EXPECT_EQ(chirp_convolution(512).radices, (std::vector<int>{8, 16, 8}));
    EXPECT_EQ(chirp_convolution(1021).radices, (std::vector<int>{16, 16, 8}));
    EXPECT_EQ(chirp_convolution(127).radices.size(), 3U);
    EXPECT_EQ(chirp_convolution(256, true).radices, chirp_convolution(256).radices);
    EXPECT_EQ(chirp_convolution(257, true).radices, (std::vector<int>{16, 5, 7}));
    EXPECT_EQ(chirp_convolution(640, true).radices, (std::vector<int>{16, 16, 5}));
    EXPECT_EQ(chirp_convolution(641, true).radices, (std::vector<int>{16, 12, 7}));
    EXPECT_EQ(chirp_convolution(1024, true).radices, (std::vector<int>{16, 16, 8}));
    EXPECT_EQ(chirp_convolution(1025, true).radices, chirp_convolution(1025).radices);
}

// No clock: a search that looks at all numbers, or a product again and again, would take minutes for these.
TEST(ChirpFft, LengthsAreFoundUpToTheLongestAxis) {
    for (const Index n : {1'000'003, 10'000'019, 100'000'007, 1'073'741'789}) {
        const Convolution found = chirp_convolution(n);
        EXPECT_GE(found.length, 2 * n);
        EXPECT_LT(4 * found.length, 5 * (2 * n)) << n;
        EXPECT_TRUE(has_radices(found.length));
        Index product = 1;
        for (const int radix : found.radices) product *= radix;
        EXPECT_EQ(product, found.length);
    }
    for (Index n = 1; n < (Index{1} << 30); n *= 2) {
        const Radices radices = radices_of(n);
        Index product = Index{radices.samples} * radices.modes;
        for (const int radix : radices.inner) product *= radix;
        EXPECT_EQ(product, n);
    }
}

TEST(ChirpFft, TablesDoNotDependOnTheNumberOfThreads) {
    ThreadTeam one(1);
    ThreadTeam many(3);
    const ChirpTables<double> a = make_chirp_plan<double, Plain>(40'009, 1, one).tables;
    const ChirpTables<double> b = make_chirp_plan<double, Plain>(40'009, 1, many).tables;
    const auto same = [](Complex<double> x, Complex<double> y) { return x.re == y.re && x.im == y.im; };
    EXPECT_TRUE(std::equal(a.filter.begin(), a.filter.end(), b.filter.begin(), b.filter.end(), same));
    EXPECT_TRUE(std::equal(a.chirp.begin(), a.chirp.end(), b.chirp.begin(), b.chirp.end(), same));
}

// Both ways to a root, at every eighth of a turn and beside it, to the relative accuracy of long double.
TEST(RootsOfUnity, AreAccurateInBothParts) {
    for (const Index n : {1, 2, 3, 8, 1000, 131'071, 131'072, 1'000'003, 1 << 24, 2'147'483'578}) {
        const RootsOfUnity roots(n);
        std::vector<Index> turns;
        for (int eighth = 0; eighth <= 8; ++eighth)
            for (int beside = -2; beside <= 2; ++beside)
                turns.push_back(std::max<Index>(0, n * eighth / 8 + beside));
        for (int i = 0; i < 1000; ++i) turns.push_back(static_cast<Index>(i) * 7'919'317 % n);
        for (const Index turn : turns) {
            const Complex<long double> root = roots(turn);
            const long double angle = 2 * std::numbers::pi_v<long double> * static_cast<long double>(turn % n) / n;
            constexpr long double eps = std::numeric_limits<long double>::epsilon();
            EXPECT_LE(std::abs(root.re - std::cos(angle)), 16 * eps) << turn << "/" << n;
            EXPECT_LE(std::abs(root.im + std::sin(angle)), 16 * eps) << turn << "/" << n;
        }
    }
}

}  // namespace
}  // namespace poisson3d::lines
