// The inner loop of a spectral derivative. Compiled once per instruction set.
#include "derivative.hpp"

#include "line_steps.hpp"

namespace poisson3d::POISSON3D_ISA {

namespace {

/// Rows of samples to where the line plan wants them, or of modes from there.
template <class T>
POISSON3D_INLINE void load_rows(const LineView<T>& line, RowsIn<T> rows, Element<T>* x) {
    for (Index j = 0; j < line.points; ++j) x[line.load[j].row] = line.load[j].sign * rows.read(j);
}
template <class T>
POISSON3D_INLINE void store_rows(const LineView<T>& line, const Element<T>* x, RowsOut<T> rows) {
    for (Index k = 0; k < line.points; ++k) rows.write(k, line.store[k].sign * x[line.store[k].row]);
}

/// Modes of `there` in x become samples of `back` in y.
template <class T>
POISSON3D_INLINE void derive(const DerivativeTask<T>& task, const Element<T>* x, Element<T>* y) {
    for (Index q = 0; q < task.back->points; ++q) {
        const RowRef<T> from = task.there->store[task.source[q]];
        const RowRef<T> to = task.back->load[q];
        y[to.row] = from.sign * to.sign * task.factor[q] * x[from.row];
    }
}

template <class T>
void derive_block(const DerivativeTask<T>& task, Index slow, Index line, T* x_memory, T* y_memory) {
    auto* const x = reinterpret_cast<Element<T>*>(x_memory);
    auto* const y = reinterpret_cast<Element<T>*>(y_memory);
    const int lines = lines_here<T>(task.lines, line);
    const T* const in = task.in + slow * task.in_slow + line * task.in_line;
    T* const out = task.out + slow * task.out_slow + line * task.out_line;
    if (task.back != nullptr) {
        if (task.in_sample != 1 && task.in_line == 1 && lines == block_lines<T>) {
            load_rows(*task.there, RowsIn<T>{in, task.in_sample}, x);
        } else {
            gather(in, task.in_line, task.in_sample, lines, task.there->points, y,
                   [](Pack<T> pack, int) { return pack; });
            load_rows(*task.there, rows_of(static_cast<const Element<T>*>(y)), x);
        }
        transform(*task.there, x);
        derive(task, x, y);
        transform(*task.back, y);
        if (task.out_sample != 1 && task.out_line == 1 && lines == block_lines<T>) {
            store_rows(*task.back, y, RowsOut<T>{out, task.out_sample});
        } else {
            store_rows(*task.back, y, rows_of(x));
            scatter(x, out, task.out_line, task.out_sample, lines, task.points_out,
                    [](Pack<T> pack) { return pack; });
        }
    }
    for (int l = 0; l < lines; ++l) {
        if (task.zero_below) out[l * task.out_line - task.out_sample] = 0;
        if (task.zero_above) out[l * task.out_line + task.points_out * task.out_sample] = 0;
    }
}

}  // namespace

extern const DerivativeKernels derivatives;
const DerivativeKernels derivatives{&derive_block<float>, &derive_block<double>};

}  // namespace poisson3d::POISSON3D_ISA
