// What engines of a GPU share, on the host: memory, clocks, FFTs as plain sums, sweeps over fields. Their tables,
// layout and order of work are then tested where there is no GPU.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <numbers>
#include <vector>

#include "batch_fft.hpp"
#include "field_sweeps.hpp"
#include "host_device.hpp"
#include "pass_clock.hpp"
#include "poisson3d/device_memory.hpp"

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

namespace poisson3d::device {

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

template void launch_typical_value(const float*, const Strides&, const Extents&, Constant<float>*, Index, Index,
                                   Index, Stream);
template void launch_face(float*, Index, Index, const Extents&, const FaceValues<float>&, Index, Index, Stream);
template void launch_shift(const float*, Index, Index, float*, Index, Index, const Extents&, const float*,
                           const float*, Stream);
template void launch_typical_value(const double*, const Strides&, const Extents&, Constant<double>*, Index, Index,
                                   Index, Stream);
template void launch_face(double*, Index, Index, const Extents&, const FaceValues<double>&, Index, Index, Stream);
template void launch_shift(const double*, Index, Index, double*, Index, Index, const Extents&, const double*,
                           const double*, Stream);

}  // namespace poisson3d::device
