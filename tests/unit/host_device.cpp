// What engines of a GPU share, on the host: memory, clocks, FFTs as plain sums, sweeps over fields. Their tables,
// layout and order of work are then tested where there is no GPU.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <numbers>
#include <utility>
#include <vector>

#include "batch_fft.hpp"
#include "field_sweeps.hpp"
#include "free_gauge.hpp"
#include "host_device.hpp"
#include "pass_clock.hpp"
#include "placed_boxes.hpp"
#include "poisson3d/device_graph.hpp"
#include "poisson3d/device_memory.hpp"
#include "poisson3d/device_stream.hpp"
#include "poisson3d/error.hpp"
#include "row_tiles.hpp"

namespace poisson3d {

void copy_to_device(void* device, const void* host, std::size_t bytes, Stream) {
    if (bytes > 0) std::memcpy(device, host, bytes);
}
void copy_to_host(void* host, const void* device, std::size_t bytes, Stream) {
    if (bytes > 0) std::memcpy(host, device, bytes);
}
void fill_on_device(void* to, unsigned char byte, std::size_t bytes, Stream) {
    std::memset(to, byte, bytes);
}
void copy_on_device(void* to, const void* from, std::size_t bytes, Stream) {
    std::memcpy(to, from, bytes);
}
void synchronize(Stream) {}

/// Starts as garbage: not a number.
DeviceBuffer::DeviceBuffer(std::size_t bytes) : OwnedMemory(bytes) {
    data_ = std::aligned_alloc(256, bytes);
    std::memset(data_, 0xff, bytes);
}
void DeviceBuffer::release(void* data) noexcept {
    std::free(data);
}
DeviceEvent::DeviceEvent(bool) {}
DeviceEvent::~DeviceEvent() = default;
DeviceStream::DeviceStream() = default;
DeviceStream::~DeviceStream() = default;
/// What is launched runs at once.
DeviceGraph::DeviceGraph(const std::function<void(Stream)>&) {
    throw Error(ErrorCode::device, "nothing can be recorded on the host");
}
DeviceGraph::~DeviceGraph() = default;
void DeviceGraph::launch(Stream) const {}
DeviceScope::DeviceScope(int) {}
DeviceScope::~DeviceScope() = default;
std::size_t free_device_memory() {
    return std::size_t{1} << 32;
}
bool on_device(const void*) {
    return true;
}
int device_of(const void*) {
    return 0;
}

namespace {

/// body(number of a field, number of a place) for all that boxes have, in the tiles that blocks of threads take,
/// and in the vectors of 16 bytes that these move, if there are such.
template <class T, class View, class Body>
void for_placed(const PlacedBoxes& boxes, const View& field, const Body& body) {
    const bool vectors = field.data != nullptr && boxes.in_vectors(field, 16);
    const Index elements = vectors ? static_cast<Index>(16 / sizeof(T)) : 1;
    for (int b = 0; b < boxes.count; ++b) {
        const PlacedBox& box = boxes.table == nullptr ? boxes.one : boxes.table[b];
        const RowTiles tiles(box.points[0] * box.points[1], box.points[2] / elements);
        for (Index tile = 0; tile < tiles.count(); ++tile)
            for (int n = 0; n < RowTiles::size; ++n) {
                const RowTiles::Place at = tiles.place(tile / tiles.across, tile % tiles.across, n);
                if (!tiles.has(at)) continue;
                const Index i = at.row / box.points[1], j = at.row % box.points[1];
                const Index from = (box.first[0] + i) * field.strides[0] + (box.first[1] + j) * field.strides[1] +
                                   box.first[2] + at.at * elements;
                T* const there = static_cast<T*>(box.place) + i * box.plane_apart + j * box.row_apart;
                for (Index e = 0; e < elements; ++e) body(from + e, there[at.at * elements + e]);
            }
    }
}

}  // namespace

template <class T>
void launch_put_boxes(const PlacedBoxes& boxes, const FieldView<const T>& field, T constant, Stream) {
    for_placed<T>(boxes, field,
                  [&](Index from, T& there) { there = field.data == nullptr ? constant : field.data[from]; });
}
template <class T>
void launch_take_boxes(const PlacedBoxes& boxes, const FieldView<T>& field, Stream) {
    for_placed<T>(boxes, field, [&](Index to, const T& there) { field.data[to] = there; });
}
template void launch_put_boxes(const PlacedBoxes&, const FieldView<const float>&, float, Stream);
template void launch_put_boxes(const PlacedBoxes&, const FieldView<const double>&, double, Stream);
template void launch_take_boxes(const PlacedBoxes&, const FieldView<float>&, Stream);
template void launch_take_boxes(const PlacedBoxes&, const FieldView<double>&, Stream);

}  // namespace poisson3d

namespace poisson3d::device {

void PassClock::start(Stream, double) {}
void PassClock::mark(int, Stream) const {}
void PassClock::read(std::vector<PassReport>&) {}

}  // namespace poisson3d::device

namespace poisson3d::cufft {

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

}  // namespace poisson3d::cufft

