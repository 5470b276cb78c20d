#include "pinned_buffer.hpp"

#include <cuda_runtime_api.h>

#include <string>

#include "cuda/check.hpp"

namespace poisson3d {

PinnedBuffer::PinnedBuffer(std::size_t bytes) {
    void* memory = nullptr;
    const cudaError_t status = cudaHostAlloc(&memory, bytes, cudaHostAllocPortable);
    if (status == cudaErrorMemoryAllocation) {
        cudaGetLastError();
        throw Error(ErrorCode::out_of_memory,
                    "found no " + std::to_string(bytes) + " bytes of pinned host memory for exchanges of members");
    }
    cuda::check(status, "pinned host memory");
    data_ = static_cast<std::byte*>(memory);
}

PinnedBuffer::~PinnedBuffer() {
    cuda::release([&] { return cudaFreeHost(data_); });
}

}  // namespace poisson3d
