#include "butterfly_pair_tables.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "pair_map.hpp"
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

/// The butterfly pairs among q butterflies of each of `count` FFTs.
std::vector<Pair> list_butterfly_pairs(Pairing pairing, int count, Index q, bool opposite) {
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
    return (index < 0 ? no_element_in<Word> : index) | (negative ? Index{1} << (half_bits<Word> - 1) : 0);
}

/// Whether entries can be computed without the table, and from which numbers.
template <class T, class Format>
void find_line(PairMapTable<T, Format>& table, const WorkItems& butterflies) {
    using Word = typename Format::Word;
    PairMap<T, Format>& view = table.view;
    const auto pairs = static_cast<int>(table.words.size()) / butterflies.count;
    view.linear = true;
    for (int m = 0; m < pairs; ++m) {
        const Word* const word = table.words.data() + m * butterflies.count;
        view.zeroth[m] = word[0];
        if (butterflies.count > 1) view.origin[m] = word[1];
        if (butterflies.count > 2) view.step[m] = word[2] - word[1];
        view.origin[m] -= view.step[m];
        for (int o = 1; o < butterflies.count; ++o)
            view.linear = view.linear && word[o] == view.origin[m] + static_cast<Word>(o) * view.step[m];
    }
}

template <class T>
bool close(Complex<T> a, Complex<T> b) {
    return std::abs(a.re - b.re) + std::abs(a.im - b.im) <= 8 * std::numeric_limits<T>::epsilon();
}

}  // namespace

template <class T, class Format>
ButterflyPairTable<T, Format> make_butterfly_pairs(const FftPlan<T, Format>& plan, Side side, Pairing pairing,
                                                   bool opposite) {
    const bool samples = side == Side::samples;
    const int r = samples ? plan.radices.samples : plan.radices.modes;
    const Index q = plan.length / r;
    const std::vector<Pair> list = list_butterfly_pairs(pairing, plan.count, q, opposite);
    const auto count = static_cast<Index>(list.size());
    constexpr bool few = Format::few_twiddles;
    ButterflyPairTable<T, Format> table;
    ButterflyPairs<T, Format>& view = table.view;
    view.radix = r;
    view.items = typename Format::Items(static_cast<int>(count));
    view.stride = samples ? plan.samples_stride : 1;
    table.mirrored = pairing == Pairing::mirror;
    const bool straight = pairing == Pairing::adjacent;

    const auto offset = [&](const Butterfly& b) {
        return b.fft * plan.padded_length + (samples ? plan.natural[b.first] : plan.reversed[b.first]);
    };
    for (const auto& [a, b] : list)
        table.offsets.push_back(word_of<Format>(offset(a), offset(b.first < 0 ? a : b)));
    const RootsOfUnity roots(plan.length);
    for (int i = 0; samples && q > 1 && i < twiddles_of(r, few); ++i)
        for (const bool second : {false, true})
            for (const auto& [a, b] : list) {
                const Index j = second && b.first >= 0 ? b.first : a.first;
                table.twiddles.push_back(roots.rounded<T>(j * twiddle_exponent(r, i, few)));
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
                    straight ? pair_first<radix, true>(a, b, m) : pair_first<radix, false>(a, b, m);
                table.second[m * count + o] =
                    straight ? pair_second<radix, true>(a, b, m) : pair_second<radix, false>(a, b, m);
            }
        }
    });
    return table;
}

template <class T, class Format>
PairMapTable<T, Format> make_pair_map(const ButterflyPairTable<T, Format>& butterflies, PairStep step,
                                      const std::function<MappedElement<T>(Index row)>& element_of) {
    using Word = typename Format::Word;
    PairMapTable<T, Format> table;
    table.view.neighbours = true;
    const bool pairs = step == PairStep::combine || step == PairStep::split;
    for (std::size_t s = 0; s < butterflies.first.size(); ++s) {
        const bool self_paired = butterflies.self_paired(s);
        const auto of = [&](Index row) { return row < 0 ? MappedElement<T>{} : element_of(row); };
        const MappedElement<T> first = of(butterflies.first[s]);
        const MappedElement<T> second = of(butterflies.second[s]);
        table.view.neighbours = table.view.neighbours && first.index >= 0 && second.index == first.index + 1;
        bool signs[2] = {false, false};
        if (step == PairStep::signs) {
            signs[0] = first.alpha.re < 0;
            signs[1] = second.alpha.re < 0;
        } else if (step == PairStep::factors) {
            table.alpha.push_back(
                {first.index < 0 ? T(0) : first.alpha.re, second.index < 0 ? T(0) : second.alpha.re});
        } else if (self_paired) {
            table.alpha.push_back({1, 0});
            table.view.self_paired = {2 * first.alpha.re, 2 * second.alpha.re};
        } else {
            table.alpha.push_back(first.alpha);
            const Complex<T> partner{-first.alpha.im, -first.alpha.re};
            signs[1] = !close(second.alpha, partner);
            if (first.index >= 0 && signs[1] && !close(second.alpha, Complex<T>{-partner.re, -partner.im}))
                throw Error(ErrorCode::internal, "a pair of modes whose factors alpha are no partners");
        }
        if (pairs && !self_paired && (first.index < 0) != (second.index < 0))
            throw Error(ErrorCode::internal, "half a pair of modes");
        table.words.push_back(
            word_of<Format>(half_word<Word>(first.index, signs[0]), half_word<Word>(second.index, signs[1])));
    }
    find_line(table, butterflies.view.items);
    return table;
}

template ButterflyPairTable<float> make_butterfly_pairs(const FftPlan<float>&, Side, Pairing, bool);
template ButterflyPairTable<double> make_butterfly_pairs(const FftPlan<double>&, Side, Pairing, bool);
template ButterflyPairTable<float, Plain> make_butterfly_pairs(const FftPlan<float, Plain>&, Side, Pairing, bool);
template ButterflyPairTable<double, Plain> make_butterfly_pairs(const FftPlan<double, Plain>&, Side, Pairing, bool);
template PairMapTable<float> make_pair_map(const ButterflyPairTable<float>&, PairStep,
                                           const std::function<MappedElement<float>(Index)>&);
template PairMapTable<double> make_pair_map(const ButterflyPairTable<double>&, PairStep,
                                            const std::function<MappedElement<double>(Index)>&);
template PairMapTable<float, Plain> make_pair_map(const ButterflyPairTable<float, Plain>&, PairStep,
                                                  const std::function<MappedElement<float>(Index)>&);
template PairMapTable<double, Plain> make_pair_map(const ButterflyPairTable<double, Plain>&, PairStep,
                                                   const std::function<MappedElement<double>(Index)>&);

}  // namespace poisson3d::lines
