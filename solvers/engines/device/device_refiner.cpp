// The sweeps of mixed precision on a device: who owns the memory and launches what.
#include "poisson3d/device_memory.hpp"
#include "poisson3d/error.hpp"
#include "refine.hpp"
#include "refiner.hpp"

namespace poisson3d {

using namespace device;

namespace {

class DeviceRefiner final : public Refiner {
public:
    DeviceRefiner(const Extents& points, int device, std::span<std::byte> memory) : device_(device) {
        const DeviceScope scope(device);
        const std::size_t bytes = refiner_bytes(points);
        if (memory.empty()) own_ = DeviceBuffer(bytes);
        std::byte* const base = memory.empty() ? static_cast<std::byte*>(own_.data()) : memory.data();
        bind(base, points);
        fill_on_device(base, 0, bytes);
        synchronize();
    }

    void measure(const Refinement& r, Stream stream) override {
        const DeviceScope scope(device_);
        launch_measure(r, partials_, stream);
        launch_measured(r, partials_, scalars_, stream);
    }
    void residual(const Refinement& r, bool first, Stream stream) override {
        const DeviceScope scope(device_);
        launch_residual(r, scalars_, first, stream);
    }
    void centre(const Refinement& r, Stream stream) override {
        const DeviceScope scope(device_);
        launch_sum(r, partials_, stream);
        launch_excess(r, partials_, scalars_, stream);
    }
    void correct(const Refinement& r, bool first, Stream stream) override {
        const DeviceScope scope(device_);
        launch_correct(r, scalars_, first, stream);
    }

    [[nodiscard]] double mean(Stream stream) const override {
        const DeviceScope scope(device_);
        Scalars scalars;
        copy_to_host(&scalars, scalars_, sizeof(scalars), stream);
        return scalars.mean;
    }

private:
    int device_;
    DeviceBuffer own_;
};

}  // namespace

std::unique_ptr<Refiner> make_device_refiner(const Extents& points, int device, std::span<std::byte> memory) {
    return std::make_unique<DeviceRefiner>(points, device, memory);
}

}  // namespace poisson3d
