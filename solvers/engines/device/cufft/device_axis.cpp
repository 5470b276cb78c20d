#include "device_axis.hpp"

#include <algorithm>

#include "poisson3d/device_memory.hpp"

namespace poisson3d::cufft {

template <class T>
LineFfts<T>::LineFfts(const AxisTables<T>& axis, Index lines, std::size_t max_work) {
    for (const FftBlock& block : axis.ffts) {
        offsets_.push_back(block.offset);
        // Several FFTs of a line are spaced so that those of all lines are.
        ffts_.emplace_back(block.length, axis.rows / block.count, lines * block.count, max_work);
    }
}

template <class T>
std::size_t LineFfts<T>::work_bytes() const noexcept {
    std::size_t most = 0;
    for (const device::BatchFft<T>& fft : ffts_) most = std::max(most, fft.work_bytes());
    return most;
}

template <class T>
void LineFfts<T>::set_work(void* work) {
    for (device::BatchFft<T>& fft : ffts_) fft.set_work(work);
}

template <class T>
void LineFfts<T>::execute(Complex<T>* work, Stream stream) const {
    for (std::size_t i = 0; i < ffts_.size(); ++i) ffts_[i].execute(work + offsets_[i], stream);
}

namespace {

/// Visits the arrays of an axis in the order in which they lie: visit(host array, where its device address goes).
template <class T, class Visit>
void for_each_array(DeviceAxis<T>& axis, const Visit& visit) {
    const auto orbits = [&](const OrbitTable<T>& table, Orbits<T>& device) {
        device.size = table.size;
        device.sine = table.sine;
        device.count = static_cast<int>(table.orbits);
        visit(table.in, device.in);
        visit(table.out, device.out);
        visit(table.coefficients, device.coefficients);
    };
    orbits(axis.tables.forward_pre, axis.forward_pre);
    orbits(axis.tables.forward_post, axis.forward_post);
    orbits(axis.tables.backward_pre, axis.backward_pre);
    orbits(axis.tables.backward_post, axis.backward_post);
    visit(axis.tables.eigenvalues, axis.eigenvalues);
}

}  // namespace

template <class T>
void DeviceAxis<T>::reserve(device::WorkspaceLayout& layout) {
    device::WorkspaceLayout inside;
    for_each_array(*this, [&](const auto& array, auto&) { inside.take(array.size() * sizeof(array[0])); });
    offset_ = layout.take(inside.end());
}

template <class T>
void DeviceAxis<T>::upload(std::byte* workspace) {
    device::WorkspaceLayout inside;
    for_each_array(*this, [&](const auto& array, auto& address) {
        const std::size_t bytes = array.size() * sizeof(array[0]);
        std::byte* const place = workspace + offset_ + inside.take(bytes);
        copy_to_device(place, array.data(), bytes);
        address = reinterpret_cast<decltype(address + 0)>(place);
    });
}

template class LineFfts<float>;
template class LineFfts<double>;
template struct DeviceAxis<float>;
template struct DeviceAxis<double>;

}  // namespace poisson3d::cufft
