// The cufft engine: a pipeline on a device, its memory, and fields that may be on the host.
#include <cuda_runtime_api.h>

#include "axis_kind.hpp"
#include "cuda/check.hpp"
#include "pipeline.hpp"
#include "poisson3d/device.hpp"
#include "poisson3d/device_memory.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/text.hpp"
#include "schedule.hpp"

namespace poisson3d::cufft {

namespace {

/// Wakes the driver only where there is one.
std::string why_unavailable() {
    const std::string reason = missing_driver();
    return reason.empty() ? missing_device() : reason;
}

void require_usable() {
    if (const std::string reason = why_unavailable(); !reason.empty())
        throw Error(ErrorCode::device, "engine cufft cannot be used: " + reason + "; use engine host");
}

template <class T>
struct Choice {
    Memory memory;
    std::unique_ptr<Pipeline<T>> pipeline;
};

template <class T>
std::unique_ptr<Pipeline<T>> make_pipeline(const Problem& problem, Memory memory) {
    if (auto periodic = make_periodic_pipeline<T>(problem, memory)) return periodic;
    return make_rotating_pipeline<T>(problem, memory);
}

/// fast or standard: as asked, or the fastest that fits what the caller brings or the device has.
template <class T>
Choice<T> choose(const Problem& problem, const Options& options) {
    if (options.memory != Memory::automatic) return {options.memory, make_pipeline<T>(problem, options.memory)};
    auto fast = make_pipeline<T>(problem, Memory::fast);
    const std::size_t room = options.workspace.empty() ? free_device_memory() : options.workspace.size();
    if (fast->workspace_bytes() <= room) return {Memory::fast, std::move(fast)};
    return {Memory::standard, make_pipeline<T>(problem, Memory::standard)};
}

std::string device_name(int number) {
    cudaDeviceProp properties{};
    cuda::check(cudaGetDeviceProperties(&properties, number), "properties of the device");
    return properties.name;
}

/// Copies a field between host and device, plane by plane where there are gaps. Asynchronous as far as host memory
/// allows.
template <class T>
void copy_field(FieldView<const T> from, FieldView<T> to, cudaMemcpyKind kind, Stream stream) {
    const cudaStream_t queue = cuda::queue(stream);
    const auto row = static_cast<std::size_t>(from.extents[2]) * sizeof(T);
    const auto check = [](cudaError_t status) { cuda::check(status, "copy between host and device"); };
    if (from.dense() && to.dense()) {
        check(cudaMemcpyAsync(to.data, from.data, row * from.extents[0] * from.extents[1], kind, queue));
        return;
    }
    for (Index i = 0; i < from.extents[0]; ++i)
        check(cudaMemcpy2DAsync(to.data + i * to.strides[0], to.strides[1] * sizeof(T),
                                from.data + i * from.strides[0], from.strides[1] * sizeof(T), row, from.extents[1],
                                kind, queue));
}

template <class T>
class CufftEngine final : public EngineBase<T> {
public:
    CufftEngine(const Problem& problem, const Options& options)
        : problem_(problem), device_(options.device), scope_(options.device) {
        Choice<T> choice = choose<T>(problem, options);
        memory_ = choice.memory;
        pipeline_ = std::move(choice.pipeline);
        pipeline_->bind(take_workspace(options));
        name_ = device_name(device_);
        for (int a = 0; a < 3; ++a) round_trip_ *= static_cast<double>(axis_kind(problem.grid.axes[a]).round_trip);
        const Schedule schedule = make_schedule();
        const std::array<double, 5> bytes = pipeline_->traffic();
        for (std::size_t p = 0; p < schedule.size(); ++p)
            reports_.push_back(
                {describe(schedule[p], static_cast<int>(p) + 1, problem.grid.labels), 0.0, bytes[p]});
        scope_.reset();
    }

