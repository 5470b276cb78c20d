// CUDA streams for tests that call the runtime themselves.
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "poisson3d/error.hpp"
#include "poisson3d/stream.hpp"

namespace poisson3d::test {

inline void check(cudaError_t status, const char* what) {
    if (status == cudaSuccess) return;
    cudaGetLastError();  // forget it: later tests are not to blame
    throw Error(ErrorCode::device, std::string(what) + ": " + cudaGetErrorString(status));
}

/// A stream that neither waits for the default stream nor is waited for.
class CudaStream {
public:
    CudaStream() { check(cudaStreamCreateWithFlags(&handle_, cudaStreamNonBlocking), "stream"); }
    ~CudaStream() {
        if (cudaStreamDestroy(handle_) != cudaSuccess) cudaGetLastError();
    }
    CudaStream(const CudaStream&) = delete;
    CudaStream& operator=(const CudaStream&) = delete;

    [[nodiscard]] cudaStream_t handle() const { return handle_; }
    operator Stream() const { return {handle_}; }

private:
    cudaStream_t handle_ = nullptr;
};

}  // namespace poisson3d::test
