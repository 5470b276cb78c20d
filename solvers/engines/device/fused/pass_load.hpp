// The first phase of a pass: from the field through the first step of the FFT to shared memory.
#pragma once

#include <type_traits>

#include "pass.hpp"

namespace poisson3d::fused {

/// Reads and touches elements of a complex line. `role` says what the field is; `complete`: there are no elements
/// that come from nowhere.
template <Role role, bool complete, class T>
class LineReader {
public:
    POISSON3D_HD LineReader(const PassTask<T>& task, const Place<T>& place, const RealLines<T>& lines)
        : task_(task),
          field_(place.field),
          slow_(place.slow),
          line_(lines.first),
          paired_(lines.paired),
          row_(task.in + place.field * task.in_field + place.slow * task.in_slow + lines.first * task.in_line),
          next_(row_ + (lines.paired ? task.in_line : 0)) {
        if constexpr (touches)
            if (task.subtract != nullptr) {
                less_ = task.subtract[place.field * task.subtract_field];
                rest_ = task.subtract[place.field * task.subtract_field + 1];
            }
    }

    /// Sample (or mode) `index` of both lines, untouched.
    [[nodiscard]] POISSON3D_HD Complex<T> raw(int index) const {
        if (!complete && index == nowhere) return {0, 0};
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
            const T scale = !complete && index == nowhere ? T(0) : task_.scale;
            z.re = ((z.re - less_) - rest_) * scale;
            z.im = ((z.im - less_) - rest_) * scale;
        }
        if constexpr (role == Role::first_with_data) {
            if (!complete && index == nowhere) return;
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
    const PassTask<T>& task_;
    Index field_, slow_, line_;
    bool paired_;
    const T *row_, *next_;
    T less_ = 0, rest_ = 0;
};

template <Role role, class Known, class Form, int r, class T>
POISSON3D_HD void load_twins(const PassTask<T>& task, const Place<T>& place) {
    const Twins<T>& twins = task.in_twins;
    const Slots<T>& slots = task.in_slots;
    along_lines(twins.items, task.count, [&](int o, int line) {
        const RealLines<T> lines(task, place, line);
        if (!lines.there) return;
        const LineReader<role, Known::complete, T> reader(task, place, lines);
        Complex<T> a[r], b[r];
        const auto first = [&](int m) -> Complex<T>& { return slot_first<r, Form::straight>(a, b, m); };
        const auto second = [&](int m) -> Complex<T>& { return slot_second<r, Form::straight>(a, b, m); };
        with_words<r, Known::words>(slots, twins.items, o, [&](const auto& word) {
            // Makhoul's order is the only one with neighbours.
            if (Form::kind == Kind::type2 && Form::side == Side::samples && task.vectors_in) {
                POISSON3D_UNROLL
                for (int m = 0; m < r; ++m) reader.raw_neighbours(word(m).first(), first(m), second(m));
            } else {
                POISSON3D_UNROLL
                for (int m = 0; m < r; ++m) {
                    first(m) = reader.raw(word(m).first());
                    second(m) = reader.raw(word(m).second());
                }
            }
            constexpr Mix mix = Form::pairs ? Mix::split : Form::side == Side::samples ? Mix::signs : Mix::factors;
            POISSON3D_UNROLL
            for (int m = 0; m < r; ++m) {
                reader.touch(word(m).first(), first(m));
                reader.touch(word(m).second(), second(m));
                mix_slot<r, Form, mix>(twins, slots, word(m), m, o, first(m), second(m));
            }
        });
        first_step<r, Form>(twins, o, place.lines + line * task.pitch, a, b);
    });
}

template <Role role, int r, class T>
POISSON3D_HD void load_symmetric(const PassTask<T>& task, const Place<T>& place) {
    const Symmetric<T>& side = task.symmetric;
    along_lines(side.items, task.count, [&](int j, int line) {
        const RealLines<T> lines(task, place, line);
        if (!lines.there) return;
        const LineReader<role, false, T> reader(task, place, lines);
        Complex<T> z[r];
        MemberWord word[r];
        POISSON3D_UNROLL
        for (int m = 0; m < r; ++m) word[m] = {load_table(side.words + m * side.items.count + j)};
        POISSON3D_UNROLL
        for (int m = 0; m < r; ++m) z[m] = reader.raw(word[m].from());
        POISSON3D_UNROLL
        for (int m = 0; m < r; ++m) {
            reader.touch(word[m].from(), z[m]);
            z[m] = with_sign(z[m], word[m].sign());
        }
        symmetric_first(side, j, place.lines + line * task.pitch, z);
    });
}

template <Role role, class Known, class T>
POISSON3D_HD void load_lines(const PassTask<T>& task, const Place<T>& place) {
    constexpr bool samples = reads_samples(role);
    if constexpr (samples && Known::kind == Kind::type1)
        with_symmetric_radix<Known::outer>(task.symmetric.radix,
                                           [&]<int r>() { load_symmetric<role, r>(task, place); });
    else
        with_radix<Known::outer>(task.in_twins.radix, [&]<int r>() {
            using Form = std::conditional_t<samples, typename Known::Samples, typename Known::Modes>;
            load_twins<role, Known, Form, r>(task, place);
        });
}

}  // namespace poisson3d::fused
