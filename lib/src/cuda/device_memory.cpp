#include "poisson3d/device_memory.hpp"

#include <string>

#include "cuda/check.hpp"
#include "poisson3d/text.hpp"

namespace poisson3d {

using cuda::check;
using cuda::queue;

DeviceBuffer::DeviceBuffer(std::size_t bytes) : OwnedMemory(bytes) {
    if (bytes == 0) return;
    const cudaError_t status = cudaMalloc(&data_, bytes);
    if (status != cudaErrorMemoryAllocation) {
        check(status, "device memory");
        return;
    }
    cudaGetLastError();
    std::size_t free = 0;
    std::size_t total = 0;
    int device = 0;
    check(cudaMemGetInfo(&free, &total), "free device memory");
    check(cudaGetDevice(&device), "current device");
    throw Error(ErrorCode::out_of_memory, "out of device memory: wanted " + format_bytes(bytes) + " (" +
                                              std::to_string(bytes) + " bytes), free are " + format_bytes(free) +
                                              " of " + format_bytes(total) + " on GPU " + std::to_string(device));
}

void DeviceBuffer::release(void* data) noexcept {
    cuda::release([&] { return cudaFree(data); });
}

void copy_to_device(void* device, const void* host, std::size_t bytes, Stream stream) {
    check(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, queue(stream)), "copy to the device");
    synchronize(stream);
}

void copy_to_host(void* host, const void* device, std::size_t bytes, Stream stream) {
    check(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, queue(stream)), "copy from the device");
    synchronize(stream);
}

void copy_on_device(void* to, const void* from, std::size_t bytes, Stream stream) {
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, queue(stream)), "copy on the device");
}

void fill_on_device(void* to, unsigned char byte, std::size_t bytes, Stream stream) {
    check(cudaMemsetAsync(to, byte, bytes, queue(stream)), "fill on the device");
}

void synchronize(Stream stream) {
    check(cudaStreamSynchronize(queue(stream)), "work on the device");
}

void use_device(int number) {
    const cudaError_t status = cudaSetDevice(number);
    if (status != cudaSuccess) check(status, ("choice of GPU " + std::to_string(number)).c_str());
}

DeviceScope::DeviceScope(int number) {
    check(cudaGetDevice(&before_), "current device");
    if (number != before_) use_device(number);
}

DeviceScope::~DeviceScope() {
    cuda::release([&] { return cudaSetDevice(before_); });
}

bool on_device(const void* pointer) {
    cudaPointerAttributes attributes{};
    if (cudaPointerGetAttributes(&attributes, pointer) != cudaSuccess) {
        cudaGetLastError();  // no driver: nothing is on a device
        return false;
    }
    return attributes.type == cudaMemoryTypeDevice || attributes.type == cudaMemoryTypeManaged;
}

int device_of(const void* pointer) {
    cudaPointerAttributes attributes{};
    if (cudaPointerGetAttributes(&attributes, pointer) != cudaSuccess) {
        cudaGetLastError();
        return -1;
    }
    int current = 0;
    if (attributes.type == cudaMemoryTypeManaged) check(cudaGetDevice(&current), "current device");
    return attributes.type == cudaMemoryTypeManaged  ? current
           : attributes.type == cudaMemoryTypeDevice ? attributes.device
                                                     : -1;
}

std::size_t free_device_memory() {
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&free, &total), "free device memory");
    return free;
}

}  // namespace poisson3d
