// Checks of calls of the CUDA runtime.
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "poisson3d/error.hpp"
#include "poisson3d/home_process.hpp"
#include "poisson3d/stream.hpp"

namespace poisson3d::cuda {

/// The process that used the runtime first; a child of fork() cannot use it.
inline const HomeProcess& home() noexcept {
    static const HomeProcess first;
    return first;
}

/// Throws Error{device} with the runtime's words after `what`.
inline void check(cudaError_t status, const char* what) {
    if (status == cudaSuccess && home().here()) return;
    home().require_here("what works on a GPU");
    cudaGetLastError();  // clears the error, so that later calls do not report it
    throw Error(ErrorCode::device, std::string(what) + ": " + cudaGetErrorString(status));
}

/// For destructors: ignores errors. In a child of fork() the runtime is not called at all.
template <class Release>
void release(const Release& call) noexcept {
    if (home().here() && call() != cudaSuccess) cudaGetLastError();
}

inline cudaStream_t queue(Stream stream) {
    return static_cast<cudaStream_t>(stream.handle);
}
inline cudaEvent_t event(void* handle) {
    return static_cast<cudaEvent_t>(handle);
}

}  // namespace poisson3d::cuda
