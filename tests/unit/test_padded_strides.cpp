// Padded strides of digits in shared memory (padded_strides.hpp): every element of a line has a place of its own
// below its pitch, and threads take fewer turns than with odd strides, counted here by writing down where all
// threads of an access are.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "known_lengths.hpp"
#include "known_sides.hpp"
#include "known_symmetric.hpp"

namespace poisson3d::lines {
namespace {

using fused::KnownHalfPeriods;
using fused::KnownLengths;

/// Where butterflies of a step begin, those of a line in order.
struct Butterflies {
    int radix, stride;
    std::vector<int> begin;

    [[nodiscard]] std::vector<int> elements() const {
        std::vector<int> all;
        for (const int first : begin)
            for (int e = 0; e < radix; ++e) all.push_back(first + e * stride);
        return all;
    }
};
template <class Step>
Butterflies step_between() {
    Butterflies step{Step::radix, Step::stride, {}};
    for (int i = 0; i < Step{}.butterflies.count; ++i)
        step.begin.push_back(Step::place(static_cast<const std::uint32_t*>(nullptr), i).offset);
    return step;
}
/// Where both of a pair are the same, it is one.
template <class Pairs>
Butterflies outer_step() {
    Butterflies step{Pairs::radix, Pairs::stride, {}};
    for (int o = 0; o < Pairs{}.items.count; ++o) {
        const ButterflyOffsets pair = Pairs::offsets_of(o);
        step.begin.push_back(pair.a);
        if (pair.b != pair.a) step.begin.push_back(pair.b);
    }
    return step;
}

/// Digits of one FFT, and how far apart their values are.
struct Digits {
    std::vector<int> radices, strides;
    int ffts, pitch;

