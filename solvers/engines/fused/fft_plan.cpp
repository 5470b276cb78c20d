#include "fft_plan.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace poisson3d::fused {

namespace {

constexpr int inner_radices[] = {31, 29, 23, 19, 17, 16, 13, 12, 11, 10, 8, 7, 6, 5, 4, 3, 2};
constexpr int outer_radices[] = {8, 7, 6, 5, 4, 3, 1};

/// The shortest product of inner radices, of those the one with the smallest largest radix.
std::vector<int> inner_of(Index length) {
    if (length == 1) return {};
    std::vector<int> best;
    for (const int r : inner_radices) {
        if (length % r != 0) continue;
        std::vector<int> rest = inner_of(length / r);
        if (!rest.empty() && rest.front() > r) continue;  // largest first
        rest.insert(rest.begin(), r);
        if (best.empty() || rest.size() <= best.size()) best = rest;
    }
    return best;
}

bool power_of_two(Index n) {
    return (n & (n - 1)) == 0;
}

/// The digits of an FFT: q_s in positions, Q_s in places.
struct Digits {
    std::vector<int> radices;
    std::vector<Index> apart, stride;
    Index places = 1;

    explicit Digits(const Radices& r) {
        radices.push_back(r.samples);
        radices.insert(radices.end(), r.inner.begin(), r.inner.end());
        radices.push_back(r.modes);
        apart.resize(radices.size());
        stride.resize(radices.size());
        Index q = 1;
        for (std::size_t s = radices.size(); s-- > 0;) {
            apart[s] = q;
            stride[s] = places | 1;
            q *= radices[s];
            places = radices[s] == 1 ? places : radices[s] * stride[s];
        }
    }
    [[nodiscard]] Index place(Index position) const {
        Index sum = 0;
        for (std::size_t s = 0; s < radices.size(); ++s) sum += position / apart[s] % radices[s] * stride[s];
        return sum;
    }
    /// Where mode k ends: its digits come in the opposite order.
    [[nodiscard]] Index place_of_mode(Index k) const {
        Index sum = 0;
        for (std::size_t s = 0; s < radices.size(); k /= radices[s], ++s) sum += k % radices[s] * stride[s];
        return sum;
    }
};

}  // namespace

bool has_radices(Index length, int largest_prime) {
    if (length < 1) return false;
    Index rest = length;
    for (int p = 2; p <= largest_prime; ++p)
        while (rest % p == 0) rest /= p;
    return rest == 1 && inner_of(length).size() <= most_steps;
}

Radices radices_of(Index length, bool first) {
    Radices best;
    // Steps in shared memory cost most. A lone butterfly (an odd number of them) has no twin; large radices read
    // more at once.
    Index best_cost = -1;
    for (const int s : outer_radices) {
        if (length % s != 0 || (!first && s != 1)) continue;
        for (const int m : outer_radices) {
            if (length / s % m != 0) continue;
            const std::vector<int> inner = inner_of(length / s / m);
            const Index lone = (first && length / s % 2 == 1 ? 1 : 0) + (length / m % 2 == 1 ? 1 : 0);
            const Index cost = 1000 * static_cast<Index>(inner.size()) + (length % 2 == 0 ? 100 * lone : 0) +
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

std::vector<int> inner_radices_of(Index length) {
    return inner_of(length);
}

Index places_of(const Radices& radices) {
    return Digits(radices).places;
}

template <class T>
Complex<T> root_of_one(Index turn, Index n) {
    const long double angle = -2 * std::numbers::pi_v<long double> * static_cast<long double>(turn % n) / n;
    return {static_cast<T>(std::cos(angle)), static_cast<T>(std::sin(angle))};
}

namespace {

template <class T, class Format>
void add_step(FftPlan<T, Format>& plan, const Digits& digits, std::size_t s) {
    const int r = digits.radices[s];
    const Index q = digits.apart[s];
    RadixStep& step = plan.fft.step[plan.fft.steps++];
    step.radix = r;
    step.butterflies = Items(static_cast<int>(plan.count * plan.length / r));
    step.stride = static_cast<int>(digits.stride[s]);
    step.apart = static_cast<int>(q);
    step.first = static_cast<int>(plan.words.size());
    for (int f = 0; f < plan.count; ++f)
        for (Index b = 0; b < plan.length / (r * q); ++b)
            for (Index j = 0; j < q; ++j)
                plan.words.push_back(word_of<Format>(f * plan.places + digits.place(b * r * q + j), j));
    step.roots = static_cast<int>(plan.roots.size());
    for (int i = 0; q > 1 && i < roots_of(r, Format::few_roots); ++i)
        for (Index j = 0; j < q; ++j)
            plan.roots.push_back(root_of_one<T>(j * root_exponent(r, i, Format::few_roots), q * r));
    step.waves = static_cast<int>(plan.roots.size());
    for (int k = 1; r > 7 && r % 2 == 1 && k <= r / 2; ++k) plan.roots.push_back(root_of_one<T>(k, r));
}

}  // namespace

template <class T, class Format>
FftPlan<T, Format> make_fft_plan(Index length, int count, const Radices& radices) {
    const Digits digits(radices);
    FftPlan<T, Format> plan;
    plan.length = length;
    plan.count = count;
    plan.radices = radices;
    plan.places = static_cast<int>(digits.places);
    for (Index k = 0; k < length; ++k) {
        plan.natural.push_back(static_cast<int>(digits.place(k)));
        plan.reversed.push_back(static_cast<int>(digits.place_of_mode(k)));
    }
    plan.samples_stride = static_cast<int>(digits.stride.front());
    for (std::size_t s = 0; s < radices.inner.size(); ++s) add_step(plan, digits, s + 1);
    // Lines that are two elements more than a multiple of the banks apart: threads across lines meet even places of
    // the banks, those of the next butterfly odd ones.
    constexpr int banks = 128 / static_cast<int>(2 * sizeof(T));
    plan.pitch = (count * plan.places - 2 + banks - 1) / banks * banks + 2;
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
    plan.places = static_cast<int>(length);
    plan.pitch = count * plan.places;
    return plan;
}

template Complex<float> root_of_one(Index, Index);
template Complex<double> root_of_one(Index, Index);
template Complex<long double> root_of_one(Index, Index);
template FftPlan<float, Compact> whole_lines(Index, int);
template FftPlan<double, Compact> whole_lines(Index, int);
template FftPlan<float, Plain> whole_lines(Index, int);
template FftPlan<double, Plain> whole_lines(Index, int);
template FftPlan<float, Compact> make_fft_plan(Index, int, const Radices&);
template FftPlan<double, Compact> make_fft_plan(Index, int, const Radices&);
template FftPlan<float, Plain> make_fft_plan(Index, int, const Radices&);
template FftPlan<double, Plain> make_fft_plan(Index, int, const Radices&);
template FftPlan<long double, Plain> make_fft_plan(Index, int, const Radices&);

}  // namespace poisson3d::fused
