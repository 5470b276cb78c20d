// The engines of a GPU: a pipeline on a device, its memory, and fields that may be on the host.
#include <cuda_runtime_api.h>

#include "cuda/check.hpp"
#include "fused_pipeline.hpp"
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

void require_usable(Engine kind) {
    if (const std::string reason = why_unavailable(); !reason.empty())
        throw Error(ErrorCode::device,
                    std::string("engine ") + name(kind) + " cannot be used: " + reason + "; use engine host");
}

template <class T>
struct Choice {
    Memory memory;
    std::unique_ptr<Pipeline<T>> pipeline;
};

/// Engine fused leaves to cuFFT what it has no kernels for. Null: low, and an axis too long for it.
template <class T>
std::unique_ptr<Pipeline<T>> make_pipeline(Engine kind, const Problem& problem, Memory memory) {
    if (memory == Memory::low) return fused::make_low_pipeline<T>(problem);
    if (kind == Engine::fused)
        if (auto fused = fused::make_fused_pipeline<T>(problem, memory)) return fused;
    if (auto periodic = make_periodic_pipeline<T>(problem, memory)) return periodic;
    return make_rotating_pipeline<T>(problem, memory);
}

/// As asked, or the first of fast, standard and low that fits what the caller brings or the device has; the
/// smallest there is if none does.
template <class T>
Choice<T> choose(Engine kind, const Problem& problem, const Options& options) {
    if (options.memory != Memory::automatic) {
        Choice<T> choice{options.memory, make_pipeline<T>(kind, problem, options.memory)};
        if (choice.pipeline == nullptr)
            throw Error(ErrorCode::unsupported,
                        "memory low on a GPU: found an axis of more than 16382 unknowns; use memory standard, or "
                        "engine host");
        return choice;
    }
    const std::size_t room = options.workspace.empty() ? free_device_memory() : options.workspace.size();
    Choice<T> choice{};
    for (const Memory memory : {Memory::fast, Memory::standard, Memory::low}) {
        auto pipeline = make_pipeline<T>(kind, problem, memory);
        if (pipeline == nullptr) continue;
        const std::size_t bytes = pipeline->workspace_bytes();
        // Tables and lines of a tiny box may be more than a field of it.
        if (choice.pipeline != nullptr && bytes >= choice.pipeline->workspace_bytes()) continue;
        choice = {memory, std::move(pipeline)};
        if (bytes <= room) break;
    }
    return choice;
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
class DeviceEngine final : public EngineBase<T> {
public:
    DeviceEngine(Engine kind, const Problem& problem, const Options& options)
        : kind_(kind), problem_(problem), device_(options.device), scope_(options.device) {
        Choice<T> choice = choose<T>(kind, problem, options);
        memory_ = choice.memory;
        pipeline_ = std::move(choice.pipeline);
        pipeline_->bind(take_workspace(options));
        name_ = device_name(device_);
        const Schedule schedule = make_schedule();
        const std::array<double, 5> bytes = pipeline_->traffic();
        for (std::size_t p = 0; p < schedule.size(); ++p)
            reports_.push_back(
                {describe(schedule[p], static_cast<int>(p) + 1, problem.grid.labels), 0.0, bytes[p]});
        scope_.reset();
    }

    void run(const Call<T>& call, Stream stream) override {
        const DeviceScope scope(device_);
        const FieldView<const T>& f = call.f;
        const FieldView<T>& u = call.u;
        const bool on_host = !on_device(u.data);
        if (on_host == on_device(f.data))
            throw Error(ErrorCode::usage, std::string("one field is in host memory, the other on the device: "
                                                      "found f on the ") +
                                              (on_host ? "device, u on the host" : "host, u on the device") +
                                              ", wanted both on one side");
        require_faces(call.boundary, on_host);
        if (pipeline_->needs_dense_solution()) require_dense(memory_, u.dense());
        operation_ = call.operation;
        scale_ = call.scale;
        if (!on_host) {
            execute(call, stream);
            return;
        }
        const FieldView<T> inside = memory_ == Memory::fast ? pipeline_->staging() : FieldView<T>{};
        if (inside.data == nullptr)
            throw Error(ErrorCode::usage,
                        std::string("fields in host memory want a plan with memory fast: in mode ") +
                            name(memory_) + " u serves as scratch and must be in device memory");
        copy_field<T>(f, inside, cudaMemcpyHostToDevice, stream);
        const FieldView<T> result = pipeline_->result_staging();
        execute({call.operation, inside, result, call.scale, faces_on_device(call.boundary, stream)}, stream);
        copy_field<T>(result, u, cudaMemcpyDeviceToHost, stream);
        synchronize(stream);
    }

    Result result(Stream stream) override {
        const DeviceScope scope(device_);
        typename Pipeline<T>::Removed removed{};
        copy_to_host(&removed, pipeline_->removed(), sizeof(removed), stream);
        clock_.read(reports_);
        if (operation_ != ModeOperation::divide || !singular(problem_)) return {};
        return {true, static_cast<double>(removed.mean) + static_cast<double>(removed.shift) * scale_};
    }

    [[nodiscard]] Engine kind() const noexcept override { return kind_; }
    [[nodiscard]] Memory memory() const noexcept override { return memory_; }
    [[nodiscard]] int threads() const noexcept override { return 1; }
    [[nodiscard]] std::size_t workspace() const noexcept override { return pipeline_->workspace_bytes(); }
    [[nodiscard]] const std::vector<PassReport>& passes() const noexcept override { return reports_; }
    [[nodiscard]] std::string description() const override {
        return std::string(poisson3d::name(kind_)) + " (" + pipeline_->name() + ") on " + name_;
    }

private:
    void execute(const Call<T>& call, Stream stream) {
        clock_.start(stream);
        pipeline_->run(call, stream, clock_);
    }

    void require_faces(const BoundaryTerms<T>& terms, bool on_host) const {
        for (int axis = 0; axis < 3; ++axis)
            for (int side = 0; side < 2; ++side)
                if (const T* data = terms.face[axis][side].data; data != nullptr && on_device(data) == on_host)
                    throw Error(ErrorCode::usage,
                                "boundary data of " + face_name(problem_.grid, axis, side) +
                                    (on_host ? " is on the device and the fields are in host memory"
                                             : " is in host memory and the fields are on the device") +
                                    ", wanted both on one side");
    }

    /// The same data with face arrays copied to the device.
    BoundaryTerms<T> faces_on_device(BoundaryTerms<T> terms, Stream stream) const {
        T* room = pipeline_->face_staging();
        for (int axis = 0; axis < 3; ++axis)
            for (int side = 0; side < 2; ++side) {
                FaceValues<T>& face = terms.face[axis][side];
                if (face.data == nullptr) continue;
                const auto [rows, columns] = extents_of_face(problem_.grid.points(), axis);
                const FieldView<const T> from(face.data, {1, rows, columns}, {0, face.stride, 1});
                const FieldView<T> to(room, from.extents);
                copy_field<T>(from, to, cudaMemcpyHostToDevice, stream);
                face.data = to.data;
                face.stride = to.strides[1];
                room += to.size();
            }
        return terms;
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
                        "the workspace given is in host memory, a device engine wants device memory");
        return options.workspace.data();
    }

    Engine kind_;
    Problem problem_;
    int device_;
    std::optional<DeviceScope> scope_;  ///< while planning
    Memory memory_ = Memory::fast;
    std::unique_ptr<Pipeline<T>> pipeline_;
    DeviceBuffer own_;
    PassClock clock_;
    std::string name_;
    ModeOperation operation_ = ModeOperation::none;
    double scale_ = 1.0;
    std::vector<PassReport> reports_;
};

template <class T, Engine kind>
std::unique_ptr<EngineBase<T>> make(const Problem& problem, const Options& options) {
    require_usable(kind);
    return std::make_unique<DeviceEngine<T>>(kind, problem, options);
}

template <class T, Engine kind>
std::size_t workspace_bytes(const Problem& problem, const Options& options) {
    require_usable(kind);
    const DeviceScope scope(options.device);
    return choose<T>(kind, problem, options).pipeline->workspace_bytes();
}

template <class T, Engine kind>
EngineEntry<T> entry() {
    return {kind, &why_unavailable, &make<T, kind>, &workspace_bytes<T, kind>};
}

}  // namespace

}  // namespace poisson3d::cufft

namespace poisson3d {

template <class T>
EngineEntry<T> cufft_engine() {
    return cufft::entry<T, Engine::cufft>();
}
template <class T>
EngineEntry<T> fused_engine() {
    return cufft::entry<T, Engine::fused>();
}

template EngineEntry<float> cufft_engine();
template EngineEntry<double> cufft_engine();
template EngineEntry<float> fused_engine();
template EngineEntry<double> fused_engine();

}  // namespace poisson3d