    void run(ModeOperation operation, FieldView<const T> f, FieldView<T> u, double scale, Stream stream) override {
        const DeviceScope scope(device_);
        const bool on_host = !on_device(u.data);
        if (on_host == on_device(f.data))
            throw Error(ErrorCode::usage, std::string("one field is in host memory, the other on the device: "
                                                      "found f on the ") +
                                              (on_host ? "device, u on the host" : "host, u on the device") +
                                              ", wanted both on one side");
        if (pipeline_->needs_dense_solution()) require_dense(u.dense());
        operation_ = operation;
        scale_ = scale;
        if (!on_host) {
            execute(f, u, stream);
            return;
        }
        const FieldView<T> inside = memory_ == Memory::fast ? pipeline_->staging() : FieldView<T>{};
        if (inside.data == nullptr)
            throw Error(ErrorCode::usage,
                        "fields in host memory want a plan with memory fast: in mode standard u serves as scratch "
                        "and must be in device memory");
        copy_field<T>(f, inside, cudaMemcpyHostToDevice, stream);
        execute(inside, inside, stream);
        copy_field<T>(inside, u, cudaMemcpyDeviceToHost, stream);
        synchronize(stream);
    }

    Result result(Stream stream) override {
        const DeviceScope scope(device_);
        typename Pipeline<T>::Removed removed{};
        copy_to_host(&removed, pipeline_->removed(), sizeof(removed), stream);
        clock_.read(reports_);
        if (operation_ != ModeOperation::divide || !singular(problem_)) return {};
        const double mean =
            static_cast<double>(removed.constant_mode) / round_trip_ + static_cast<double>(removed.shift);
        return {true, mean * scale_};
    }

    [[nodiscard]] Engine kind() const noexcept override { return Engine::cufft; }
    [[nodiscard]] Memory memory() const noexcept override { return memory_; }
    [[nodiscard]] int threads() const noexcept override { return 1; }
    [[nodiscard]] std::size_t workspace() const noexcept override { return pipeline_->workspace_bytes(); }
    [[nodiscard]] const std::vector<PassReport>& passes() const noexcept override { return reports_; }
    [[nodiscard]] std::string description() const override { return "cufft on " + name_; }

private:
    void execute(FieldView<const T> f, FieldView<T> u, Stream stream) {
        clock_.start(stream);
        pipeline_->run(operation_, f, u, scale_, stream, clock_);
    }

    std::byte* take_workspace(const Options& options) {
        const std::size_t bytes = pipeline_->workspace_bytes();
        if (options.workspace.empty()) {
            own_ = DeviceBuffer(bytes);
            return static_cast<std::byte*>(own_.data());
        }
        require_workspace(options.workspace, bytes, Pipeline<T>::alignment);
        if (!on_device(options.workspace.data()))
            throw Error(ErrorCode::usage,
                        "the workspace given is in host memory, engine cufft wants device memory");
        return options.workspace.data();
    }

    Problem problem_;
    int device_;
    std::optional<DeviceScope> scope_;  ///< while planning
    Memory memory_ = Memory::fast;
    std::unique_ptr<Pipeline<T>> pipeline_;
    DeviceBuffer own_;
    PassClock clock_;
    std::string name_;
    double round_trip_ = 1.0;
    ModeOperation operation_ = ModeOperation::none;
    double scale_ = 1.0;
    std::vector<PassReport> reports_;
};

template <class T>
std::unique_ptr<EngineBase<T>> make(const Problem& problem, const Options& options) {
    require_usable();
    return std::make_unique<CufftEngine<T>>(problem, options);
}

template <class T>
std::size_t workspace_bytes(const Problem& problem, const Options& options) {
    require_usable();
    const DeviceScope scope(options.device);
    return choose<T>(problem, options).pipeline->workspace_bytes();
}

}  // namespace

}  // namespace poisson3d::cufft

namespace poisson3d {

template <class T>
EngineEntry<T> cufft_engine() {
    return {Engine::cufft, &cufft::why_unavailable, &cufft::make<T>, &cufft::workspace_bytes<T>};
}

template EngineEntry<float> cufft_engine();
template EngineEntry<double> cufft_engine();

}  // namespace poisson3d
