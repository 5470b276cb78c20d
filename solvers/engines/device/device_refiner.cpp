// The sweeps of mixed precision on a device: who owns the memory and launches what.
#include "poisson3d/device_memory.hpp"
#include "poisson3d/error.hpp"
#include "refine.hpp"
#include "refiner.hpp"

namespace poisson3d::device {

namespace {

class CufftRefiner final : public Refiner {
public:
    CufftRefiner(const Extents& points, int device, std::span<std::byte> memory) : device_(device) {
        const DeviceScope scope(device);
        const RefinerLayout layout = refiner_layout(points);
        if (memory.empty()) {
            own_ = DeviceBuffer(layout.bytes);
            memory = {static_cast<std::byte*>(own_.data()), layout.bytes};
        }
        field_ = reinterpret_cast<float*>(memory.data());
        partials_ = reinterpret_cast<Partial*>(memory.data() + layout.partials);
        scalars_ = reinterpret_cast<Scalars*>(memory.data() + layout.scalars);
        fill_on_device(memory.data(), 0, layout.bytes);
        synchronize();
    }

    [[nodiscard]] float* field() const noexcept override { return field_; }

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
    float* field_ = nullptr;
    Partial* partials_ = nullptr;
    Scalars* scalars_ = nullptr;
};

}  // namespace

}  // namespace poisson3d::device

namespace poisson3d {

std::unique_ptr<Refiner> make_device_refiner(const Extents& points, int device, std::span<std::byte> memory) {
    return std::make_unique<device::CufftRefiner>(points, device, memory);
}

}  // namespace poisson3d
