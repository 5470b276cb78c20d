// The sweeps that keep a line in place: gather (f to complex lines), scatter (complex lines to u), middle (mode
// space), mirror. A thread holds orbits in registers; lanes run over neighbouring orbits of a line.
#include <algorithm>

#include "device_orbits.cuh"

namespace poisson3d::cufft {

namespace {

constexpr int threads = 256;

/// Threads of a block along a line (a power of two) and across lines; `each` lines a thread.
struct LineGrid {
    int along, across, each;
    Index chunks, groups;
};

LineGrid line_grid(Index orbits, Index lines, int each) {
    int along = 32;
    while (along < threads && along < orbits) along *= 2;
    const int across = threads / along;
    return {along, across, each, divide_up(orbits, along), divide_up(lines, static_cast<Index>(across) * each)};
}

/// The orbit and the first line of this thread; lines follow at distance `across`.
struct Mine {
    int orbit;
    Index line;
};
__device__ __forceinline__ Mine mine(const LineGrid& grid) {
    const auto [group, chunk] = cuda::divide(blockIdx.x, grid.chunks);
    const int x = static_cast<int>(threadIdx.x) & (grid.along - 1);
    const int y = static_cast<int>(threadIdx.x) / grid.along;
    return {static_cast<int>(chunk) * grid.along + x, group * grid.across * grid.each + y};
}

template <class T>
__global__ void __launch_bounds__(threads) gather_kernel(const LineTask<T> task, LineGrid grid) {
    constexpr int each = 4;
    const auto [o, first] = mine(grid);
    if (o >= task.z.count) return;
    Places<T, 2> from;
    Places<T, 2> to;
    from.read(task.z.in, task.z.count, o, true);
    to.read(task.z.out, task.z.count, o, true);
    Coefficients<T, 2> coefficients;
    coefficients.read(task.z, o);
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
        pre(coefficients, false, z[i]);
#pragma unroll
        for (int e = 0; e < 2; ++e)
            if (to.index[e] >= 0) store(task.work + line * task.pitch + to.index[e], z[i][e]);
    }
}

template <class T>
__global__ void __launch_bounds__(threads) scatter_kernel(const LineTask<T> task, LineGrid grid) {
    constexpr int each = 4;
    const auto [o, first] = mine(grid);
    if (o >= task.z.count) return;
    Places<T, 2> from;
    Places<T, 2> to;
    from.read(task.z.in, task.z.count, o, true);
    to.read(task.z.out, task.z.count, o, true);
    Coefficients<T, 2> coefficients;
    coefficients.read(task.z, o);
    const T less = task.subtract != nullptr ? *task.subtract : T(0);
    const Index lines = task.extent_x * task.pairs;
    Complex<T> z[each][2];
#pragma unroll
    for (int i = 0; i < each; ++i) {
        const Index line = first + i * grid.across;
#pragma unroll
        for (int e = 0; e < 2; ++e)
            z[i][e] = line < lines && from.index[e] >= 0 ? load(task.work + line * task.pitch + from.index[e])
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
                for (Index k = 1; k <= task.below; ++k) row[-k] = T(0);
                for (Index k = 0; k < task.above; ++k) row[task.samples + k] = T(0);
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
        z[e] = from.index[e] >= 0 ? load(task.work + (x * task.pairs + p) * task.pitch + from.index[e])
                                  : Complex<T>{0, 0};
    post(coefficients, false, z);
    *value = imaginary ? z[second].im : z[second].re;
}

template <class T, int size>
__global__ void __launch_bounds__(threads) middle_kernel(const MiddleTask<T> task, LineGrid grid) {
    constexpr int each = size == 2 ? 4 : 1;
    const auto [o, first] = mine(grid);
    if (o >= task.post.count) return;
    Places<T, size> from;
    Places<T, size> slot;
    Places<T, size> to;
    from.read(task.post.in, task.post.count, o, true);
    slot.read(task.pre.in, task.pre.count, o, true);
    to.read(task.pre.out, task.pre.count, o, true);
    const Index lines = task.pairs * task.extent_x;
    Complex<T> z[each][size];
#pragma unroll
    for (int i = 0; i < each; ++i) {
        const Index line = first + i * grid.across;
#pragma unroll
        for (int e = 0; e < size; ++e)
            z[i][e] = line < lines && from.index[e] >= 0 ? load(task.work + line * task.pitch + from.index[e])
                                                         : Complex<T>{0, 0};
    }
    Coefficients<T, size> after;
    Coefficients<T, size> before;
    after.read(task.post, o);
    before.read(task.pre, o);
#pragma unroll
    for (int i = 0; i < each; ++i) {
        const Index line = first + i * grid.across;
        if (line >= lines) return;
        const auto [p, x] = cuda::divide(line, task.extent_x);
        post(after, task.post.sine, z[i]);
        const bool odd = 2 * p + 1 < task.extent_z;  // is there a second line?
        const T outer = task.lambda_x[x] + task.shift;
        const T re = outer + task.lambda_z[2 * p];
        const T im = outer + task.lambda_z[odd ? 2 * p + 1 : 2 * p];
#pragma unroll
        for (int e = 0; e < size; ++e) {
            Complex<T>& mode = z[i][e];
            if (slot.index[e] < 0) {
                mode = {0, 0};
                continue;
            }
            const T along = task.lambda_y[slot.index[e]];
            T sum_re = re + along;
            const bool constant = task.removed != nullptr && line == 0 && slot.index[e] == 0;
            if (constant) {
                *task.removed = mode.re;
                mode.re = T(0);
                sum_re = T(1);  // anything but 0
            }
            const T sum_im = constant && !odd ? T(1) : im + along;
            mode.re = task.multiply ? mode.re * task.factor * sum_re : mode.re * task.factor / sum_re;
            mode.im = task.multiply ? mode.im * task.factor * sum_im : mode.im * task.factor / sum_im;
            if (!odd) mode.im = T(0);
        }
        pre(before, task.pre.sine, z[i]);
#pragma unroll
        for (int e = 0; e < size; ++e)
            if (to.index[e] >= 0) store(task.work + line * task.pitch + to.index[e], z[i][e]);
    }
}

template <class T>
__global__ void __launch_bounds__(threads) mirror_kernel(const MirrorTask<T> task, LineGrid grid) {
    const auto [j, first] = mine(grid);
    if (j > task.half) return;
    const Index line = first;
    if (line >= task.lines) return;
    Complex<T>* const row = task.work + line * task.pitch + task.row;
    if (j == 0 || j == task.half) {
        if (task.sine) store(row + j, Complex<T>{0, 0});
        return;
    }
    const Complex<T> value = load(row + j);
    store(row + 2 * task.half - j, task.sine ? Complex<T>{-value.re, -value.im} : value);
}

template <class T>
void launch_lines(void (*kernel)(LineTask<T>, LineGrid), const LineTask<T>& task, Stream stream, const char* what) {
    const LineGrid grid = line_grid(task.z.count, task.extent_x * task.pairs, 4);
    kernel<<<blocks(grid.chunks * grid.groups), threads, 0, queue(stream)>>>(task, grid);
    check(cudaGetLastError(), what);
}

}  // namespace

template <class T>
void launch_gather(const LineTask<T>& task, Stream stream) {
    launch_lines<T>(&gather_kernel<T>, task, stream, "launch of the gathering sweep");
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
        const LineGrid grid = line_grid(task.post.count, task.pairs * task.extent_x, size == 2 ? 4 : 1);
        middle_kernel<T, size><<<blocks(grid.chunks * grid.groups), threads, 0, queue(stream)>>>(task, grid);
        check(cudaGetLastError(), "launch of the middle sweep");
    });
}

template <class T>
void launch_mirror(const MirrorTask<T>& task, Stream stream) {
    if (task.half == 0) return;
    const LineGrid grid = line_grid(task.half + 1, task.lines, 1);
    mirror_kernel<T><<<blocks(grid.chunks * grid.groups), threads, 0, queue(stream)>>>(task, grid);
    check(cudaGetLastError(), "launch of the mirroring sweep");
}

template void launch_gather(const LineTask<float>&, Stream);
template void launch_gather(const LineTask<double>&, Stream);
template void launch_scatter(const LineTask<float>&, Stream);
template void launch_scatter(const LineTask<double>&, Stream);
template void launch_probe(const LineTask<float>&, Index, Index, bool, Index, bool, float*, Stream);
template void launch_probe(const LineTask<double>&, Index, Index, bool, Index, bool, double*, Stream);
template void launch_middle(const MiddleTask<float>&, Stream);
template void launch_middle(const MiddleTask<double>&, Stream);
template void launch_mirror(const MirrorTask<float>&, Stream);
template void launch_mirror(const MirrorTask<double>&, Stream);

}  // namespace poisson3d::cufft
