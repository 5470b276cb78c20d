// Page-locked host memory, from and to which a GPU copies while the processor works on. The same symbols
// stand in every build; without CUDA they throw Error{device} with the reason.
#pragma once

#include <cstddef>

#include "poisson3d/export.hpp"
#include "poisson3d/stream.hpp"

namespace poisson3d {

/// Owns `bytes` of page-locked host memory, aligned to a page, contents unspecified. Locking takes milliseconds a
/// GiB and takes the memory from all other processes: for a few slabs, not for fields. Move-only.
class POISSON3D_API PinnedBuffer {
public:
    PinnedBuffer() = default;
    /// Throws Error{out_of_memory} naming the bytes wanted and available, Error{device} without a device.
    explicit PinnedBuffer(std::size_t bytes);
    /// Copies from or to it must have ended.
    ~PinnedBuffer();
    PinnedBuffer(PinnedBuffer&& other) noexcept;
    PinnedBuffer& operator=(PinnedBuffer&& other) noexcept;
    PinnedBuffer(const PinnedBuffer&) = delete;
    PinnedBuffer& operator=(const PinnedBuffer&) = delete;

    [[nodiscard]] void* data() const noexcept { return data_; }
    [[nodiscard]] std::size_t size() const noexcept { return bytes_; }

private:
    void* data_ = nullptr;
    std::size_t bytes_ = 0;
};

// Copies that return at once; neither memory may be changed until the stream has done the copy. Host memory that is
// not page-locked is copied, too, but the call may then block. Throw Error{device}.
POISSON3D_API void start_copy_to_device(void* device, const void* host, std::size_t bytes, Stream stream);
POISSON3D_API void start_copy_to_host(void* host, const void* device, std::size_t bytes, Stream stream);

}  // namespace poisson3d
