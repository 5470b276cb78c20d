// Page-locked host memory, from and to which a GPU copies while the processor works on. The same symbols
// stand in every build; without CUDA they throw Error{device} with the reason.
#pragma once

#include <cstddef>

#include "poisson3d/export.hpp"
#include "poisson3d/owned_memory.hpp"
#include "poisson3d/stream.hpp"

namespace poisson3d {

/// Owns `bytes` of page-locked host memory, aligned to a page, contents unspecified. Locking takes milliseconds a
/// GiB and takes the memory from all other processes: for a few slabs, not for fields. Copies from or to it must
/// have ended before it goes. Move-only.
class POISSON3D_API PinnedBuffer : public OwnedMemory<PinnedBuffer> {
public:
    PinnedBuffer() = default;
    /// Throws Error{out_of_memory} naming the bytes wanted and available, Error{device} without a device.
    explicit PinnedBuffer(std::size_t bytes);

private:
    friend class OwnedMemory<PinnedBuffer>;
    static void release(void* data) noexcept;
};

// Copies that return at once; neither memory may be changed until the stream has done the copy. Host memory that is
// not page-locked is copied, too, but the call may then block. Throw Error{device}.
POISSON3D_API void start_copy_to_device(void* device, const void* host, std::size_t bytes, Stream stream);
POISSON3D_API void start_copy_to_host(void* host, const void* device, std::size_t bytes, Stream stream);
/// `rows` rows of `bytes` bytes, to_pitch and from_pitch bytes apart (at least `bytes`, or any for one row),
/// between memory of the host or of devices.
POISSON3D_API void start_copy_of_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                                      std::size_t bytes, std::size_t rows, Stream stream);

}  // namespace poisson3d
