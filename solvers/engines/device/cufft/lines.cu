// The sweeps that keep a line in place: gather (f to complex lines), scatter (complex lines to u), middle (mode
// space). A thread holds orbits in registers; lanes run over neighbouring orbits of a line.
#include <algorithm>

#include "device_orbits.cuh"
#include "line_grid.cuh"

namespace poisson3d::cufft {

namespace {

/// An orbit of two, with where it comes from and goes to.
template <class T>
struct Pair {
    Places<T, 2> from, to;
    Coefficients<T, 2> coefficients;
};
template <class T>
__device__ __forceinline__ Pair<T> read_pair(const Orbits<T>& orbits, int o) {
    Pair<T> pair;
    pair.from.read(orbits.in, orbits.count, o, true);
    pair.to.read(orbits.out, orbits.count, o, true);
    pair.coefficients.read(orbits, o);
    return pair;
}

template <class T, bool with_data>
__global__ void __launch_bounds__(max_threads) gather_kernel(const LineTask<T> task, LineGrid grid) {
    constexpr int each = 4;
    const auto [o, first] = mine(grid);
    if (o >= task.z.count) return;
    const auto [from, to, coefficients] = read_pair(task.z, o);
    const Index lines = task.extent_x * task.pairs;
    Complex<T> z[each][2];
#pragma unroll
    for (int i = 0; i < each; ++i) {
        const Index line = first + i * grid.across;
        const bool there = line < lines;
        const auto [x, p] = cuda::divide(there ? line : 0, task.pairs);
        const int re = task.pair[p];
        const int im = task.pair[task.pairs + p];
        const T* const row = task.field + x * task.stride_x;
#pragma unroll
        for (int e = 0; e < 2; ++e) {
            const bool sample = there && from.index[e] >= 0;
            z[i][e].re = sample ? row[re * task.stride_y + from.index[e]] : T(0);
            z[i][e].im = sample && im >= 0 ? row[im * task.stride_y + from.index[e]] : T(0);
        }
    }
#pragma unroll
    for (int i = 0; i < each; ++i) {
        const Index line = first + i * grid.across;
        if (line >= lines) return;
        if (task.shift != nullptr) {
            const auto [high, low] = *task.shift;
            const bool paired = task.pair[task.pairs + cuda::divide(line, task.pairs).remainder] >= 0;
#pragma unroll
            for (int e = 0; e < 2; ++e) {
                if (from.index[e] < 0) continue;
                z[i][e].re = (z[i][e].re - high) - low;
                if (paired) z[i][e].im = (z[i][e].im - high) - low;
            }
        }
#pragma unroll
        for (int e = 0; e < 2; ++e) z[i][e] = task.scale * z[i][e];
        if constexpr (with_data) {
            const BoundaryTerms<T>& terms = task.boundary;
            const auto [x, p] = cuda::divide(line, task.pairs);
            const Index here = terms.first[0] + x;
            const int re = task.pair[p];
            const int im = task.pair[task.pairs + p];
#pragma unroll
            for (int e = 0; e < 2; ++e) {
                if (from.index[e] < 0) continue;
                const Index k = terms.first[2] + from.index[e];
                z[i][e].re += terms(here, terms.first[1] + re, k);
                if (im >= 0) z[i][e].im += terms(here, terms.first[1] + im, k);
            }
        }
        pre(coefficients, false, z[i]);
#pragma unroll
        for (int e = 0; e < 2; ++e)
            store_position(task.work + line * task.pitch, to.index[e], z[i][e], task.mirror);
    }
}

template <class T>
__global__ void __launch_bounds__(max_threads) scatter_kernel(const LineTask<T> task, LineGrid grid) {
    constexpr int each = 4;
    const auto [o, first] = mine(grid);
    if (o >= task.z.count) return;
    const auto [from, to, coefficients] = read_pair(task.z, o);
    const T less = task.subtract != nullptr ? *task.subtract : T(0);
    const Index lines = task.extent_x * task.pairs;
    Complex<T> z[each][2];
#pragma unroll
    for (int i = 0; i < each; ++i) {
        const Index line = first + i * grid.across;
#pragma unroll
        for (int e = 0; e < 2; ++e)
            z[i][e] = line < lines && from.index[e] >= 0 ? load_field(task.work + line * task.pitch + from.index[e])
                                                         : Complex<T>{0, 0};
    }
#pragma unroll
    for (int i = 0; i < each; ++i) {
        const Index line = first + i * grid.across;
        if (line >= lines) return;
        const auto [x, p] = cuda::divide(line, task.pairs);
        post(coefficients, false, z[i]);
        const int parts[2] = {task.pair[p], task.pair[task.pairs + p]};
#pragma unroll
        for (int part = 0; part < 2; ++part) {
            if (parts[part] < 0) continue;
            T* const row = task.field + x * task.stride_x + parts[part] * task.stride_y;
#pragma unroll
            for (int e = 0; e < 2; ++e)
                if (to.index[e] >= 0) row[to.index[e]] = (part == 0 ? z[i][e].re : z[i][e].im) - less;
            if (o == 0) {
                const Index i = task.boundary.first[0] + x;
                const Index j = task.boundary.first[1] + parts[part];
                if (task.below > 0) row[-1] = value_at(task.boundary.face[2][0], i, j);
                if (task.above > 0) row[task.samples] = value_at(task.boundary.face[2][1], i, j);
            }
        }
    }
}

template <class T>
__global__ void probe_kernel(const LineTask<T> task, Index x, Index p, bool imaginary, int o, bool second,
                             T* value) {
    Places<T, 2> from;
    from.read(task.z.in, task.z.count, o, true);
    Coefficients<T, 2> coefficients;
    coefficients.read(task.z, o);
    Complex<T> z[2];
    for (int e = 0; e < 2; ++e)
        z[e] = from.index[e] >= 0 ? load_field(task.work + (x * task.pairs + p) * task.pitch + from.index[e])
                                  : Complex<T>{0, 0};
    post(coefficients, false, z);
    *value = imaginary ? z[second].im : z[second].re;
}

/// What the middle sweep knows of a line: the eigenvalue sums of its two real lines without the one along it.
template <class T>
struct Outer {
    T re, im;
    bool paired;    ///< is there a second line?
    bool constant;  ///< is the constant mode on it?
};

template <class T>
__device__ __forceinline__ Outer<T> outer_sums(const MiddleTask<T>& task, Index line) {
    const auto [p, x] = cuda::divide(line, task.extent_x);
    const bool paired = 2 * p + 1 < task.extent_z;
    const T sum = task.lambda_x[x] + task.shift;
    return {sum + task.lambda_z[2 * p], sum + task.lambda_z[paired ? 2 * p + 1 : 2 * p], paired,
            task.removed != nullptr && line == 0};
}

template <class T>
__device__ __forceinline__ Complex<T> mode_space(const MiddleTask<T>& task, const Outer<T>& outer, int slot,
                                                 Complex<T> mode) {
    if (slot < 0) return {0, 0};
    const T along = task.lambda_y[slot];
    T re = outer.re + along;
    T im = outer.im + along;
    if (outer.constant && slot == 0) {
        *task.removed = mode.re * task.factor;
        mode.re = T(0);
        re = T(1);  // anything but 0
        if (!outer.paired) im = T(1);
    }
    mode.re *= task.factor;
    mode.im = outer.paired ? mode.im * task.factor : T(0);
    if (task.multiply) return {mode.re * re, mode.im * im};
    return {quotient(mode.re, re), quotient(mode.im, im)};
}

template <class T, int size>
constexpr int middle_each = size == 2 ? 2 : 1;
/// Orbits of 16 double-precision elements take 160 registers: smaller blocks, three of them on a multiprocessor.
template <class T, int size>
constexpr int middle_threads = size == 16 && sizeof(T) == 8 ? 128 : max_threads;

template <class T, int size>
__global__ void __launch_bounds__((middle_threads<T, size>), (middle_threads<T, size>) == 128 ? 4 : 1)
    middle_kernel(const MiddleTask<T> task, LineGrid grid) {
    constexpr int each = middle_each<T, size>;
    const auto [o, first] = mine(grid);
    if (o >= task.post.count) return;
    const Index lines = task.pairs * task.extent_x;
    Complex<T> z[each][size];
#pragma unroll
    for (int e = 0; e < size; ++e) {
        const int from = task.post.in[e * task.post.count + o];
#pragma unroll
        for (int i = 0; i < each; ++i) {
            const Index line = first + i * grid.across;
            z[i][e] =
                line < lines && from >= 0 ? load_field(task.work + line * task.pitch + from) : Complex<T>{0, 0};
        }
    }
    {
        Coefficients<T, size> after;
        after.read(task.post, o);
#pragma unroll
        for (int i = 0; i < each; ++i) post(after, task.post.sine, z[i]);
    }
#pragma unroll
    for (int i = 0; i < each; ++i) {
        const Index line = first + i * grid.across;
        if (line >= lines) break;
        const Outer<T> outer = outer_sums(task, line);
#pragma unroll
        for (int e = 0; e < size; ++e)
            z[i][e] = mode_space(task, outer, task.pre.in[e * task.pre.count + o], z[i][e]);
    }
    Coefficients<T, size> before;
    before.read(task.pre, o);
#pragma unroll
    for (int i = 0; i < each; ++i) pre(before, task.pre.sine, z[i]);
#pragma unroll
    for (int e = 0; e < size; ++e) {
        const int to = task.pre.out[e * task.pre.count + o];
#pragma unroll
        for (int i = 0; i < each; ++i) {
            const Index line = first + i * grid.across;
            if (line < lines) store_position(task.work + line * task.pitch, to, z[i][e], task.mirror);
        }
    }
}

template <class T>
void launch_lines(void (*kernel)(LineTask<T>, LineGrid), const LineTask<T>& task, Stream stream, const char* what) {
    const LineGrid grid = line_grid(task.z.count, task.extent_x * task.pairs, 4);
    kernel<<<grid.blocks(), grid.threads(), 0, queue(stream)>>>(task, grid);
    check(cudaGetLastError(), what);
}

}  // namespace

template <class T>
void launch_gather(const LineTask<T>& task, Stream stream) {
    launch_lines<T>(task.boundary.any ? &gather_kernel<T, true> : &gather_kernel<T, false>, task, stream,
                    "launch of the gathering sweep");
}

template <class T>
void launch_scatter(const LineTask<T>& task, Stream stream) {
    launch_lines<T>(&scatter_kernel<T>, task, stream, "launch of the scattering sweep");
}

template <class T>
void launch_probe(const LineTask<T>& task, Index x, Index p, bool imaginary, Index o, bool second, T* value,
                  Stream stream) {
    probe_kernel<<<1, 1, 0, queue(stream)>>>(task, x, p, imaginary, static_cast<int>(o), second, value);
    check(cudaGetLastError(), "launch of a probe");
}

template <class T>
void launch_middle(const MiddleTask<T>& task, Stream stream) {
    with_orbit_size(task.post.size, [&]<int size>() {
        const LineGrid grid =
            line_grid(task.post.count, task.pairs * task.extent_x, middle_each<T, size>, middle_threads<T, size>);
        middle_kernel<T, size><<<grid.blocks(), grid.threads(), 0, queue(stream)>>>(task, grid);
        check(cudaGetLastError(), "launch of the middle sweep");
    });
}

template void launch_gather(const LineTask<float>&, Stream);
template void launch_gather(const LineTask<double>&, Stream);
template void launch_scatter(const LineTask<float>&, Stream);
template void launch_scatter(const LineTask<double>&, Stream);
template void launch_probe(const LineTask<float>&, Index, Index, bool, Index, bool, float*, Stream);
template void launch_probe(const LineTask<double>&, Index, Index, bool, Index, bool, double*, Stream);
template void launch_middle(const MiddleTask<float>&, Stream);
template void launch_middle(const MiddleTask<double>&, Stream);

}  // namespace poisson3d::cufft
