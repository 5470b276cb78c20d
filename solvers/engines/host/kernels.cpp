// The inner loops of the host engine. Compiled once per instruction set (POISSON3D_ISA names the namespace).
#include "kernels.hpp"

#include "line_walk.hpp"

namespace poisson3d::POISSON3D_ISA {

namespace {

template <class T>
POISSON3D_INLINE BlockModes<T> block_modes(const PassTask<T>& task, Index slow, Index line, int lines) {
    const ModeSpace<T>& modes = task.modes;
    // Absent lanes hold rounding of the lines that share their complex numbers, and give as much back: over
    // infinity (or times next to nothing) it is gone. Over 1 it would outgrow solutions whose own divisor is 10^18.
    const T absent = modes.operation == ModeOperation::multiply ? T(0) : -static_cast<T>(__builtin_huge_val());
    T sums[block_lines<T>];
    for (int l = 0; l < block_lines<T>; ++l)
        sums[l] = l < lines ? modes.slow[slow] + modes.shift + modes.lanes[line + l] : absent;
    const bool constant = modes.singular && slow == 0 && line == 0;
    return {Pack<T>::load_loose(sums), Pack<T>::load_loose(sums + Pack<T>::lanes), modes.factor,
            modes.operation == ModeOperation::multiply, constant ? modes.removed : nullptr};
}

/// Lines run along z and lie across y, slow is the index along x.
template <class T>
void add_boundary(const PassTask<T>& task, Index slow, Index line, int lines, Element<T>* rows) {
    const BoundaryTerms<T>& terms = *task.added;
    T* const values = reinterpret_cast<T*>(rows);
    for (int l = 0; l < lines; ++l)
        for_each_term(terms, terms.first[0] + slow, terms.first[1] + line + l,
                      [&](Index k, T added) { values[(k - terms.first[2]) * block_lines<T> + l] += added; });
}

/// The Dirichlet nodes at the ends of lines along z.
template <class T>
POISSON3D_INLINE T end_value(const PassTask<T>& task, int side, Index slow, Index line) {
    if (task.held == nullptr) return T(0);
    const BoundaryTerms<T>& terms = *task.held;
    return value_at(terms.face[2][side], terms.first[0] + slow, terms.first[1] + line);
}

/// What a walk reads: the field itself, if rows of whole blocks lie there, or a copy in `rows`.
template <class T>
POISSON3D_INLINE RowsIn<T> read_block(const PassTask<T>& task, Index slow, Index line, int lines,
                                      Element<T>* rows) {
    const T* const in = task.in + slow * task.in_slow + line * task.in_line;
    const Index n = task.line->samples;
    if (task.in_sample != 1) {
        if (lines == block_lines<T> && task.in_line == 1) return {in, task.in_sample};
        gather(in, task.in_line, task.in_sample, lines, n, rows, [](Pack<T> pack, int) { return pack; });
        return rows_of(static_cast<const Element<T>*>(rows));
    }
    T high[block_lines<T>], low[block_lines<T>];  // absent lanes stay 0
    for (int l = 0; l < block_lines<T>; ++l) {
        high[l] = l < lines ? task.shift : T(0);
        low[l] = l < lines ? task.shift_low : T(0);
    }
    const Pack<T> highs[2] = {Pack<T>::load_loose(high), Pack<T>::load_loose(high + Pack<T>::lanes)};
    const Pack<T> lows[2] = {Pack<T>::load_loose(low), Pack<T>::load_loose(low + Pack<T>::lanes)};
    gather(in, task.in_line, Index{1}, lines, n, rows,
           [&](Pack<T> pack, int p) { return task.scale * ((pack - highs[p]) - lows[p]); });
    if (task.added != nullptr) add_boundary(task, slow, line, lines, rows);
    return rows_of(static_cast<const Element<T>*>(rows));
}

template <class T>
POISSON3D_INLINE void write_block(const PassTask<T>& task, Index slow, Index line, int lines, Index samples,
                                  const Element<T>* rows) {
    T* const out = task.out + slow * task.out_slow + line * task.out_line;
    scatter(rows, out, task.out_line, task.out_sample, lines, samples,
            [&](Pack<T> pack) { return pack + -task.subtract; });
}

template <class T>
POISSON3D_INLINE void write_ends(const PassTask<T>& task, Index slow, Index line, int lines, Index samples) {
    T* const out = task.out + slow * task.out_slow + line * task.out_line;
    for (int l = 0; task.zero_below && l < lines; ++l)
        out[l * task.out_line - task.out_sample] = end_value(task, 0, slow, line + l);
    for (int l = 0; task.zero_above && l < lines; ++l)
        out[l * task.out_line + samples * task.out_sample] = end_value(task, 1, slow, line + l);
}

template <class T>
void run_block(const PassTask<T>& task, Index slow, Index line, T* row_memory, T* work_memory) {
    auto* const rows = reinterpret_cast<Element<T>*>(row_memory);
    auto* const work = reinterpret_cast<Element<T>*>(work_memory);
    const LineTables<T>& there = *task.line;
    const bool derive = task.derivative.back != nullptr;
    const LineTables<T>& back = derive ? *task.derivative.back : there;
    const int lines = lines_here<T>(task.lines, line);
    const RowsIn<T> in = read_block(task, slow, line, lines, rows);
    if (task.direction == Direction::backward) {
        walk_in<Side::modes>(back, in, work);
    } else {
        walk_in<Side::samples>(there, in, work);
        walk_through<false>(there, work);
    }
    if (derive) {
        walk_out<Side::modes>(there, work, rows_of(rows));
        walk_in<Side::modes>(back, DerivedRows<T>{rows, task.derivative}, work);
    } else if (task.direction == Direction::both) {
        walk_modes(there, block_modes(task, slow, line, lines), work);
    }
    if (task.direction != Direction::forward) walk_through<true>(back, work);
    const bool straight = task.out_sample != 1 && task.out_line == 1 && lines == block_lines<T>;
    const RowsOut<T> out = straight
                               ? RowsOut<T>{task.out + slow * task.out_slow + line * task.out_line, task.out_sample}
                               : rows_of(rows);
    if (task.direction == Direction::forward)
        walk_out<Side::modes>(there, work, out);
    else
        walk_out<Side::samples>(back, work, out);
    if (!straight) write_block(task, slow, line, lines, back.samples, rows);
    write_ends(task, slow, line, lines, back.samples);
}

template <class T>
constexpr Kernels<T> kernels_here{block_lines<T>, &run_block<T>};

}  // namespace

extern const InstructionSet instructions;
const InstructionSet instructions{POISSON3D_ISA_NAME, kernels_here<float>, kernels_here<double>};

}  // namespace poisson3d::POISSON3D_ISA
