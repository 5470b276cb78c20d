// Memory of the host for copies from and to devices.
#pragma once

#include <cstddef>

namespace poisson3d {

/// Memory of the host that devices copy to and from without a detour.
class PinnedBuffer {
public:
    explicit PinnedBuffer(std::size_t bytes);
    ~PinnedBuffer();
    PinnedBuffer(const PinnedBuffer&) = delete;
    PinnedBuffer& operator=(const PinnedBuffer&) = delete;
    [[nodiscard]] std::byte* data() const noexcept { return data_; }

private:
    std::byte* data_ = nullptr;
};

}  // namespace poisson3d
