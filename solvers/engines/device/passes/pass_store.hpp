// The last phase of a pass: from lines through the last step of the FFT to the field.
#pragma once

#include <type_traits>

#include "exchanged_pairs.hpp"
#include "pass.hpp"

namespace poisson3d::device {

/// Writes elements of a complex line that is two columns. `complete`, `even`: see ColumnReader. `padded`: also what
/// stands for the neighbour that the last line lacks.
template <bool complete, bool even, bool padded, class T, class F>
class ColumnWriter {
public:
    POISSON3D_HD ColumnWriter(const PassTask<T, F>& task, const BlockPosition<T>& block, const RealLines<T>& lines)
        : out_(task.out + block.field * task.out_field + block.slow * task.out_slow + lines.first),
          stride_(task.out_sample),
          together_(task.vectors_out && lines.paired),
          paired_(lines.paired) {}
    POISSON3D_HD void write(int index, Complex<T> z) const {
        if (!complete && index == no_element_in<typename F::Word>) return;
        T* const at = out_ + index * stride_;
        if (padded || (even ? paired_ : together_)) {
            lines::store_field(reinterpret_cast<Complex<T>*>(at), z);
        } else {
            at[0] = z.re;
            if (paired_) at[1] = z.im;
        }
    }
    POISSON3D_HD void write_neighbours(int index, Complex<T> first, Complex<T> second) const {
        write(index, first);
        write(index + 1, second);
    }
    POISSON3D_HD void write_ends() const {}

private:
    T* out_;
    Index stride_;
    bool together_, paired_;
};

/// The same for two rows. In the last pass lines run along z and are counted along y, slow is the index along x, or
/// `either`: lines may be counted along x.
template <Role role, bool either, bool complete, class T, class F>
class RowWriter {
public:
    POISSON3D_HD RowWriter(const PassTask<T, F>& task, const BlockPosition<T>& block, const RealLines<T>& lines)
        : task_(task),
          field_(block.field),
          slow_(block.slow),
          line_(lines.first),
          paired_(lines.paired),
          row_(task.out + block.field * task.out_field + block.slow * task.out_slow + lines.first * task.out_line) {
        if (role == Role::last && task.subtract != nullptr)
            less_ = task.subtract[block.field * task.subtract_field];
    }
    POISSON3D_HD void write(int index, Complex<T> z) const {
        if (!complete && index == no_element_in<typename F::Word>) return;
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
        const bool along_x = either && task_.counts_x;
        const Index i = terms.first[0] + (along_x ? l : slow_);
        const Index j = terms.first[1] + (along_x ? slow_ : l);
        if (task_.below > 0) row[-1] = terms.held(i, j, terms.first[2] - 1, field_);
        if (task_.above > 0) row[task_.samples] = terms.held(i, j, terms.last[2] + 1, field_);
    }
    const PassTask<T, F>& task_;
    Index field_, slow_, line_;
    bool paired_;
    T* row_;
    T less_ = 0;
};

/// body(item, line in shared memory, what writes it), threads along rows or across columns. `number`: see
/// for_loaded.
template <Role role, Layout layout, bool complete, bool even, int number = 1, class T, class F, class Items,
          class Body>
POISSON3D_HD void for_stored(const PassTask<T, F>& task, const BlockPosition<T>& block, const Items& items,
                             const Body& body) {
    const auto one = [&](const auto& item, int line) {
        const RealLines<T> lines(task, block, line);
        if (!lines.there) return;
        Complex<T>* const at = block.lines + line * task.pitch;
        if constexpr (!in_rows(layout))
            body(item, at,
                 ColumnWriter<complete, even, layout == Layout::padded_columns, T, F>(task, block, lines));
        else
            body(item, at, RowWriter<role, layout == Layout::turned_rows, complete, T, F>(task, block, lines));
    };
    for_items<!in_rows(layout), number>(task, items, one);
}

/// What becomes of a pair on its way out.
template <class Form>
constexpr PairStep step_out = Form::pairs ? PairStep::combine : PairStep::signs;

/// Outer radix 1: see load_single_pairs.
template <Role role, Layout layout, class Variant, class Form, bool together, class T, class F>
POISSON3D_HD void store_single_pairs(const PassTask<T, F>& task, const BlockPosition<T>& block) {
    constexpr int number = 4;
    const auto& butterflies = task.out_butterflies;
    const auto& map = task.out_map;
    for_stored<role, layout, false, together, number>(
        task, block, butterflies.items,
        [&](const ItemGroup<number>& items, const Complex<T>* line, const auto& writer) {
            using Word = typename F::Word;
            Word offsets[number];
            PairMapEntryOf<Word> entry[number];
            Complex<T> first[number], second[number];
            POISSON3D_UNROLL
            for (int i = 0; i < number; ++i) {
                offsets[i] = load_table(butterflies.offsets + items[i]);
                entry[i].bits = load_table(map.words + items[i]);
            }
            POISSON3D_UNROLL
            for (int i = 0; i < number; ++i) {
                first[i] = load(line + lower_half(offsets[i]));
                second[i] = load(line + upper_half(offsets[i]));
            }
            POISSON3D_UNROLL
            for (int i = 0; i < number; ++i) {
                mapped_pair_step<1, Form, step_out<Form>>(butterflies, map, entry[i], 0, items[i], first[i],
                                                          second[i]);
                if constexpr (together && in_rows(layout)) {
                    if (items.there(i)) writer.write_neighbours(entry[i].first(), first[i], second[i]);
                } else {
                    constexpr int none = no_element_in<Word>;
                    writer.write(items.there(i) ? entry[i].first() : none, first[i]);
                    writer.write(items.there(i) ? entry[i].second() : none, second[i]);
                }
            }
            if (items.first == 0) writer.write_ends();
        });
}

/// Samples of type IV lines, whose neighbours two threads have.
template <Role role, class Variant, class Form, int r, class T, class F>
POISSON3D_HD void store_exchanged_pairs(const PassTask<T, F>& task, const BlockPosition<T>& block) {
    const auto& butterflies = task.out_butterflies;
    const auto& map = task.out_map;
    for_stored<role, Layout::rows, true, false>(
        task, block, lines::even_items(butterflies.items), [&](int item, Complex<T>* line, const auto& writer) {
            with_exchange<T, r, Variant::words>(
                map, butterflies.items, item,
                [&](int o, Complex<T>(&a)[r], Complex<T>(&b)[r]) {
                    last_step<r, Form>(butterflies, o, line, a, b);
                },
                [&](const auto& entry, int o, Complex<T>(&a)[r], Complex<T>(&b)[r]) {
                    POISSON3D_UNROLL
                    for (int m = 0; m < r; ++m)
                        mapped_pair_step<r, Form, step_out<Form>>(butterflies, map, entry(m), m, o,
                                                                  pair_first<r, Form::straight>(a, b, m),
                                                                  pair_second<r, Form::straight>(a, b, m));
                },
                [&](const auto& entry, int, Complex<T>(&a)[r], Complex<T>(&b)[r]) {
                    POISSON3D_UNROLL
                    for (int m = 0; m < r; ++m) {
                        const int index = sample_of_a<r>(entry(m), m);
                        in_order(index, a[m], b[m]);
                        writer.write_neighbours(index & ~1, a[m], b[m]);
                    }
                });
            if (item == 0) writer.write_ends();
        });
}

template <Role role, Layout layout, class Variant, class Form, int r, class T, class F>
POISSON3D_HD void store_pairs(const PassTask<T, F>& task, const BlockPosition<T>& block) {
    if constexpr (in_rows(layout) && exchanges<Form>)
        if (task.vectors_out) return store_exchanged_pairs<role, Variant, Form, r>(task, block);
    const auto& butterflies = task.out_butterflies;
    const auto& map = task.out_map;
    for_stored<role, layout, all_there<Variant, decltype(task.out_map)>, Variant::radix8>(
        task, block, butterflies.items, [&](int o, Complex<T>* line, const auto& writer) {
            Complex<T> a[r], b[r];
            last_step<r, Form>(butterflies, o, line, a, b);
            with_entries<r, Variant::words>(map, butterflies.items, o, [&](const auto& entry) {
                const bool together = in_rows(layout) && has_neighbours<Form> && task.vectors_out;
                POISSON3D_UNROLL
                for (int m = 0; m < r; ++m) {
                    Complex<T>& first = pair_first<r, Form::straight>(a, b, m);
                    Complex<T>& second = pair_second<r, Form::straight>(a, b, m);
                    mapped_pair_step<r, Form, step_out<Form>>(butterflies, map, entry(m), m, o, first, second);
                    if (together) {
                        writer.write_neighbours(entry(m).first(), first, second);
                    } else {
                        writer.write(entry(m).first(), first);
                        writer.write(entry(m).second(), second);
                    }
                }
            });
            if (o == 0) writer.write_ends();
        });
}

template <Role role, Layout layout, int r, class T, class F>
POISSON3D_HD void store_symmetric(const PassTask<T, F>& task, const BlockPosition<T>& block) {
    const auto& side = task.symmetric;
    for_stored<role, layout, false, false>(task, block, side.items,
                                           [&](int j, const Complex<T>* line, const auto& writer) {
                                               Complex<T> z[r];
                                               symmetric_last(side, j, line, z);
                                               POISSON3D_UNROLL
                                               for (int m = 0; m < r; ++m) {
                                                   const auto word = side.member(m, j);
                                                   writer.write(word.to(), with_sign(z[m], word.sign()));
                                               }
                                               if (j == 0) writer.write_ends();
                                           });
}

template <Role role, Layout layout, class Variant, class T, class F>
POISSON3D_HD void store_lines(const PassTask<T, F>& task, const BlockPosition<T>& block) {
    constexpr bool samples = writes_samples(role);
    if constexpr (samples && Variant::kind == Kind::type1)
        with_symmetric_radix_of<Variant::outer>(task.symmetric,
                                                [&]<int r>() { store_symmetric<role, layout, r>(task, block); });
    else
        with_radix_of<Variant::outer>(task.out_butterflies, [&]<int r>() {
            using Form = std::conditional_t<samples, typename Variant::Samples, typename Variant::Modes>;
            constexpr bool may_be_together = !in_rows(layout) || has_neighbours<Form>;
            if constexpr (r > 1)
                store_pairs<role, layout, Variant, Form, r>(task, block);
            else if (may_be_together && task.vectors_out)
                store_single_pairs<role, layout, Variant, Form, may_be_together>(task, block);
            else
                store_single_pairs<role, layout, Variant, Form, false>(task, block);
        });
}

}  // namespace poisson3d::device
