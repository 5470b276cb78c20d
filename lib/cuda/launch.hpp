// How many blocks a launch has.
#pragma once

#include "cuda/check.hpp"
#include "poisson3d/grid.hpp"

namespace poisson3d::cuda {

constexpr Index divide_up(Index a, Index b) {
    return (a + b - 1) / b;
}

inline int multiprocessors() {
    int device = 0, count = 0;
    check(cudaGetDevice(&device), "current device");
    check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device), "multiprocessors of the device");
    return count;
}

/// A grid's x dimension; what does not fit in 31 bits does not fit in any memory either.
inline unsigned blocks(Index count) {
    if (count > 0x7fffffff)
        throw Error(ErrorCode::unsupported, "the field needs " + std::to_string(count) +
                                                " blocks in one launch, at most 2^31 − 1 are supported");
    return static_cast<unsigned>(count);
}

}  // namespace poisson3d::cuda
