// Shared memory of a block where passes are executed on the host: as much as devices of compute capability 9.0
// have, or less, so that short lines do not fit.
#pragma once

#include <cstddef>

namespace poisson3d::test {

class SharedMemory {
public:
    explicit SharedMemory(std::size_t bytes) { bytes_ = bytes; }
    ~SharedMemory() { bytes_ = usual; }
    SharedMemory(const SharedMemory&) = delete;
    SharedMemory& operator=(const SharedMemory&) = delete;
    static std::size_t bytes() { return bytes_; }

private:
    static constexpr std::size_t usual = std::size_t{227} << 10;
    static inline std::size_t bytes_ = usual;
};

}  // namespace poisson3d::test
