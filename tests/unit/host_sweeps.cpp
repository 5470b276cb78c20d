// The sweeps of the cufft engine as sweeps.hpp defines them, element by element on the host, and FFTs as plain
// sums: the engine's tables, layout and order of work are then tested where there is no GPU.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <numbers>
#include <vector>

#include "batch_fft.hpp"
#include "orbit_ops.hpp"
#include "pass_clock.hpp"
#include "poisson3d/device_memory.hpp"
#include "sweeps.hpp"
#include "typical_value.hpp"

namespace poisson3d {

void copy_to_device(void* device, const void* host, std::size_t bytes, Stream) {
    if (bytes > 0) std::memcpy(device, host, bytes);
}
void fill_on_device(void* to, unsigned char byte, std::size_t bytes, Stream) {
    std::memset(to, byte, bytes);
}
void copy_on_device(void* to, const void* from, std::size_t bytes, Stream) {
    std::memcpy(to, from, bytes);
}
void synchronize(Stream) {}

}  // namespace poisson3d

namespace poisson3d::cufft {

PassClock::PassClock() = default;
PassClock::~PassClock() = default;
void PassClock::start(Stream, bool) {}
void PassClock::mark(int, Stream) const {}
void PassClock::read(std::vector<PassReport>&, double) const {}

FftHandle::~FftHandle() = default;
FftHandle::FftHandle(FftHandle&&) noexcept {}
FftHandle& FftHandle::operator=(FftHandle&&) noexcept {
    return *this;
}
template <class T>
BatchFft<T>::BatchFft(Index length, Index distance, Index batch, std::size_t)
    : length_(length), distance_(distance), batch_(batch) {}
template <class T>
void BatchFft<T>::set_work(void*) {}

template <class T>
void BatchFft<T>::execute(void* data, Index first, Index count, Stream) const {
    std::vector<Complex<long double>> unit(length_);
    for (Index j = 0; j < length_; ++j) {
        const long double angle = -2 * std::numbers::pi_v<long double> * static_cast<long double>(j) / length_;
        unit[j] = {std::cos(angle), std::sin(angle)};
    }
    std::vector<Complex<T>> in(length_);
    for (Index b = first; b < first + count; ++b) {
        Complex<T>* const z = static_cast<Complex<T>*>(data) + b * distance_;
        if (std::isnan(z[0].re)) continue;  // it stays none; sums of such numbers take long
        std::copy_n(z, length_, in.begin());
        for (Index k = 0; k < length_; ++k) {
            Complex<long double> sum{0, 0};
            for (Index j = 0, turn = 0; j < length_;
                 ++j, turn = turn + k < length_ ? turn + k : turn + k - length_) {
                const Complex<long double> w = unit[turn];
                sum.re += w.re * in[j].re - w.im * in[j].im;
                sum.im += w.re * in[j].im + w.im * in[j].re;
            }
            z[k] = {static_cast<T>(sum.re), static_cast<T>(sum.im)};
        }
    }
}
template class BatchFft<float>;
template class BatchFft<double>;

/// e^{2πi (a/n_x + b/n_y + c/n_z)}
Complex<long double> box_phase(const Extents& n, Index a, Index b, Index c) {
    const auto turns = [](Index k, Index m) {
        return static_cast<long double>(k % m) / static_cast<long double>(m);
    };
    const long double angle =
        2 * std::numbers::pi_v<long double> * (turns(a, n[0]) + turns(b, n[1]) + turns(c, n[2]));
    return {std::cos(angle), std::sin(angle)};
}

/// The points of the boxes that are planned: BoxFft itself leaves them to cuFFT.
std::map<const void*, Extents>& boxes() {
    static std::map<const void*, Extents> all;
    return all;
}

template <class T>
BoxFft<T>::BoxFft(const Extents& points) {
    boxes()[this] = points;
}
template <class T>
void BoxFft<T>::set_work(void*) {}

/// Modes (k_x, k_y, k_z ≤ n_z/2) of a field whose rows are `row` apart.
template <class T>
void box_forward(const Extents& n, const T* field, Index row, Complex<T>* modes) {
    const std::vector<T> in(field, field + n[0] * n[1] * row);
    const Index half = n[2] / 2 + 1;
    for (Index a = 0; a < n[0]; ++a)
        for (Index b = 0; b < n[1]; ++b)
            for (Index c = 0; c < half; ++c) {
                Complex<long double> sum{0, 0};
                for (Index i = 0; i < n[0]; ++i)
                    for (Index j = 0; j < n[1]; ++j)
                        for (Index k = 0; k < n[2]; ++k) {
                            const Complex<long double> w = box_phase(n, a * i, b * j, c * k);
                            const long double value = in[(i * n[1] + j) * row + k];
                            sum.re += w.re * value, sum.im -= w.im * value;
                        }
                modes[(a * n[1] + b) * half + c] = {static_cast<T>(sum.re), static_cast<T>(sum.im)};
            }
}

template <class T>
void box_backward(const Extents& n, const Complex<T>* modes, T* field, Index row) {
    const Index half = n[2] / 2 + 1;
    const std::vector<Complex<T>> in(modes, modes + n[0] * n[1] * half);
    for (Index i = 0; i < n[0]; ++i)
        for (Index j = 0; j < n[1]; ++j)
            for (Index k = 0; k < n[2]; ++k) {
                long double sum = 0;
                for (Index a = 0; a < n[0]; ++a)
                    for (Index b = 0; b < n[1]; ++b)
                        for (Index c = 0; c < half; ++c) {
                            const Complex<long double> w = box_phase(n, a * i, b * j, c * k);
                            const Complex<T> z = in[(a * n[1] + b) * half + c];
                            const int times = c == 0 || 2 * c == n[2] ? 1 : 2;  // with its conjugate
                            sum += times * (w.re * z.re - w.im * z.im);
                        }
                field[(i * n[1] + j) * row + k] = static_cast<T>(sum);
            }
}

template <class T>
void BoxFft<T>::forward(const T* field, void* modes, Stream) const {
    const Extents& n = boxes().at(this);
    box_forward(n, field, n[2], static_cast<Complex<T>*>(modes));
}
template <class T>
void BoxFft<T>::backward(void* modes, T* field, Stream) const {
    const Extents& n = boxes().at(this);
    box_backward(n, static_cast<const Complex<T>*>(modes), field, n[2]);
}
template <class T>
void BoxFft<T>::forward_in_place(void* field, Stream) const {
    const Extents& n = boxes().at(this);
    box_forward(n, static_cast<const T*>(field), 2 * (n[2] / 2 + 1), static_cast<Complex<T>*>(field));
}
template <class T>
void BoxFft<T>::backward_in_place(void* modes, Stream) const {
    const Extents& n = boxes().at(this);
    box_backward(n, static_cast<const Complex<T>*>(modes), static_cast<T*>(modes), 2 * (n[2] / 2 + 1));
}
template class BoxFft<float>;
template class BoxFft<double>;

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
void launch_typical_value(const T* f, const Strides& strides, const Extents& extents, Constant<T>* value,
                          Index fields, Index f_next, Index value_next, Stream) {
    for (Index b = 0; b < fields; ++b) {
        const Constant<T> found = typical_value(f + b * f_next, strides, extents);
        (&value->high)[b * value_next] = found.high;
        (&value->high)[b * value_next + 1] = found.low;
    }
}

template <class T>
void launch_face(T* out, Index stride_x, Index stride_y, const Extents& extents, const FaceValues<T>& face,
                 Index fields, Index next, Stream) {
    for (Index b = 0; b < fields; ++b)
        for (Index i = 0; i < extents[0]; ++i)
            for (Index j = 0; j < extents[1]; ++j)
                for (Index k = 0; k < extents[2]; ++k)
                    out[b * next + i * stride_x + j * stride_y + k] = value_at(face, extents[0] == 1 ? j : i, k, b);
}

template <class T>
void launch_shift(const T* in, Index in_x, Index in_y, T* out, Index out_x, Index out_y, const Extents& extents,
                  const T* high, const T* low, Stream) {
    const T less = high != nullptr ? *high : T(0);
    const T rest = low != nullptr ? *low : T(0);
    for (Index i = 0; i < extents[0]; ++i)
        for (Index j = 0; j < extents[1]; ++j)
            for (Index k = 0; k < extents[2]; ++k)
                out[i * out_x + j * out_y + k] = in[i * in_x + j * in_y + k] - less - rest;
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
template void launch_typical_value(const float*, const Strides&, const Extents&, Constant<float>*, Index, Index,
                                   Index, Stream);
template void launch_face(float*, Index, Index, const Extents&, const FaceValues<float>&, Index, Index, Stream);
template void launch_shift(const float*, Index, Index, float*, Index, Index, const Extents&, const float*,
                           const float*, Stream);
template void launch_periodic(const PeriodicTask<float>&, Stream);
template void launch_rotate(const RotateTask<float>&, Stream);
template void launch_middle(const MiddleTask<float>&, Stream);
template void launch_gather(const LineTask<double>&, Stream);
template void launch_scatter(const LineTask<double>&, Stream);
template void launch_probe(const LineTask<double>&, Index, Index, bool, Index, bool, double*, Stream);
template void launch_typical_value(const double*, const Strides&, const Extents&, Constant<double>*, Index, Index,
                                   Index, Stream);
template void launch_face(double*, Index, Index, const Extents&, const FaceValues<double>&, Index, Index, Stream);
template void launch_shift(const double*, Index, Index, double*, Index, Index, const Extents&, const double*,
                           const double*, Stream);
template void launch_periodic(const PeriodicTask<double>&, Stream);
template void launch_rotate(const RotateTask<double>&, Stream);
template void launch_middle(const MiddleTask<double>&, Stream);

}  // namespace poisson3d::cufft
