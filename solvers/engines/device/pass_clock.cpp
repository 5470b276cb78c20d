#include "pass_clock.hpp"

#include <cuda_runtime_api.h>

#include "cuda/check.hpp"
#include "poisson3d/device_stream.hpp"

namespace poisson3d::device {

namespace {

using cuda::event;
using cuda::queue;

void destroy(const std::array<void*, 6>& events) {
    for (void* const handle : events)
        if (handle != nullptr) cuda::release([&] { return cudaEventDestroy(event(handle)); });
}

}  // namespace

PassClock::PassClock() {
    for (void*& handle : events_) {
        cudaEvent_t made = nullptr;
        if (const cudaError_t status = cudaEventCreate(&made); status != cudaSuccess) {
            destroy(events_);
            cuda::check(status, "timer of the passes");
        }
        handle = made;
    }
}

PassClock::~PassClock() {
    destroy(events_);
}

void PassClock::start(Stream stream, bool matters) {
    measuring_ = matters && !capturing(stream);
    mark(0, stream);
}

void PassClock::mark(int number, Stream stream) const {
    if (measuring_) cuda::check(cudaEventRecord(event(events_[number]), queue(stream)), "timer of the passes");
}

void PassClock::read(std::vector<PassReport>& reports, double share) const {
    if (!measuring_) return;
    cuda::check(cudaEventSynchronize(event(events_[5])), "the passes");
    for (std::size_t p = 0; p < reports.size(); ++p) {
        float milliseconds = 0.0F;
        cuda::check(cudaEventElapsedTime(&milliseconds, event(events_[p]), event(events_[p + 1])),
                    "timer of the passes");
        reports[p].seconds = share * static_cast<double>(milliseconds) * 1e-3;
    }
}

}  // namespace poisson3d::device
