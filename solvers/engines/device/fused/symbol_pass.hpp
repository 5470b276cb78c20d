// The middle pass of padded lines: modes are multiplied by the rows of a symbol (symbol_rows.hpp) in the place of
// division by eigenvalues. A block takes the same lines at one or two slow indices, those with the same rows of the
// symbol, through all phases; lines are columns, and stay where they are.
//
// Shared memory: the lines, and behind them what symbol_elements() counts.
#pragma once

#include "block_shape.hpp"
#include "launch_pass.hpp"
#include "symbol_rows.hpp"

namespace poisson3d::fused {

template <class T>
POISSON3D_HD Complex<T> times(T factor, Complex<T> value, Complex<T> mode) {
    return {factor * mode.re * value.re, factor * mode.im * value.im};
}

/// Mode space: see mode_pairs(). `values`: of the block.
template <int r, class Form, class T, class F>
POISSON3D_HD void symbol_pairs(const PassTask<T, F>& task, const BlockPosition<T>& block, const Symbol<T>& symbol,
                               const Complex<T>* values) {
    constexpr bool pairs = Form::pairs;
    const auto& butterflies = task.mode_butterflies;
    along_lines(butterflies.items, task.count, [&](int o, int line) {
        const RealLines<T> lines(task, block, line);
        if (!lines.there) return;
        const Complex<T>* const of_line = values + line * symbol.rows;
        Complex<T>* const at = block.lines + line * task.pitch;
        Complex<T> a[r], b[r];
        last_step<r, Form>(butterflies, o, at, a, b);
        POISSON3D_UNROLL
        for (int m = 0; m < r; ++m) {
            const int entry = m * butterflies.items.count + o;
            const std::uint32_t rows = load_table(symbol.pair_rows + entry);
            const Complex<T> alpha = load_table(task.modes_in.alpha + entry);
            const bool self_paired = is_self_paired<r, Form>(m, o);
            Complex<T>& first = pair_first<r, false>(a, b, m);
            Complex<T>& second = pair_second<r, false>(a, b, m);
            if (self_paired)
                scale_parts(task.modes_out.self_paired, first, second);
            else
                modes_there<pairs>(alpha, first, second);
            // A copy of the last line has its number, too.
            first = times(task.factor, load(of_line + (rows & 0xffffU)), first);
            second = times(task.factor, load(of_line + (rows >> 16)), second);
            if (self_paired)
                scale_parts(task.modes_in.self_paired, first, second);
            else
                modes_back<pairs>(alpha, first, second);
        }
        first_step<r, Form>(butterflies, o, at, a, b);
    });
}

/// The same of even and odd lines by a chirp.
template <class T, class F>
POISSON3D_HD void chirped_symbol(const PassTask<T, F>& task, const BlockPosition<T>& block, const Symbol<T>& symbol,
                                 const Complex<T>* values) {
    constexpr int r = chirped_radix<F>;
    between_chirped(task, block, [&](const RealLines<T>&, int line, int j, Complex<T>(&z)[r]) {
        const Complex<T>* const of_line = values + line * symbol.rows;
        POISSON3D_UNROLL
        for (int m = 0; m < r / 2; m += 2) {
            const std::uint32_t rows = load_table(symbol.pair_rows + m / 2 * task.mode_symmetric.row + j);
            z[m] = times(task.factor, load(of_line + (rows & 0xffffU)), z[m]);
            z[m + 1] = times(task.factor, load(of_line + (rows >> 16)), z[m + 1]);
        }
    });
}

/// All phases on the lines of a block at one slow index. Returns after a barrier.
template <class T, class Barrier>
POISSON3D_HD void run_chirped_symbol_lines(const Task<T>& task, const BlockPosition<T>& block,
                                           const Symbol<T>& symbol, const Complex<T>* values,
                                           const Barrier& barrier) {
    load_chirped<Role::middle, Layout::columns>(task, block);
    between_symmetric(task, block.lines, barrier);
    chirped_symbol(task, block, symbol, values);
    between_symmetric(task, block.lines, barrier);
    store_chirped<Role::middle, Layout::columns>(task, block);
    barrier();
}
/// Of all other lines.
template <class Variant, class T, class Barrier>
POISSON3D_HD void run_symbol_lines(const Task<T>& task, const BlockPosition<T>& block, const Symbol<T>& symbol,
                                   const Complex<T>* values, const Barrier& barrier) {
    const auto ffts = [&]<bool in_time>() {
        if constexpr (Variant::outer == Outer::any) {
            inner_ffts<Variant::kind, in_time>(task, block.lines, barrier);
        } else {
            for (int s = 0; s < task.fft.steps; ++s) {
                constexpr Inner which = Variant::radix8 ? Inner::common : Inner::seldom;
                inner_step<in_time, which>(task.fft, s, block.lines, task.pitch, task.count);
                barrier();
            }
        }
    };
    load_lines<Role::middle, Layout::columns, Variant>(task, block);
    barrier();
    ffts.template operator()<false>();
    with_radix<Variant::outer>(task.mode_butterflies.radix, [&]<int r>() {
        symbol_pairs<r, typename Variant::Modes>(task, block, symbol, values);
    });
    barrier();
    ffts.template operator()<true>();
    store_lines<Role::middle, Layout::columns, Variant>(task, block);
    barrier();
}

/// Block `chunk` of lines at the slots of `group`.
template <class Variant, class T, class Barrier>
POISSON3D_HD void run_symbol_block(const Task<T>& task, const Symbol<T>& symbol, int chunk, int group,
                                   Complex<T>* shared, const Barrier& barrier) {
    Complex<T>* const values = shared + task.count * task.pitch;
    Complex<T>* const products = values + task.count * symbol.rows;
    const Index first = Index{2} * task.count * chunk;
    constexpr int ahead = Variant::radix8 ? 4 : 1;
    sum_symbol_rows<ahead>(symbol, symbol.slots[2 * group], first, task.lines, task.count, values, products,
                           barrier);
    POISSON3D_ROLLED
    for (int i = 0; i < 2; ++i) {
        const Index slot = symbol.slots[2 * group + i];
        if (slot < 0) break;
        const BlockPosition<T> block{0, slot, first, shared};
        if constexpr (Variant::outer == Outer::chirp)
            run_chirped_symbol_lines(task, block, symbol, values, barrier);
        else
            run_symbol_lines<Variant>(task, block, symbol, values, barrier);
    }
}

/// A block of the middle pass with at most `count` complex lines of `pitch` elements, `items` pieces of work on
/// each, and `rows` rows: two share a multiprocessor, with as many threads as registers allow. Not possible where
/// `bytes` comes out above `most`.
constexpr BlockShape symbol_shape(int count, Index pitch, int items, Index rows, std::size_t element_bytes,
                                  std::size_t most) {
    BlockShape shape;
    const auto bytes = [&](int lines) {
        return static_cast<std::size_t>(lines * pitch + symbol_elements(rows, lines)) * 2 * element_bytes;
    };
    shape.count = count;
    while (shape.count > 1 && bytes(shape.count) > most / 2) shape.count /= 2;
    shape.bytes = bytes(shape.count);
    const int max_threads = 2 * shape.bytes <= most ? 256 : 480;
    const int units = items * shape.count;
    const int turns = (units + max_threads - 1) / max_threads;
    const int threads = (units + turns - 1) / turns;
    shape.threads = std::max(64, (threads + 31) / 32 * 32);
    return shape;
}

/// `groups` of slots, all lines of each. The kernels of a kind and of its outer steps: a translation unit each.
/// Asynchronous on `stream`; throws Error{device} when refused.
template <Kind kind, Outer outer, class T>
void launch_symbol_kernel(const Task<T>& task, const Symbol<T>& symbol, int groups, const BlockShape& shape,
                          bool early, Stream stream);

/// Kinds that no free axis has go by the kernels for every length.
template <class T>
void launch_symbol_pass(const Task<T>& task, const Symbol<T>& symbol, int groups, const BlockShape& shape,
                        bool early, Stream stream) {
    const bool any = task.outer == Outer::any;
    const auto launch = [&]<Kind kind, Outer outer>() {
        launch_symbol_kernel<kind, outer>(task, symbol, groups, shape, early, stream);
    };
    switch (task.kind) {
        case Kind::type1:
            if (task.outer == Outer::chirp) return launch.template operator()<Kind::type1, Outer::chirp>();
            return any ? launch.template operator()<Kind::type1, Outer::any>()
                       : launch.template operator()<Kind::type1, Outer::large>();
        case Kind::type2:
            return any ? launch.template operator()<Kind::type2, Outer::any>()
                       : launch.template operator()<Kind::type2, Outer::large>();
        case Kind::type3: return launch.template operator()<Kind::type3, Outer::any>();
        case Kind::type4: return launch.template operator()<Kind::type4, Outer::any>();
    }
}

}  // namespace poisson3d::fused
