// The inner loops of the host engine. Compiled once per instruction set (POISSON3D_ISA names the namespace).
#include "kernels.hpp"

#include "element_modes.hpp"
#include "element_rows.hpp"
#include "eliminated_block.hpp"
#include "line_walk.hpp"
#include "symbol_block.hpp"

namespace poisson3d::POISSON3D_ISA {

namespace {

template <class T>
POISSON3D_INLINE BlockModes<T> element_modes(const PassTask<T>& task, Index slow, Index line, int lines) {
    const ModeSpace<T>& modes = task.modes;
    // Absent lanes hold rounding of the lines that share their complex numbers, and give as much back: over
    // infinity (or times next to nothing) it is gone. Over 1 it would outgrow solutions whose own divisor is 10^18.
    const T absent = modes.operation == ModeOperation::multiply ? T(0) : -static_cast<T>(__builtin_huge_val());
    T sums[element_lines<T>];
    for (int l = 0; l < element_lines<T>; ++l)
        sums[l] = l < lines ? modes.slow[slow] + modes.shift + modes.lanes[line + l] : absent;
    const bool constant = modes.singular && slow == 0 && line == 0;
    return {Pack<T>::load_loose(sums), Pack<T>::load_loose(sums + Pack<T>::lanes), modes.factor,
            modes.operation == ModeOperation::multiply, constant ? modes.removed : nullptr};
}

template <class T>
void add_boundary(const PassTask<T>& task, Index slow, Index line, int lines, Element<T>* rows) {
    const BoundaryTerms<T>& terms = *task.added;
    T* const values = reinterpret_cast<T*>(rows);
    const auto at_face = [&](int axis, Index j) { return j == terms.first[axis] || j == terms.last[axis]; };
    Index at[3];
    at[task.slow_axis] = terms.first[task.slow_axis] + slow;
    for (int l = 0; l < lines; ++l) {
        at[task.line_axis] = terms.first[task.line_axis] + line + l;
        const Index last = task.samples() - 1;
        const bool all =
            last == 0 || at_face(task.slow_axis, at[task.slow_axis]) || at_face(task.line_axis, at[task.line_axis]);
        for (Index j = 0; j <= last; j += all ? 1 : last) {
            at[task.along_axis] = terms.first[task.along_axis] + j;
            values[j * element_lines<T> + l] += terms(at[0], at[1], at[2]);
        }
    }
}

/// The Dirichlet nodes at the ends of lines along z.
template <class T>
POISSON3D_INLINE T end_value(const PassTask<T>& task, int side, Index slow, Index line) {
    if (task.held == nullptr) return T(0);
    const BoundaryTerms<T>& terms = *task.held;
    Index at[3];
    at[task.slow_axis] = terms.first[task.slow_axis] + slow;
    at[task.line_axis] = terms.first[task.line_axis] + line;
    at[task.along_axis] = side == 0 ? terms.first[task.along_axis] - 1 : terms.last[task.along_axis] + 1;
    return terms.held(at[0], at[1], at[2]);
}

/// What a walk reads: the field itself, if rows of whole blocks lie there, or a copy in `rows`.
template <class T>
__attribute__((noinline)) RowsIn<T> read_block(const PassTask<T>& task, Index slow, Index line, int lines,
                                               Element<T>* rows) {
    const T* const in = task.in + slow * task.in_slow + line * task.in_line;
    const Index n = task.numbers_in();
    if (!task.touches()) {
        if (task.in_sample != 1 && lines == element_lines<T> && task.in_line == 1) return {in, task.in_sample};
        gather(in, task.in_line, task.in_sample, lines, n, rows, [](Pack<T> pack, int) { return pack; });
        return rows_of(static_cast<const Element<T>*>(rows));
    }
    T high[element_lines<T>], low[element_lines<T>];  // absent lanes stay 0
    for (int l = 0; l < element_lines<T>; ++l) {
        high[l] = l < lines ? task.shift : T(0);
        low[l] = l < lines ? task.shift_low : T(0);
    }
    const Pack<T> highs[2] = {Pack<T>::load_loose(high), Pack<T>::load_loose(high + Pack<T>::lanes)};
    const Pack<T> lows[2] = {Pack<T>::load_loose(low), Pack<T>::load_loose(low + Pack<T>::lanes)};
    gather(in, task.in_line, task.in_sample, lines, n, rows,
           [&, scale = Pack<T>::all(task.scale)](Pack<T> pack, int p) {
               return scale * ((pack - highs[p]) - lows[p]);
           });
    if (task.added != nullptr) add_boundary(task, slow, line, lines, rows);
    return rows_of(static_cast<const Element<T>*>(rows));
}

/// Whether nothing has read what this pass writes, and it is more than caches hold.
template <class T>
POISSON3D_INLINE bool writes_afresh(const PassTask<T>& task, Index samples) {
    constexpr Index of_caches = Index{8} << 20;
    return task.out != task.in && samples * task.lines * task.slow * static_cast<Index>(sizeof(T)) > of_caches;
}

template <class T>
__attribute__((noinline)) void write_block(const PassTask<T>& task, Index slow, Index line, int lines,
                                           Index samples, const Element<T>* rows) {
    T* const out = task.out + slow * task.out_slow + line * task.out_line;
    scatter(rows, out, task.out_line, task.out_sample, lines, samples, writes_afresh(task, samples),
            [taken = Pack<T>::all(-task.subtract)](Pack<T> pack) { return pack + taken; });
}

template <class T>
POISSON3D_INLINE void write_ends(const PassTask<T>& task, Index slow, Index line, int lines, Index samples) {
    T* const out = task.out + slow * task.out_slow + line * task.out_line;
    for (int l = 0; task.zero_below && l < lines; ++l)
        out[l * task.out_line - task.out_sample] = end_value(task, 0, slow, line + l);
    for (int l = 0; task.zero_above && l < lines; ++l)
        out[l * task.out_line + samples * task.out_sample] = end_value(task, 1, slow, line + l);
}

/// Rows of a matrix that are multiplied at once: as many sums as registers hold.
inline constexpr int panel_rows = pack_bytes == 64 ? 12 : 6;

/// The rows of a panel times n rows of the block.
template <class T>
POISSON3D_INLINE void multiply_panel(const T* panel, const Element<T>* in, Index n, Element<T>* sums) {
    Element<T> sum[panel_rows] = {};
    for (Index k = 0; k < n; ++k, panel += panel_rows) {
        const Element<T> x = in[k];
        POISSON3D_UNROLL
        for (int r = 0; r < panel_rows; ++r) {
            sum[r].re = sum[r].re + panel[r] * x.re;
            sum[r].im = sum[r].im + panel[r] * x.im;
        }
    }
    POISSON3D_UNROLL
    for (int r = 0; r < panel_rows; ++r) sums[r] = sum[r];
}

/// In the place of a transform: the lines of a block times a matrix, from `rows` to `work`.
template <class T>
void multiply_block(const PassTask<T>& task, const Element<T>* rows, Element<T>* work) {
    const Index n = task.samples();
    const T* panel = task.direction == Direction::forward ? task.matrix->forward : task.matrix->backward;
    for (Index row = 0; row < n; row += panel_rows, panel += panel_rows * n)
        multiply_panel(panel, rows, n, work + row);
}

/// The lines of an element, from `in` to `out`; modes that a symbol or a derivative changes go through `rows`.
template <class T>
POISSON3D_INLINE void transform(const PassTask<T>& task, Index slow, Index line, int lines, RowsIn<T> in,
                                Element<T>* rows, Element<T>* work, RowsOut<T> out) {
    const LineTables<T>& there = *task.line;
    const bool derive = task.derivative.back != nullptr;
    const LineTables<T>& back = derive ? *task.derivative.back : there;
    if (task.direction == Direction::backward) {
        walk_in<Side::modes>(back, in, work);
    } else {
        walk_in<Side::samples>(there, in, work);
        walk_through<false>(there, work);
    }
    if (derive) {
        walk_out<Side::modes>(there, work, rows_of(rows));
        walk_in<Side::modes>(back, DerivedRows<T>{rows, task.derivative}, work);
    } else if (task.symbol.values != nullptr) {
        walk_out<Side::modes>(there, work, rows_of(rows));
        walk_in<Side::modes>(there, MultipliedRows<T>{rows, task.symbol}, work);
    } else if (task.direction == Direction::both) {
        walk_modes(there, element_modes(task, slow, line, lines), work);
    }
    if (task.direction != Direction::forward) walk_through<true>(back, work);
    if (task.direction == Direction::forward)
        walk_out<Side::modes>(there, work, out);
    else
        walk_out<Side::samples>(back, work, out);
}

/// Lines line … line + lines − 1, V at most.
template <class T>
void run_element(const PassTask<T>& task, Index slow, Index line, int lines, Element<T>* rows, Element<T>* work) {
    const RowsIn<T> in = read_block(task, slow, line, lines, rows);
    const bool straight =
        task.out_sample != 1 && task.out_line == 1 && lines == element_lines<T> && task.subtract == T(0);
    const RowsOut<T> out = straight
                               ? RowsOut<T>{task.out + slow * task.out_slow + line * task.out_line, task.out_sample}
                               : rows_of(rows);
    if (task.eliminated != nullptr) {
        const bool writes = eliminate_block(task, slow, line, lines, in, rows, work, out);
        if (writes && !straight) write_block(task, slow, line, lines, task.samples(), rows);
        return;
    }
    if (task.matrix != nullptr) {
        const Index n = task.samples();
        if (in.base != reinterpret_cast<const T*>(rows))
            for (Index j = 0; j < n; ++j) rows[j] = in.read(j);
        multiply_block(task, rows, work);
        if (straight)
            for (Index j = 0; j < n; ++j) out.write(j, work[j]);
        else
            write_block(task, slow, line, lines, n, work);
        write_ends(task, slow, line, lines, n);
        return;
    }
    transform(task, slow, line, lines, in, rows, work, out);
    if (!straight) write_block(task, slow, line, lines, task.numbers_out(), rows);
    write_ends(task, slow, line, lines, task.numbers_out());
}

/// Whether the rows of a transform's lines share a few places of the cache, since a large power of two divides
/// their distance. What is fetched beside a row is lost then before the next element asks for it, and a row before
/// it is written.
template <class T>
POISSON3D_INLINE bool rows_collide(const PassTask<T>& task) {
    constexpr Index period = Index{1} << 15;
    return task.line != nullptr && task.derivative.back == nullptr && task.symbol.values == nullptr &&
           task.numbers_in() == task.numbers_out() && task.in_sample == task.out_sample && task.in_line == 1 &&
           task.out_line == 1 && !task.touches() && task.subtract == T(0) &&
           task.in_sample * static_cast<Index>(sizeof(T)) % period == 0;
}

/// All the lines of a block, whose rows collide: each row is read once and written once, as long as it is.
template <class T>
void run_colliding(const PassTask<T>& task, Index slow, Index line, T* rows, Element<T>* work) {
    constexpr int packs = block_lines<T> / Pack<T>::lanes;
    const Index n = task.samples();
    const T* const in = task.in + slow * task.in_slow + line;
    T* const out = task.out + slow * task.out_slow + line;
    for (Index j = 0; j < n; ++j)
        for (int p = 0; p < packs; ++p)
            Pack<T>::load_loose(in + j * task.in_sample + p * Pack<T>::lanes)
                .store(rows + (j * packs + p) * Pack<T>::lanes);
    for (int l = 0; l < block_lines<T>; l += element_lines<T>)
        transform(task, slow, line + l, element_lines<T>, RowsIn<T>{rows + l, block_lines<T>},
                  static_cast<Element<T>*>(nullptr), work, RowsOut<T>{rows + l, block_lines<T>});
    for (Index j = 0; j < n; ++j)
        for (int p = 0; p < packs; ++p)
            Pack<T>::load(rows + (j * packs + p) * Pack<T>::lanes)
                .store_loose(out + j * task.out_sample + p * Pack<T>::lanes);
    write_ends(task, slow, line, block_lines<T>, n);
}

template <class T>
void run_block(const PassTask<T>& task, Index slow, Index line, T* row_memory, T* work_memory) {
    auto* const rows = reinterpret_cast<Element<T>*>(row_memory);
    auto* const work = reinterpret_cast<Element<T>*>(work_memory);
    const Index lines = task.lines - line;
    if (lines >= block_lines<T> && rows_collide(task)) return run_colliding(task, slow, line, row_memory, work);
    for (int l = 0; l < block_lines<T> && l < lines; l += element_lines<T>)
        run_element(task, slow, line + l, lines_here<T>(task.lines, line + l), rows, work);
}

template <class T>
constexpr Kernels<T> kernels_here{block_lines<T>, element_lines<T>, panel_rows, &run_block<T>, &symbol_rows<T>};

}  // namespace

extern const InstructionSet instructions;
const InstructionSet instructions{POISSON3D_ISA_NAME, kernels_here<float>, kernels_here<double>};

}  // namespace poisson3d::POISSON3D_ISA
