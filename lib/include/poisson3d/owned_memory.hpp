// What owns memory of any kind: of the host, page-locked, of a device.
#pragma once

#include <cstddef>
#include <utility>

namespace poisson3d {

/// The part that all kinds have: `Kind` takes the memory, and Kind::release() gives it back. Move-only.
template <class Kind>
class OwnedMemory {
public:
    OwnedMemory(OwnedMemory&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
    OwnedMemory& operator=(OwnedMemory&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(bytes_, other.bytes_);
        return *this;
    }

    [[nodiscard]] void* data() const noexcept { return data_; }
    [[nodiscard]] std::size_t size() const noexcept { return bytes_; }

protected:
    OwnedMemory() = default;
    explicit OwnedMemory(std::size_t bytes) noexcept : bytes_(bytes) {}
    ~OwnedMemory() {
        if (data_ != nullptr) Kind::release(data_);
    }

    void* data_ = nullptr;

private:
    std::size_t bytes_ = 0;
};

}  // namespace poisson3d
