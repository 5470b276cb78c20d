// The sweeps of the cufft engine as sweeps.hpp defines them, element by element on the host.
#include <algorithm>
#include <cmath>
#include <vector>

#include "orbit_ops.hpp"
#include "sweeps.hpp"

namespace poisson3d::cufft {

/// One orbit in registers, whatever its size.
template <class T>
class OnHost {
public:
    OnHost(const Orbits<T>& orbits, int o) : orbits_(orbits), o_(o) {}

    [[nodiscard]] int size() const { return orbits_.size; }
    [[nodiscard]] std::int32_t in(int e) const { return orbits_.in[e * orbits_.count + o_]; }
    [[nodiscard]] std::int32_t out(int e) const { return orbits_.out[e * orbits_.count + o_]; }
    void post(Complex<T>* z) const { mix(true, z); }
    void pre(Complex<T>* z) const { mix(false, z); }

private:
    [[nodiscard]] Complex<T> coefficient(int i) const { return orbits_.coefficients[i * orbits_.count + o_]; }
    void mix(bool post, Complex<T>* z) const {
        switch (orbits_.size) {
            case 2:
                return apply(PairMap<T>{coefficient(0), coefficient(1), coefficient(2), coefficient(3)}, z[0],
                             z[1]);
            case 4: return type_one<4>(post, z);
            case 8: return type_one<8>(post, z);
            default: return type_one<16>(post, z);
        }
    }
    template <int size>
    void type_one(bool post, Complex<T>* z) const {
        Complex<T> alpha[size / 2 - 1];
        for (int i = 0; i < size / 2 - 1; ++i) alpha[i] = coefficient(i);
        post ? type_one_post<size>(orbits_.sine, alpha, z) : type_one_pre<size>(orbits_.sine, alpha, z);
    }

