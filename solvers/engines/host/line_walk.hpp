// Line transforms of V lines at once: what is a number in the fused engine's templates is a pack of SIMD lanes
// here, one line each. Included by the inner loops that are compiled once per instruction set.
//
//     walk_in         rows → outer step of the FFT, with what mixes before it → work
//     walk_through    the inner steps, from place to place
//     walk_modes      last step, eigenvalues, first step of the way back, without leaving registers
//     walk_out        work → outer step, with what mixes after it → rows
#pragma once

#include "element.hpp"
#include "outer_radix.hpp"
#include "symmetric.hpp"

namespace poisson3d::POISSON3D_ISA {

using lines::Form;
using lines::Kind;
using lines::PairStep;
using lines::Side;

using PairMapEntry = lines::PairMapEntryOf<Plain::Word>;
using MemberWord = lines::MemberWordOf<Plain::Word>;
inline constexpr int no_element = lines::no_element_in<Plain::Word>;

/// The modes of a derivative, in rows of those that they come from.
template <class T>
struct DerivedRows {
    const Element<T>* rows;
    DerivativeModes<T> modes;

    POISSON3D_INLINE Element<T> read(Index slot) const { return modes.factor[slot] * rows[modes.source[slot]]; }
};

/// Nothing is zeros.
template <class Rows>
POISSON3D_INLINE auto read(const Rows& rows, int index) {
    return index == no_element ? decltype(rows.read(index)){} : rows.read(index);
}
template <class T>
POISSON3D_INLINE void write(RowsOut<T> rows, int index, Element<T> z) {
    if (index != no_element) rows.write(index, z);
}

template <class T>
POISSON3D_INLINE Pack<T> with_sign(Pack<T> x, std::uint32_t sign) {
    return sign != 0 ? -x : x;
}

template <class Body>
POISSON3D_INLINE void with_kind(Kind kind, const Body& body) {
    switch (kind) {
        case Kind::type1: return body.template operator()<Kind::type1>();
        case Kind::type2: return body.template operator()<Kind::type2>();
        case Kind::type3: return body.template operator()<Kind::type3>();
        case Kind::type4: return body.template operator()<Kind::type4>();
    }
}
/// The radices of outer steps.
template <class Body>
POISSON3D_INLINE void with_radix(int radix, const Body& body) {
    lines::with_radix<lines::Outer::any>(radix, body);
}

template <class Form, int r, class T, class Rows>
void load_pairs(const lines::ButterflyPairs<T, Plain>& butterflies, const lines::PairMap<T, Plain>& map, Rows rows,
                Element<T>* work) {
    constexpr PairStep step = Form::pairs                   ? PairStep::split
                              : Form::side == Side::samples ? PairStep::signs
                                                            : PairStep::factors;
    for (int o = 0; o < butterflies.items.count; ++o) {
        Element<T> a[r], b[r];
        POISSON3D_UNROLL
        for (int m = 0; m < r; ++m) {
            const PairMapEntry entry{map.words[m * butterflies.items.count + o]};
            Element<T>& first = lines::pair_first<r, Form::straight>(a, b, m);
            Element<T>& second = lines::pair_second<r, Form::straight>(a, b, m);
            first = read(rows, entry.first());
            second = read(rows, entry.second());
            lines::mapped_pair_step<r, Form, step>(butterflies, map, entry, m, o, first, second);
        }
        lines::first_step<r, Form>(butterflies, o, work, a, b);
    }
}

template <class Form, int r, class T>
void store_pairs(const lines::ButterflyPairs<T, Plain>& butterflies, const lines::PairMap<T, Plain>& map,
                 Element<T>* work, RowsOut<T> rows) {
    for (int o = 0; o < butterflies.items.count; ++o) {
        Element<T> a[r], b[r];
        lines::last_step<r, Form>(butterflies, o, work, a, b);
        POISSON3D_UNROLL
        for (int m = 0; m < r; ++m) {
            const PairMapEntry entry{map.words[m * butterflies.items.count + o]};
            Element<T>& first = lines::pair_first<r, Form::straight>(a, b, m);
            Element<T>& second = lines::pair_second<r, Form::straight>(a, b, m);
            lines::mapped_pair_step<r, Form, Form::pairs ? PairStep::combine : PairStep::signs>(
                butterflies, map, entry, m, o, first, second);
            write(rows, entry.first(), first);
            write(rows, entry.second(), second);
        }
    }
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

/// Samples in rows to work (`side` samples), or modes (`side` modes).
template <Side side, class T, class Rows>
POISSON3D_INLINE void walk_in(const LineTables<T>& line, Rows rows, Element<T>* work) {
    with_kind(line.form, [&]<Kind kind>() {
        if constexpr (kind == Kind::type1 && side == Side::samples)
            lines::with_symmetric_radix<lines::Outer::any>(
                line.symmetric.radix, [&]<int r>() { load_symmetric<r>(line.symmetric, rows, work); });
        else if constexpr (side == Side::samples)
            with_radix(line.sample_butterflies.radix, [&]<int r>() {
                load_pairs<Form<kind, side>, r>(line.sample_butterflies, line.samples_in, rows, work);
            });
        else
            with_radix(line.mode_butterflies.radix, [&]<int r>() {
                load_pairs<Form<kind, side>, r>(line.mode_butterflies, line.modes_in, rows, work);
            });
    });
}

template <Side side, class T>
POISSON3D_INLINE void walk_out(const LineTables<T>& line, Element<T>* work, RowsOut<T> rows) {
    with_kind(line.form, [&]<Kind kind>() {
        if constexpr (kind == Kind::type1 && side == Side::samples)
            lines::with_symmetric_radix<lines::Outer::any>(
                line.symmetric.radix, [&]<int r>() { store_symmetric<r>(line.symmetric, work, rows); });
        else if constexpr (side == Side::samples)
            with_radix(line.sample_butterflies.radix, [&]<int r>() {
                store_pairs<Form<kind, side>, r>(line.sample_butterflies, line.samples_out, work, rows);
            });
        else
            with_radix(line.mode_butterflies.radix, [&]<int r>() {
                store_pairs<Form<kind, side>, r>(line.mode_butterflies, line.modes_out, work, rows);
            });
    });
}

/// The inner steps, or whole FFTs.
template <bool in_time, class T>
void walk_through(const LineTables<T>& line, Element<T>* work) {
    for (int f = 0; line.chirp.length > 0 && f < line.ffts; ++f)
        lines::chirp_fft(line.chirp, work + f * line.length, work + line.ffts * line.length);
    for (int s = 0; s < line.fft.steps; ++s) lines::inner_step<in_time>(line.fft, s, work, 0, 1);
}

/// What the modes of a block are divided by (or multiplied with).
template <class T>
struct BlockModes {
    Pack<T> re, im;  ///< eigenvalue sums of the two other axes, of each line
    T factor;        ///< normalisation and the caller's scale
    bool multiply;   ///< or divide
    T* removed;      ///< not null: lane 0 holds the constant mode, which becomes 0; its value goes here
};

/// |x|, without the standard library: its functions must not be compiled here (lanes.hpp).
template <class T>
POISSON3D_INLINE T size(T x) {
    return x < 0 ? -x : x;
}

template <class Form, int r, class T>
void mode_pairs(const LineTables<T>& line, const BlockModes<T>& modes, Element<T>* work) {
    const lines::ButterflyPairs<T, Plain>& butterflies = line.mode_butterflies;
    const auto over = [&](Element<T> mode, Pack<T> re, Pack<T> im) -> Element<T> {
        mode = modes.factor * mode;
        if (modes.multiply) return {mode.re * re, mode.im * im};
        return {mode.re / re, mode.im / im};
    };
    constexpr PairMapEntry no_signs{0};
    for (int o = 0; o < butterflies.items.count; ++o) {
        Element<T> a[r], b[r];
        lines::last_step<r, Form>(butterflies, o, work, a, b);
        POISSON3D_UNROLL
        for (int m = 0; m < r; ++m) {
            const int entry = m * butterflies.items.count + o;
            const Complex<T> along = line.eigenvalue_pairs[entry];
            const Complex<T> alpha = line.modes_in.alpha[entry];  // of pairs the same there and back
            const bool self_paired = lines::is_self_paired<r, Form>(m, o);
            Element<T>& first = lines::pair_first<r, false>(a, b, m);
            Element<T>& second = lines::pair_second<r, false>(a, b, m);
            if (self_paired)
                lines::scale_parts(line.modes_out.self_paired, first, second);
            else if constexpr (Form::pairs)
                lines::pair_step<PairStep::combine>(no_signs, alpha, first, second);
            Pack<T> first_re = modes.re + along.re;
            if (m == (Form::pairs ? lines::self_paired_index<r> : 0) && o == 0 && modes.removed != nullptr) {
                *modes.removed = first.re.v[0] * modes.factor;
                first.re.v[0] = T(0);
                first_re.v[0] = T(1);  // anything but 0
            }
            first = over(first, first_re, modes.im + along.re);
            second = over(second, modes.re + along.im, modes.im + along.im);
            if (self_paired)
                lines::scale_parts(line.modes_in.self_paired, first, second);
            else if constexpr (Form::pairs)
                lines::pair_step<PairStep::split>(no_signs, alpha, first, second);
            else
                lines::scale_parts(Complex<T>{size(alpha.re), size(alpha.im)}, first, second);
        }
        lines::first_step<r, Form>(butterflies, o, work, a, b);
    }
}

template <class T>
POISSON3D_INLINE void walk_modes(const LineTables<T>& line, const BlockModes<T>& modes, Element<T>* work) {
    with_kind(line.form, [&]<Kind kind>() {
        with_radix(line.mode_butterflies.radix,
                   [&]<int r>() { mode_pairs<Form<kind, Side::modes>, r>(line, modes, work); });
    });
}

}  // namespace poisson3d::POISSON3D_ISA
