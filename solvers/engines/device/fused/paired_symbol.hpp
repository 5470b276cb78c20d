// The middle pass of padded lines of radix 8 where the slow axis is padded, too: slots k and 2n − k of that axis
// have the same rows of the symbol, so they are the two halves of one complex line, at one mode of z, and one
// number of the symbol serves both. A block has as many modes of z as complex lines; half as many numbers are
// summed as by run_symbol_block(), and stand in half the memory.
//
// Shared memory: the lines, and behind them what symbol_elements() counts for half as many.
#pragma once

#include "padded_pass.hpp"

namespace poisson3d::fused {

/// A complex line in the field: columns at two slots, or at one, whose other half is nothing.
template <class U, class T>
struct SlotPair {
    U *first, *second;
    Index stride;
    bool paired;

    [[nodiscard]] POISSON3D_HD Complex<T> read(int index) const {
        if (index == no_element) return {0, 0};
        const T re = lines::load_field(first + index * stride);
        return {re, paired ? lines::load_field(second + index * stride) : T(0)};
    }
    POISSON3D_HD void write(int index, Complex<T> z) const {
        if (index == no_element) return;
        first[index * stride] = z.re;
        if (paired) second[index * stride] = z.im;
    }
};

/// What a block takes: complex lines first … of `there`, and where they are.
template <class T>
struct PairedBlock {
    Index first;
    int there;
    Index slot[2];  ///< the second may be −1
    Complex<T>* lines;

