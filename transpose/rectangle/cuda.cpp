// C2R / R2C on a CUDA device: the sweeps of the plan, one launch each.
#include "rectangle/cuda_sweeps.hpp"

#include <algorithm>
#include <variant>

#include "poisson3d/device.hpp"

namespace poisson3d {

namespace cuda {

ChipLimits chip_limits() {
    int device = 0;
    int shared = 0;
    int major = 0;
    check(cudaGetDevice(&device), "current device");
    check(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
          "shared memory of the device");
    check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), "capability of the device");
    // More than 8 blocks must be asked for; the data-centre chips grant 16.
    return {shared, major == 9 || major == 10 ? 16 : major > 10 ? 8 : 1};
}

rectangle::Capacity capacity(const ChipLimits& limits) {
    return {limits.cluster * limits.shared_bytes, 32};
}

namespace {

struct PlannedColumns {
    ColumnShape shape;
    DeviceBuffer order;
};

class CudaRectangle final : public InPlaceExecutor {
public:
    CudaRectangle(const DenseMatrices& matrices, const RectangleTuning& tuning)
        : element_bytes_(matrices.element_bytes) {
        const ChipLimits limits = chip_limits();
        const std::vector<rectangle::Sweep> sweeps = rectangle::plan_sweeps(matrices, capacity(limits));
        std::size_t rest_bytes = 0;
        text_ = "rectangle, " + rectangle::describe(sweeps);
        for (const rectangle::Sweep& sweep : sweeps) {
            if (sweep.kind == rectangle::Kind::rows) {
                steps_.emplace_back(shape_rows(sweep, element_bytes_, limits, tuning));
                continue;
            }
            if (sweep.kind != rectangle::Kind::columns) {
                const RestShape rest = shape_rest(sweep, element_bytes_);
                rest_bytes = std::max(rest_bytes, rest.scratch_bytes);
                steps_.emplace_back(rest);
                continue;
            }
            PlannedColumns columns{shape_columns(sweep, element_bytes_, limits, tuning), {}};
            if (sweep.permuted) {
                const std::vector<std::uint32_t> order = rectangle::row_order(sweep.matrices);
                columns.order = DeviceBuffer(order.size() * sizeof(std::uint32_t));
                copy_to_device(columns.order.data(), order.data(), columns.order.size());
                scratch_ += columns.order.size();
            }
            steps_.emplace_back(std::move(columns));
        }
        if (rest_bytes > 0) rest_ = DeviceBuffer(rest_bytes);
        scratch_ += rest_bytes;
    }

    void run(void* data, Stream stream) const override {
        for (const Step& step : steps_) {
            if (const auto* rows = std::get_if<RowShape>(&step))
                launch_rows(*rows, element_bytes_, data, queue(stream));
            if (const auto* columns = std::get_if<PlannedColumns>(&step))
                launch_columns(columns->shape, static_cast<const std::uint32_t*>(columns->order.data()),
                               element_bytes_, data, queue(stream));
            if (const auto* rest = std::get_if<RestShape>(&step))
                launch_rest(*rest, element_bytes_, data, rest_.data(), queue(stream));
        }
    }
    [[nodiscard]] InPlaceAlgorithm algorithm() const noexcept override { return InPlaceAlgorithm::rectangle; }
    [[nodiscard]] std::string description() const override { return text_; }
    [[nodiscard]] std::size_t scratch_bytes() const noexcept override { return scratch_; }

private:
    using Step = std::variant<RowShape, PlannedColumns, RestShape>;

    int element_bytes_;
    std::vector<Step> steps_;
    DeviceBuffer rest_;
    std::size_t scratch_ = 0;
    std::string text_;
};

}  // namespace

std::unique_ptr<InPlaceExecutor> make_rectangle(const DenseMatrices& matrices, const RectangleTuning& tuning) {
    return std::make_unique<CudaRectangle>(matrices, tuning);
}

}  // namespace cuda

std::unique_ptr<InPlaceExecutor> make_cuda_rectangle(const DenseMatrices& matrices) {
    if (const std::string reason = missing_device(); !reason.empty())
        throw Error(ErrorCode::device, "no CUDA device for a transpose: " + reason + "; use the host");
    return cuda::make_rectangle(matrices, {});
}

}  // namespace poisson3d
