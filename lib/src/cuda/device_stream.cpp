#include "poisson3d/device_stream.hpp"

#include "cuda/check.hpp"

namespace poisson3d {

using cuda::check;
using cuda::event;
using cuda::queue;

DeviceStream::DeviceStream() {
    cudaStream_t stream = nullptr;
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream on the device");
    handle_ = stream;
}

DeviceStream::~DeviceStream() {
    cuda::release([&] { return cudaStreamSynchronize(queue(get())); });
    cuda::release([&] { return cudaStreamDestroy(queue(get())); });
}

DeviceEvent::DeviceEvent(bool timed) {
    cudaEvent_t made = nullptr;
    check(cudaEventCreateWithFlags(&made, timed ? cudaEventDefault : cudaEventDisableTiming),
          "event on the device");
    handle_ = made;
}

DeviceEvent::~DeviceEvent() {
    cuda::release([&] { return cudaEventDestroy(event(handle_)); });
}

void DeviceEvent::record(Stream stream) {
    check(cudaEventRecord(event(handle_), queue(stream)), "event on the device");
}

void DeviceEvent::wait() const {
    check(cudaEventSynchronize(event(handle_)), "work on the device");
}

bool DeviceEvent::reached() const {
    const cudaError_t status = cudaEventQuery(event(handle_));
    if (status == cudaErrorNotReady) {
        cudaGetLastError();  // no error: forget it
        return false;
    }
    check(status, "work on the device");
    return true;
}

void DeviceEvent::make_wait(Stream stream) const {
    check(cudaStreamWaitEvent(queue(stream), event(handle_), 0), "order of streams on the device");
}

double DeviceEvent::seconds_since(const DeviceEvent& earlier) const {
    float milliseconds = 0.0F;
    check(cudaEventElapsedTime(&milliseconds, event(earlier.handle_), event(handle_)), "timer on the device");
    return static_cast<double>(milliseconds) * 1e-3;
}

bool capturing(Stream stream) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    check(cudaStreamIsCapturing(queue(stream), &status), "stream on the device");
    return status != cudaStreamCaptureStatusNone;
}

}  // namespace poisson3d