namespace poisson3d::device {

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
void launch_held(const FieldView<T>& u, const Extents& begin, const Extents& end, const BoundaryTerms<T>& terms,
                 Index fields, Index next, Stream) {
    for (Index b = 0; b < fields; ++b)
        for (Index i = begin[0]; i < end[0]; ++i)
            for (Index j = begin[1]; j < end[1]; ++j)
                for (Index k = begin[2]; k < end[2]; ++k) (&u(i, j, k))[b * next] = terms.held(i, j, k, b);
}

template <class Body>
void for_each_point(const Extents& extents, Index fields, const Body& body) {
    for (Index b = 0; b < fields; ++b)
        for (Index i = 0; i < extents[0]; ++i)
            for (Index j = 0; j < extents[1]; ++j)
                for (Index k = 0; k < extents[2]; ++k) body(i, j, k, b);
}

template <class T>
void launch_right_hand_side(const RightHandSide<T>& task, Index fields, Stream) {
    for_each_point(task.out.extents, fields, [&](Index i, Index j, Index k, Index b) {
        (&task.out(i, j, k))[b * task.out_next] = task.at(i, j, k, b);
    });
}

template <class T>
void launch_subtract_value_at(const std::array<Index, 3>& point, const FieldView<T>& u, T* values, Index fields,
                              Index next, Stream) {
    for (Index b = 0; b < fields; ++b) values[b] = (&u(point[0], point[1], point[2]))[b * next];
    for_each_point(u.extents, fields,
                   [&](Index i, Index j, Index k, Index b) { (&u(i, j, k))[b * next] -= values[b]; });
}

template <class T>
void launch_mean(const WeightedMean<T>& task, Stream) {
    double sum = 0;
    for (Index i = 0; i < task.u.extents[0]; ++i)
        for (Index j = 0; j < task.u.extents[1]; ++j)
            for (Index k = 0; k < task.u.extents[2]; ++k)
                sum += task.weights[0][i] * task.weights[1][j] * task.weights[2][k] *
                       static_cast<double>(task.u(i, j, k));
    *task.mean = static_cast<T>(sum / task.total);
    if (task.low != nullptr) *task.low = static_cast<T>(sum / task.total - static_cast<double>(*task.mean));
}
template <class T>
void launch_mean_of_sums(const T* sums, int count, double total, T* mean, Stream) {
    double sum = 0;
    for (int m = 0; m < count; ++m) sum += static_cast<double>(sums[2 * m]) + static_cast<double>(sums[2 * m + 1]);
    *mean = static_cast<T>(sum / total);
}
template void launch_mean_of_sums(const float*, int, double, float*, Stream);
template void launch_mean_of_sums(const double*, int, double, double*, Stream);

template void launch_mean(const WeightedMean<float>&, Stream);
template void launch_mean(const WeightedMean<double>&, Stream);

template <class T>
void launch_typical_value(const SharedSamples<T>& shared, Constant<T>* value, Stream) {
    const Samples samples = shared.samples();
    *value = typical_value<T>(samples, [&](int group, Index s) { return shared.stretch(samples, group, s); });
}

template <class T>
void launch_samples(const FieldView<const T>& f, const std::array<Index, 2>& first, const SharedSamples<T>& shared,
                    T* numbers, Stream) {
    const Samples samples = shared.samples();
    const Extents& box = shared.points;
    for (int g = 0; g < Samples::groups; ++g)
        for (Index s = 0; s < samples.stretches(); ++s) {
            const Index at = samples.first(g, s), i = at / (box[1] * box[2]) - first[0];
            const Index j = at / box[2] % box[1] - first[1];
            if (i < 0 || i >= f.extents[0] || j < 0 || j >= f.extents[1]) continue;
            std::copy_n(&f(i, j, at % box[2]), samples.length(), numbers + shared.place(samples, g, s));
        }
}

template <class T>
void launch_subtract(const FieldView<T>& u, const T* values, Index fields, Index next, Stream) {
    for_each_point(u.extents, fields,
                   [&](Index i, Index j, Index k, Index b) { (&u(i, j, k))[b * next] -= values[b]; });
}

template void launch_typical_value(const SharedSamples<float>&, Constant<float>*, Stream);
template void launch_typical_value(const SharedSamples<double>&, Constant<double>*, Stream);
template void launch_samples(const FieldView<const float>&, const std::array<Index, 2>&,
                             const SharedSamples<float>&, float*, Stream);
template void launch_samples(const FieldView<const double>&, const std::array<Index, 2>&,
                             const SharedSamples<double>&, double*, Stream);
template void launch_subtract(const FieldView<float>&, const float*, Index, Index, Stream);
template void launch_subtract(const FieldView<double>&, const double*, Index, Index, Stream);
template void launch_typical_value(const float*, const Strides&, const Extents&, Constant<float>*, Index, Index,
                                   Index, Stream);
template void launch_right_hand_side(const RightHandSide<float>&, Index, Stream);
template void launch_subtract_value_at(const std::array<Index, 3>&, const FieldView<float>&, float*, Index, Index,
                                       Stream);
template void launch_held(const FieldView<float>&, const Extents&, const Extents&, const BoundaryTerms<float>&,
                          Index, Index, Stream);
template void launch_typical_value(const double*, const Strides&, const Extents&, Constant<double>*, Index, Index,
                                   Index, Stream);
template void launch_right_hand_side(const RightHandSide<double>&, Index, Stream);
template void launch_subtract_value_at(const std::array<Index, 3>&, const FieldView<double>&, double*, Index, Index,
                                       Stream);
template void launch_held(const FieldView<double>&, const Extents&, const Extents&, const BoundaryTerms<double>&,
                          Index, Index, Stream);

}  // namespace poisson3d::device

namespace poisson3d::fused {

bool multiplies_doubles_fast();
/// As devices that people solve on do: lines are done by the methods that these have.
bool multiplies_doubles_fast() {
    return true;
}

}  // namespace poisson3d::fused
