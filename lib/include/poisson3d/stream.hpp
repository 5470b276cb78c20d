// A CUDA stream by its plain handle, so that no CUDA header is needed here.
#pragma once

namespace poisson3d {

/// `handle` is a cudaStream_t; null is the default stream. Work on the host ignores it and is finished when
/// the call returns.
struct Stream {
    void* handle = nullptr;
};

}  // namespace poisson3d
