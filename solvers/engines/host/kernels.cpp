// The inner loops of the host engine. Compiled once per instruction set (POISSON3D_ISA names the namespace).
#include "kernels.hpp"

#include "host/lanes.hpp"

namespace poisson3d::POISSON3D_ISA {

using namespace poisson3d::host;

namespace {

constexpr int packs = row_bytes / pack_bytes;  // per row

/// Pack p of row r.
template <class T>
POISSON3D_INLINE T* at(T* rows, Index r, int p) {
    return rows + r * block_lines<T> + p * Pack<T>::lanes;
}

/// Applies op(α_q, α_p, q, p) to every pair of rows, to a row that is its own partner with two copies.
template <class T, class Op>
POISSON3D_INLINE void for_each_pair(Pairing pairing, T* rows, Index count, const Complex<T>* alpha, Op op) {
    const auto pair = [&](Index q, Index p) {
        for (int i = 0; i < packs; ++i) {
            auto a = Pack<T>::load(at(rows, q, i));
            auto b = Pack<T>::load(at(rows, p, i));
            op(alpha[q], alpha[p], a, b);
            b.store(at(rows, p, i));
            a.store(at(rows, q, i));
        }
    };
    if (pairing == Pairing::mirror) {
        for (Index q = 0; 2 * q <= count; ++q) pair(q, partner(Pairing::mirror, q, count));
    } else {
        for (Index q = 0; q < count; q += 2) pair(q, partner(pairing, q, count));
    }
}

/// x_j − x_{n−j} to row j, x_j + x_{n−j} to row n − j; the middle row is doubled for the type III that follows.
template <class T>
POISSON3D_INLINE void fold_sine(T* rows, Index n) {
    for (Index j = 1; j < n - j; ++j)
        for (int i = 0; i < packs; ++i) {
            const auto a = Pack<T>::load(at(rows, j, i));
            const auto b = Pack<T>::load(at(rows, n - j, i));
            (a - b).store(at(rows, j, i));
            (a + b).store(at(rows, n - j, i));
        }
}

/// x_j + x_{n−j} to row j (twice the middle one), x_j − x_{n−j} to row n/2 + 1 + j. Two pairs at a time, since the
/// differences change places.
template <class T>
POISSON3D_INLINE void fold_cosine(T* rows, Index n) {
    const Index half = n / 2;
    for (Index j = 0; j <= half - 1 - j; ++j) {
        const Index k = half - 1 - j;
        for (int i = 0; i < packs; ++i) {
            const auto a = Pack<T>::load(at(rows, j, i));
            const auto b = Pack<T>::load(at(rows, n - j, i));
            const auto c = Pack<T>::load(at(rows, k, i));
            const auto d = Pack<T>::load(at(rows, n - k, i));
            (a + b).store(at(rows, j, i));
            (c + d).store(at(rows, k, i));
            (a - b).store(at(rows, n - k, i));
            (c - d).store(at(rows, n - j, i));
        }
    }
    for (int i = 0; i < packs; ++i) {
        const auto middle = Pack<T>::load(at(rows, half, i));
        (middle + middle).store(at(rows, half, i));
    }
}

template <class T>
POISSON3D_INLINE void extend(T* rows, const Extension& step) {
    const Index n = step.half;
    const T sign = step.sine ? T(-1) : T(1);
    for (Index j = 0; j <= n; ++j)
        for (int i = 0; i < packs; ++i) {
            const bool end = j == 0 || j == n;
            const auto value = step.sine && end ? Pack<T>{} : Pack<T>::load(at(rows, j, i));
            value.store(at(rows, step.row + j, i));
            if (!end) (sign * value).store(at(rows, step.row + 2 * n - j, i));
        }
}

/// Samples in x (in load order) to modes in y (in store order). x is used up.
template <class T>
POISSON3D_INLINE void transform(const LineView<T>& line, T* x, T* y) {
    for (Index f = 0; f < line.fold_count; ++f)
        line.folds[f].sine ? fold_sine(x, line.folds[f].length) : fold_cosine(x, line.folds[f].length);
    for (Index e = 0; e < line.extension_count; ++e) extend(x, line.extensions[e]);
    for (Index f = 0; f < line.fft_count; ++f) {
        const FftStep& step = line.ffts[f];
        T* const from = at(x, step.row, 0);
        T* const to = at(y, step.row, 0);
        if (step.split != Pairing::none)
            for_each_pair(step.split, from, step.rows, line.tables + step.split_table,
                          [](auto aq, auto ap, auto& q, auto& p) { split(aq, ap, q, p); });
        line.calls[f].execute(line.calls[f].plan, from, to);
        if (step.combine != Pairing::none)
            for_each_pair(step.combine, to, step.rows, line.tables + step.combine_table,
                          [](auto aq, auto ap, auto& q, auto& p) { combine(aq, ap, q, p); });
    }
}

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

template <class T>
POISSON3D_INLINE void write_rotated(const LineView<T>& line, const T* y, int lines, T* out, Index out_mode) {
    for (Index k = 0; k < line.points; ++k) {
        const RowRef<T> ref = line.store[k];
        T* const row = out + k * out_mode;
        if (lines == block_lines<T>) {
            for (int i = 0; i < packs; ++i)
                (ref.sign * Pack<T>::load(at(y, ref.row, i))).store_loose(row + i * Pack<T>::lanes);
        } else {
            for (int l = 0; l < lines; ++l) row[l] = ref.sign * at(y, ref.row, 0)[l];
        }
    }
}

/// The first pass: slow is the index along y, lines run along x, samples along z.
template <class T>
void add_boundary(const PassTask<T>& task, const LineView<T>& first, Index slow, Index line, int lines, T* x) {
    const BoundaryTerms<T>& terms = *task.boundary;
    for (int l = 0; l < lines; ++l)
        for_each_term(terms, terms.first[0] + line + l, terms.first[1] + slow, [&](Index k, T added) {
            const RowRef<T> ref = first.load[k - terms.first[2]];
            at(x, ref.row, 0)[l] += ref.sign * added;
        });
}

/// The last pass: slow is the index along x, lines run along y. The Dirichlet nodes at the ends of lines.
template <class T>
POISSON3D_INLINE T end_value(const PassTask<T>& task, int side, Index slow, Index line) {
    if (task.boundary == nullptr) return T(0);
    const BoundaryTerms<T>& terms = *task.boundary;
    return value_at(terms.face[2][side], terms.first[0] + slow, terms.first[1] + line);
}

template <class T>
POISSON3D_INLINE void write_lines(const PassTask<T>& task, const LineView<T>& plan, Index slow, Index line,
                                  const T* y, int lines, T* out) {
    scatter_lines(out, task.out_line, lines, plan.points, [&](Index k, int i) {
        const RowRef<T> ref = plan.store[k];
        auto value = ref.sign * Pack<T>::load(at(y, ref.row, i));
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
    // Absent lanes stay 0: they share complex numbers with lanes that are there.
    alignas(row_bytes) T shift[block_lines<T>];
    for (int l = 0; l < block_lines<T>; ++l) shift[l] = l < lines ? task.shift : T(0);
    gather_lines(task.in + slow * task.in_slow + line * task.in_line, task.in_line, lines, first.points,
                 [&](Index j, int i, Pack<T> row) {
                     const RowRef<T> ref = first.load[j];
                     row.v -= Pack<T>::load(shift + i * Pack<T>::lanes).v;
                     (ref.sign * task.scale * row).store(at(x, ref.row, i));
                 });
    if (task.boundary != nullptr && task.rotate) add_boundary(task, first, slow, line, lines, x);
    transform(first, x, y);
    if (task.forward != nullptr && task.backward != nullptr) {
        mode_space(task, slow, line, lines, y, x);
        transform(*task.backward, x, y);
    }
    const LineView<T>& last = task.backward != nullptr ? *task.backward : *task.forward;
    T* const out = task.out + slow * task.out_slow;
    if (task.rotate)
        write_rotated(last, y, lines, out + line, task.out_mode);
    else
        write_lines(task, last, slow, line, y, lines, out + line * task.out_line);
}

}  // namespace

extern const InstructionSet instructions;
const InstructionSet instructions{POISSON3D_ISA_NAME, &run_block<float>, &run_block<double>};

}  // namespace poisson3d::POISSON3D_ISA
