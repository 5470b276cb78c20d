// Device memory and copies behind plain types, so that callers need no CUDA header. The same symbols stand
// in every build; without CUDA they throw Error{device} with the reason.
#pragma once

#include <cstddef>

#include "poisson3d/export.hpp"
#include "poisson3d/owned_memory.hpp"
#include "poisson3d/stream.hpp"

namespace poisson3d {

/// Owns `bytes` on the current device, aligned to 256 bytes, contents unspecified. Move-only.
class POISSON3D_API DeviceBuffer : public OwnedMemory<DeviceBuffer> {
public:
    DeviceBuffer() = default;
    /// Throws Error{out_of_memory} naming the bytes wanted and free, Error{device} without a device. Synchronises.
    explicit DeviceBuffer(std::size_t bytes);

private:
    friend class OwnedMemory<DeviceBuffer>;
    static void release(void* data) noexcept;
};

// All throw Error{device}. Copies with the host block until the data has arrived; the others are asynchronous.
POISSON3D_API void copy_to_device(void* device, const void* host, std::size_t bytes, Stream stream = {});
POISSON3D_API void copy_to_host(void* host, const void* device, std::size_t bytes, Stream stream = {});
POISSON3D_API void copy_on_device(void* to, const void* from, std::size_t bytes, Stream stream = {});
POISSON3D_API void fill_on_device(void* to, unsigned char byte, std::size_t bytes, Stream stream = {});
/// Waits for the stream; errors of earlier asynchronous work surface here.
POISSON3D_API void synchronize(Stream stream = {});

/// Makes device `number` the current one of this thread.
POISSON3D_API void use_device(int number);

/// Makes a device the current one of this thread for a scope.
class POISSON3D_API DeviceScope {
public:
    explicit DeviceScope(int number);
    ~DeviceScope();
    DeviceScope(const DeviceScope&) = delete;
    DeviceScope& operator=(const DeviceScope&) = delete;

private:
    int before_ = 0;
};

/// True for memory that kernels can read in place: device or managed memory. False for host memory, pinned or not,
/// and for everything in a build without CUDA. Does not wait.
POISSON3D_API bool on_device(const void* pointer);

/// The device that has this memory, of managed memory the current one; −1 for host memory, and in a build without
/// CUDA. Does not wait.
POISSON3D_API int device_of(const void* pointer);

/// Bytes that can still be allocated on the current device.
POISSON3D_API std::size_t free_device_memory();

}  // namespace poisson3d
