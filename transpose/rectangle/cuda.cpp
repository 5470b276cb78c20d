// C2R / R2C on a CUDA device: the sweeps of the plan, one after the other.
#include "rectangle/cuda_sweeps.hpp"

#include <algorithm>

#include "poisson3d/device_memory.hpp"
#include "rectangle/executors.hpp"

namespace poisson3d {

namespace cuda {

namespace {

ChipLimits chip_limits() {
    int device = 0;
    int shared = 0;
    int major = 0;
    check(cudaGetDevice(&device), "current device");
    check(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
          "shared memory of the device");
    check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), "capability of the device");
    if (!compiled_for_clusters()) return {shared, 1};
    // More than 8 blocks must be asked for; the data-centre chips grant 16.
    return {shared, major == 9 || major == 10 ? 16 : major > 10 ? 8 : 1};
}

class CudaRectangle final : public InPlaceExecutor {
public:
    explicit CudaRectangle(const DenseMatrices& matrices) {
        const ChipLimits limits = chip_limits();
        const std::vector<rectangle::Sweep> sweeps =
            rectangle::plan_sweeps(matrices, {limits.cluster * limits.shared_bytes, 32});
        std::size_t rest_bytes = 0;
        text_ = "rectangle, " + rectangle::describe(sweeps);
        for (const rectangle::Sweep& sweep : sweeps) {
            if (sweep.kind == rectangle::Kind::rows)
                sweeps_.push_back(plan_rows(sweep, matrices.element_bytes, limits));
            else if (sweep.kind == rectangle::Kind::columns)
                sweeps_.push_back(plan_columns(sweep, matrices.element_bytes, limits, order_of(sweep)));
            else
                sweeps_.push_back(plan_rest(sweep, matrices.element_bytes));
            rest_bytes = std::max(rest_bytes, sweeps_.back().scratch_bytes);
        }
        rest_ = DeviceBuffer(rest_bytes);
    }

    void run(void* data, Stream stream) const override {
        for (const PlannedSweep& sweep : sweeps_) sweep.launch(data, rest_.data(), queue(stream));
    }
    [[nodiscard]] InPlaceAlgorithm algorithm() const noexcept override { return InPlaceAlgorithm::rectangle; }
    [[nodiscard]] std::string description() const override { return text_; }
    [[nodiscard]] std::size_t scratch_bytes() const noexcept override {
        std::size_t sum = rest_.size();
        for (const DeviceBuffer& order : orders_) sum += order.size();
        return sum;
    }

private:
    /// π on the device; null for the identity.
    const std::uint32_t* order_of(const rectangle::Sweep& sweep) {
        if (!sweep.permuted) return nullptr;
        const std::vector<std::uint32_t> order = rectangle::row_order(sweep.matrices);
        const DeviceBuffer& copy = orders_.emplace_back(order.size() * sizeof(std::uint32_t));
        copy_to_device(copy.data(), order.data(), copy.size());
        return static_cast<const std::uint32_t*>(copy.data());
    }

    std::vector<PlannedSweep> sweeps_;
    std::vector<DeviceBuffer> orders_;
    DeviceBuffer rest_;
    std::string text_;
};

}  // namespace

}  // namespace cuda

std::unique_ptr<InPlaceExecutor> make_cuda_rectangle_sweeps(const DenseMatrices& matrices) {
    return std::make_unique<cuda::CudaRectangle>(matrices);
}

/// By what was measured (docs/benchmarks.md): one sweep over items is faster than two from 128 bytes on.
std::unique_ptr<InPlaceExecutor> make_cuda_rectangle(const DenseMatrices& m, Index allowed) {
    constexpr Index long_item = 128, least_item = 48;  // bytes
    constexpr Index least_scratch = Index{16} << 20;
    const Index item = m.item * m.element_bytes;
    const Index matrix = m.rows * m.columns * item;
    if (m.rows == 1 || m.columns == 1) return make_cuda_rectangle_sweeps(m);
    if (item >= long_item && (m.batch == 1 || matrix >= least_scratch))
        if (auto way = make_cuda_rectangle_items(m, allowed)) return way;
    if (auto way = make_cuda_rectangle_through_scratch(m, allowed)) return way;
    if (item >= least_item)
        if (auto way = make_cuda_rectangle_items(m, allowed)) return way;
    if (allowed >= least_scratch)
        if (auto way = make_cuda_rectangle_tiles(m, 0, allowed)) return way;
    return make_cuda_rectangle_sweeps(m);
}

}  // namespace poisson3d
