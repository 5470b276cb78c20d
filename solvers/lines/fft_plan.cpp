#include "fft_plan.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "convolution_filter.hpp"
#include "convolution_radices.hpp"
#include "outer_radices.hpp"
#include "padded_strides.hpp"
#include "roots_of_unity.hpp"

namespace poisson3d::lines {

namespace {

constexpr int inner_radices[] = {23, 20, 19, 17, 16, 15, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2};

/// The largest prime factor if it wants a step of its own, else 0.
Index prime_factor(Index n) {
    Index largest = 1;
    for (Index p = 2; p * p <= n; ++p)
        for (; n % p == 0; n /= p) largest = p;
    largest = std::max(largest, n);
    return largest > 23 ? largest : 0;
}

/// g^0, g^1, … g^{p−2} modulo p, g the least number whose powers these all are.
std::vector<Index> powers_of_generator(Index p) {
    for (Index g = 2;; ++g) {
        std::vector<Index> powers{1};
        while (powers.back() * g % p != 1) powers.push_back(powers.back() * g % p);
        if (static_cast<Index>(powers.size()) == p - 1) return powers;
    }
}
/// The same of 1/g.
std::vector<Index> powers_of_inverse(Index p) {
    std::vector<Index> powers = powers_of_generator(p);
    std::reverse(powers.begin() + 1, powers.end());
    return powers;
}

/// The banks that strides of lines of `count` FFTs are chosen for (padded_strides.hpp); 0: strides are odd, as
/// those are of lines on the host, of prime steps, and of FFTs without outer steps. So are those of lines above
/// 4096, the longest that kernels know: with more padding shared memory would not hold all that it holds.
template <class T, class Format>
int banks_of(const Radices& radices, int count) {
    Index elements = Index{count} * radices.samples * radices.modes;
    for (const int r : radices.inner) elements *= r;
    const bool primes = std::any_of(radices.inner.begin(), radices.inner.end(), prime_step_radix);
    const bool chosen = Format::few_twiddles && radices.modes > 1 && !primes && elements <= 4096;
    return chosen ? element_banks<T> : 0;
}

/// The digits of an FFT: strides q_s in positions, Q_s with padding. `element`: padded elements that one takes.
struct Digits {
    std::vector<int> radices;
    std::vector<Index> apart, stride;
    Index padded_length;

