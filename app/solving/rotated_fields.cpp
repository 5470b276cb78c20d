#include "solving/rotated_fields.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "poisson3d/device_memory.hpp"
#include "poisson3d/device_stream.hpp"
#include "poisson3d/memory.hpp"
#include "solving/copy_time.hpp"

namespace poisson3d::app {

namespace {

class HostMemory final : public TimedMemory {
public:
    HostMemory(std::size_t bytes, int threads) : team_(threads), buffer_(bytes) {}
    [[nodiscard]] std::byte* data() const override { return static_cast<std::byte*>(buffer_.data()); }
    /// By the threads that will use it, so that its pages are in their memory.
    void fill(const std::vector<std::byte>& pattern) override {
        const auto pieces = static_cast<Index>((buffer_.size() + pattern.size() - 1) / pattern.size());
        team_.parallel_for(pieces, (pieces + team_.size() - 1) / team_.size(), [&](Index begin, Index end, int) {
            for (Index i = begin; i < end; ++i) {
                const std::size_t at = static_cast<std::size_t>(i) * pattern.size();
                std::memcpy(data() + at, pattern.data(), std::min(pattern.size(), buffer_.size() - at));
            }
        });
    }
    void copy(const void* from, void* to, std::size_t bytes) override { app::copy(team_, from, to, bytes); }
    double time(const std::function<void()>& work) override {
        const Stopwatch watch;
        work();
        return watch.seconds();
    }

private:
    ThreadTeam team_;
    HostBuffer buffer_;
};

class DeviceMemory final : public TimedMemory {
public:
    explicit DeviceMemory(std::size_t bytes) : buffer_(bytes) {}
    [[nodiscard]] std::byte* data() const override { return static_cast<std::byte*>(buffer_.data()); }
    void fill(const std::vector<std::byte>& pattern) override {
        std::size_t filled = std::min(pattern.size(), buffer_.size());
        copy_to_device(data(), pattern.data(), filled);
        while (filled < buffer_.size()) {  // doubled each time: few launches
            const std::size_t piece = std::min(filled, buffer_.size() - filled);
            copy_on_device(data() + filled, data(), piece);
            filled += piece;
        }
        synchronize();
    }
    void copy(const void* from, void* to, std::size_t bytes) override { copy_on_device(to, from, bytes); }
    double time(const std::function<void()>& work) override {
        timer_.start();
        work();
        timer_.stop();
        return timer_.seconds();
    }

private:
    DeviceBuffer buffer_;
    DeviceTimer timer_;
};

/// Values between −1 and 1, no two alike near each other: bits that vary cost what real data costs.
template <class T>
std::vector<std::byte> noise(std::size_t bytes) {
    std::vector<std::byte> values(bytes);
    std::uint32_t state = 2654435761U;
    for (std::size_t at = 0; at < bytes; at += sizeof(T)) {
        state = state * 1664525U + 1013904223U;
        const T value = static_cast<T>(static_cast<double>(state) * (2.0 / 4294967296.0) - 1.0);
        std::memcpy(values.data() + at, &value, sizeof value);
    }
    return values;
}

std::size_t pairs_of(Backend backend, std::size_t step, std::size_t most) {
    const std::size_t available = backend == Backend::host ? available_host_memory() : 0;
    const std::size_t wanted = available == 0 ? touched_bytes : std::min(touched_bytes, available / 4);
    return std::clamp<std::size_t>(wanted / (2 * step), 1, most);
}

constexpr std::size_t packed_step(std::size_t bytes) {
    return (bytes + HostBuffer::alignment - 1) / HostBuffer::alignment * HostBuffer::alignment;
}

}  // namespace

RotatedFields::RotatedFields(Backend backend, const Shape& shape, int threads)
    : field_bytes_(shape.count * shape.element),
      step_(shape.packed ? packed_step(field_bytes_) : field_step(field_bytes_)),
      pairs_(pairs_of(backend, step_, shape.max_pairs)) {
    const std::size_t bytes = 2 * pairs_ * step_;
    if (backend == Backend::cuda)
        memory_ = std::make_unique<DeviceMemory>(bytes);
    else
        memory_ = std::make_unique<HostMemory>(bytes, threads);
    constexpr std::size_t pattern_bytes = std::size_t{1} << 20;
    memory_->fill(shape.element == sizeof(float) ? noise<float>(pattern_bytes) : noise<double>(pattern_bytes));
}

}  // namespace poisson3d::app