    [[nodiscard]] POISSON3D_HD SlotPair<const T, T> source(const Task<T>& task, int line) const {
        const T* const at = task.in + first + line;
        const bool paired = slot[1] >= 0;
        return {at + slot[0] * task.in_slow, at + (paired ? slot[1] : slot[0]) * task.in_slow, task.in_sample,
                paired};
    }
    [[nodiscard]] POISSON3D_HD SlotPair<T, T> target(const Task<T>& task, int line) const {
        T* const at = task.out + first + line;
        const bool paired = slot[1] >= 0;
        return {at + slot[0] * task.out_slow, at + (paired ? slot[1] : slot[0]) * task.out_slow, task.out_sample,
                paired};
    }
};

/// See load_pairs().
template <class Variant, class T>
POISSON3D_HD void load_slots(const Task<T>& task, const PairedBlock<T>& block) {
    constexpr int r = 8;
    using Side = typename Variant::Samples;
    const auto& butterflies = task.in_butterflies;
    const auto& map = task.in_map;
    across_lines(butterflies.items, task.shift, [&](int o, int line) {
        if (line >= block.there) return;
        const SlotPair<const T, T> source = block.source(task, line);
        Complex<T> a[r], b[r];
        with_entries<r, Variant::words>(map, butterflies.items, o, [&](const auto& entry) {
            POISSON3D_UNROLL
            for (int m = 0; m < r; ++m) {
                pair_first<r, Side::straight>(a, b, m) = source.read(entry(m).first());
                pair_second<r, Side::straight>(a, b, m) = source.read(entry(m).second());
            }
            POISSON3D_UNROLL
            for (int m = 0; m < r; ++m)
                mapped_pair_step<r, Side, step_in<Side>>(butterflies, map, entry(m), m, o,
                                                         pair_first<r, Side::straight>(a, b, m),
                                                         pair_second<r, Side::straight>(a, b, m));
        });
        first_step<r, Side>(butterflies, o, block.lines + line * task.pitch, a, b);
    });
}

/// See store_pairs().
template <class Variant, class T>
POISSON3D_HD void store_slots(const Task<T>& task, const PairedBlock<T>& block) {
    constexpr int r = 8;
    using Side = typename Variant::Samples;
    const auto& butterflies = task.out_butterflies;
    const auto& map = task.out_map;
    across_lines(butterflies.items, task.shift, [&](int o, int line) {
        if (line >= block.there) return;
        const SlotPair<T, T> target = block.target(task, line);
        Complex<T> a[r], b[r];
        last_step<r, Side>(butterflies, o, block.lines + line * task.pitch, a, b);
        with_entries<r, Variant::words>(map, butterflies.items, o, [&](const auto& entry) {
            POISSON3D_UNROLL
            for (int m = 0; m < r; ++m) {
                Complex<T>& first = pair_first<r, Side::straight>(a, b, m);
                Complex<T>& second = pair_second<r, Side::straight>(a, b, m);
                mapped_pair_step<r, Side, step_out<Side>>(butterflies, map, entry(m), m, o, first, second);
                target.write(entry(m).first(), first);
                target.write(entry(m).second(), second);
            }
        });
    });
}

/// See symbol_pairs(): modes l and l + 1 of z are the halves of `values`.
template <class Variant, class T>
POISSON3D_HD void paired_symbol(const Task<T>& task, const PairedBlock<T>& block, const Symbol<T>& symbol,
                                const Complex<T>* values) {
    constexpr int r = 8;
    using Side = typename Variant::Modes;
    const auto& butterflies = task.mode_butterflies;
    along_lines(butterflies.items, task.count, [&](int o, int line) {
        if (line >= block.there) return;
        const T* const of_line = &values[line / 2 * symbol.rows].re + line % 2;
        Complex<T>* const at = block.lines + line * task.pitch;
        Complex<T> a[r], b[r];
        last_step<r, Side>(butterflies, o, at, a, b);
        POISSON3D_UNROLL
        for (int m = 0; m < r; ++m) {
            const int entry = m * butterflies.items.count + o;
            const std::uint32_t rows = load_table(symbol.pair_rows + entry);
            const Complex<T> alpha = load_table(task.modes_in.alpha + entry);
            const bool self_paired = is_self_paired<r, Side>(m, o);
            Complex<T>& first = pair_first<r, false>(a, b, m);
            Complex<T>& second = pair_second<r, false>(a, b, m);
            if (self_paired)
                scale_parts(task.modes_out.self_paired, first, second);
            else
                modes_there<Side::pairs>(alpha, first, second);
            first = task.factor * of_line[2 * (rows & 0xffffU)] * first;
            second = task.factor * of_line[2 * (rows >> 16)] * second;
            if (self_paired)
                scale_parts(task.modes_in.self_paired, first, second);
            else
                modes_back<Side::pairs>(alpha, first, second);
        }
        first_step<r, Side>(butterflies, o, at, a, b);
    });
}

/// Modes `chunk` · count … of z at the slots of `group`.
template <class Variant, class T, class Barrier>
POISSON3D_HD void run_paired_block(const Task<T>& task, const Symbol<T>& symbol, int chunk, int group,
                                   Complex<T>* shared, const Barrier& barrier) {
    const int half = (task.count + 1) / 2;
    Complex<T>* const values = shared + task.count * task.pitch;
    const Index first = Index{task.count} * chunk;
    const Index rest = task.lines - first;
    const PairedBlock<T> block{first,
                               rest < task.count ? static_cast<int>(rest) : task.count,
                               {symbol.slots[2 * group], symbol.slots[2 * group + 1]},
                               shared};
    const auto ffts = [&]<bool in_time>() {
        for (int s = 0; s < task.fft.steps; ++s) {
            inner_step<in_time, Inner::common>(task.fft, s, shared, task.pitch, task.count);
            barrier();
        }
    };
    load_slots<Variant>(task, block);
    sum_symbol_rows<4>(symbol, block.slot[0], first, task.lines, half, values, values + half * symbol.rows,
                       barrier);
    ffts.template operator()<false>();
    paired_symbol<Variant>(task, block, symbol, values);
    barrier();
    ffts.template operator()<true>();
    store_slots<Variant>(task, block);
}

/// Asynchronous on `stream`; throws Error{device} when refused.
template <class T>
void launch_paired_symbol(const Task<T>& task, const Symbol<T>& symbol, int groups, const BlockShape& shape,
                          bool early, Stream stream);

/// The blocks of that launch for each group.
template <class T>
int paired_chunks(const Task<T>& task) {
    return static_cast<int>((task.lines + task.count - 1) / task.count);
}

}  // namespace poisson3d::fused
