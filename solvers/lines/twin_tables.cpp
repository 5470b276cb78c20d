#include "twin_tables.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "outer_radix.hpp"
#include "poisson3d/error.hpp"
#include "roots_of_unity.hpp"

namespace poisson3d::lines {

namespace {

/// A butterfly of the outer step: its FFT and first row; −1: none.
struct Butterfly {
    int fft;
    Index first;
};
using Pair = std::pair<Butterfly, Butterfly>;

constexpr Butterfly none{0, -1};

/// Who is whose twin, of q butterflies each of `count` FFTs.
std::vector<Pair> list_twins(Pairing pairing, int count, Index q, bool opposite) {
    std::vector<Pair> list;
    switch (pairing) {
        case Pairing::mirror:
            list.push_back({{0, 0}, q % 2 == 0 ? Butterfly{0, q / 2} : none});
            for (Index c = 1; 2 * c < q; ++c) list.push_back({{0, c}, {0, q - c}});
            return list;
        case Pairing::adjacent:
            for (Index c = 0; c < q; ++c) list.push_back({{0, c}, {1, c}});
            return list;
        case Pairing::cross:
            for (Index c = 0; c < q; ++c) list.push_back({{0, c}, {1, (q - c) % q}});
            return list;
        case Pairing::none: break;
    }
    if (opposite && count == 1) {
        for (Index c = 0; 2 * c < q; ++c) list.push_back({{0, c}, 2 * c + 1 == q ? none : Butterfly{0, q - 1 - c}});
        return list;
    }
    std::vector<Butterfly> all;
    for (int f = 0; f < count; ++f)
        for (Index c = 0; c < q; ++c) all.push_back({f, c});
    const std::size_t half = (all.size() + 1) / 2;
    for (std::size_t i = 0; i < half; ++i) list.push_back({all[i], half + i < all.size() ? all[half + i] : none});
    return list;
}

/// An index and a sign, for one half of a word.
template <class Word>
Index half_word(Index index, bool negative) {
    return (index < 0 ? nowhere_in<Word> : index) | (negative ? Index{1} << (half_bits<Word> - 1) : 0);
}

/// Whether words can be had without the table, and how.
template <class T, class Format>
void find_line(SlotsTable<T, Format>& table, const Items& twins) {
    using Word = typename Format::Word;
    Slots<T, Format>& head = table.head;
    const auto slots = static_cast<int>(table.words.size()) / twins.count;
    for (int m = 0; m < slots; ++m) {
        const Word* const word = table.words.data() + m * twins.count;
        head.zeroth[m] = word[0];
        if (twins.count > 1) head.origin[m] = word[1];
        if (twins.count > 2) head.step[m] = word[2] - word[1];
        head.origin[m] -= head.step[m];
        for (int o = 1; o < twins.count; ++o)
            if (word[o] != head.origin[m] + static_cast<Word>(o) * head.step[m]) return;
    }
    head.linear = true;
}

template <class T>
bool close(Complex<T> a, Complex<T> b) {
    return std::abs(a.re - b.re) + std::abs(a.im - b.im) <= 8 * std::numeric_limits<T>::epsilon();
}

}  // namespace

template <class T, class Format>
TwinsTable<T, Format> make_twins(const FftPlan<T, Format>& plan, Side side, Pairing pairing, bool opposite) {
    const bool samples = side == Side::samples;
    const int r = samples ? plan.radices.samples : plan.radices.modes;
    const Index q = plan.length / r;
    const std::vector<Pair> list = list_twins(pairing, plan.count, q, opposite);
    const auto count = static_cast<Index>(list.size());
    constexpr bool few = Format::few_roots;
    TwinsTable<T, Format> table;
    Twins<T, Format>& head = table.head;
    head.radix = r;
    head.items = Items(static_cast<int>(count));
    head.stride = samples ? plan.samples_stride : 1;
    table.mirrored = pairing == Pairing::mirror;
    const bool straight = pairing == Pairing::adjacent;

    const auto place = [&](const Butterfly& b) {
        return b.fft * plan.places + (samples ? plan.natural[b.first] : plan.reversed[b.first]);
    };
    for (const auto& [a, b] : list) table.places.push_back(word_of<Format>(place(a), place(b.first < 0 ? a : b)));
    const RootsOfUnity roots(plan.length);
    for (int i = 0; samples && q > 1 && i < roots_of(r, few); ++i)
        for (const bool second : {false, true})
            for (const auto& [a, b] : list) {
                const Index j = second && b.first >= 0 ? b.first : a.first;
                table.roots.push_back(roots.rounded<T>(j * root_exponent(r, i, few)));
            }
    table.first.assign(r * count, -1);
    table.second.assign(r * count, -1);
    with_radix<Outer::any>(r, [&]<int radix>() {
        for (Index o = 0; o < count; ++o) {
            Index a[radix], b[radix];
            const auto row = [&](const Butterfly& of, int m) {
                return of.first < 0 ? Index{-1} : of.fft + plan.count * (of.first + q * m);
            };
            const Order<radix> order = o == 0 && pairing == Pairing::mirror ? arranged<radix, Arrangement::mirror>()
                                       : o == 0 && pairing == Pairing::cross ? arranged<radix, Arrangement::shift>()
                                                                             : arranged<radix, Arrangement::none>();
            const auto element = [&](int e) {
                return e < radix ? row(list[o].first, e) : row(list[o].second, e - radix);
            };
            for (int m = 0; m < radix; ++m) a[m] = element(order.a[m]), b[m] = element(order.b[m]);
            for (int m = 0; m < radix; ++m) {
                table.first[m * count + o] =
                    straight ? slot_first<radix, true>(a, b, m) : slot_first<radix, false>(a, b, m);
                table.second[m * count + o] =
                    straight ? slot_second<radix, true>(a, b, m) : slot_second<radix, false>(a, b, m);
            }
        }
    });
    return table;
}

template <class T, class Format>
SlotsTable<T, Format> make_slots(const TwinsTable<T, Format>& twins, Mix mix,
                                 const std::function<Outside<T>(Index row)>& outside) {
    using Word = typename Format::Word;
    SlotsTable<T, Format> table;
    table.head.neighbours = true;
    const bool pairs = mix == Mix::combine || mix == Mix::split;
    for (std::size_t s = 0; s < twins.first.size(); ++s) {
        const bool self_paired = twins.self_paired(s);
        const auto of = [&](Index row) { return row < 0 ? Outside<T>{} : outside(row); };
        const Outside<T> first = of(twins.first[s]);
        const Outside<T> second = of(twins.second[s]);
        table.head.neighbours = table.head.neighbours && first.index >= 0 && second.index == first.index + 1;
        bool signs[2] = {false, false};
        if (mix == Mix::signs) {
            signs[0] = first.alpha.re < 0;
            signs[1] = second.alpha.re < 0;
        } else if (mix == Mix::factors) {
            table.alpha.push_back(
                {first.index < 0 ? T(0) : first.alpha.re, second.index < 0 ? T(0) : second.alpha.re});
        } else if (self_paired) {
            table.alpha.push_back({1, 0});
            table.head.self_paired = {2 * first.alpha.re, 2 * second.alpha.re};
        } else {
            table.alpha.push_back(first.alpha);
            const Complex<T> partner{-first.alpha.im, -first.alpha.re};
            signs[1] = !close(second.alpha, partner);
            if (first.index >= 0 && signs[1] && !close(second.alpha, Complex<T>{-partner.re, -partner.im}))
                throw Error(ErrorCode::internal, "a pair of modes whose numbers alpha are no partners");
        }
        if (pairs && !self_paired && (first.index < 0) != (second.index < 0))
            throw Error(ErrorCode::internal, "half a pair of modes");
        table.words.push_back(
            word_of<Format>(half_word<Word>(first.index, signs[0]), half_word<Word>(second.index, signs[1])));
    }
    find_line(table, twins.head.items);
    return table;
}

template TwinsTable<float> make_twins(const FftPlan<float>&, Side, Pairing, bool);
template TwinsTable<double> make_twins(const FftPlan<double>&, Side, Pairing, bool);
template TwinsTable<float, Plain> make_twins(const FftPlan<float, Plain>&, Side, Pairing, bool);
template TwinsTable<double, Plain> make_twins(const FftPlan<double, Plain>&, Side, Pairing, bool);
template SlotsTable<float> make_slots(const TwinsTable<float>&, Mix, const std::function<Outside<float>(Index)>&);
template SlotsTable<double> make_slots(const TwinsTable<double>&, Mix,
                                       const std::function<Outside<double>(Index)>&);
template SlotsTable<float, Plain> make_slots(const TwinsTable<float, Plain>&, Mix,
                                             const std::function<Outside<float>(Index)>&);
template SlotsTable<double, Plain> make_slots(const TwinsTable<double, Plain>&, Mix,
                                              const std::function<Outside<double>(Index)>&);

}  // namespace poisson3d::lines
