// Fields for measurements: so many that a run never meets what the run before it left in the cache.
#pragma once

#include <algorithm>
#include <cstdint>

#include "poisson3d/device_memory.hpp"
#include "poisson3d/memory.hpp"
#include "poisson3d/threads.hpp"

namespace poisson3d::app {

/// What the fields of a measurement fill together: far beyond any cache.
constexpr std::size_t touched_bytes = std::size_t{1} << 30;

/// Bytes from one field to the next. Fields begin where an allocation of their own would: a copy is slower between
/// less aligned places, and a fraction of a slow copy would flatter.
constexpr std::size_t field_step(std::size_t field_bytes) {
    const std::size_t unit = field_bytes < (std::size_t{2} << 20) ? 256 : std::size_t{2} << 20;
    return (field_bytes + unit - 1) / unit * unit;
}

/// `count` values between −1 and 1, no two alike near each other.
template <class T>
void fill_with_noise(T* data, std::size_t count, std::uint32_t seed) {
    std::uint32_t state = seed * 2654435761U + 1U;
    for (std::size_t i = 0; i < count; ++i) {
        state = state * 1664525U + 1013904223U;
        data[i] = static_cast<T>(static_cast<double>(state) * (2.0 / 4294967296.0) - 1.0);
    }
}

/// A ring of input and output fields. They fill 1 GiB, or a quarter of the free memory if that is less, but there
/// is at least one pair, and no more than there are runs to use them. Inputs hold noise between −1 and 1.
template <class T>
class FieldRing {
public:
    FieldRing(std::size_t elements, std::size_t runs, ThreadTeam& team)
        : step_((elements * sizeof(T) + HostBuffer::alignment - 1) / HostBuffer::alignment * HostBuffer::alignment /
                sizeof(T)),
          pairs_(std::min(runs, pairs(2 * step_ * sizeof(T)))),
          buffer_(2 * pairs_ * step_ * sizeof(T)) {
        T* const data = static_cast<T*>(buffer_.data());
        const auto total = static_cast<Index>(2 * pairs_ * step_);
        team.parallel_for(total, (total + team.size() - 1) / team.size(), [&](Index begin, Index end, int) {
            fill_with_noise(data + begin, static_cast<std::size_t>(end - begin), static_cast<std::uint32_t>(begin));
        });
    }

    [[nodiscard]] T* in(std::size_t run) const {
        return static_cast<T*>(buffer_.data()) + 2 * (run % pairs_) * step_;
    }
    [[nodiscard]] T* out(std::size_t run) const { return in(run) + step_; }

private:
    static std::size_t pairs(std::size_t pair_bytes) {
        const std::size_t available = available_host_memory();
        const std::size_t wanted = available == 0 ? touched_bytes : std::min(touched_bytes, available / 4);
        return std::max<std::size_t>(1, wanted / pair_bytes);
    }

    std::size_t step_, pairs_;
    HostBuffer buffer_;
};

/// The same on the current device, in bytes. At least one pair, at most as many as are worth it: small fields are
/// copied in less time than it takes to start a copy, wherever they are.
class DeviceRing {
public:
    /// Contents unspecified. Throws Error{out_of_memory}.
    explicit DeviceRing(std::size_t field_bytes)
        : bytes_(field_bytes),
          step_(field_step(field_bytes)),
          pairs_(std::clamp<std::size_t>(touched_bytes / (2 * step_), 1, max_pairs)),
          buffer_(2 * pairs_ * step_) {}

    /// Copies a field on the device into every input and output.
    void fill(const void* field, Stream stream) {
        for (std::size_t i = 0; i < 2 * pairs_; ++i)
            if (std::byte* const to = base() + i * step_; to != field) copy_on_device(to, field, bytes_, stream);
    }

    [[nodiscard]] std::size_t pairs() const noexcept { return pairs_; }
    [[nodiscard]] void* in(std::size_t run) const { return base() + 2 * (run % pairs_) * step_; }
    [[nodiscard]] void* out(std::size_t run) const { return base() + (2 * (run % pairs_) + 1) * step_; }

private:
    static constexpr std::size_t max_pairs = 256;
    [[nodiscard]] std::byte* base() const { return static_cast<std::byte*>(buffer_.data()); }

    std::size_t bytes_, step_, pairs_;
    DeviceBuffer buffer_;
};

}  // namespace poisson3d::app