    explicit Digits(const Radices& r, int ffts = 1, int banks = 0, Index element = 1) : padded_length(element) {
        radices.push_back(r.samples);
        radices.insert(radices.end(), r.inner.begin(), r.inner.end());
        radices.push_back(r.modes);
        apart.resize(radices.size());
        stride.resize(radices.size());
        const PaddedStrides padded(radices.data(), banks > 0 ? static_cast<int>(radices.size()) : 0, ffts, banks);
        Index q = 1;
        for (std::size_t s = radices.size(); s-- > 0;) {
            apart[s] = q;
            stride[s] = banks > 0 ? padded[static_cast<int>(s)] : padded_length | 1;
            q *= radices[s];
            if (prime_step_radix(radices[s]))
                padded_length = stride[s] + convolved(s).padded_length;
            else if (radices[s] > 1)
                padded_length = radices[s] * stride[s];
        }
    }
    /// Of a prime step: those of the elements 1, 2, … in memory.
    [[nodiscard]] Digits convolved(std::size_t s) const {
        return Digits({1, prime_convolution(radices[s]).radices, 1}, 1, 0, stride[s]);
    }
    /// Of all positions.
    [[nodiscard]] std::vector<int> natural() const {
        std::vector<int> all{0};
        for (std::size_t s = radices.size(); s-- > 0;) append_digit(all, s, &powers_of_generator);
        return all;
    }
    /// Where modes end: their digits come in the opposite order.
    [[nodiscard]] std::vector<int> reversed() const {
        std::vector<int> all{0};
        for (std::size_t s = 0; s < radices.size(); ++s) append_digit(all, s, &powers_of_inverse);
        return all;
    }

private:
    using Powers = std::vector<Index> (*)(Index p);
    /// By value of digit s.
    [[nodiscard]] std::vector<Index> offsets(std::size_t s, Powers powers) const {
        const int r = radices[s];
        std::vector<Index> all(r, 0);
        if (prime_step_radix(r)) {
            const std::vector<int> behind = convolved(s).natural();
            const std::vector<Index> value = powers(r);
            for (int i = 0; i < r - 1; ++i) all[value[i]] = stride[s] + behind[i];
        } else {
            for (int d = 0; d < r; ++d) all[d] = d * stride[s];
        }
        return all;
    }
    /// A digit above those that there are.
    void append_digit(std::vector<int>& all, std::size_t s, Powers powers) const {
        const std::size_t below = all.size();
        const std::vector<Index> offset = offsets(s, powers);
        all.reserve(below * radices[s]);
        for (int d = 1; d < radices[s]; ++d)
            for (std::size_t i = 0; i < below; ++i) all.push_back(all[i] + static_cast<int>(offset[d]));
    }
};

}  // namespace

const std::vector<int>& InnerRadices::of(Index length) {
    if (const auto known = known_.find(length); known != known_.end()) return known->second;
    std::vector<int> best;
    if (const Index p = has_ == nullptr ? prime_factor(length) : 0; p > 0) {
        best.assign(1, static_cast<int>(p));
        const std::vector<int>& rest = of(length / p);
        best.insert(best.end(), rest.begin(), rest.end());
        return known_[length] = best;
    }
    for (const int r : inner_radices) {
        if (length % r != 0 || (has_ != nullptr && !has_(r))) continue;
        const std::vector<int>& rest = of(length / r);
        if (rest.empty() && length != r) continue;
        if (!rest.empty() && rest.front() > r) continue;  // largest first
        if (!best.empty() && rest.size() >= best.size()) continue;
        best.assign(1, r);
        best.insert(best.end(), rest.begin(), rest.end());
    }
    return known_[length] = best;
}

bool has_radices(Index length) {
    if (length < 1) return false;
    std::size_t parts = 0;
    Index rest = length;
    for (Index p = prime_factor(rest); p > 0; p = prime_factor(rest)) {
        const Convolution convolution = prime_convolution(p);
        if (convolution.length == 0) return false;
        parts += convolution.radices.size();
        rest /= p;
    }
    return parts <= max_parts && InnerRadices().of(length).size() <= max_steps;
}

Radices radices_of(Index length, bool first) {
    Radices best;
    InnerRadices inner_radices;
    Index best_cost = -1;
    for (const int s : outer_radices) {
        if (length % s != 0 || (!first && s != 1)) continue;
        for (const int m : outer_radices) {
            if (length / s % m != 0) continue;
            const std::vector<int>& inner = inner_radices.of(length / s / m);
            const Index cost = outer_cost(length, s, static_cast<Index>(inner.size()), m, first);
            if (best_cost < 0 || cost < best_cost) {
                best_cost = cost;
                best = {s, inner, m};
            }
        }
    }
    // Primes last: they have the fewest twiddles there, or none.
    std::stable_sort(best.inner.begin(), best.inner.end(), [&](int a, int b) {
        const bool late = prime_step_radix(a), of_other = prime_step_radix(b);
        return late == of_other ? !late && comes_before(a, b, best.samples > 1) : of_other;
    });
    return best;
}

template <class Format>
Index padded_length_of(const Radices& radices, int count) {
    return std::max(Digits(radices, count, banks_of<float, Format>(radices, count)).padded_length,
                    Digits(radices, count, banks_of<double, Format>(radices, count)).padded_length);
}

namespace {

/// A step of FFTs of `length` that begin at `begins`, without its twiddles.
template <class T, class Format>
void set_step(FftPlan<T, Format>& plan, RadixStep& step, const Digits& digits, std::size_t s, Index length,
              const std::vector<int>& natural, const std::vector<Index>& begins) {
    const int r = digits.radices[s];
    const Index q = digits.apart[s];
    step.radix = r;
    step.butterflies = WorkItems(static_cast<int>(static_cast<Index>(begins.size()) * length / r));
    step.stride = static_cast<int>(digits.stride[s]);
    step.twiddle_stride = static_cast<int>(q);
    step.first = static_cast<int>(plan.words.size());
    plan.words.reserve(plan.words.size() + step.butterflies.count);
    for (const Index begin : begins)
        for (Index b = 0; b < length / (r * q); ++b)
            for (Index j = 0; j < q; ++j) plan.words.push_back(word_of<Format>(begin + natural[b * r * q + j], j));
}

/// The twiddles of a radix step on FFTs of q · r.
template <class T, class Format>
void add_twiddles(FftPlan<T, Format>& plan, RadixStep& step) {
    const int r = step.radix;
    const Index q = step.twiddle_stride;
    step.twiddles = static_cast<int>(plan.twiddles.size());
    const RootsOfUnity roots(q * r);
    for (int i = 0; q > 1 && i < twiddles_of(r, Format::few_twiddles); ++i)
        for (Index j = 0; j < q; ++j)
            plan.twiddles.push_back(roots.rounded<T>(j * twiddle_exponent(r, i, Format::few_twiddles)));
}

/// What a prime step has beside its words: twiddles, the steps of its convolution, filters.
template <class T, class Format>
void add_convolution(FftPlan<T, Format>& plan, RadixStep& step, const Digits& digits) {
    const int p = step.radix;
    const Index q = step.twiddle_stride;
    step.twiddles = static_cast<int>(plan.twiddles.size());
    const RootsOfUnity roots(q * p);
    if (q > 1)
        for (const Index k : powers_of_inverse(p))
            for (Index j = 0; j < q; ++j) plan.twiddles.push_back(roots.rounded<T>(j * k));

    std::vector<Index> begins;
    for (int b = 0; b < step.butterflies.count; ++b)
        begins.push_back(lower_half(plan.words[step.first + b]) + step.stride);
    const std::vector<int> natural = digits.natural();
    step.part = plan.parts;
    step.parts = static_cast<int>(digits.radices.size()) - 2;
    for (int s = 1; s <= step.parts; ++s) {
        RadixStep& part = plan.fft.part[plan.parts++];
        set_step(plan, part, digits, s, p - 1, natural, begins);
        add_twiddles(plan, part);
    }

    step.filter = static_cast<int>(plan.twiddles.size());
    ThreadTeam alone(1);
    for (const auto& powers : {powers_of_inverse(p), powers_of_generator(p)}) {
        std::vector<Complex<long double>> values;
        const RootsOfUnity prime_roots(p);
        for (const Index power : powers) values.push_back(prime_roots(power));
        const std::vector<Complex<T>> filter = filter_of<T>(prime_convolution(p).radices, values, alone);
        plan.twiddles.insert(plan.twiddles.end(), filter.begin(), filter.end());
    }
}

}  // namespace

template <class T, class Format>
FftPlan<T, Format> make_fft_plan(Index length, int count, const Radices& radices) {
    const Digits digits(radices, count, banks_of<T, Format>(radices, count));
    FftPlan<T, Format> plan;
    plan.length = length;
    plan.count = count;
    plan.radices = radices;
    plan.padded_length = static_cast<int>(digits.padded_length);
    plan.natural = digits.natural();
    plan.reversed = digits.reversed();
    plan.samples_stride = static_cast<int>(digits.stride.front());
    std::vector<Index> begins;
    for (int f = 0; f < count; ++f) begins.push_back(f * digits.padded_length);
    plan.twiddles.reserve(2 * length);
    for (std::size_t s = 1; s <= radices.inner.size(); ++s) {
        RadixStep& step = plan.fft.step[plan.fft.steps++];
        set_step(plan, step, digits, s, length, plan.natural, begins);
        if (prime_step_radix(step.radix))
            add_convolution(plan, step, digits.convolved(s));
        else
            add_twiddles(plan, step);
    }
    // Lines that are two elements more than a multiple of the banks apart: threads across lines use even banks,
    // those of the next butterfly odd ones.
    constexpr int banks = element_banks<T>;
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

template Index padded_length_of<Compact>(const Radices&, int);
template Index padded_length_of<Plain>(const Radices&, int);
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
