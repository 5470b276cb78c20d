// The inner loop of a spectral derivative. Compiled once per instruction set.
#include "derivative.hpp"

#include "line_steps.hpp"

namespace poisson3d::POISSON3D_ISA {

namespace {

/// Modes of `there` in y become samples of `back` in x.
template <class T>
POISSON3D_INLINE void derive(const DerivativeTask<T>& task, const T* y, T* x) {
    for (Index q = 0; q < task.back->points; ++q) {
        const RowRef<T> from = task.there->store[task.source[q]];
        const RowRef<T> to = task.back->load[q];
        const T factor = from.sign * to.sign * task.factor[q];
        for (int i = 0; i < packs; ++i) (factor * Pack<T>::load(at(y, from.row, i))).store(at(x, to.row, i));
    }
}

template <class T>
void derive_block(const DerivativeTask<T>& task, Index slow, Index line, T* x, T* y) {
    const Index left = task.lines - line;
    const int lines = left < block_lines<T> ? static_cast<int>(left) : block_lines<T>;
    const T* const in = task.in + slow * task.in_slow + line * task.in_line;
    T* const out = task.out + slow * task.out_slow + line * task.out_line;
    if (task.back != nullptr) {
        const auto put = [&](Index j, int i, Pack<T> row) {
            const RowRef<T> ref = task.there->load[j];
            (ref.sign * row).store(at(x, ref.row, i));
        };
        if (task.in_line == 1)
            gather_across(in, task.in_sample, lines, task.there->points, put);
        else
            gather_lines(in, task.in_line, lines, task.there->points, put);
        transform(*task.there, x, y);
        derive(task, y, x);
        transform(*task.back, x, y);
        const auto get = [&](Index j, int i) {
            const RowRef<T> ref = task.back->store[j];
            return ref.sign * Pack<T>::load(at(y, ref.row, i));
        };
        if (task.out_line == 1)
            scatter_across(out, task.out_sample, lines, task.points_out, get);
        else
            scatter_lines(out, task.out_line, lines, task.points_out, get);
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
