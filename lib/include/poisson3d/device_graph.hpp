// Work of a stream that is recorded once and launched many times: one launch takes the host less than the kernels
// would, one after the other. The same symbols stand in every build; without CUDA they throw Error{device}.
#pragma once

#include <functional>

#include "poisson3d/export.hpp"
#include "poisson3d/stream.hpp"

namespace poisson3d {

class POISSON3D_API DeviceGraph {
public:
    /// Calls work(stream) with a stream of its own on the current device, in which what is put is recorded and does
    /// not run. What `work` throws is thrown on. Throws Error{device} where work cannot be recorded.
    explicit DeviceGraph(const std::function<void(Stream)>& work);
    /// Its launches must be done, or be followed by a wait.
    ~DeviceGraph();
    DeviceGraph(const DeviceGraph&) = delete;
    DeviceGraph& operator=(const DeviceGraph&) = delete;

    /// Asynchronous, in the order of the stream, with the pointers that were recorded.
    void launch(Stream stream) const;

private:
    void* handle_ = nullptr;
};

}  // namespace poisson3d
