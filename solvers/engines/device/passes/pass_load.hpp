// The first phase of a pass: from the field through the first step of the FFT to lines.
#pragma once

#include <type_traits>

#include "pass.hpp"

namespace poisson3d::device {

/// Reads and touches elements of a complex line. `role` says what the field is; `complete`: there are no elements
/// that do not exist.
template <Role role, bool complete, class T, class F>
class LineReader {
public:
    POISSON3D_HD LineReader(const PassTask<T, F>& task, const BlockPosition<T>& block, const RealLines<T>& lines)
        : task_(task),
          field_(block.field),
          slow_(block.slow),
          line_(lines.first),
          paired_(lines.paired),
          row_(task.in + block.field * task.in_field + block.slow * task.in_slow + lines.first * task.in_line),
          next_(row_ + (lines.paired ? task.in_line : 0)) {
        if constexpr (touches)
            if (task.subtract != nullptr) {
                less_ = task.subtract[block.field * task.subtract_field];
                rest_ = task.subtract[block.field * task.subtract_field + 1];
            }
    }

    /// Sample (or mode) `index` of both lines, untouched.
    [[nodiscard]] POISSON3D_HD Complex<T> raw(int index) const {
        if (!complete && index == no_element_in<typename F::Word>) return {0, 0};
        return {lines::load_field(row_ + index), lines::load_field(next_ + index)};
    }
    /// That one and the one after it.
    POISSON3D_HD void raw_neighbours(int index, Complex<T>& first, Complex<T>& second) const {
        const Complex<T> one = lines::load_field(reinterpret_cast<const Complex<T>*>(row_ + index));
        const Complex<T> other = lines::load_field(reinterpret_cast<const Complex<T>*>(next_ + index));
        first = {one.re, other.re};
        second = {one.im, other.im};
    }
    /// What the first pass makes of a sample: lines run along z, slow is the index along y.
    POISSON3D_HD void touch(int index, Complex<T>& z) const {
        if constexpr (touches) {
            const T scale = !complete && index == no_element_in<typename F::Word> ? T(0) : task_.scale;
            z.re = ((z.re - less_) - rest_) * scale;
            z.im = ((z.im - less_) - rest_) * scale;
        }
        if constexpr (role == Role::first_with_data) {
            if (!complete && index == no_element_in<typename F::Word>) return;
            const BoundaryTerms<T>& terms = task_.boundary;
            const Index i = terms.first[0] + line_;
            const Index j = terms.first[1] + slow_;
            const Index k = terms.first[2] + index;
            z.re += terms(i, j, k, field_);
            if (paired_) z.im += terms(i + 1, j, k, field_);
        }
    }

private:
    static constexpr bool touches = role == Role::first || role == Role::first_with_data;
    const PassTask<T, F>& task_;
    Index field_, slow_, line_;
    bool paired_;
    const T *row_, *next_;
    T less_ = 0, rest_ = 0;
};

template <Role role, class Variant, class Form, int r, class T, class F>
POISSON3D_HD void load_pairs(const PassTask<T, F>& task, const BlockPosition<T>& block) {
    const ButterflyPairs<T, F>& butterflies = task.in_butterflies;
    const PairMap<T, F>& map = task.in_map;
    along_lines(butterflies.items, task.count, [&](int o, int line) {
        const RealLines<T> lines(task, block, line);
        if (!lines.there) return;
        const LineReader<role, Variant::complete, T, F> reader(task, block, lines);
        Complex<T> a[r], b[r];
        const auto first = [&](int m) -> Complex<T>& { return pair_first<r, Form::straight>(a, b, m); };
        const auto second = [&](int m) -> Complex<T>& { return pair_second<r, Form::straight>(a, b, m); };
        with_entries<r, Variant::words>(map, butterflies.items, o, [&](const auto& entry) {
            // Makhoul's order is the only one with neighbours.
            if (Form::kind == Kind::type2 && Form::side == Side::samples && task.vectors_in) {
                POISSON3D_UNROLL
                for (int m = 0; m < r; ++m) reader.raw_neighbours(entry(m).first(), first(m), second(m));
            } else {
                POISSON3D_UNROLL
                for (int m = 0; m < r; ++m) {
                    first(m) = reader.raw(entry(m).first());
                    second(m) = reader.raw(entry(m).second());
                }
            }
            constexpr PairStep step = Form::pairs                   ? PairStep::split
                                      : Form::side == Side::samples ? PairStep::signs
                                                                    : PairStep::factors;
            POISSON3D_UNROLL
            for (int m = 0; m < r; ++m) {
                reader.touch(entry(m).first(), first(m));
                reader.touch(entry(m).second(), second(m));
                mapped_pair_step<r, Form, step>(butterflies, map, entry(m), m, o, first(m), second(m));
            }
        });
        first_step<r, Form>(butterflies, o, block.lines + line * task.pitch, a, b);
    });
}

template <Role role, int r, class T, class F>
POISSON3D_HD void load_symmetric(const PassTask<T, F>& task, const BlockPosition<T>& block) {
    const Symmetric<T, F>& side = task.symmetric;
    along_lines(side.items, task.count, [&](int j, int line) {
        const RealLines<T> lines(task, block, line);
        if (!lines.there) return;
        const LineReader<role, false, T, F> reader(task, block, lines);
        Complex<T> z[r];
        MemberWordOf<typename F::Word> word[r];
        POISSON3D_UNROLL
        for (int m = 0; m < r; ++m) word[m] = {load_table(side.words + m * side.items.count + j)};
        POISSON3D_UNROLL
        for (int m = 0; m < r; ++m) z[m] = reader.raw(word[m].from());
        POISSON3D_UNROLL
        for (int m = 0; m < r; ++m) {
            reader.touch(word[m].from(), z[m]);
            z[m] = with_sign(z[m], word[m].sign());
        }
        symmetric_first(side, j, block.lines + line * task.pitch, z);
    });
}

template <Role role, class Variant, class T, class F>
POISSON3D_HD void load_lines(const PassTask<T, F>& task, const BlockPosition<T>& block) {
    constexpr bool samples = reads_samples(role);
    if constexpr (samples && Variant::kind == Kind::type1)
        with_symmetric_radix<Variant::outer>(task.symmetric.radix,
                                             [&]<int r>() { load_symmetric<role, r>(task, block); });
    else
        with_radix<Variant::outer>(task.in_butterflies.radix, [&]<int r>() {
            using Form = std::conditional_t<samples, typename Variant::Samples, typename Variant::Modes>;
            load_pairs<role, Variant, Form, r>(task, block);
        });
}

}  // namespace poisson3d::device
