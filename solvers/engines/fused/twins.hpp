// The outermost steps of FFTs, in registers: what mixes before the first one or after the last one mixes there, too.
//
// Every kind of line but type I combines (or splits) pairs of rows, mostly q and N − q, after (or before) its FFT. The
// outer butterfly of radix r that ends at rows c, c + N/r, c + 2N/r, … has all its partners in the butterfly of N/r − c.
// These are twins; one thread holds both, so that a line goes through shared memory only between steps:
//
//     load:    field → r pairs → butterflies (→ factors) → places
//     store:   places (→ factors) → butterflies → r pairs → field
//
// Slot m of twins a and b holds the pair of their elements m and r − 1 − m. Twins whose elements pair otherwise are put
// in this order first (arrange). Elements of kinds that mix no pairs stand in slots as well. Host and device share this
// file.
#pragma once

#include <bit>

#include "line_fft.hpp"

namespace poisson3d::fused {

/// How a twin's elements are put in order.
enum class Arrangement : std::uint8_t {
    none,     ///< a[m] with b[r − 1 − m], as they are
    reverse,  ///< a[m] with b[m]
    shift,    ///< a[m] with b[(r − m) mod r]
    mirror,   ///< a is its own twin, a[m] with a[(r − m) mod r], and so is b: b[m] with b[r − 1 − m]
};

/// What the pairs of a table do: times 1 or −1 (the words' bits 15 and 31); times real numbers (re of α the first,
/// im the second); combine and split of transform.hpp.
enum class Mix : std::uint8_t { signs, factors, combine, split };

inline constexpr int nowhere = 0x7fff;

/// One side of the FFTs of a line, in device memory.
template <class T>
struct Twins {
    int radix = 1;
    Items items;     ///< twins of a line
    int stride = 1;  ///< places from element to element of a butterfly
    Arrangement first = Arrangement::none;   ///< of twins 0 …
    Arrangement others = Arrangement::none;  ///< … and of the others
    const std::uint32_t* places = nullptr;   ///< of the elements 0 of a and, shifted by 16, b
    const Complex<T>* roots = nullptr;  ///< root i of a at 2 i · count + o, of b at (2 i + 1) · count + o; null: no factors
};

/// Where the slots' elements come from or go to.
template <class T>
struct Slots {
    Mix mix = Mix::signs;
    bool neighbours = false;               ///< the second of a pair is always the first's successor, and both are there
    const std::uint32_t* words = nullptr;  ///< slot m of twins o at m · count + o: index, sign, index, sign
    const Complex<T>* alpha = nullptr;     ///< … and its α
};

struct SlotWord {
    std::uint32_t bits;
    [[nodiscard]] POISSON3D_HD int first() const { return static_cast<int>(bits & nowhere); }
    [[nodiscard]] POISSON3D_HD int second() const { return static_cast<int>(bits >> 16 & nowhere); }
    [[nodiscard]] POISSON3D_HD std::uint32_t first_sign() const { return bits >> 15 & 1; }
    [[nodiscard]] POISSON3D_HD std::uint32_t second_sign() const { return bits >> 31; }
};

/// −x where `sign` is 1.
POISSON3D_HD double with_sign(double x, std::uint32_t sign) {
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) ^ static_cast<std::uint64_t>(sign) << 63);
}
POISSON3D_HD float with_sign(float x, std::uint32_t sign) {
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(x) ^ sign << 31);
}
template <class T>
POISSON3D_HD Complex<T> with_sign(Complex<T> z, std::uint32_t sign) {
    return {with_sign(z.re, sign), with_sign(z.im, sign)};
}

/// The elements of slot m, arranged. The first lies in the first half of the rows.
template <int r, class E>
POISSON3D_HD E& slot_first(E (&a)[r], E (&b)[r], int m) {
    return m < (r + 1) / 2 ? a[m] : b[r - 1 - m];
}
template <int r, class E>
POISSON3D_HD E& slot_second(E (&a)[r], E (&b)[r], int m) {
    return m < (r + 1) / 2 ? b[r - 1 - m] : a[m];
}

/// Slot of mirrored twins that holds no pair but two elements that are their own partners.
template <int r>
inline constexpr int lone_slot = r / 2;

template <class E>
POISSON3D_HD void exchange(E& a, E& b) {
    const E first = a;
    a = b;
    b = first;
}

template <int r, class E>
POISSON3D_HD void arrange(Arrangement how, E (&a)[r], E (&b)[r]) {
    constexpr int half = r / 2;
    if (how == Arrangement::none) return;
    if (how == Arrangement::reverse) {
        POISSON3D_UNROLL
        for (int m = 0; m < half; ++m) exchange(b[m], b[r - 1 - m]);
    } else if (how == Arrangement::shift) {
        const E first = b[0];
        POISSON3D_UNROLL
        for (int m = 0; m + 1 < r; ++m) b[m] = b[m + 1];
        b[r - 1] = first;
    } else if constexpr (r % 2 == 0) {  // b's pairs to slots below half, a's above; a[0], a[half] to slot half
        const E first = a[0];
        POISSON3D_UNROLL
        for (int m = 0; m < half; ++m) {
            const E next = m + 1 < half ? a[m + 1] : first;
            a[m] = b[m];
            b[m] = next;
        }
    } else {  // the same; a[0] and b[half] to slot half
        const E first = a[0];
        POISSON3D_UNROLL
        for (int m = 0; m < half; ++m) {
            const E next = a[m + 1];
            a[m] = b[m];
            b[m] = next;
        }
        a[half] = first;
    }
}