    const Orbits<T>& orbits_;
    int o_;
};

constexpr int most = 16;

template <class T>
void store_mirrored(Complex<T>* line, std::int32_t at, Complex<T> z, const Mirror& mirror) {
    if (at < 0) return;
    line[at] = z;
    const int j = at - mirror.row;
    if (mirror.half == 0 || j <= 0 || j >= mirror.half) return;
    line[mirror.row + 2 * mirror.half - j] = mirror.sine ? T(-1) * z : z;
    if (mirror.sine) line[mirror.row] = line[mirror.row + mirror.half] = {0, 0};
}

template <class T>
void launch_gather(const LineTask<T>& task, Stream) {
    for (Index x = 0; x < task.extent_x; ++x)
        for (Index p = 0; p < task.pairs; ++p)
            for (int o = 0; o < task.z.count; ++o) {
                const OnHost<T> orbit(task.z, o);
                const auto value = [&](Index y, int e) {
                    if (y < 0 || orbit.in(e) < 0) return T(0);
                    const auto [high, low] = task.shift != nullptr ? *task.shift : Constant<T>{};
                    const T f = task.field[x * task.stride_x + y * task.stride_y + orbit.in(e)] - high - low;
                    const BoundaryTerms<T>& terms = task.boundary;
                    if (!terms.any) return task.scale * f;
                    return task.scale * f +
                           terms(terms.first[0] + x, terms.first[1] + y, terms.first[2] + orbit.in(e));
                };
                Complex<T> z[most] = {};
                for (int e = 0; e < 2; ++e) z[e] = {value(task.pair[p], e), value(task.pair[task.pairs + p], e)};
                orbit.pre(z);
                for (int e = 0; e < 2; ++e)
                    store_mirrored(task.work + (x * task.pairs + p) * task.pitch, orbit.out(e), z[e], task.mirror);
            }
}

/// What scatter makes of one orbit.
template <class T>
void finish_line(const LineTask<T>& task, Index x, Index p, const OnHost<T>& orbit, Complex<T>* z) {
    for (int e = 0; e < 2; ++e)
        z[e] = orbit.in(e) < 0 ? Complex<T>{0, 0} : task.work[(x * task.pairs + p) * task.pitch + orbit.in(e)];
    orbit.post(z);
}

template <class T>
void launch_scatter(const LineTask<T>& task, Stream) {
    const T less = task.subtract != nullptr ? *task.subtract : T(0);
    for (Index x = 0; x < task.extent_x; ++x)
        for (Index p = 0; p < task.pairs; ++p)
            for (int part = 0; part < 2; ++part) {
                const Index y = task.pair[part * task.pairs + p];
                if (y < 0) continue;
                T* const row = task.field + x * task.stride_x + y * task.stride_y;
                for (int o = 0; o < task.z.count; ++o) {
                    const OnHost<T> orbit(task.z, o);
                    Complex<T> z[most] = {};
                    finish_line(task, x, p, orbit, z);
                    for (int e = 0; e < 2; ++e)
                        if (orbit.out(e) >= 0) row[orbit.out(e)] = (part == 0 ? z[e].re : z[e].im) - less;
                }
                const BoundaryTerms<T>& terms = task.boundary;
                const auto end = [&](int side) {
                    return value_at(terms.face[2][side], terms.first[0] + x, terms.first[1] + y);
                };
                if (task.below > 0) row[-1] = end(0);
                if (task.above > 0) row[task.samples] = end(1);
            }
}

template <class T>
void launch_probe(const LineTask<T>& task, Index x, Index p, bool imaginary, Index o, bool second, T* value,
                  Stream) {
    Complex<T> z[most] = {};
    finish_line(task, x, p, OnHost<T>(task.z, static_cast<int>(o)), z);
    *value = imaginary ? z[second].im : z[second].re;
}

template <class T>
void launch_periodic(const PeriodicTask<T>& task, Stream) {
    for (Index i = 0; i < task.extents[0]; ++i)
        for (Index j = 0; j < task.extents[1]; ++j)
            for (Index k = 0; k < task.extents[2]; ++k) {
                Complex<T>& mode = task.work[(i * task.extents[1] + j) * task.extents[2] + k];
                const T sum = task.lambda_x[i] + task.lambda_y[j] + task.lambda_z[k] + task.shift;
                if (task.removed != nullptr && i == 0 && j == 0 && k == 0) {
                    *task.removed = mode.re * task.factor;
                    mode = {0, 0};
                    continue;
                }
                const T factor = task.multiply ? task.factor * sum : task.factor / sum;
                mode = factor * mode;
            }
}

template <class T>
void launch_rotate(const RotateTask<T>& task, Stream) {
    for (Index b = 0; b < task.batches; ++b)
        for (int c = 0; c < task.column_count; ++c)
            for (int r = 0; r < task.row_count; ++r) {
                const OnHost<T> column(task.columns, task.first_column + c);
                const OnHost<T> row(task.rows, task.first_row + r);
                Complex<T> z[most][most] = {};  // [row element][column element]
                for (int s = 0; s < row.size(); ++s) {
                    Index offset = -1;
                    if (task.repair == Repair::rows)
                        offset = 2 * b + s < task.halves ? r * task.in_row + s * task.in_half : -1;
                    else if (row.in(s) >= 0)
                        offset = row.in(s)*task.in_row;
                    if (offset >= 0)
                        for (int e = 0; e < column.size(); ++e)
                            if (column.in(e) >= 0) z[s][e] = task.in[b * task.in_batch + offset + column.in(e)];
                    column.post(z[s]);
                    if (task.repair == Repair::columns) repair(z[s][0], z[s][1]);
                }
                for (int e = 0; e < column.size(); ++e) {
                    Complex<T> v[most] = {};
                    for (int s = 0; s < row.size(); ++s) v[s] = z[s][e];
                    if (task.repair == Repair::rows) repair(v[0], v[1]);
                    row.pre(v);
                    Index line = -1;
                    if (task.repair == Repair::columns)
                        line = 2 * b + e < task.halves ? c * task.out_line + e * task.out_half : -1;
                    else if (column.out(e) >= 0)
                        line = column.out(e) * task.out_line;
                    if (line < 0) continue;
                    for (int s = 0; s < row.size(); ++s)
                        store_mirrored(task.out + b * task.out_batch + line, row.out(s), v[s], task.mirror);
                }
            }
}

template <class T>
void launch_middle(const MiddleTask<T>& task, Stream) {
    for (Index p = 0; p < task.pairs; ++p)
        for (Index x = 0; x < task.extent_x; ++x)
            for (int o = 0; o < task.post.count; ++o) {
                const OnHost<T> after(task.post, o);
                const OnHost<T> before(task.pre, o);
                Complex<T>* const line = task.work + (p * task.extent_x + x) * task.pitch;
                Complex<T> z[most] = {};
                for (int e = 0; e < after.size(); ++e)
                    if (after.in(e) >= 0) z[e] = line[after.in(e)];
                after.post(z);
                for (int e = 0; e < after.size(); ++e) {
                    const int slot = before.in(e);
                    const auto mode = [&](Index half, T value) {
                        if (slot < 0 || 2 * p + half >= task.extent_z) return T(0);
                        const T sum =
                            task.lambda_x[x] + task.lambda_y[slot] + task.lambda_z[2 * p + half] + task.shift;
                        if (task.removed != nullptr && p == 0 && half == 0 && x == 0 && slot == 0) {
                            *task.removed = value * task.factor;
                            return T(0);
                        }
                        return task.multiply ? value * task.factor * sum : value * task.factor / sum;
                    };
                    z[e] = {mode(0, z[e].re), mode(1, z[e].im)};
                }
                before.pre(z);
                for (int e = 0; e < before.size(); ++e) store_mirrored(line, before.out(e), z[e], task.mirror);
            }
}

template void launch_gather(const LineTask<float>&, Stream);
template void launch_scatter(const LineTask<float>&, Stream);
template void launch_probe(const LineTask<float>&, Index, Index, bool, Index, bool, float*, Stream);
template void launch_periodic(const PeriodicTask<float>&, Stream);
template void launch_rotate(const RotateTask<float>&, Stream);
template void launch_middle(const MiddleTask<float>&, Stream);
template void launch_gather(const LineTask<double>&, Stream);
template void launch_scatter(const LineTask<double>&, Stream);
template void launch_probe(const LineTask<double>&, Index, Index, bool, Index, bool, double*, Stream);
template void launch_periodic(const PeriodicTask<double>&, Stream);
template void launch_rotate(const RotateTask<double>&, Stream);
template void launch_middle(const MiddleTask<double>&, Stream);

}  // namespace poisson3d::cufft
