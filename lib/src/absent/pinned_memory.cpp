#include "poisson3d/pinned_memory.hpp"

#include "refuse.hpp"

namespace poisson3d {

PinnedBuffer::PinnedBuffer(std::size_t bytes) : bytes_(bytes) {
    if (bytes > 0) refuse();
}
PinnedBuffer::~PinnedBuffer() = default;
PinnedBuffer::PinnedBuffer(PinnedBuffer&&) noexcept = default;
PinnedBuffer& PinnedBuffer::operator=(PinnedBuffer&&) noexcept = default;

void start_copy_to_device(void*, const void*, std::size_t, Stream) {
    refuse();
}
void start_copy_to_host(void*, const void*, std::size_t, Stream) {
    refuse();
}

}  // namespace poisson3d
