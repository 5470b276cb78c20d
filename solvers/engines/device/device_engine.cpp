// The engines of a GPU: a pipeline on a device, its memory, and the calls it runs.
#include <cuda_runtime_api.h>

#include "copied_fields.hpp"
#include "cuda/check.hpp"
#include "field_checks.hpp"
#include "free_faces.hpp"
#include "kept_planes.hpp"
#include "pipeline_choice.hpp"
#include "pipelines.hpp"
#include "poisson3d/device.hpp"
#include "poisson3d/error.hpp"
#include "schedule.hpp"

namespace poisson3d::device {

namespace {

/// Wakes the driver only where there is one.
template <Engine kind>
std::string why_unavailable() {
    std::string reason = missing_driver();
    if (reason.empty()) reason = missing_device();
    return reason.empty() && kind == Engine::cufft ? cufft::missing_library() : reason;
}

template <Engine kind>
void require_usable() {
    if (const std::string reason = why_unavailable<kind>(); !reason.empty())
        throw Error(ErrorCode::device,
                    std::string("engine ") + name(kind) + " cannot be used: " + reason + "; use engine host");
}

std::string device_name(int number) {
    cudaDeviceProp properties{};
    cuda::check(cudaGetDeviceProperties(&properties, number), "properties of the device");
    return properties.name;
}

template <class T>
class DeviceEngine final : public EngineBase<T> {
public:
    using Removed = typename Pipeline<T>::Removed;

    DeviceEngine(Engine kind, const Problem& problem, const Options& options)
        : kind_(kind),
          problem_(problem),
          device_(options.device),
          padded_(pads_lines(problem, options)),
          scope_(options.device),
          removed_on_host_(static_cast<std::size_t>(options.batch)) {
        PipelineChoice<T> choice = choose_pipeline<T>(kind, problem, options);
        memory_ = choice.memory;
        pipeline_ = std::move(choice.pipeline);
        bytes_ = choice.bytes;
        copies_.emplace(problem_, *pipeline_, memory_, options.batch);
        std::byte* const workspace = take_workspace(options.workspace, bytes_, own_);
        removed_ = reinterpret_cast<Removed*>(workspace + bytes_) - removed_on_host_.size();
        if (eliminates_free_axis(problem) && !padded_)
            kept_.emplace(problem, options.batch, options.threads,
                          reinterpret_cast<T*>(workspace + pipeline_->workspace_bytes()));
        fill_on_device(removed_, 0, removed_on_host_.size() * sizeof(Removed));
        pipeline_->bind(workspace);
        name_ = device_name(device_);
        for (const std::string& part : pipeline_->parts(problem.grid.labels)) reports_.push_back({part, 0.0, 0.0});
        report_traffic(1);
        scope_.reset();
    }

    void run(const Call<T>& call, Stream stream) override {
        const DeviceScope scope(device_);
        const bool on_host = copies_->on_host(call);
        if (pipeline_->needs_dense_solution()) require_dense(memory_, call.u.dense());
        if (pipeline_->works_in_solution()) require_same_or_apart(call);
        operation_ = call.operation;
        scale_ = call.scale * call.restore;
        report_traffic(call.fields);
        clock_.stop();
        // Copies between host and device outweigh what several fields at once would gain.
        const Index together = on_host ? 1 : pipeline_->fields_at_once();
        for (Index b = 0; b < call.fields; b += together) {
            const Index count = std::min(together, call.fields - b);
            const auto start_clock = [&] {
                if (b + count == call.fields)
                    clock_.start(stream, static_cast<double>(call.fields) / static_cast<double>(count));
            };
            if (on_host)
                run_host_field(call.part(b, 1), b, stream, start_clock);
            else
                run_fields(call.part(b, count), b, stream, start_clock);
        }
        fields_ = call.fields;
        copies_->have_free_faces(on_host);
    }

    BoundaryData<T> faces(const BoundaryData<T>& walls, Stream stream) override {
        if (padded_)
            throw Error(ErrorCode::unsupported,
                        "padded lines do not know u on free faces: found the middle transform, wanted automatic");
        const DeviceScope scope(device_);
        if (unbounded_axes(problem_.grid) > 1) return copies_->free_faces(walls, fields_, stream);
        return kept_ ? kept_->data(walls, fields_, removed_, stream) : walls;
    }

    void results(std::span<Result> results, Stream stream) override {
        const DeviceScope scope(device_);
        copy_to_host(removed_on_host_.data(), removed_, results.size() * sizeof(Removed), stream);
        clock_.read(reports_);
        const bool is_singular = operation_ == ModeOperation::divide && singular(problem_);
        for (std::size_t b = 0; b < results.size(); ++b) {
            const Removed& removed = removed_on_host_[b];
            results[b] = {is_singular, is_singular ? static_cast<double>(removed.mean) +
                                                         (static_cast<double>(removed.shift.high) +
                                                          static_cast<double>(removed.shift.low)) *
                                                             scale_
                                                   : 0.0};
        }
    }

