// The tables of the fused engine: radices, which butterflies are pairs, pair maps; and symmetric steps, of type I
// lines and of chirps, against sums in long double.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "axis_tables.hpp"
#include "convolution_radices.hpp"
#include "known_chirp_pass.hpp"
#include "launch_pass.hpp"
#include "random_values.hpp"
#include "spectrum.hpp"
#include "tolerance.hpp"

namespace poisson3d::fused {
namespace {

TEST(Radices, LengthsWithOtherPrimesHaveNone) {
    for (const Index n : {1, 2, 131, 143, 262, 511, 521, 961, 2016}) EXPECT_TRUE(has_radices(n)) << n;
    // p − 1 = 2 · 23, 4 · 127, 2 · 11 · 23; 29^5 has ten parts.
    for (const Index n : {0, 47, 509, 1018, 507 * 23 * 47, 20'511'149}) EXPECT_FALSE(has_radices(n)) << n;
}

TEST(Radices, MultiplyToTheLengthAndHaveTheirButterflies) {
    const std::set<int> outer{1, 3, 4, 5, 6, 7, 8};
    const std::set<int> inner{2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16, 17, 19, 20, 23};
    for (Index n = 1; n <= 4096; ++n)
        for (const bool first : {true, false}) {
            if (!has_radices(n)) continue;
            const Radices radices = radices_of(n, first);
            Index product = static_cast<Index>(radices.samples) * radices.modes;
            for (const int r : radices.inner)
                product *= inner.contains(r) || prime_convolution(r).length == r - 1 ? r : 0;
            EXPECT_EQ(product, n);
            EXPECT_TRUE(outer.contains(radices.samples) && outer.contains(radices.modes)) << n;
            EXPECT_TRUE(first || radices.samples == 1) << n;
            EXPECT_LE(radices.inner.size(), static_cast<std::size_t>(max_steps)) << n;
        }
}

TEST(Radices, FavouredLengthsHaveOneInnerStepBetweenEights) {
    for (const int inner : {4, 6, 8, 10, 16}) {
        const Radices radices = radices_of(64 * inner);
        EXPECT_EQ(radices.inner, std::vector<int>{inner});
        EXPECT_TRUE(radices.samples == 8 && radices.modes == 8) << inner;
    }
}

/// Every row is in one pair, and pairs are what line plans say.
void check_rows(Index n, int count, Side side, Pairing pairing, bool opposite) {
    const ButterflyPairTable<double> butterflies =
        make_butterfly_pairs(make_fft_plan<double, Compact>(n, count, radices_of(n)), side, pairing, opposite);
    std::vector<int> met(n * count, 0);
    for (std::size_t s = 0; s < butterflies.first.size(); ++s) {
        const Index first = butterflies.first[s];
        const Index second = butterflies.second[s];
        for (const Index row : {first, second})
            if (row >= 0) ++met.at(row);
        if (butterflies.self_paired(s)) {
            for (const Index row : {first, second})
                EXPECT_TRUE(row < 0 || partner(pairing, row, n) == row) << n << ", pair " << s;
        } else if (pairing != Pairing::none) {
            EXPECT_EQ(first < 0, second < 0) << n << ", pair " << s;
            EXPECT_TRUE(first < 0 || partner(pairing, first, n * count) == second) << n << ", pair " << s;
        } else if (opposite && count == 1 && first >= 0 && second >= 0) {
            EXPECT_EQ(first + second, n - 1) << n << ", pair " << s;
        }
    }
    EXPECT_EQ(std::count(met.begin(), met.end(), 1), n * count) << n << ", pairing " << static_cast<int>(pairing);
}

TEST(ButterflyPairs, EveryRowIsInOnePairWithItsPartner) {
    for (Index n = 1; n <= 2048; ++n) {
        if (!has_radices(n)) continue;
        for (const Side side : {Side::samples, Side::modes}) {
            for (const int count : {1, 2, 5})
                for (const bool opposite : {false, true}) check_rows(n, count, side, Pairing::none, opposite);
            check_rows(n, 1, side, Pairing::mirror, false);
            check_rows(n, 2, side, Pairing::adjacent, false);
            check_rows(n, 2, side, Pairing::cross, false);
        }
    }
}

/// Both tables of entries, where there are two, as kernels read them; every index in one of them. Kernels for
/// radix8 do not ask whether words are linear, nor whether elements are there.
template <int r>
void check_words(const PairMapTable<double>& table, const WorkItems& butterflies, Index unknowns, bool radix8) {
    PairMap<double> map = table.view;
    map.words = table.words.data();
    EXPECT_TRUE(map.linear || !radix8) << unknowns;
    std::vector<int> met(unknowns, 0);
    for (int o = 0; o < butterflies.count; ++o) {
        PairMapEntry listed[r], either[r];
        with_entries<r, Words::listed>(map, butterflies, o, [&](const auto& word) {
            for (int m = 0; m < r; ++m) listed[m] = word(m);
        });
        with_entries<r, Words::either>(map, butterflies, o, [&](const auto& word) {
            for (int m = 0; m < r; ++m) either[m] = word(m);
        });
        for (int m = 0; m < r; ++m) {
            EXPECT_EQ(either[m].bits, listed[m].bits) << unknowns << ": butterfly pair " << o << ", pair " << m;
            EXPECT_TRUE(!map.neighbours || listed[m].first() + 1 == listed[m].second()) << unknowns;
            for (const int index : {listed[m].first(), listed[m].second()})
                if (index != no_element || radix8) ++met.at(index);
        }
    }
    EXPECT_EQ(std::count(met.begin(), met.end(), 1), unknowns);
}

Axis axis_of(Centering centering, Index points, Boundary lower, Boundary upper) {
    return {points, 1.0, 0.0, centering, lower, upper};
}

/// Axes of kinds two, three and four whose FFTs have n elements, or half as many.
std::vector<Axis> paired_axes(Index n) {
    std::vector<Axis> axes{axis_of(Centering::cell, n, Boundary::periodic, Boundary::periodic)};
    for (const auto lower : {Boundary::dirichlet, Boundary::neumann})
        for (const auto upper : {Boundary::dirichlet, Boundary::neumann}) {
            axes.push_back(axis_of(Centering::cell, n, lower, upper));
            if (lower == upper) continue;
            axes.push_back(axis_of(Centering::cell, 2 * n, lower, upper));
            axes.push_back(axis_of(Centering::node, n + 1, lower, upper));
        }
    return axes;
}

void check_tables(const AxisTables<double>& tables) {
    const auto check = [&](const ButterflyPairTable<double>& butterflies, const PairMapTable<double>& map) {
        with_radix<Outer::any>(butterflies.view.radix, [&]<int r>() {
            check_words<r>(map, butterflies.view.items, tables.kind.unknowns, tables.outer == Outer::radix8);
        });
    };
    check(tables.samples, tables.samples_in);
    check(tables.samples, tables.samples_out);
    check(tables.modes, tables.modes_in);
    check(tables.modes, tables.modes_out);
}

TEST(Words, LinearOnesAgreeWithListedOnes) {
    const std::set<Index> favoured{256, 384, 512, 640, 1024};
    for (Index n = 2; n <= 1024; ++n)
        for (const Axis& axis : paired_axes(n)) {
            if (!has_tables(axis, LineMethod::radix_steps)) continue;
            const auto tables = make_axis_tables<double>(axis, Discretization::second_order);
            check_tables(tables);
            EXPECT_TRUE(tables.outer == Outer::radix8 || !favoured.contains(n)) << n;
        }
}

/// By the kernel that knows such lines, whose blocks have room for several; false if there is none.
template <Role role, class T>
bool run_known_chirp(Task<T> task) {
    return with_known_length(KnownChirpLengths{}, known_chirp_length(task.fft), [&]<int size>() {
        constexpr BlockShape shape = known_chirp_shape<size, T>;
        constexpr T nothing = std::numeric_limits<T>::quiet_NaN();
        std::vector<Complex<T>> lines(shape.bytes / sizeof(Complex<T>), Complex<T>{nothing, nothing});
        task.count = shape.count;
        task.vectors_in = task.vectors_out = true;
        return with_known_chirp_task<size>(role, Movement::in_place, task,
                                           [&]<Role which, Movement how>(const auto& known) {
                                               if constexpr (which == role)
                                                   run_block<which, how, KernelVariant<Kind::type1, Outer::chirp>>(
                                                       known, BlockPosition<T>{0, 0, 0, lines.data()}, [] {});
                                           });
    });
}

/// Two lines of type I, or by a symmetric chirp, as one complex line through a whole pass. Role::forward: samples
/// to slots of modes, Role::backward: those to samples. Lines lie behind each other, results side by side. `known`:
/// by a kernel that knows their numbers; nothing if there is none.
template <Role role, Outer outer, class T>
std::vector<T> pass(AxisTables<T>& tables, const std::vector<T>& in, bool known = false) {
    constexpr T nothing = std::numeric_limits<T>::quiet_NaN();
    std::vector<T> out(in.size(), nothing);
    std::vector<Complex<T>> line(tables.plan.pitch, Complex<T>{nothing, nothing});
    std::vector<T> columns;
    for (std::size_t j = 0; j < in.size() / 2; ++j) columns.insert(columns.end(), {in[j], in[in.size() / 2 + j]});
    PassTask<T, Compact> task;
    task.in = columns.data();
    task.out = out.data();
    task.slow = task.count = 1;
    task.shift = 0;
    task.lines = task.in_sample = task.out_sample = 2;
    task.pitch = tables.plan.pitch;
    for_each_table(tables, [](const auto& array, auto& pointer) { pointer = array.data(); });
    task.fft = tables.plan.fft;
    task.chirp = tables.chirp.view;
    task.in_butterflies = task.out_butterflies = tables.modes.view;
    task.in_map = role == Role::forward ? tables.samples_in.view : tables.modes_in.view;
    task.out_map = role == Role::forward ? tables.modes_out.view : tables.samples_out.view;
    task.symmetric = tables.symmetric.view;
    task.mode_symmetric = tables.mode_symmetric.view;
    if constexpr (outer == Outer::chirp)
        if (known) return run_known_chirp<role>(task) ? out : std::vector<T>{};
    run_block<role, Movement::in_place, KernelVariant<Kind::type1, outer>>(
        task, BlockPosition<T>{0, 0, 0, line.data()}, [] {});
    return out;
}

/// By FFTW's definitions. Positions come doubled, since some are half ones.
std::vector<long double> exact_transform(Transform transform, const std::vector<double>& x) {
    const auto n = static_cast<Index>(x.size());
    struct Positions {
        bool sine;
        Index first, first_out, half;
    };
    const auto [sine, first, first_out, half] = [&]() -> Positions {
        switch (transform) {
            case Transform::dct1: return {false, 0, 0, n - 1};
            case Transform::dct2: return {false, 1, 0, n};
            case Transform::dct3: return {false, 0, 1, n};
            case Transform::dct4: return {false, 1, 1, n};
            case Transform::dst1: return {true, 2, 2, n + 1};
            case Transform::dst2: return {true, 1, 2, n};
            case Transform::dst3: return {true, 2, 1, n};
            case Transform::dst4: return {true, 1, 1, n};
            default: throw std::invalid_argument("a periodic line");
        }
    }();
    std::vector<long double> wave, sums;
    for (Index k = 0; k < 8 * half; ++k) {
        const long double angle = std::numbers::pi_v<long double> * static_cast<long double>(k) / (4 * half);
        wave.push_back(sine ? std::sin(angle) : std::cos(angle));
    }
    for (Index k = 0; k < n; ++k) {
        const Index out = first_out + 2 * k;
        long double sum = 0;
        for (Index j = 0, turn = first * out; j < n; ++j, turn += 2 * out) {
            if (turn >= 8 * half) turn -= 8 * half;
            const Index in = first + 2 * j;
            sum += (in == 0 || in == 2 * half ? 1 : 2) * x[j] * wave[turn];
        }
        sums.push_back(sum);
    }
    return sums;
}

/// The second line is the first one doubled. Eigenvalues tell which mode a slot holds. Returns the radix of the
/// symmetric step, of chirps the length of the FFTs of lines that kernels know, else 0.
template <class T, LineMethod method = LineMethod::radix_steps>
int check_line(const Axis& axis) {
    constexpr Outer outer = method == LineMethod::chirp ? Outer::chirp : Outer::any;
    const AxisKind kind = axis_kind(axis);
    SCOPED_TRACE(std::string(name(kind.forward)) + " of " + std::to_string(kind.unknowns));
    const std::vector<double> by_mode = eigenvalues(axis, Discretization::second_order);
    const auto by_slot = make_axis_tables<double>(axis, Discretization::second_order, method).eigenvalues;
    const std::size_t count = by_mode.size();
    std::vector<double> x(count);
    std::vector<std::size_t> mode(count);
    std::vector<T> samples(2 * count), slots(2 * count);
    for (std::size_t j = 0; j < count; ++j) {
        x[j] = test::uniform(j);
        mode[j] = std::find(by_mode.begin(), by_mode.end(), by_slot[j]) - by_mode.begin();
        samples[count + j] = 2 * (samples[j] = static_cast<T>(x[j]));
    }
    for (std::size_t j = 0; j < count; ++j) slots[count + j] = 2 * (slots[j] = samples[mode[j]]);
    AxisTables<T> tables = make_axis_tables<T>(axis, Discretization::second_order, method);
    EXPECT_EQ(tables.outer == Outer::chirp, outer == Outer::chirp);
    const std::vector<long double> exact = exact_transform(kind.forward, x);
    const std::vector<long double> exact_back = exact_transform(kind.backward, x);
    for (const bool known : {false, true}) {
        const std::vector<T> there = pass<Role::forward, outer>(tables, samples, known);
        const std::vector<T> back = pass<Role::backward, outer>(tables, slots, known);
        if (there.empty()) return 0;
        long double norm = 0, norm_back = 0, error = 0, error_back = 0;
        for (std::size_t j = 0; j < count; ++j)
            for (const int l : {0, 1}) {
                norm += std::pow((l + 1) * exact[j], 2);
                norm_back += std::pow((l + 1) * exact_back[j], 2);
                error += std::pow(there[2 * j + l] - (l + 1) * exact[mode[j]], 2);
                error_back += std::pow(back[2 * j + l] - (l + 1) * exact_back[j], 2);
            }
        for (const long double e : {error / norm, error_back / norm_back})
            EXPECT_LE(static_cast<double>(std::sqrt(e)), tolerance::transform<T>(kind.round_trip))
                << (known ? "known" : "");
        if (outer != Outer::chirp) return tables.symmetric.view.radix;
    }
    return known_chirp_length(tables.plan.fft);
}

template <class T, LineMethod method = LineMethod::radix_steps>
int check_type_one(bool sine, Index half) {
    const Boundary wall = sine ? Boundary::dirichlet : Boundary::neumann;
    return check_line<T, method>(axis_of(Centering::node, half + 1, wall, wall));
}

TEST(Symmetric, TypeOneLinesAgainstExactSums) {
    std::set<int> radices;
    for (Index half = 1; half <= 1024; ++half) {
        if (!has_radices(half) || (half > 256 && half % 8 != 0 && half % 15 != 0 && half % 7 != 0)) continue;
        for (const bool sine : {false, true}) {
            if (sine && half == 1) continue;  // no unknowns
            radices.insert(check_type_one<float>(sine, half));
            radices.insert(check_type_one<double>(sine, half));
        }
    }
    EXPECT_EQ(radices, (std::set<int>{2, 4, 5, 6, 7, 8, 9, 16}));
}

// Chirps serve every half period; a line's FFTs have one step, two, three.
TEST(Symmetric, TypeOneLinesByChirpsAgainstExactSums) {
    std::set<int> known;
    for (Index half = 1; half <= 2100; half += half < 200 ? 1 : half < 1100 ? 17 : 97)
        for (const bool sine : {false, true}) {
            if (sine && half == 1) continue;  // no unknowns
            known.insert(check_type_one<float, LineMethod::chirp>(sine, half));
            known.insert(check_type_one<double, LineMethod::chirp>(sine, half));
        }
    known.insert(check_type_one<double, LineMethod::chirp>(true, 836));
    EXPECT_EQ(known, (std::set<int>{0, 80, 96, 112, 128, 144, 156, 165, 176, 182, 195, 208, 210, 224, 240, 256}));
}

// The longest and the shortest half periods of kernels that know them.
TEST(Symmetric, KnownChirpsAgainstExactSums) {
    for (const Index half : {257, 319, 320, 511, 831, 832, 895, 896, 959, 960, 997, 1022, 1023})
        for (const bool sine : {false, true}) {
            EXPECT_NE((check_type_one<float, LineMethod::chirp>(sine, half)), 0) << half;
            EXPECT_NE((check_type_one<double, LineMethod::chirp>(sine, half)), 0) << half;
        }
    EXPECT_EQ((check_type_one<double, LineMethod::chirp>(true, 1024)), 0);
}

// Types II, III and IV: of each length some kind, and all kinds of the longest and the shortest ones.
TEST(Symmetric, KnownChirpsOfCellsAgainstExactSums) {
    constexpr Boundary wall = Boundary::dirichlet, open = Boundary::neumann;
    std::set<Transform> transforms;
    const auto check = [&](const Axis& axis) {
        transforms.insert(axis_kind(axis).forward);
        EXPECT_TRUE(symmetric_chirp<Compact>(axis_kind(axis)));
        EXPECT_NE((check_line<float, LineMethod::chirp>(axis)), 0) << axis.points;
        EXPECT_NE((check_line<double, LineMethod::chirp>(axis)), 0) << axis.points;
    };
    for (Index n = 257; n <= 1023; n += n < 1018 ? 5 : 1) {
        const std::vector<Axis> all{
            axis_of(Centering::cell, n, wall, wall),     axis_of(Centering::cell, n, open, open),
            axis_of(Centering::cell, n, wall, open),     axis_of(Centering::cell, n, open, wall),
            axis_of(Centering::node, n + 1, wall, open), axis_of(Centering::node, n + 1, open, wall)};
        const bool every = n == 257 || n == 512 || n == 832 || n == 997 || n == 1023;
        for (std::size_t i = 0; i < all.size(); ++i)
            if (every || n % 6 == static_cast<Index>(i)) check(all[i]);
    }
    EXPECT_EQ(transforms.size(), 6U);
    EXPECT_FALSE(symmetric_chirp<Compact>(axis_kind(axis_of(Centering::cell, 1024, wall, wall))));
    EXPECT_FALSE(symmetric_chirp<Compact>(axis_kind(axis_of(Centering::cell, 131, wall, open))));
    EXPECT_FALSE(
        symmetric_chirp<Compact>(axis_kind(axis_of(Centering::cell, 509, Boundary::periodic, Boundary::periodic))));
}

TEST(Symmetric, ChirpsOfTypeOneTakeLittleMoreThanTwiceTheLine) {
    for (Index half = 29; half <= 4200; ++half) {
        const Convolution found = symmetric_convolution(half, 16);
        EXPECT_GT(16 * found.length, 4 * half);
        EXPECT_EQ(std::accumulate(found.radices.begin(), found.radices.end(), Index{1}, std::multiplies<>()),
                  found.length);
        EXPECT_TRUE(SymmetricLastRadices::has(found.radices.back())) << half;
        for (const int radix : found.radices) EXPECT_TRUE(SymmetricRadices::has(radix)) << half;
        EXPECT_LE(found.radices.size(), half < 64 ? 1U : half <= 1023 ? 2U : 3U) << half;
        // Lines that kernels know are longer, and not padded.
        const bool known = found.radices.size() == 2 && found.radices[1] == 16;
        const Index elements = known ? found.length : padded_length_of({1, found.radices, 1});
        if (half < 256) continue;
        EXPECT_LE(9.0 * static_cast<double>(elements), (known ? 2.85 : 2.6) * static_cast<double>(half)) << half;
    }
}

}  // namespace
}  // namespace poisson3d::fused
