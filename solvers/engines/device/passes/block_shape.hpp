// What a block of threads takes of a pass.
#pragma once

#include <cstddef>

namespace poisson3d::device {

/// Complex lines of a block (a power of two), its threads, and the bytes of shared memory they take.
struct BlockShape {
    int count = 1;
    int threads = 128;
    std::size_t bytes = 0;
};

}  // namespace poisson3d::device
