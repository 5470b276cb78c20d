// Boundary data in the memory of a GPU.
#pragma once

#include <cstddef>

#include "poisson3d/boundary_data.hpp"
#include "poisson3d/device_memory.hpp"

namespace poisson3d::app {

/// A copy of all face arrays on the current device, rows without gaps; numbers stay numbers. Made once before the
/// solve; blocks until the data has arrived.
template <class T>
class DeviceBoundary {
public:
    /// `host` is in host memory and only read here. Throws Error{out_of_memory}.
    DeviceBoundary(const Grid& grid, const BoundaryData<T>& host);

    /// Valid as long as this object.
    [[nodiscard]] const BoundaryData<T>& data() const noexcept { return data_; }

    /// Device memory of the arrays.
    static std::size_t bytes(const Grid& grid, const BoundaryData<T>& host);

private:
    DeviceBuffer memory_;
    BoundaryData<T> data_;
};

extern template class DeviceBoundary<float>;
extern template class DeviceBoundary<double>;

}  // namespace poisson3d::app
