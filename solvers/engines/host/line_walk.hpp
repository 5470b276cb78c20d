// Line transforms of an element's V lines at once: a number of the templates of solvers/lines is a pack of SIMD
// lanes here, a line in each lane. Included by kernels.cpp, which is compiled once per instruction set
// (POISSON3D_ISA names the namespace).
//
//     walk_in         rows → outer step of the FFT, with the pair step before it → work
//     walk_through    the inner steps, in work
//     walk_out        work → outer step, with the pair step after it → rows
#pragma once

#include "chirp.hpp"
#include "outer_steps.hpp"
#include "prime_step.hpp"
#include "symmetric.hpp"
#include "symmetric_chirp.hpp"

namespace poisson3d::POISSON3D_ISA {

template <class Body>
POISSON3D_INLINE void with_kind(Kind kind, const Body& body) {
    switch (kind) {
        case Kind::type1: return body.template operator()<Kind::type1>();
        case Kind::type2: return body.template operator()<Kind::type2>();
        case Kind::type3: return body.template operator()<Kind::type3>();
        case Kind::type4: return body.template operator()<Kind::type4>();
    }
}
/// What is known of samples; only of lines of kind two is it more than their table.
template <Kind kind, class Body>
POISSON3D_INLINE void with_samples(SampleSigns samples, const Body& body) {
    if constexpr (kind == Kind::type2) {
        if (samples == SampleSigns::plain) return body.template operator()<SampleSigns::plain>();
        if (samples == SampleSigns::upper_negative) return body.template operator()<SampleSigns::upper_negative>();
    }
    body.template operator()<SampleSigns::listed>();
}
/// The radices of outer steps.
template <class Body>
POISSON3D_INLINE void with_radix(int radix, const Body& body) {
    lines::with_radix<lines::Outer::any>(radix, body);
}

template <int r, class T>
void load_symmetric(const lines::Symmetric<T, Plain>& side, RowsIn<T> rows, Element<T>* work) {
    for (int j = 0; j < side.items.count; ++j) {
        Element<T> z[r];
        POISSON3D_UNROLL
        for (int m = 0; m < r; ++m) {
            const MemberWord word{side.words[m * side.items.count + j]};
            z[m] = lines::with_sign(read(rows, word.from()), word.sign());
        }
        lines::symmetric_first(side, j, work, z);
    }
}

template <int r, class T>
void store_symmetric(const lines::Symmetric<T, Plain>& side, const Element<T>* work, RowsOut<T> rows) {
    for (int j = 0; j < side.items.count; ++j) {
        Element<T> z[r];
        lines::symmetric_last(side, j, work, z);
        POISSON3D_UNROLL
        for (int m = 0; m < r; ++m) {
            const MemberWord word{side.words[m * side.items.count + j]};
            write(rows, word.to(), lines::with_sign(z[m], word.sign()));
        }
    }
}

/// SampleSigns or modes of type I lines by a chirp.
template <class T, class Rows>
void load_chirped(const LineTables<T>& line, const lines::PairMap<T, Plain>& map, Rows rows, Element<T>* work) {
    constexpr int r = lines::chirped_radix<Plain>;
    const lines::Symmetric<T, Plain>& side = line.symmetric;
    for (int j = 0; j < side.items.count; ++j) {
        Element<T> z[r];
        POISSON3D_UNROLL
        for (int m = 0; m < r / 2; m += 2) {
            const PairMapEntry entry{map.words[m / 2 * side.items.count + j]};
            z[m] = read(rows, entry.first());
            z[m + 1] = read(rows, entry.second());
        }
        lines::chirped_first(side, map, j, work, z);
    }
}
template <class T>
void store_chirped(const LineTables<T>& line, const lines::PairMap<T, Plain>& map, const Element<T>* work,
                   RowsOut<T> rows) {
    constexpr int r = lines::chirped_radix<Plain>;
    const lines::Symmetric<T, Plain>& side = line.symmetric;
    for (int j = 0; j < side.items.count; ++j) {
        Element<T> z[r];
        lines::chirped_last(side, map, j, work, z);
        POISSON3D_UNROLL
        for (int m = 0; m < r / 2; m += 2) {
            const PairMapEntry entry{map.words[m / 2 * side.items.count + j]};
            write(rows, entry.first(), z[m]);
            write(rows, entry.second(), z[m + 1]);
        }
    }
}

/// From rows to work: samples, or modes.
template <Side side, class T, class Rows>
POISSON3D_INLINE void walk_in(const LineTables<T>& line, Rows rows, Element<T>* work) {
    if (line.symmetric_chirp())
        return load_chirped(line, side == Side::samples ? line.samples_in : line.modes_in, rows, work);
    with_kind(line.form, [&]<Kind kind>() {
        if constexpr (kind == Kind::type1 && side == Side::samples)
            lines::with_symmetric_radix<lines::Outer::any, Plain>(
                line.symmetric.radix, [&]<int r>() { load_symmetric<r>(line.symmetric, rows, work); });
        else if constexpr (side == Side::samples)
            with_radix(line.sample_butterflies.radix, [&]<int r>() {
                with_samples<kind>(line.read, [&]<SampleSigns known>() {
                    load_pairs<Form<kind, side>, r, known>(line.sample_butterflies, line.samples_in, rows, work);
                });
            });
        else
            with_radix(line.mode_butterflies.radix, [&]<int r>() {
                load_pairs<Form<kind, side>, r>(line.mode_butterflies, line.modes_in, rows, work);
            });
    });
}

template <Side side, class T>
POISSON3D_INLINE void walk_out(const LineTables<T>& line, Element<T>* work, RowsOut<T> rows) {
    if (line.symmetric_chirp())
        return store_chirped(line, side == Side::samples ? line.samples_out : line.modes_out, work, rows);
    with_kind(line.form, [&]<Kind kind>() {
        if constexpr (kind == Kind::type1 && side == Side::samples)
            lines::with_symmetric_radix<lines::Outer::any, Plain>(
                line.symmetric.radix, [&]<int r>() { store_symmetric<r>(line.symmetric, work, rows); });
        else if constexpr (side == Side::samples)
            with_radix(line.sample_butterflies.radix, [&]<int r>() {
                with_samples<kind>(line.written, [&]<SampleSigns known>() {
                    store_pairs<Form<kind, side>, r, known>(line.sample_butterflies, line.samples_out, work, rows);
                });
            });
        else
            with_radix(line.mode_butterflies.radix, [&]<int r>() {
                store_pairs<Form<kind, side>, r>(line.mode_butterflies, line.modes_out, work, rows);
            });
    });
}

/// The inner steps, or FFTs by a chirp.
template <bool in_time, class T>
void walk_through(const LineTables<T>& line, Element<T>* work) {
    if (line.symmetric_chirp())
        return lines::symmetric_convolution(line.fft, line.chirp, work, 0, 1, lines::NoWait{});
    if (line.chirp.length > 0) return lines::chirp_ffts(line.fft, line.chirp, work, 0, 1, lines::NoWait{});
    for (int s = 0; s < line.fft.steps; ++s)
        lines::inner_step<in_time, lines::Inner::all_and_primes>(line.fft, s, work, 0, 1);
}

}  // namespace poisson3d::POISSON3D_ISA
