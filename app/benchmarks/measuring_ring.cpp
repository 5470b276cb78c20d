#include "benchmarks/measuring_ring.hpp"

#include <algorithm>
#include <cstdint>

#include "poisson3d/device.hpp"
#include "poisson3d/device_memory.hpp"
#include "poisson3d/memory.hpp"
#include "solving/copy_time.hpp"
#include "solving/field_ring.hpp"

namespace poisson3d::app {

namespace {

class HostPlace final : public Place {
public:
    HostPlace(std::size_t bytes, int threads) : team_(threads), buffer_(bytes) {
        // Touched by those who will use it, with values that are no two alike.
        auto* const words = static_cast<std::uint64_t*>(buffer_.data());
        team_.parallel_for(static_cast<Index>(bytes / 8), Index{1} << 18, [&](Index begin, Index end, int) {
            for (Index i = begin; i < end; ++i) words[i] = static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15ULL;
        });
    }
    void copy(const void* from, void* to, std::size_t bytes) override { app::copy(team_, from, to, bytes); }
    double time(const std::function<void()>& work) override {
        const Stopwatch watch;
        work();
        return watch.seconds();
    }
    [[nodiscard]] std::byte* memory() const override { return static_cast<std::byte*>(buffer_.data()); }

private:
    ThreadTeam team_;
    HostBuffer buffer_;
};

class DevicePlace final : public Place {
public:
    explicit DevicePlace(std::size_t bytes) : buffer_(bytes) {
        // A copy of ones is as fast as any here, but bits that vary cost what real data costs.
        std::vector<std::uint64_t> pattern(std::size_t{1} << 17);
        for (std::size_t i = 0; i < pattern.size(); ++i) pattern[i] = i * 0x9e3779b97f4a7c15ULL;
        const std::size_t piece = pattern.size() * 8;
        copy_to_device(buffer_.data(), pattern.data(), std::min(piece, bytes));
        for (std::size_t at = piece; at < bytes; at += piece)
            copy_on_device(memory() + at, buffer_.data(), std::min(piece, bytes - at));
        synchronize();
    }
    void copy(const void* from, void* to, std::size_t bytes) override { copy_on_device(to, from, bytes); }
    double time(const std::function<void()>& work) override {
        timer_.start();
        work();
        timer_.stop();
        return timer_.seconds();
    }
    [[nodiscard]] std::byte* memory() const override { return static_cast<std::byte*>(buffer_.data()); }

private:
    DeviceBuffer buffer_;
    DeviceTimer timer_;
};

/// Fields of less than 128 KiB take microseconds: more of them would cost a run of the program, and tell nothing.
constexpr std::size_t max_pairs = 4096;

}  // namespace

MeasuringRing::MeasuringRing(Backend backend, std::size_t field_bytes, int threads)
    : field_bytes_(field_bytes),
      step_(field_step(field_bytes)),
      pairs_(std::clamp<std::size_t>(touched_bytes / (2 * step_), 1, max_pairs)) {
    const std::size_t bytes = 2 * pairs_ * step_;
    if (backend == Backend::cuda)
        place_ = std::make_unique<DevicePlace>(bytes);
    else
        place_ = std::make_unique<HostPlace>(bytes, threads);
}

}  // namespace poisson3d::app