/// The inverse of arrange.
template <int r, class E>
POISSON3D_HD void disarrange(Arrangement how, E (&a)[r], E (&b)[r]) {
    constexpr int half = r / 2;
    if (how == Arrangement::none) return;
    if (how == Arrangement::reverse) {
        POISSON3D_UNROLL
        for (int m = 0; m < half; ++m) exchange(b[m], b[r - 1 - m]);
    } else if (how == Arrangement::shift) {
        const E last = b[r - 1];
        POISSON3D_UNROLL
        for (int m = r - 1; m > 0; --m) b[m] = b[m - 1];
        b[0] = last;
    } else if constexpr (r % 2 == 0) {
        E next = half > 0 ? b[half - 1] : a[0];
        POISSON3D_UNROLL
        for (int m = 0; m < half; ++m) {
            const E mine = a[m];
            a[m] = next;
            next = b[m];
            b[m] = mine;
        }
    } else {
        const E first = a[half];
        POISSON3D_UNROLL
        for (int m = half; m-- > 0;) {
            const E mine = a[m];
            a[m + 1] = b[m];
            b[m] = mine;
        }
        a[0] = first;
    }
}

template <class T>
POISSON3D_HD Arrangement arrangement_of(const Twins<T>& twins, int o) {
    return o == 0 ? twins.first : twins.others;
}

/// FFT outputs to what comes out, or what comes in to FFT inputs: slot m of twins o, arranged.
template <int r, Mix mix, class T>
POISSON3D_HD void mix_slot(const Twins<T>& twins, const Slots<T>& slots, SlotWord word, int m, int o,
                           Complex<T>& first, Complex<T>& second) {
    if constexpr (mix == Mix::signs) {
        first = with_sign(first, word.first_sign());
        second = with_sign(second, word.second_sign());
        return;
    }
    const Complex<T> alpha = load_table(slots.alpha + m * twins.items.count + o);
    const bool lone = m == lone_slot<r> && o == 0 && twins.first == Arrangement::mirror;
    if (mix == Mix::factors || lone) {
        first = alpha.re * first;
        second = alpha.im * second;
        return;
    }
    // The partner's α is −i conj(α), but for a sign.
    if constexpr (mix == Mix::combine) {
        const Complex<T> sum = first + second;
        const Complex<T> difference = times_i(first - second);
        first = alpha.re * sum + alpha.im * difference;
        second = with_sign(alpha.re * difference - alpha.im * sum, word.second_sign());
    } else {
        const Complex<T> signed_second = with_sign(second, word.second_sign());
        const Complex<T> even = alpha.re * first - alpha.im * signed_second;
        const Complex<T> odd = times_i(alpha.im * first + alpha.re * signed_second);
        first = even + odd;
        second = even - odd;
    }
}

/// Calls body.template operator()<mix>() with what the table's pairs do, of those that are possible.
template <Mix one, Mix other, class T, class Body>
POISSON3D_HD void with_mix(const Slots<T>& slots, const Body& body) {
    if (slots.mix == one)
        body.template operator()<one>();
    else
        body.template operator()<other>();
}

/// The elements of twins o, from places or to them.
template <int r, class T>
POISSON3D_HD void read_twins(const Twins<T>& twins, int o, const Complex<T>* line, Complex<T> (&a)[r],
                             Complex<T> (&b)[r]) {
    const std::uint32_t places = load_table(twins.places + o);
    const Complex<T>* const at_a = line + (places & 0xffff);
    const Complex<T>* const at_b = line + (places >> 16);
    POISSON3D_UNROLL
    for (int m = 0; m < r; ++m) a[m] = load(at_a + m * twins.stride);
    POISSON3D_UNROLL
    for (int m = 0; m < r; ++m) b[m] = load(at_b + m * twins.stride);
}
template <int r, class T>
POISSON3D_HD void store_twins(const Twins<T>& twins, int o, Complex<T>* line, const Complex<T> (&a)[r],
                              const Complex<T> (&b)[r]) {
    const std::uint32_t places = load_table(twins.places + o);
    Complex<T>* const at_a = line + (places & 0xffff);
    Complex<T>* const at_b = line + (places >> 16);
    POISSON3D_UNROLL
    for (int m = 0; m < r; ++m) store(at_a + m * twins.stride, a[m]);
    if (at_a == at_b) return;  // a alone
    POISSON3D_UNROLL
    for (int m = 0; m < r; ++m) store(at_b + m * twins.stride, b[m]);
}

template <int r, class T>
POISSON3D_HD void turn_twins(const Twins<T>& twins, int o, Complex<T> (&a)[r], Complex<T> (&b)[r]) {
    if (r == 1 || twins.roots == nullptr) return;
    const int count = twins.items.count;
    Twiddles<r, T> of_a;
    of_a.read([&](int i) { return load_table(twins.roots + 2 * i * count + o); });
    of_a.apply(a);
    Twiddles<r, T> of_b;
    of_b.read([&](int i) { return load_table(twins.roots + (2 * i + 1) * count + o); });
    of_b.apply(b);
}

/// The first step of a walk, and its last one. Factors follow in frequency, and go before in time; where the step has
/// none the tables say so.
template <int r, class T>
POISSON3D_HD void first_step(const Twins<T>& twins, int o, Complex<T> (&a)[r], Complex<T> (&b)[r]) {
    disarrange(arrangement_of(twins, o), a, b);
    dft(a);
    dft(b);
    turn_twins(twins, o, a, b);
}
template <int r, class T>
POISSON3D_HD void last_step(const Twins<T>& twins, int o, Complex<T> (&a)[r], Complex<T> (&b)[r]) {
    turn_twins(twins, o, a, b);
    dft(a);
    dft(b);
    arrange(arrangement_of(twins, o), a, b);
}

}  // namespace poisson3d::fused
