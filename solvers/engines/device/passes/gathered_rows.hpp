// Rows whose butterflies have samples that are far from each other in the field: of lines between a Neumann and a
// Dirichlet wall, where neighbouring elements are every fourth sample, or every second one of even lines
// (line_plan.hpp). The last step leaves samples in its places in shared memory, and rows are written from there in
// the order of samples: one more step through shared memory instead of writes of 8 bytes of every 32, or of an
// exchange between threads (exchanged_pairs.hpp), which is as fast where butterflies have even radices.
#pragma once

#include "pass_store.hpp"

namespace poisson3d::device {

/// Whether a kernel does so that knows its lines, of Format F.
template <class F>
inline constexpr bool gathers_rows = false;

/// body(sample) for all samples of an odd line. Eight neighbouring threads have samples four apart, whose places in
/// shared memory are neighbours, 32 have 32 neighbouring samples of a row.
template <class Line, class Body>
POISSON3D_HD void for_samples(const Body& body) {
    const KnownItems<(Line::rows + 31) / 32 * 32, Line::threads> items;
    POISSON3D_ROLLED
    for (int item = items.index(); item < items.count; item += items.threads()) {
        const int sample = (item & ~31) + 4 * (item & 7) + (item >> 3 & 3);
        if (sample < Line::rows) body(sample);
    }
}

/// The last step, and after it all samples of a block from their places.
template <Role role, Layout layout, class Variant, class T, class F, class Barrier>
POISSON3D_HD void store_gathered(const PassTask<T, F>& task, const BlockPosition<T>& block,
                                 const Barrier& barrier) {
    using Line = typename PassTask<T, F>::Line;
    using Form = typename Variant::Samples;
    constexpr int r = Line::radices.samples;
    const auto& map = task.out_map;
    const auto& butterflies = task.out_butterflies;
    for_items<false, 1>(task, butterflies.items, [&](int o, int number) {
        if (!RealLines<T>(task, block, number).there) return;
        Complex<T>* const line = block.lines + number * task.pitch;
        Complex<T> a[r], b[r];
        last_step<r, Form>(butterflies, o, line, a, b);
        POISSON3D_UNROLL
        for (int m = 0; m < r; ++m)
            mapped_pair_step<r, Form, step_out<Form>>(butterflies, map, map.entry(o, m), m, o,
                                                      pair_first<r, Form::straight>(a, b, m),
                                                      pair_second<r, Form::straight>(a, b, m));
        write_butterflies(butterflies, o, line, a, b);
    });
    barrier();
    const auto with_lines = [&](const auto& body) {
        POISSON3D_UNROLL
        for (int l = 0; l < task.count; ++l) {
            const RealLines<T> lines(task, block, l);
            if (!lines.there) return;
            body(block.lines + l * task.pitch,
                 RowWriter<role, layout == Layout::turned_rows, true, T, F>(task, block, lines));
        }
    };
    if constexpr (Line::ffts == 2) {
        along_lines(KnownItems<Line::length, Line::threads>{}, 1, [&](int i, int) {
            const ButterflyOffsets at = map.places(i);
            with_lines([&](const Complex<T>* line, const auto& writer) {
                writer.write_neighbours(2 * i, load(line + at.a), load(line + at.b));
            });
        });
    } else {
        for_samples<Line>([&](int sample) {
            const int at = map.place(sample);
            with_lines([&](const Complex<T>* line, const auto& writer) { writer.write(sample, load(line + at)); });
        });
    }
}

}  // namespace poisson3d::device
