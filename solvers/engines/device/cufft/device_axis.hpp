// The tables of one axis in device memory, and its FFTs.
#pragma once

#include <vector>

#include "batch_fft.hpp"
#include "orbit_tables.hpp"
#include "pipeline.hpp"
#include "sweeps.hpp"

namespace poisson3d::cufft {

/// The FFTs of an axis on `lines` lines that lie one behind the other.
template <class T>
class LineFfts {
public:
    LineFfts(const AxisTables<T>& axis, Index lines, std::size_t max_work);

    [[nodiscard]] std::size_t work_bytes() const noexcept;
    void set_work(void* work);
    /// In place.
    void execute(Complex<T>* work, Stream stream) const;

private:
    std::vector<Index> offsets_;
    std::vector<device::BatchFft<T>> ffts_;
};

template <class T>
struct DeviceAxis {
    explicit DeviceAxis(AxisTables<T> host) : tables(std::move(host)) {}

    /// Reserves the bytes; then, with the workspace there, copies the tables to the device. Synchronises.
    void reserve(device::WorkspaceLayout& layout);
    void upload(std::byte* workspace);

    AxisTables<T> tables;
    Orbits<T> forward_pre, forward_post, backward_pre, backward_post;
    const T* eigenvalues = nullptr;

private:
    std::size_t offset_ = 0;
};

}  // namespace poisson3d::cufft
