#include "poisson3d/memory.hpp"

#include <sys/mman.h>
#include <sys/resource.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "control_group.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/text.hpp"

namespace poisson3d {

namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;

std::size_t limit_of(__rlimit_resource resource) {
    rlimit limit{};
    return getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY ? limit.rlim_cur : SIZE_MAX;
}

}  // namespace

std::size_t available_host_memory() {
    return memory_left("", control_groups(), limit_of(RLIMIT_AS), limit_of(RLIMIT_DATA));
}

HostBuffer::HostBuffer(std::size_t bytes) : OwnedMemory(bytes) {
    if (bytes == 0) return;
    const bool large = bytes >= 2 * huge_page;
    // Systems that overcommit grant any request and kill the process later; checking first gives an error message.
    const std::size_t available = large ? available_host_memory() : 0;
    const std::size_t step = large ? huge_page : alignment;
    const bool hopeless = bytes > SIZE_MAX - step || (large && available != 0 && bytes > available);
    if (!hopeless) data_ = std::aligned_alloc(step, (bytes + step - 1) / step * step);
    if (data_ == nullptr)
        throw Error(ErrorCode::out_of_memory, "out of host memory: wanted " + format_bytes(bytes) + " (" +
                                                  std::to_string(bytes) + " bytes), available are " +
                                                  format_bytes(large ? available : available_host_memory()));
    if (large) madvise(data_, bytes, MADV_HUGEPAGE);  // a hint; without it the memory is only slower
}

void HostBuffer::release(void* data) noexcept {
    std::free(data);
}

}  // namespace poisson3d
