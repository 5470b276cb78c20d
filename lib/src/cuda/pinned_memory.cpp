#include "poisson3d/pinned_memory.hpp"

#include <string>

#include "cuda/check.hpp"
#include "poisson3d/memory.hpp"
#include "poisson3d/text.hpp"

namespace poisson3d {

using cuda::check;
using cuda::queue;

PinnedBuffer::PinnedBuffer(std::size_t bytes) : OwnedMemory(bytes) {
    if (bytes == 0) return;
    const cudaError_t status = cudaMallocHost(&data_, bytes);
    if (status != cudaErrorMemoryAllocation) {
        check(status, "page-locked host memory");
        return;
    }
    cudaGetLastError();  // forget it
    throw Error(ErrorCode::out_of_memory, "out of page-locked host memory: wanted " + format_bytes(bytes) + " (" +
                                              std::to_string(bytes) + " bytes), available are " +
                                              format_bytes(available_host_memory()) + " of host memory");
}

void PinnedBuffer::release(void* data) noexcept {
    cuda::release([&] { return cudaFreeHost(data); });
}

void start_copy_to_device(void* device, const void* host, std::size_t bytes, Stream stream) {
    check(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, queue(stream)), "copy to the device");
}

void start_copy_to_host(void* host, const void* device, std::size_t bytes, Stream stream) {
    check(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, queue(stream)), "copy from the device");
}

void start_copy_of_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t bytes,
                        std::size_t rows, Stream stream) {
    const bool dense = rows == 1 || (to_pitch == bytes && from_pitch == bytes);
    check(dense ? cudaMemcpyAsync(to, from, bytes * rows, cudaMemcpyDefault, queue(stream))
                : cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, bytes, rows, cudaMemcpyDefault, queue(stream)),
          "copy of rows");
}

}  // namespace poisson3d
