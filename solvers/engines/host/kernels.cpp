// The inner loops of the host engine. Compiled once per instruction set (POISSON3D_ISA names the namespace).
#include "kernels.hpp"

#include "line_steps.hpp"

namespace poisson3d::POISSON3D_ISA {

namespace {

/// Modes of the forward transform in y become samples of the backward transform in x, divided by (or multiplied
/// with) the eigenvalue sum.
template <class T>
POISSON3D_INLINE void mode_space(const PassTask<T>& task, Index slow, Index line, int lines, const T* y, T* x) {
    constexpr int v = block_lines<T>;
    const ModeSpace<T>& modes = task.modes;
    // Eigenvalue sums of the two other axes. Absent lanes hold zeros and get a divisor that is never 0: a NaN there
    // would reach the line that shares their complex number.
    alignas(row_bytes) T outer[v];
    for (int l = 0; l < v; ++l)
        outer[l] = l < lines ? modes.slow[slow] + modes.shift + modes.lanes[line + l] : T(-1);
    const bool has_constant = modes.singular && slow == 0 && line == 0;
    const RowRef<T>* const from = task.forward->store;
    const RowRef<T>* const to = task.backward->load;
    for (Index k = 0; k < task.forward->points; ++k) {
        const T sign = from[k].sign * to[k].sign * modes.factor;
        for (int i = 0; i < packs; ++i) {
            auto value = Pack<T>::load(at(y, from[k].row, i));
            auto sum = Pack<T>::load(outer + i * Pack<T>::lanes);
            sum.v += modes.line[k];
            const bool constant = has_constant && k == 0 && i == 0;
            if (constant) {
                if (modes.removed != nullptr) *modes.removed = value.v[0];
                value.v[0] = 0;
                sum.v[0] = 1;  // anything but 0
            }
            if (modes.operation == ModeOperation::divide)
                value.v = sign * value.v / sum.v;
            else
                value.v = sign * value.v * sum.v;
            value.store(at(x, to[k].row, i));
        }
    }
}

/// Lines run along z and lie across task.lanes, slow is the index along the other of x and y.
template <class T>
void add_boundary(const PassTask<T>& task, const LineView<T>& first, Index slow, Index line, int lines, T* x) {
    const BoundaryTerms<T>& terms = *task.added;
    for (int l = 0; l < lines; ++l) {
        const Index i = task.lanes == 0 ? line + l : slow;
        const Index j = task.lanes == 0 ? slow : line + l;
        for_each_term(terms, terms.first[0] + i, terms.first[1] + j, [&](Index k, T added) {
            const RowRef<T> ref = first.load[k - terms.first[2]];
            at(x, ref.row, 0)[l] += ref.sign * added;
        });
    }
}

/// The Dirichlet nodes at the ends of lines along z; slow is the index along x, lines lie across y.
template <class T>
POISSON3D_INLINE T end_value(const PassTask<T>& task, int side, Index slow, Index line) {
    if (task.held == nullptr) return T(0);
    const BoundaryTerms<T>& terms = *task.held;
    return value_at(terms.face[2][side], terms.first[0] + slow, terms.first[1] + line);
}

template <class T>
POISSON3D_INLINE void read_block(const PassTask<T>& task, const LineView<T>& plan, Index slow, Index line,
                                 int lines, T* x) {
    // Absent lanes stay 0: they share complex numbers with lanes that are there.
    alignas(row_bytes) T shift[block_lines<T>];
    for (int l = 0; l < block_lines<T>; ++l) shift[l] = l < lines ? task.shift : T(0);
    const auto put = [&](Index j, int i, Pack<T> row) {
        const RowRef<T> ref = plan.load[j];
        row.v -= Pack<T>::load(shift + i * Pack<T>::lanes).v;
        (ref.sign * task.scale * row).store(at(x, ref.row, i));
    };
    const T* const in = task.in + slow * task.in_slow + line * task.in_line;
    if (task.in_sample == 1)
        gather_lines(in, task.in_line, lines, plan.points, put);
    else
        gather_across(in, task.in_sample, lines, plan.points, put);
}

template <class T>
POISSON3D_INLINE void write_block(const PassTask<T>& task, const LineView<T>& plan, Index slow, Index line,
                                  int lines, const T* y) {
    T* const out = task.out + slow * task.out_slow + line * task.out_line;
    const auto get = [&](Index k, int i) {
        const RowRef<T> ref = plan.store[k];
        return ref.sign * Pack<T>::load(at(y, ref.row, i));
    };
    if (task.out_sample != 1) {
        scatter_across(out, task.out_sample, lines, plan.points, get);
        return;
    }
    scatter_lines(out, task.out_line, lines, plan.points, [&](Index k, int i) {
        auto value = get(k, i);
        value.v -= task.subtract;
        return value;
    });
    for (int l = 0; l < lines; ++l) {
        if (task.zero_below) out[l * task.out_line - 1] = end_value(task, 0, slow, line + l);
        if (task.zero_above) out[l * task.out_line + plan.points] = end_value(task, 1, slow, line + l);
    }
}

template <class T>
void run_block(const PassTask<T>& task, Index slow, Index line, T* x, T* y) {
    const Index left = task.lines - line;
    const int lines = left < block_lines<T> ? static_cast<int>(left) : block_lines<T>;
    const LineView<T>& first = task.forward != nullptr ? *task.forward : *task.backward;
    read_block(task, first, slow, line, lines, x);
    if (task.added != nullptr) add_boundary(task, first, slow, line, lines, x);
    transform(first, x, y);
    if (task.forward != nullptr && task.backward != nullptr) {
        mode_space(task, slow, line, lines, y, x);
        transform(*task.backward, x, y);
    }
    write_block(task, task.backward != nullptr ? *task.backward : *task.forward, slow, line, lines, y);
}

}  // namespace

extern const InstructionSet instructions;
const InstructionSet instructions{POISSON3D_ISA_NAME, &run_block<float>, &run_block<double>};

}  // namespace poisson3d::POISSON3D_ISA
