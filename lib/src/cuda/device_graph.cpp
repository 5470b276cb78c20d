#include "poisson3d/device_graph.hpp"

#include "cuda/check.hpp"
#include "poisson3d/device_stream.hpp"

namespace poisson3d {

using cuda::check;
using cuda::queue;

DeviceGraph::DeviceGraph(const std::function<void(Stream)>& work) {
    const DeviceStream stream;
    cudaGraph_t recorded = nullptr;
    // Other threads may allocate meanwhile.
    check(cudaStreamBeginCapture(queue(stream.get()), cudaStreamCaptureModeThreadLocal), "graph on the device");
    try {
        work(stream.get());
    } catch (...) {
        cudaStreamEndCapture(queue(stream.get()), &recorded);
        if (recorded != nullptr) cudaGraphDestroy(recorded);
        cudaGetLastError();  // what was thrown says more
        throw;
    }
    check(cudaStreamEndCapture(queue(stream.get()), &recorded), "graph on the device");
    cudaGraphExec_t made = nullptr;
    const cudaError_t status = cudaGraphInstantiate(&made, recorded, 0);
    cuda::release([&] { return cudaGraphDestroy(recorded); });
    check(status, "graph on the device");
    handle_ = made;
}

DeviceGraph::~DeviceGraph() {
    cuda::release([&] { return cudaGraphExecDestroy(static_cast<cudaGraphExec_t>(handle_)); });
}

void DeviceGraph::launch(Stream stream) const {
    check(cudaGraphLaunch(static_cast<cudaGraphExec_t>(handle_), queue(stream)), "graph on the device");
}

}  // namespace poisson3d
