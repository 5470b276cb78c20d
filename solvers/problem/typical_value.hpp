// The mean of a field, about, from few of its values; 0 where they show none.
//
// A singular problem loses the constant of its right-hand side anyway. Left there it costs digits of the rest:
// every pass raises it by √N beside random numbers, so that on a cube the last of them finds it N times as large,
// on the line of the modes that u consists of most, and rounds it there. Taken from f before the first pass, the m
// it leaves costs 0.15 eps · m/σ · √(product of the two axes before), σ the deviation of f (docs/notes.md).
//
// Hence the number of samples, which leaves m of a few σ / √samples: the median of nine means. Means, since one
// value, or a median of some, may be σ off, or further in a field that is not symmetric; a median, since no few
// outliers, say point charges, may be subtracted from everything else. Where the nine differ by more than
// the constant, f keeps its own. Samples are stretches of neighbours along z, spread over the box without a pattern
// that a field could share. Host and device code share this file.
#pragma once

#include <cmath>
#include <cstdint>

#include "host_device.hpp"
#include "poisson3d/field.hpp"

namespace poisson3d {

/// high + low, unevaluated: where the constant is large, T alone cannot say it to less than what f varies by.
template <class T>
struct Constant {
    T high = 0, low = 0;
};

/// Where the samples of a field are.
class Samples {
public:
    static constexpr int groups = 9;
    static constexpr int max_length = 32;  ///< of a stretch: 128 bytes or 256

    POISSON3D_HD Samples(const Strides& strides, const Extents& extents) : strides_(strides) {
        Index points = 1, fewest = 0;
        for (int a = 0; a < 3; ++a) {
            points *= extents[a];
            if (extents[a] > 1 && (fewest == 0 || extents[a] < fewest)) fewest = extents[a];
        }
        length_ = extents[2] < max_length ? static_cast<int>(extents[2]) : max_length;
        // Of the axes before the last pass, but never more than is read in no time beside the passes.
        Index wanted = fewest > 0 ? points / fewest / 4 : 1;
        if (wanted > points / 256) wanted = points / 256;
        if (wanted > most) wanted = most;
        stretches_ = wanted / (groups * length_) + 1;
        for (int a = 0; a < 2; ++a) places_[a] = extents[a];
        places_[2] = extents[2] - length_ + 1;
    }

    [[nodiscard]] POISSON3D_HD int length() const { return length_; }
    /// Of each group.
    [[nodiscard]] POISSON3D_HD Index stretches() const { return stretches_; }

    /// Offset of the first element: multiples of three numbers that are irrational to each other, modulo 1, here in
    /// units of 2⁻⁶⁴ (powers of the root of x⁴ = x + 1: Roberts' sequence).
    [[nodiscard]] POISSON3D_HD Index first(int group, Index stretch) const {
        constexpr std::uint64_t steps[3] = {0xd1b54a32d192ed03, 0xabc98388fb8fac02, 0x8cb92ba72f3d8dd7};
        const auto number = static_cast<std::uint64_t>(stretch * groups + group);
        Index offset = 0;
        for (int a = 0; a < 3; ++a) {
            const std::uint64_t fraction = (number * steps[a] + (std::uint64_t{1} << 63)) >> 32;
            offset += static_cast<Index>(fraction * static_cast<std::uint64_t>(places_[a]) >> 32) * strides_[a];
        }
        return offset;
    }

