// Division of indices in kernels.
#pragma once

#include "poisson3d/grid.hpp"

namespace poisson3d::cuda {

/// value / divisor and value % divisor, on 32 bits where both fit: a 64-bit division costs a hundred instructions.
struct Division {
    Index quotient, remainder;
};

__device__ __forceinline__ Division divide(Index value, Index divisor) {
    if (((value | divisor) >> 32) == 0) {
        const auto quotient = static_cast<unsigned>(value) / static_cast<unsigned>(divisor);
        return {quotient, value - quotient * divisor};
    }
    const Index quotient = value / divisor;
    return {quotient, value - quotient * divisor};
}

}  // namespace poisson3d::cuda
