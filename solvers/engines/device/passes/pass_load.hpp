// The first phase of a pass: from the field through the first step of the FFT to lines.
#pragma once

#include <type_traits>

#include "field_readers.hpp"

namespace poisson3d::device {

/// body(item, line in shared memory, what reads it), threads along rows or across columns. `number` > 1: a group of
/// so many items instead of one.
template <Role role, Layout layout, bool complete, bool even, int number = 1, class T, class F, class Items,
          class Body>
POISSON3D_HD void for_loaded(const PassTask<T, F>& task, const BlockPosition<T>& block, const Items& items,
                             const Body& body) {
    const auto one = [&](const auto& item, int line) {
        const RealLines<T> lines(task, block, line);
        if (!lines.there) return;
        Complex<T>* const at = block.lines + line * task.pitch;
        if constexpr (layout == Layout::columns)
            body(item, at, ColumnReader<role == Role::forward, complete, even, T, F>(task, block, lines));
        else
            body(item, at, RowReader<role, complete, T, F>(task, block, lines));
    };
    for_items<layout == Layout::columns, number>(task, items, one);
}

/// What becomes of a pair on its way in.
template <class Form>
constexpr PairStep step_in = Form::pairs                   ? PairStep::split
                             : Form::side == Side::samples ? PairStep::signs
                                                           : PairStep::factors;

/// Outer radix 1: a thread reads the words of several pairs, then their elements, before it uses the first. A
/// branch between would make it wait. `together`: neighbours in the field by one access.
template <Role role, Layout layout, class Variant, class Form, bool together, class T, class F>
POISSON3D_HD void load_single_pairs(const PassTask<T, F>& task, const BlockPosition<T>& block) {
    constexpr int number = 4;
    constexpr bool neighbours = together && layout == Layout::rows;
    const auto& butterflies = task.in_butterflies;
    const auto& map = task.in_map;
    for_loaded<role, layout, false, together, number>(
        task, block, butterflies.items, [&](const ItemGroup<number>& items, Complex<T>* line, const auto& reader) {
            using Word = typename F::Word;
            Word offsets[number];
            PairMapEntryOf<Word> entry[number];
            Complex<T> first[number], second[number];
            POISSON3D_UNROLL
            for (int i = 0; i < number; ++i) {
                entry[i].bits = load_table(map.words + items[i]);
                offsets[i] = load_table(butterflies.offsets + items[i]);
            }
            POISSON3D_UNROLL
            for (int i = 0; i < number; ++i) {
                if constexpr (neighbours) {
                    reader.raw_neighbours(entry[i].first(), first[i], second[i]);
                } else {
                    first[i] = reader.raw(entry[i].first());
                    second[i] = reader.raw(entry[i].second());
                }
            }
            POISSON3D_UNROLL
            for (int i = 0; i < number; ++i) {
                reader.touch(entry[i].first(), first[i]);
                reader.touch(entry[i].second(), second[i]);
                mapped_pair_step<1, Form, step_in<Form>>(butterflies, map, entry[i], 0, items[i], first[i],
                                                         second[i]);
                if (!items.there(i)) continue;
                store(line + lower_half(offsets[i]), first[i]);
                if (lower_half(offsets[i]) != upper_half(offsets[i]))
                    store(line + upper_half(offsets[i]), second[i]);
            }
        });
}

template <Role role, Layout layout, class Variant, class Form, int r, class T, class F>
POISSON3D_HD void load_pairs(const PassTask<T, F>& task, const BlockPosition<T>& block) {
    const auto& butterflies = task.in_butterflies;
    const auto& map = task.in_map;
    for_loaded<role, layout, all_there<Variant, decltype(task.in_map)>, Variant::radix8>(
        task, block, butterflies.items, [&](int o, Complex<T>* line, const auto& reader) {
            Complex<T> a[r], b[r];
            const auto first = [&](int m) -> Complex<T>& { return pair_first<r, Form::straight>(a, b, m); };
            const auto second = [&](int m) -> Complex<T>& { return pair_second<r, Form::straight>(a, b, m); };
            with_entries<r, Variant::words>(map, butterflies.items, o, [&](const auto& entry) {
                if (layout == Layout::rows && has_neighbours<Form> && task.vectors_in) {
                    POISSON3D_UNROLL
                    for (int m = 0; m < r; ++m) reader.raw_neighbours(entry(m).first(), first(m), second(m));
                } else {
                    POISSON3D_UNROLL
                    for (int m = 0; m < r; ++m) {
                        first(m) = reader.raw(entry(m).first());
                        second(m) = reader.raw(entry(m).second());
                    }
                }
                POISSON3D_UNROLL
                for (int m = 0; m < r; ++m) {
                    reader.touch(entry(m).first(), first(m));
                    reader.touch(entry(m).second(), second(m));
                    mapped_pair_step<r, Form, step_in<Form>>(butterflies, map, entry(m), m, o, first(m), second(m));
                }
            });
            first_step<r, Form>(butterflies, o, line, a, b);
        });
}

template <Role role, Layout layout, int r, class T, class F>
POISSON3D_HD void load_symmetric(const PassTask<T, F>& task, const BlockPosition<T>& block) {
    const auto& side = task.symmetric;
    for_loaded<role, layout, false, false>(task, block, side.items,
                                           [&](int j, Complex<T>* line, const auto& reader) {
                                               Complex<T> z[r];
                                               decltype(side.member(0, j)) word[r];
                                               POISSON3D_UNROLL
                                               for (int m = 0; m < r; ++m) word[m] = side.member(m, j);
                                               POISSON3D_UNROLL
                                               for (int m = 0; m < r; ++m) z[m] = reader.raw(word[m].from());
                                               POISSON3D_UNROLL
                                               for (int m = 0; m < r; ++m) {
                                                   reader.touch(word[m].from(), z[m]);
                                                   z[m] = with_sign(z[m], word[m].sign());
                                               }
                                               symmetric_first(side, j, line, z);
                                           });
}

template <Role role, Layout layout, class Variant, class T, class F>
POISSON3D_HD void load_lines(const PassTask<T, F>& task, const BlockPosition<T>& block) {
    constexpr bool samples = reads_samples(role);
    if constexpr (samples && Variant::kind == Kind::type1)
        with_symmetric_radix_of<Variant::outer>(task.symmetric,
                                                [&]<int r>() { load_symmetric<role, layout, r>(task, block); });
    else
        with_radix_of<Variant::outer>(task.in_butterflies, [&]<int r>() {
            using Form = std::conditional_t<samples, typename Variant::Samples, typename Variant::Modes>;
            constexpr bool may_be_together = layout == Layout::columns || has_neighbours<Form>;
            if constexpr (r > 1) {
                load_pairs<role, layout, Variant, Form, r>(task, block);
            } else if (may_be_together && task.vectors_in) {
                load_single_pairs<role, layout, Variant, Form, may_be_together>(task, block);
            } else {
                load_single_pairs<role, layout, Variant, Form, false>(task, block);
            }
        });
}

}  // namespace poisson3d::device