    [[nodiscard]] Engine kind() const noexcept override { return kind_; }
    [[nodiscard]] Memory memory() const noexcept override { return memory_; }
    [[nodiscard]] int threads() const noexcept override { return 1; }
    [[nodiscard]] std::size_t workspace() const noexcept override { return bytes_; }
    [[nodiscard]] const std::vector<PassReport>& passes() const noexcept override { return reports_; }
    [[nodiscard]] std::string description() const override {
        return std::string(poisson3d::name(kind_)) + " (" + pipeline_->name() + ") on " + name_;
    }

private:
    /// The fields of a call from number `first` on. `prepared`: what is done when f may be written.
    template <class Prepared>
    void run_fields(const Call<T>& call, Index first, Stream stream, const Prepared& prepared) {
        pipeline_->prepare(call, removed_ + first, stream);
        prepared();
        pipeline_->run(call, removed_ + first, stream, clock_);
        if (!kept_ || call.operation != ModeOperation::divide) return;
        for (Index field = 0; field < call.fields; ++field)
            kept_->keep(call.part(field, 1).u, first + field, stream);
    }
    template <class StartClock>
    void run_host_field(const Call<T>& call, Index field, Stream stream, const StartClock& start_clock) {
        const Call<T> here = copies_->to_device(call, stream);
        run_fields(here, field, stream, [&] {
            if (pipeline_->reads_twice()) copies_->copy_again(call, stream);
            start_clock();
        });
        copies_->fetch_free_faces(field, 0, stream);
        copies_->to_host(here.u, call.u, stream);
    }

    /// u is written where parts of f may still be needed.
    void require_same_or_apart(const Call<T>& call) const {
        const bool same = call.f.data == call.u.data && call.f.strides == call.u.strides;
        if (same || !overlap<T>(call.f, call.u)) return;
        throw Error(ErrorCode::usage, std::string("fields f and u overlap in memory and are not the same view: in "
                                                  "mode ") +
                                          name(memory_) + " u serves as scratch");
    }

    void report_traffic(Index fields) {
        const std::array<double, 5> bytes = pipeline_->traffic();
        for (std::size_t p = 0; p < reports_.size(); ++p)
            reports_[p].bytes = bytes[p] * static_cast<double>(fields);
    }

    Engine kind_;
    Problem problem_;
    int device_;
    bool padded_;                       ///< free axes
    std::optional<DeviceScope> scope_;  ///< while planning
    Memory memory_ = Memory::fast;
    std::unique_ptr<Pipeline<T>> pipeline_;
    std::size_t bytes_ = 0;
    DeviceBuffer own_;
    std::optional<CopiedFields<T>> copies_;
    std::optional<KeptPlanes<T>> kept_;  ///< none: no free axis is eliminated
    Index fields_ = 0;                   ///< of the last call
    Removed* removed_ = nullptr;         ///< on the device, of each field of a batch
    std::vector<Removed> removed_on_host_;
    PassClock clock_;
    std::string name_;
    ModeOperation operation_ = ModeOperation::none;
    double scale_ = 1.0;
    std::vector<PassReport> reports_;
};

template <Engine kind>
std::string refuses(const Problem& problem, const Options& options) {
    return refused(kind, problem, options);
}

template <class T, Engine kind>
std::unique_ptr<EngineBase<T>> make(const Problem& problem, const Options& options) {
    require_usable<kind>();
    return std::make_unique<DeviceEngine<T>>(kind, problem, options);
}

template <class T, Engine kind>
std::size_t workspace_bytes(const Problem& problem, const Options& options) {
    require_usable<kind>();
    const DeviceScope scope(options.device);
    return choose_pipeline<T>(kind, problem, options).bytes;
}

template <class T, Engine kind>
EngineEntry<T> entry() {
    return {kind, &why_unavailable<kind>, &refuses<kind>, &make<T, kind>, &workspace_bytes<T, kind>};
}

}  // namespace

}  // namespace poisson3d::device

namespace poisson3d {

template <class T>
EngineEntry<T> cufft_engine() {
    return device::entry<T, Engine::cufft>();
}
template <class T>
EngineEntry<T> fused_engine() {
    return device::entry<T, Engine::fused>();
}

template EngineEntry<float> cufft_engine();
template EngineEntry<double> cufft_engine();
template EngineEntry<float> fused_engine();
template EngineEntry<double> fused_engine();

}  // namespace poisson3d
