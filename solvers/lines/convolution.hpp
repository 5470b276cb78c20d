// Cyclic convolutions of lines in shared memory with a filter: FFTs of length m there and back, in place.
//
// The FFTs go from natural order to reversed digits and back (line_fft.hpp), so that no step reorders; the inverse
// one is a forward one with real and imaginary parts exchanged. The last step there multiplies modes by the filter
// and is the first step back as well: elements pass through shared memory once in each of 2 · steps − 1 steps. Two
// kinds of FFTs are such convolutions: of any length (chirp.hpp), and of prime radices (prime_step.hpp). Host and
// device share this file.
#pragma once

#include "line_fft.hpp"

namespace poisson3d::lines {

template <class V>
POISSON3D_HD Complex<V> exchanged(Complex<V> z) {
    return {z.im, z.re};
}

/// The filter of a convolution: element k of butterfly b of the last step at k · butterflies + b, 1/m included.
template <class T>
struct Filter {
    const Complex<T>* factors;
    int butterflies;  ///< of the last step of one convolution
};

/// The last step there and the first one back. `prime`: of a prime step, whose element 0 is added (prime_step.hpp).
template <int r, bool prime, class T, class Format>
struct TimesFilter : NothingBeside {
    static constexpr bool twiddles = false;
    struct Factors {
        TableEntries<r, registers_hold<T, Format>(r, r), T> filter;
        bool mean;  ///< the butterfly's element 0 is mode 0
    };
    const Filter<T>& filter;
    int zeroth;  ///< of a prime step: where its element 0 stands before the first of those that are convolved

    POISSON3D_HD TimesFilter(const Filter<T>& of, int before) : filter(of), zeroth(before) {}
    POISSON3D_HD Factors factors(int butterfly, int /*j*/) const {
        const int b = butterfly % filter.butterflies;
        return {{filter.factors + b, filter.butterflies}, prime && b == 0};
    }
    template <class V>
    POISSON3D_HD void after(Complex<V>* at, Complex<V> (&z)[r], const Factors& factors) const {
        Complex<V> added{};
        if (prime && factors.mean) {
            added = load(at - zeroth);
            store(at - zeroth, added + z[0]);
        }
        POISSON3D_UNROLL
        for (int k = 0; k < r; ++k) z[k] = product(factors.filter[k], z[k]);
        if (prime) z[0] = z[0] + added;
        POISSON3D_UNROLL
        for (int k = 0; k < r; ++k) z[k] = exchanged(z[k]);
        dft(z);
    }
};

/// Calls body.template operator()<r>() with the radix of a step, of those that Known has.
template <class Known, class Body>
POISSON3D_HD void with_convolution_radix(int radix, const Body& body) {
    if constexpr (Known::has(14))  // which no other steps have
        if (radix == 14) return body.template operator()<14>();
    with_inner_radix<Inner::all>(
        radix,
        [&]<int r>() {
            if constexpr (Known::has(r)) body.template operator()<r>();
        },
        [] {});
}

/// All steps of a convolution: of `Ends` the outer ones' radices (Ends::First), ends.beside<r, back>(step) for what
/// they do besides, and ends.zeroth. Returns after a barrier.
template <class T, class Format, class V, class Ends, class Barrier>
POISSON3D_HD void convolve(const RadixStep* steps, int number, const StepTables<T, Format>& tables,
                           const Filter<T>& filter, Complex<V>* lines, int pitch, int count, const Ends& ends,
                           const Barrier& barrier) {
    const auto outer = [&]<bool back>(const RadixStep step, const auto& wait) {
        with_convolution_radix<typename Ends::First>(step.radix, [&]<int r>() {
            radix_step<r, back>(step, tables, lines, pitch, count, ends.template beside<r, back>(step), wait);
        });
    };
    const auto inner = [&]<bool in_time>(const RadixStep step) {
        with_convolution_radix<typename Ends::Middle>(step.radix, [&]<int r>() {
            radix_step<r, in_time>(step, tables, lines, pitch, count, NothingBeside{}, barrier);
        });
    };
    const auto turn = [&](const RadixStep step) {
        with_convolution_radix<typename Ends::Last>(step.radix, [&]<int r>() {
            radix_step<r, false>(step, tables, lines, pitch, count,
                                 TimesFilter<r, Ends::prime, T, Format>(filter, ends.zeroth), barrier);
        });
    };
    const int last = number - 1;
    outer.template operator()<false>(steps[0], NoWait{});
    for (int s = 1; s < last; ++s) inner.template operator()<false>(steps[s]);
    turn(steps[last]);
    for (int s = last - 1; s > 0; --s) inner.template operator()<true>(steps[s]);
    outer.template operator()<true>(steps[0], barrier);
    barrier();
}

}  // namespace poisson3d::lines
