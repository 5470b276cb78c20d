#include "poisson3d/device.hpp"

#include <cuda_runtime_api.h>

#include "cuda/check.hpp"

namespace poisson3d {

namespace {

std::string version(int number) {
    return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

/// The text of an error, which is then cleared so that later calls do not report it.
std::string reason_of(cudaError_t error) {
    cudaGetLastError();
    return std::string("CUDA runtime: ") + cudaGetErrorString(error);
}

/// The runtime has one error for a driver that is missing and one that is too old.
std::string insufficient_driver() {
    int driver = 0;  // 0: none is installed
    if (const cudaError_t error = cudaDriverGetVersion(&driver); error != cudaSuccess) return reason_of(error);
    if (driver == 0) return "CUDA runtime: found no NVIDIA driver (libcuda.so.1)";
    return "CUDA runtime: found an NVIDIA driver for CUDA " + version(driver) + ", wanted one for " +
           version(CUDART_VERSION) + " or newer";
}

std::vector<int> peers_of(int number, int count) {
    std::vector<int> peers;
    for (int peer = 0; peer < count; ++peer) {
        int can = 0;
        if (cudaDeviceCanAccessPeer(&can, number, peer) == cudaSuccess && can != 0)
            peers.push_back(peer);
        else
            cudaGetLastError();  // not of itself, for one
    }
    return peers;
}

/// The number of devices, or the reason why there is none.
int count_devices(std::string& reason) {
    if (!cuda::home().here()) {
        reason = "CUDA runtime: this process was forked from one that had used it";
        return 0;
    }
    int count = 0;  // left untouched by the runtime when there is no driver
    if (const cudaError_t error = cudaGetDeviceCount(&count); error != cudaSuccess) {
        reason = reason_of(error);
        if (error == cudaErrorInsufficientDriver) reason = insufficient_driver();
        return 0;
    }
    if (count == 0) reason = "CUDA runtime: no device is present";
    return count;
}

}  // namespace

std::string missing_driver() {
    int driver = 0;
    if (const cudaError_t error = cudaDriverGetVersion(&driver); error != cudaSuccess) return reason_of(error);
    return driver > 0 ? std::string{} : insufficient_driver();
}

std::string missing_device() {
    std::string reason;
    count_devices(reason);
    return reason;
}

int count_devices() {
    std::string reason;
    return count_devices(reason);
}

std::string device_name(int number) {
    cudaDeviceProp properties{};
    if (number >= 0 && number < count_devices() && cudaGetDeviceProperties(&properties, number) == cudaSuccess)
        return properties.name;
    cudaGetLastError();
    return {};
}

DeviceList find_devices() {
    DeviceList list;
    const int count = count_devices(list.reason);
    int current = 0;
    const bool restore = cudaGetDevice(&current) == cudaSuccess;
    for (int number = 0; number < count; ++number) {
        cudaDeviceProp properties{};
        if (const cudaError_t error = cudaGetDeviceProperties(&properties, number); error != cudaSuccess) {
            list.reason = reason_of(error);
            continue;
        }
        Device device{number, properties.name,        properties.major, properties.minor, properties.totalGlobalMem,
                      0,      peers_of(number, count)};
        std::size_t total = 0;
        if (cudaSetDevice(number) == cudaSuccess && cudaMemGetInfo(&device.free_bytes, &total) != cudaSuccess)
            device.free_bytes = 0;
        list.devices.push_back(device);
    }
    if (restore && count > 0 && cudaSetDevice(current) != cudaSuccess) cudaGetLastError();
    return list;
}

std::string cuda_build() {
    return "built with CUDA " + version(CUDART_VERSION);
}

}  // namespace poisson3d
