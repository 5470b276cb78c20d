// The last phase of a pass: from shared memory through the last step of the FFT to the field.
#pragma once

#include <type_traits>

#include "pass.hpp"

namespace poisson3d::fused {

/// `complete`: there are no elements that go nowhere. Rotated: an element of two lines is two neighbours. Rows have
/// room for an even number of lines.
template <bool complete, class T>
class ColumnWriter {
public:
    POISSON3D_HD ColumnWriter(const PassTask<T>& task, const Place<T>& place, const RealLines<T>& lines)
        : out_(task.out + place.field * task.out_field + place.slow * task.out_slow + lines.first),
          apart_(task.out_mode) {}
    POISSON3D_HD void write(int index, Complex<T> z) const {
        if (complete || index != nowhere)
            lines::store_field(reinterpret_cast<Complex<T>*>(out_ + static_cast<Index>(index) * apart_), z);
    }
    POISSON3D_HD void write_neighbours(int index, Complex<T> first, Complex<T> second) const {
        write(index, first);
        write(index + 1, second);
    }
    POISSON3D_HD void write_ends() const {}

private:
    T* out_;
    int apart_;
};

/// Not rotated. The last pass: slow is the index along x, lines run along z, and are counted along y.
template <Role role, bool complete, class T>
class RowWriter {
public:
    POISSON3D_HD RowWriter(const PassTask<T>& task, const Place<T>& place, const RealLines<T>& lines)
        : task_(task),
          field_(place.field),
          slow_(place.slow),
          line_(lines.first),
          paired_(lines.paired),
          row_(task.out + place.field * task.out_field + place.slow * task.out_slow + lines.first * task.out_line) {
        if (role == Role::last && task.subtract != nullptr)
            less_ = task.subtract[place.field * task.subtract_field];
    }
    POISSON3D_HD void write(int index, Complex<T> z) const {
        if (!complete && index == nowhere) return;
        row_[index] = z.re - less_;
        if (paired_) row_[task_.out_line + index] = z.im - less_;
    }
    POISSON3D_HD void write_neighbours(int index, Complex<T> first, Complex<T> second) const {
        const auto put = [](T* to, T one, T other) {
            lines::store_field(reinterpret_cast<Complex<T>*>(to), Complex<T>{one, other});
        };
        put(row_ + index, first.re - less_, second.re - less_);
        if (paired_) put(row_ + task_.out_line + index, first.im - less_, second.im - less_);
    }
    /// What Dirichlet nodes hold.
    POISSON3D_HD void write_ends() const {
        write_ends(line_, row_);
        if (paired_) write_ends(line_ + 1, row_ + task_.out_line);
    }

private:
    POISSON3D_HD void write_ends(Index l, T* row) const {
        const BoundaryTerms<T>& terms = task_.boundary;
        const Index i = terms.first[0] + slow_;
        const Index j = terms.first[1] + l;
        if (task_.below > 0) row[-1] = value_at(terms.face[2][0], i, j, field_);
        if (task_.above > 0) row[task_.samples] = value_at(terms.face[2][1], i, j, field_);
    }
    const PassTask<T>& task_;
    Index field_, slow_, line_;
    bool paired_;
    T* row_;
    T less_ = 0;
};

/// Lanes along lines or across them, with what writes.
template <Role role, bool complete, class T, class Body>
POISSON3D_HD void for_stored(const PassTask<T>& task, const Place<T>& place, const Items& items, const Body& body) {
    constexpr bool rows = role == Role::last || role == Role::unrotated;
    const auto one = [&](int o, int line) {
        const RealLines<T> lines(task, place, line);
        if (!lines.there) return;
        if constexpr (rows)
            body(o, place.lines + line * task.pitch, RowWriter<role, complete, T>(task, place, lines));
        else
            body(o, place.lines + line * task.pitch, ColumnWriter<complete, T>(task, place, lines));
    };
    if constexpr (rows)
        along_lines(items, task.count, one);
    else
        across_lines(items, task.shift, one);
}

template <Role role, class Known, class Form, int r, class T>
POISSON3D_HD void store_twins(const PassTask<T>& task, const Place<T>& place) {
    const Twins<T>& twins = task.out_twins;
    const Slots<T>& slots = task.out_slots;
    for_stored<role, Known::complete>(task, place, twins.items, [&](int o, Complex<T>* line, const auto& writer) {
        Complex<T> a[r], b[r];
        last_step<r, Form>(twins, o, line, a, b);
        with_words<r, Known::words>(slots, twins.items, o, [&](const auto& word) {
            constexpr bool may_have_neighbours = Form::kind == Kind::type2 && Form::side == Side::samples;
            const bool together = role == Role::last && may_have_neighbours && task.vectors_out;
            POISSON3D_UNROLL
            for (int m = 0; m < r; ++m) {
                Complex<T>& first = slot_first<r, Form::straight>(a, b, m);
                Complex<T>& second = slot_second<r, Form::straight>(a, b, m);
                mix_slot<r, Form, Form::pairs ? Mix::combine : Mix::signs>(twins, slots, word(m), m, o, first,
                                                                           second);
                if (together) {
                    writer.write_neighbours(word(m).first(), first, second);
                } else {
                    writer.write(word(m).first(), first);
                    writer.write(word(m).second(), second);
                }
            }
        });
        if (o == 0) writer.write_ends();
    });
}

template <Role role, int r, class T>
POISSON3D_HD void store_symmetric(const PassTask<T>& task, const Place<T>& place) {
    const Symmetric<T>& side = task.symmetric;
    for_stored<role, false>(task, place, side.items, [&](int j, const Complex<T>* line, const auto& writer) {
        Complex<T> z[r];
        symmetric_last(side, j, line, z);
        POISSON3D_UNROLL
        for (int m = 0; m < r; ++m) {
            const MemberWord word{load_table(side.words + m * side.items.count + j)};
            writer.write(word.to(), with_sign(z[m], word.sign()));
        }
        if (j == 0) writer.write_ends();
    });
}

template <Role role, class Known, class T>
POISSON3D_HD void store_lines(const PassTask<T>& task, const Place<T>& place) {
    constexpr bool samples = writes_samples(role);
    if constexpr (samples && Known::kind == Kind::type1)
        with_symmetric_radix<Known::outer>(task.symmetric.radix,
                                           [&]<int r>() { store_symmetric<role, r>(task, place); });
    else
        with_radix<Known::outer>(task.out_twins.radix, [&]<int r>() {
            using Form = std::conditional_t<samples, typename Known::Samples, typename Known::Modes>;
            store_twins<role, Known, Form, r>(task, place);
        });
}

}  // namespace poisson3d::fused