    /// A power of two that keeps the sum of a group in the range of its numbers.
    template <class T>
    [[nodiscard]] POISSON3D_HD T weight() const {
        T weight = 1;
        for (Index n = 1; n < stretches_ * length_; n *= 2) weight /= 2;
        return weight;
    }

private:
    static constexpr Index most = 131072;
    Strides strides_;
    Extents places_{};
    Index stretches_;
    int length_;
};

/// To rising order.
template <class T>
POISSON3D_HD void sort(T (&values)[Samples::groups]) {
    for (int i = 1; i < Samples::groups; ++i)
        for (int j = i; j > 0 && values[j] < values[j - 1]; --j) {
            const T greater = values[j - 1];
            values[j - 1] = values[j];
            values[j] = greater;
        }
}

/// The median.
template <class T>
POISSON3D_HD T middle_of(T (&values)[Samples::groups]) {
    sort(values);
    return values[Samples::groups / 2];
}

/// The median of one value of each group: what is summed are differences from it. stretch(group, s) is where a
/// stretch begins.
template <class T, class Stretch>
POISSON3D_HD T base_of_samples(const Stretch& stretch) {
    T values[Samples::groups];
    for (int g = 0; g < Samples::groups; ++g) values[g] = *stretch(g, Index{0});
    return middle_of(values);
}

/// The multiple of a power of two that is next to value.
template <class T>
POISSON3D_HD T rounded_to(T value, T unit) {
    // Where T has no digits below the unit there is nothing to round.
    const T many = unit * static_cast<T>(std::uint64_t{1} << (sizeof(T) == 4 ? 23 : 52));
    return value < many && -value < many ? std::rint(value / unit) * unit : value;
}

/// The constant, from the sums that the groups have with their weight.
///
/// It gets no digits that its own uncertainty makes meaningless. With such digits f − constant would be rounded to
/// the same side wherever f has a similar size: 0.05 eps that many points add up, if only a part of f is like that.
template <class T>
POISSON3D_HD Constant<T> constant_of_samples(T (&sums)[Samples::groups], T base, const Samples& samples) {
    sort(sums);
    const T count = static_cast<T>(samples.stretches() * samples.length()) * samples.weight<T>();
    const T spread = (sums[6] - sums[2]) / count;
    const T middle = sums[Samples::groups / 2] / count;
    if (!((base + middle < T(0) ? -(base + middle) : base + middle) > spread)) return {};
    T from = base, added = middle;
    int exponent = 0;
    std::frexp(spread, &exponent);
    if (const T unit = std::ldexp(T(1), exponent - 3); spread > T(0) && unit > T(0)) {
        from = rounded_to(base, unit);
        added = rounded_to(base - from + middle, unit);
    }
    const T high = from + added;
    const T taken = high - from;
    return {high, (from - (high - taken)) + (added - taken)};
}

/// On the host, wherever the field is. Lanes of a stretch are summed
/// apart, as the threads of a device do.
template <class T, class Stretch>
Constant<T> typical_value(const Samples& samples, const Stretch& stretch) {
    const T base = base_of_samples<T>(stretch);
    const T weight = samples.weight<T>();
    T sums[Samples::groups] = {};
    for (int g = 0; g < Samples::groups; ++g) {
        T lanes[Samples::max_length] = {};
        for (Index s = 0; s < samples.stretches(); ++s) {
            const T* const from = stretch(g, s);
            for (int l = 0; l < samples.length(); ++l) lanes[l] += weight * (from[l] - base);
        }
        for (const T lane : lanes) sums[g] += lane;
    }
    return constant_of_samples(sums, base, samples);
}

/// The samples of a box whose planes several have: stretch after stretch in the order of their planes, so that
/// those of one part of the box are together (sample_order.hpp).
template <class T>
struct SharedSamples {
    const T* numbers = nullptr;
    const int* places = nullptr;  ///< of stretch group · stretches + s among all
    Extents points{};             ///< of the box

    [[nodiscard]] POISSON3D_HD Samples samples() const { return {{points[1] * points[2], points[2], 1}, points}; }
    /// How many numbers they are.
    [[nodiscard]] POISSON3D_HD static Index size(const Samples& samples) {
        return Samples::groups * samples.stretches() * samples.length();
    }
    /// Where a stretch begins.
    [[nodiscard]] POISSON3D_HD Index place(const Samples& samples, int group, Index s) const {
        return Index{places[group * samples.stretches() + s]} * samples.length();
    }
    [[nodiscard]] POISSON3D_HD const T* stretch(const Samples& samples, int group, Index s) const {
        return numbers + place(samples, group, s);
    }
};

template <class T>
Constant<T> typical_value(const T* f, const Strides& strides, const Extents& extents) {
    const Samples samples(strides, extents);
    return typical_value<T>(samples, [&](int group, Index s) { return f + samples.first(group, s); });
}

}  // namespace poisson3d
