#include "fft_plan.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <type_traits>

#include "prime_step.hpp"
#include "roots_of_unity.hpp"

namespace poisson3d::lines {

namespace {

constexpr int inner_radices[] = {127, 113, 109, 107, 103, 101, 97, 89, 83, 79, 73, 71, 67, 61,
                                 59,  53,  47,  43,  41,  37,  31, 29, 23, 20, 19, 17, 16, 15,
                                 13,  12,  11,  10,  9,   8,   7,  6,  5,  4,  3,  2};
constexpr int outer_radices[] = {8, 7, 6, 5, 4, 3, 1};

bool power_of_two(Index n) {
    return (n & (n - 1)) == 0;
}

/// The digits of an FFT: strides q_s in positions, Q_s with padding.
struct Digits {
    std::vector<int> radices;
    std::vector<Index> apart, stride;
    Index padded_length = 1;

    explicit Digits(const Radices& r) {
        radices.push_back(r.samples);
        radices.insert(radices.end(), r.inner.begin(), r.inner.end());
        radices.push_back(r.modes);
        apart.resize(radices.size());
        stride.resize(radices.size());
        Index q = 1;
        for (std::size_t s = radices.size(); s-- > 0;) {
            apart[s] = q;
            stride[s] = padded_length | 1;
            q *= radices[s];
            padded_length = radices[s] == 1 ? padded_length : radices[s] * stride[s];
        }
    }
    /// Of all positions.
    [[nodiscard]] std::vector<int> natural() const {
        std::vector<int> all{0};
        for (std::size_t s = radices.size(); s-- > 0;) append_digit(all, s);
        return all;
    }
    /// Where modes end: their digits come in the opposite order.
    [[nodiscard]] std::vector<int> reversed() const {
        std::vector<int> all{0};
        for (std::size_t s = 0; s < radices.size(); ++s) append_digit(all, s);
        return all;
    }

private:
    /// A digit above those that there are.
    void append_digit(std::vector<int>& all, std::size_t s) const {
        const std::size_t below = all.size();
        all.reserve(below * radices[s]);
        for (int d = 1; d < radices[s]; ++d)
            for (std::size_t i = 0; i < below; ++i) all.push_back(all[i] + static_cast<int>(d * stride[s]));
    }
};

}  // namespace

const std::vector<int>& InnerRadices::of(Index length) {
    if (const auto known = known_.find(length); known != known_.end()) return known->second;
    std::vector<int> best;
    for (const int r : inner_radices) {
        if (length % r != 0 || (has_ != nullptr && !has_(r))) continue;
        const std::vector<int>& rest = of(length / r);
        if (!rest.empty() && rest.front() > r) continue;  // largest first
        if (!best.empty() && rest.size() >= best.size()) continue;
        best.assign(1, r);
        best.insert(best.end(), rest.begin(), rest.end());
    }
    return known_[length] = best;
}

bool has_radices(Index length, int largest_prime) {
    if (length < 1) return false;
    Index rest = length;
    for (int p = 2; p <= largest_prime; ++p)
        while (rest % p == 0) rest /= p;
    return rest == 1 && InnerRadices().of(length).size() <= max_steps;
}

Radices radices_of(Index length, bool first) {
    Radices best;
    InnerRadices inner_radices;
    // Steps in shared memory cost most. A self-paired butterfly (an odd number of them) has no partner; large
    // radices read more at once.
    Index best_cost = -1;
    for (const int s : outer_radices) {
        if (length % s != 0 || (!first && s != 1)) continue;
        for (const int m : outer_radices) {
            if (length / s % m != 0) continue;
            const std::vector<int>& inner = inner_radices.of(length / s / m);
            const Index self_paired = (first && length / s % 2 == 1 ? 1 : 0) + (length / m % 2 == 1 ? 1 : 0);
            const Index cost = 1000 * static_cast<Index>(inner.size()) + (length % 2 == 0 ? 100 * self_paired : 0) +
                               10 * std::abs(s - m) * (first ? 1 : 0) + (16 - s - m);
            if (best_cost < 0 || cost < best_cost) {
                best_cost = cost;
                best = {s, inner, m};
            }
        }
    }
    // Powers of two last: what lies together is then as wide as the banks of shared memory.
    std::stable_sort(best.inner.begin(), best.inner.end(),
                     [](int a, int b) { return !power_of_two(a) && power_of_two(b); });
    return best;
}

Index padded_length_of(const Radices& radices) {
    return Digits(radices).padded_length;
}

namespace {

/// The roots of a prime step, laid out as it reads them; steps of one radix share them.
template <class T, class Format>
int prime_roots(FftPlan<T, Format>& plan, int radix) {
    for (const RadixStep& step : std::span(plan.fft.step, plan.fft.steps - 1))
        if (step.radix == radix) return step.prime_roots;
    const RootsOfUnity roots(radix);
    const int half = radix / 2;
    if constexpr (std::is_same_v<Format, Plain>) {
        const auto first = static_cast<int>(plan.twiddles.size());
        for (int k = 1; k <= half; ++k) plan.twiddles.push_back(roots.rounded<T>(k));
        return first;
    }
    if (plan.twiddles.size() % 2 == 1) plan.twiddles.push_back({1, 0});  // at a multiple of 16 bytes
    const auto first = static_cast<int>(plan.twiddles.size());
    for (int tile = 0; tile < row_tiles(radix); ++tile)
        for (int j = 1; j <= half; ++j)
            for (int k = tile * tile_rows; k < (tile + 1) * tile_rows; ++k) {
                const Complex<T> root = roots.rounded<T>(j * k);
                plan.twiddles.push_back({root.re, -root.im});
            }
    return first;
}

template <class T, class Format>
void add_step(FftPlan<T, Format>& plan, const Digits& digits, std::size_t s) {
    const int r = digits.radices[s];
    const Index q = digits.apart[s];
    RadixStep& step = plan.fft.step[plan.fft.steps++];
    step.radix = r;
    step.butterflies = WorkItems(static_cast<int>(plan.count * plan.length / r));
    step.stride = static_cast<int>(digits.stride[s]);
    step.twiddle_stride = static_cast<int>(q);
    step.first = static_cast<int>(plan.words.size());
    plan.words.reserve(plan.words.size() + step.butterflies.count);
    for (int f = 0; f < plan.count; ++f)
        for (Index b = 0; b < plan.length / (r * q); ++b)
            for (Index j = 0; j < q; ++j)
                plan.words.push_back(word_of<Format>(f * plan.padded_length + plan.natural[b * r * q + j], j));
    step.twiddles = static_cast<int>(plan.twiddles.size());
    const RootsOfUnity roots(q * r);
    if (plan.twiddles.empty()) plan.twiddles.reserve(plan.length + q);  // what follows takes no more than q
    for (int i = 0; q > 1 && i < twiddles_of(r, Format::few_twiddles); ++i)
        for (Index j = 0; j < q; ++j)
            plan.twiddles.push_back(roots.rounded<T>(j * twiddle_exponent(r, i, Format::few_twiddles)));
    if (prime_step_radix(r)) step.prime_roots = prime_roots(plan, r);
}

}  // namespace

template <class T, class Format>
FftPlan<T, Format> make_fft_plan(Index length, int count, const Radices& radices) {
    const Digits digits(radices);
    FftPlan<T, Format> plan;
    plan.length = length;
    plan.count = count;
    plan.radices = radices;
    plan.padded_length = static_cast<int>(digits.padded_length);
    plan.natural = digits.natural();
    plan.reversed = digits.reversed();
    plan.samples_stride = static_cast<int>(digits.stride.front());
    for (std::size_t s = 0; s < radices.inner.size(); ++s) add_step(plan, digits, s + 1);
    // Lines that are two elements more than a multiple of the banks apart: threads across lines use even banks,
    // those of the next butterfly odd ones.
    constexpr int banks = 128 / static_cast<int>(2 * sizeof(T));
    plan.pitch = (count * plan.padded_length - 2 + banks - 1) / banks * banks + 2;
    return plan;
}

template <class T, class Format>
FftPlan<T, Format> whole_lines(Index length, int count) {
    FftPlan<T, Format> plan;
    plan.length = length;
    plan.count = count;
    plan.natural.resize(length);
    std::iota(plan.natural.begin(), plan.natural.end(), 0);
    plan.reversed = plan.natural;
    plan.padded_length = static_cast<int>(length);
    plan.pitch = count * plan.padded_length;
    return plan;
}

template FftPlan<float, Compact> whole_lines(Index, int);
template FftPlan<double, Compact> whole_lines(Index, int);
template FftPlan<float, Plain> whole_lines(Index, int);
template FftPlan<double, Plain> whole_lines(Index, int);
template FftPlan<float, Compact> make_fft_plan(Index, int, const Radices&);
template FftPlan<double, Compact> make_fft_plan(Index, int, const Radices&);
template FftPlan<float, Plain> make_fft_plan(Index, int, const Radices&);
template FftPlan<double, Plain> make_fft_plan(Index, int, const Radices&);
template FftPlan<long double, Plain> make_fft_plan(Index, int, const Radices&);

}  // namespace poisson3d::lines