    /// Where all are that differ in these digits, the first of them fastest.
    [[nodiscard]] std::vector<int> in_order(const std::vector<int>& digits) const {
        std::vector<int> all{0};
        for (const int s : digits) {
            const std::size_t below = all.size();
            for (int d = 1; d < radices[s]; ++d)
                for (std::size_t i = 0; i < below; ++i) all.push_back(all[i] + d * strides[s]);
        }
        return all;
    }
    [[nodiscard]] Digits with_odd_strides(int banks) const {
        Digits odd = *this;
        int length = 1;
        for (std::size_t s = radices.size(); s-- > 0;) {
            odd.strides[s] = length | 1;
            if (radices[s] > 1) length = radices[s] * odd.strides[s];
        }
        odd.pitch = (ffts * length - 2 + banks - 1) / banks * banks + 2;
        return odd;
    }
};

/// What is known of a line when code is compiled.
struct Known {
    int rows, banks;
    Digits digits;
    std::vector<Butterflies> steps;
};
template <class Line, class T>
Known known_line() {
    const FewRadices few = Line::radices;
    Known known{Line::rows, 64 / static_cast<int>(sizeof(T)), {}, {}};
    known.digits = {{few.samples, few.inner[0], few.inner[1], few.modes}, {}, Line::ffts, Line::pitch};
    for (int s = 0; s < 4; ++s) known.digits.strides.push_back(Line::strides[s]);
    if constexpr (Line::steps > 0) known.steps.push_back(step_between<KnownStep<Line, 0>>());
    if constexpr (Line::steps > 1) known.steps.push_back(step_between<KnownStep<Line, 1>>());
    return known;
}
template <Ends ends, int rows, class T>
Known known_of_ends() {
    using Line = KnownLine<ends, rows, T>;
    Known known = known_line<Line, T>();
    known.steps.push_back(outer_step<ButterflyPairs<T, KnownSide<Line, Side::samples>>>());
    known.steps.push_back(outer_step<ButterflyPairs<T, KnownSide<Line, Side::modes>>>());
    return known;
}
/// The symmetric step has all positions in order, as butterflies of radix 1.
template <int half, class T>
Known known_symmetric() {
    using Line = KnownSymmetricLine<half, known_symmetric_radix(half), T>;
    Known known = known_line<Line, T>();
    Butterflies classes{1, 0, {}};
    for (int f = 0; f < Line::ffts; ++f)
        for (int j = 0; j < Line::length; ++j)
            classes.begin.push_back(f * Symmetric<T, KnownClasses<Line>>::stride + Line::sample_offset(j));
    known.steps.push_back(classes);
    known.steps.push_back(outer_step<ButterflyPairs<T, KnownModes<Line>>>());
    return known;
}

/// body(a known line) for both types, all lengths and half periods, and for as many FFTs as they can have.
template <class Body, int... lengths, int... halves>
void for_each_line(const Body& body, std::integer_sequence<int, lengths...>,
                   std::integer_sequence<int, halves...>) {
    const auto with = [&]<Ends ends, int rows>() {
        if constexpr (is_known(ends, rows)) {
            SCOPED_TRACE(rows);
            body(known_of_ends<ends, rows, double>());
            body(known_of_ends<ends, rows, float>());
        }
    };
    const auto with_half = [&]<int half>() {
        SCOPED_TRACE(half);
        body(known_symmetric<half, double>());
        body(known_symmetric<half, float>());
    };
    (with.template operator()<Ends::alike, lengths>(), ...);
    (with.template operator()<Ends::periodic, lengths>(), ...);
    (with.template operator()<Ends::mixed, lengths>(), ...);
    (with_half.template operator()<halves>(), ...);
}
template <class Body>
void for_each_line(const Body& body) {
    for_each_line(body, KnownLengths{}, KnownHalfPeriods{});
}

/// Every step reads and writes each of the elements once, all in places of their own.
TEST(PaddedStrides, GiveEachElementAPlace) {
    for_each_line([](const Known& known) {
        const std::vector<int> all = known.steps.front().elements();
        const std::set<int> places(all.begin(), all.end());
        EXPECT_EQ(all.size(), static_cast<std::size_t>(known.rows));
        EXPECT_EQ(places.size(), all.size());
        EXPECT_GE(*places.begin(), 0);
        EXPECT_LT(*places.rbegin(), known.digits.pitch);
        EXPECT_EQ(known.digits.pitch % known.banks, 2);
        for (const Butterflies& step : known.steps) {
            const std::vector<int> of_step = step.elements();
            EXPECT_EQ(of_step.size(), all.size());
            EXPECT_EQ(std::set<int>(of_step.begin(), of_step.end()), places);
        }
    });
}

/// Of threads that access these elements, as many at a time as there are banks.
int turns(const std::vector<int>& elements, int banks) {
    int all = 0;
    for (std::size_t i = 0; i < elements.size(); i += banks) {
        std::vector<int> wanted(banks, 0);
        for (std::size_t k = i; k < std::min(elements.size(), i + banks); ++k) ++wanted[elements[k] % banks];
        all += *std::max_element(wanted.begin(), wanted.end());
    }
    return all;
}
/// The same elements of several lines, neighbouring threads in neighbouring lines.
std::vector<int> of_lines(const std::vector<int>& elements, int lines, int pitch) {
    std::vector<int> all;
    for (const int element : elements)
        for (int line = 0; line < lines; ++line) all.push_back(element + line * pitch);
    return all;
}

/// Taken by half as many lines as there are banks: all elements are read and written by the steps between, and by
/// outer steps once along and once across lines.
int turns_of_lines(const Digits& digits, int banks) {
    const int lines = banks / 2;
    const auto inner = [&](int s, const std::vector<int>& others) {
        return digits.radices[s] == 1 ? 0 : 2 * digits.radices[s] * lines * turns(digits.in_order(others), banks);
    };
    const auto outer = [&](int s, const std::vector<int>& others) {
        const std::vector<int> along = digits.in_order(others);
        return digits.radices[s] *
               (lines * turns(along, banks) + turns(of_lines(along, lines, digits.pitch), banks));
    };
    return outer(0, {3, 2, 1}) + inner(1, {3, 2, 0}) + inner(2, {3, 1, 0}) + outer(3, {0, 1, 2});
}

/// Blocks that share a multiprocessor beside a first-level cache of 60 KiB, if registers allow.
int blocks_of(const Digits& digits, int banks) {
    return 196 * 1024 / (banks / 2 * digits.pitch * (128 / banks) + 1024);
}

TEST(PaddedStrides, TakeFewerTurnsThanOddOnesOrMakeMoreBlocks) {
    for_each_line([](const Known& known) {
        const Digits odd = known.digits.with_odd_strides(known.banks);
        const int padded_turns = turns_of_lines(known.digits, known.banks);
        const int odd_turns = turns_of_lines(odd, known.banks);
        EXPECT_LE(padded_turns, 1.2 * odd_turns);
        if (blocks_of(known.digits, known.banks) > blocks_of(odd, known.banks)) return;
        EXPECT_LE(padded_turns, odd_turns);
    });
}

/// Lengths of two steps between outer ones, and of one.
TEST(PaddedStrides, SpareAFifthToAThirdOfTheTurnsOfSomeLengths) {
    const auto part = [](const Known& known) {
        return static_cast<double>(turns_of_lines(known.digits, known.banks)) /
               turns_of_lines(known.digits.with_odd_strides(known.banks), known.banks);
    };
    EXPECT_LE(part(known_of_ends<Ends::alike, 900, double>()), 0.66);
    EXPECT_LE(part(known_of_ends<Ends::alike, 864, double>()), 0.75);
    EXPECT_LE(part(known_of_ends<Ends::alike, 756, double>()), 0.8);
    EXPECT_LE(part(known_of_ends<Ends::alike, 972, double>()), 0.8);
    EXPECT_LE(part(known_of_ends<Ends::alike, 1008, double>()), 0.8);
    EXPECT_LE(part(known_of_ends<Ends::alike, 512, float>()), 0.8);
    EXPECT_LE(part(known_of_ends<Ends::alike, 1024, float>()), 0.8);
}

}  // namespace
}  // namespace poisson3d::lines
