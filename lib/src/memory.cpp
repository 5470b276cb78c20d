#include "poisson3d/memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "poisson3d/error.hpp"
#include "poisson3d/text.hpp"

namespace poisson3d {

namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;

/// The number after `key` in a file of lines that begin "key number".
std::optional<std::size_t> read_key(const char* path, const char* key) {
    std::ifstream file(path);
    std::string word;
    std::size_t number = 0;
    while (file >> word)
        if (word == key && file >> number) return number;
    return std::nullopt;
}

/// A single number in a file; nothing for a missing file or the word "max".
std::optional<std::size_t> read_number(const char* path) {
    std::ifstream file(path);
    std::size_t number = 0;
    if (file >> number) return number;
    return std::nullopt;
}

}  // namespace

std::size_t available_host_memory() {
    std::size_t available = read_key("/proc/meminfo", "MemAvailable:").value_or(0) * 1024;
    const auto limit = read_number("/sys/fs/cgroup/memory.max");
    const auto used = read_number("/sys/fs/cgroup/memory.current");
    if (limit && used) {
        // Pages of files read lately count as used, but the system gives them back when asked.
        const std::size_t files = read_key("/sys/fs/cgroup/memory.stat", "inactive_file").value_or(0);
        const std::size_t held = *used > files ? *used - files : 0;
        const std::size_t left = *limit > held ? *limit - held : 0;
        available = available == 0 ? left : std::min(available, left);
    }
    return available;
}

HostBuffer::HostBuffer(std::size_t bytes) : bytes_(bytes) {
    if (bytes == 0) return;
    const bool large = bytes >= 2 * huge_page;
    // Overcommitting systems grant any request and kill later; asking first turns that into a sentence.
    const std::size_t available = available_host_memory();
    const std::size_t step = large ? huge_page : alignment;
    const bool hopeless = bytes > SIZE_MAX - step || (large && available != 0 && bytes > available);
    if (!hopeless) data_ = std::aligned_alloc(step, (bytes + step - 1) / step * step);
    if (data_ == nullptr)
        throw Error(ErrorCode::out_of_memory, "out of host memory: wanted " + format_bytes(bytes) + " (" +
                                                  std::to_string(bytes) + " bytes), available are " +
                                                  format_bytes(available));
    if (large) madvise(data_, bytes, MADV_HUGEPAGE);  // a hint: its refusal costs speed only
}

HostBuffer::~HostBuffer() {
    std::free(data_);
}

HostBuffer::HostBuffer(HostBuffer&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

HostBuffer& HostBuffer::operator=(HostBuffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
}

}  // namespace poisson3d
