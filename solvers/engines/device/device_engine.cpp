// The engines of a GPU: a pipeline on a device, its memory, and fields that may be on the host.
#include <cuda_runtime_api.h>

#include "axis_kind.hpp"
#include "beyond_faces.hpp"
#include "chain.hpp"
#include "cuda/check.hpp"
#include "field_checks.hpp"
#include "field_sweeps.hpp"
#include "free_faces.hpp"
#include "middle_axis.hpp"
#include "pipelines.hpp"
#include "poisson3d/device.hpp"
#include "poisson3d/device_memory.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/text.hpp"
#include "schedule.hpp"

namespace poisson3d::device {

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

/// Elements of the planes of u next to free faces that are kept of a field.
Index kept_elements(const Problem& problem) {
    if (!eliminates_free_axis(problem)) return 0;
    const auto [rows, columns] = extents_of_face(problem.grid.points(), uneven_axis_to_eliminate(problem.grid));
    return 2 * rows * columns;
}

/// With what is kept and what is removed of each field of a batch, behind it.
template <class T>
std::size_t whole_bytes(const Problem& problem, const Pipeline<T>& pipeline, Index batch) {
    WorkspaceLayout layout;
    layout.take(pipeline.workspace_bytes());
    layout.take(static_cast<std::size_t>(batch * kept_elements(problem)) * sizeof(T));
    layout.take(static_cast<std::size_t>(batch) * sizeof(typename Pipeline<T>::Removed));
    return layout.end();
}

template <class T>
struct Choice {
    Memory memory;
    std::unique_ptr<Pipeline<T>> pipeline;
};

template <Engine kind>
std::string refuses(const Problem& problem, const Options& options) {
    const bool eliminates = kind == Engine::fused;
    return refused_by_device(problem, options.middle,
                             {kind, eliminates ? fused::max_eliminated : 0, &fused::pass_copies});
}

/// The axis that the engine eliminates; −1 if there is none.
int eliminated_by(Engine kind, const Problem& problem, Middle middle) {
    if (kind != Engine::fused) return -1;
    const int axis = eliminated_axis(problem, middle, &fused::pass_copies);
    if (axis < 0 || axis_kind(problem.grid.axes[axis]).unknowns <= fused::max_eliminated) return axis;
    return -1;
}

/// Engine fused leaves to cuFFT what it has no kernels for.
template <class T>
std::unique_ptr<Pipeline<T>> make_pipeline(Engine kind, const Problem& problem, const Options& options,
                                           Memory memory) {
    if (unbounded_axes(problem.grid) > 1) {
        Options one = options;
        one.batch = 1;
        const Problem closed = walled::between_walls(problem);
        // A node more than u has lines that cuFFT's way would have in u.
        if (closed.grid.points() != problem.grid.points() &&
            fused::make_fused_pipeline<T>(closed, memory) == nullptr)
            throw Error(
                ErrorCode::unsupported,
                std::string("engine ") + name(kind) +
                    " has no kernels for lines as long as those of nodes with one free face: use engine host");
        return walled::make_walled_pipeline<T>(problem, options.batch, make_pipeline<T>(kind, closed, one, memory));
    }
    const int eliminated = eliminated_by(kind, problem, options.middle);
    const bool must_eliminate = first_uneven_axis(problem.grid) >= 0 || options.middle == Middle::eliminate;
    if (kind == Engine::fused) {
        auto fused = fused::make_fused_pipeline<T>(problem, memory, options.batch, eliminated);
        if (fused == nullptr && eliminated >= 0 && !must_eliminate)
            fused = fused::make_fused_pipeline<T>(problem, memory, options.batch);
        if (fused != nullptr) return fused;
    }
    if (must_eliminate)
        throw Error(ErrorCode::unsupported,
                    std::string("engine ") + name(kind) +
                        " has no kernels for lines as long as those across the axis that is "
                        "to be eliminated: use engine host");
    return cufft::make_cufft_pipeline<T>(problem, memory);
}

/// As asked, or the first of fast, standard and low that fits what the caller brings or the device has; the
/// smallest there is if none does.
template <class T>
Choice<T> choose(Engine kind, const Problem& problem, const Options& options) {
    if (options.memory != Memory::automatic)
        return {options.memory, make_pipeline<T>(kind, problem, options, options.memory)};
    const std::size_t room = options.workspace.empty() ? free_device_memory() : options.workspace.size();
    Choice<T> choice{};
    for (const Memory memory : {Memory::fast, Memory::standard, Memory::low}) {
        auto pipeline = make_pipeline<T>(kind, problem, options, memory);
        const std::size_t bytes = whole_bytes(problem, *pipeline, options.batch);
        // Tables and lines of a tiny box may be more than a field of it.
        if (choice.pipeline != nullptr && bytes >= whole_bytes(problem, *choice.pipeline, options.batch)) continue;
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
    using Removed = typename Pipeline<T>::Removed;

    DeviceEngine(Engine kind, const Problem& problem, const Options& options)
        : kind_(kind),
          problem_(problem),
          device_(options.device),
          scope_(options.device),
          removed_on_host_(static_cast<std::size_t>(options.batch)) {
        Choice<T> choice = choose<T>(kind, problem, options);
        memory_ = choice.memory;
        pipeline_ = std::move(choice.pipeline);
        bytes_ = whole_bytes(problem, *pipeline_, options.batch);
        std::byte* const workspace = take_workspace(options.workspace, bytes_, own_);
        removed_ = reinterpret_cast<Removed*>(workspace + bytes_) - removed_on_host_.size();
        if (eliminates_free_axis(problem)) {
            kept_ = reinterpret_cast<T*>(workspace + pipeline_->workspace_bytes());
            beyond_ = make_beyond_faces<T>(problem, options.batch, options.threads);
        }
        if (unbounded_axes(problem.grid) > 1) take_room_for_faces();
        fill_on_device(removed_, 0, removed_on_host_.size() * sizeof(Removed));
        pipeline_->bind(workspace);
        name_ = device_name(device_);
        const Schedule schedule = pipeline_->schedule();
        for (std::size_t p = 0; p < schedule.size(); ++p)
            reports_.push_back({describe(schedule[p], static_cast<int>(p) + 1, problem.grid.labels), 0.0, 0.0});
        report_traffic(1);
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
        if (pipeline_->works_in_solution()) require_same_or_apart(call);
        if (on_host) require_room_for_copies();
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
            if (on_host) {
                run_host_fields(call.part(b, 1), removed_ + b, stream, start_clock);
            } else {
                pipeline_->prepare(call.part(b, count), removed_ + b, stream);
                start_clock();
                pipeline_->run(call.part(b, count), removed_ + b, stream, clock_);
            }
            if (on_host) fetch_faces(b, 0, stream);
            for (Index field = b; field < b + count && !on_host; ++field)
                keep_planes(call.part(field, 1).u, field, stream);
        }
        fields_ = call.fields;
        worked_out_ = call.operation != ModeOperation::divide;
        faces_fetched_ = on_host;
    }

    BoundaryData<T> faces(const BoundaryData<T>& walls, Stream stream) override {
        if (unbounded_axes(problem_.grid) > 1) return copied_faces(walls, stream);
        if (beyond_ == nullptr) return walls;
        if (!worked_out_) fetch_planes(stream);
        worked_out_ = true;
        return beyond_->data(walls, fields_);
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
    /// Where the plane of an end of the free axis is kept, dense.
    template <class U>
    [[nodiscard]] FieldView<U> kept_plane(U* kept, Index field, int side) const {
        Extents extents = problem_.grid.points();
        extents[uneven_axis_to_eliminate(problem_.grid)] = 1;
        return {kept + field * kept_elements(problem_) + side * (kept_elements(problem_) / 2), extents};
    }
    void keep_planes(FieldView<T> u, Index field, Stream stream) {
        if (beyond_ == nullptr || operation_ != ModeOperation::divide) return;
        for (int side = 0; side < 2; ++side) {
            RightHandSide<T> copy;
            copy.f = end_plane<const T>(u, uneven_axis_to_eliminate(problem_.grid), side);
            copy.out = kept_plane(kept_, field, side);
            launch_right_hand_side(copy, 1, stream);
        }
    }
    /// Values of free faces on the host: of each face, the arrays of all fields one after the other.
    void take_room_for_faces() {
        for (int axis = 0; axis < 3; ++axis)
            for (int side = 0; side < 2; ++side) {
                if (!is_free(problem_.grid.axes[axis], side)) continue;
                const auto [rows, columns] = extents_of_face(problem_.grid.points(), axis);
                faces_on_host_[axis][side].resize(removed_on_host_.size() *
                                                  static_cast<std::size_t>(rows * columns));
            }
    }
    /// Those of a field, number `from` of what the pipeline has done last.
    void fetch_faces(Index field, Index from, Stream stream) {
        for (int axis = 0; axis < 3; ++axis)
            for (int side = 0; side < 2; ++side) {
                const std::vector<T>& all = faces_on_host_[axis][side];
                if (all.empty()) continue;
                const std::size_t count = all.size() / removed_on_host_.size();
                copy_to_host(faces_on_host_[axis][side].data() + static_cast<std::size_t>(field) * count,
                             pipeline_->face_values(from, axis, side), count * sizeof(T), stream);
            }
    }
    BoundaryData<T> copied_faces(const BoundaryData<T>& walls, Stream stream) {
        const DeviceScope scope(device_);
        for (Index field = 0; field < fields_ && !faces_fetched_; ++field) fetch_faces(field, field, stream);
        faces_fetched_ = true;
        BoundaryData<T> all = walls;
        for (int axis = 0; axis < 3; ++axis)
            for (int side = 0; side < 2; ++side) {
                if (!is_free(problem_.grid.axes[axis], side)) continue;
                const auto [rows, columns] = extents_of_face(problem_.grid.points(), axis);
                all.faces[axis][side] = {T(0), faces_on_host_[axis][side].data(), columns, rows * columns};
            }
        return all;
    }
    void fetch_planes(Stream stream) {
        const DeviceScope scope(device_);
        std::vector<T> kept(static_cast<std::size_t>(fields_ * kept_elements(problem_)));
        copy_to_host(kept.data(), kept_, kept.size() * sizeof(T), stream);
        copy_to_host(removed_on_host_.data(), removed_, static_cast<std::size_t>(fields_) * sizeof(Removed),
                     stream);
        for (Index field = 0; field < fields_; ++field) {
            for (int side = 0; side < 2; ++side)
                beyond_->keep(field, side, kept_plane<const T>(kept.data(), field, side));
            beyond_->keep(field, removed_on_host_[static_cast<std::size_t>(field)].mean);
        }
    }

    template <class StartClock>
    void run_host_fields(const Call<T>& call, Removed* removed, Stream stream, const StartClock& start_clock) {
        const FieldView<const T>& f = call.f;
        const FieldView<T>& u = call.u;
        const FieldView<T> inside = pipeline_->staging();
        copy_field<T>(f, inside, cudaMemcpyHostToDevice, stream);
        const FieldView<T> result = pipeline_->result_staging();
        Call<T> here{call.operation, inside, result, call.scale, faces_on_device(call.boundary, stream)};
        here.restore = call.restore;
        pipeline_->prepare(here, removed, stream);
        if (pipeline_->reads_twice()) copy_field<T>(f, inside, cudaMemcpyHostToDevice, stream);
        start_clock();
        pipeline_->run(here, removed, stream, clock_);
        keep_planes(result, removed - removed_, stream);
        copy_field<T>(result, u, cudaMemcpyDeviceToHost, stream);
        synchronize(stream);
    }

    /// u is written where parts of f may still be needed.
    void require_same_or_apart(const Call<T>& call) const {
        const bool same = call.f.data == call.u.data && call.f.strides == call.u.strides;
        if (same || !overlap<T>(call.f, call.u)) return;
        throw Error(ErrorCode::usage, std::string("fields f and u overlap in memory and are not the same view: in "
                                                  "mode ") +
                                          name(memory_) + " u serves as scratch");
    }

    /// Asked before anything of a call is begun or remembered.
    void require_room_for_copies() const {
        if (memory_ == Memory::fast && pipeline_->staging().data != nullptr) return;
        throw Error(ErrorCode::usage, std::string("fields in host memory want a plan with memory fast: in mode ") +
                                          name(memory_) + " u serves as scratch and must be in device memory");
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

    void report_traffic(Index fields) {
        const std::array<double, 5> bytes = pipeline_->traffic();
        for (std::size_t p = 0; p < reports_.size(); ++p)
            reports_[p].bytes = bytes[p] * static_cast<double>(fields);
    }

    Engine kind_;
    Problem problem_;
    int device_;
    std::optional<DeviceScope> scope_;  ///< while planning
    Memory memory_ = Memory::fast;
    std::unique_ptr<Pipeline<T>> pipeline_;
    std::size_t bytes_ = 0;
    DeviceBuffer own_;
    std::unique_ptr<BeyondFaces<T>> beyond_;  ///< null: no axis is free
    T* kept_ = nullptr;                       ///< planes of u next to free faces, on the device
    Index fields_ = 0;                        ///< of the last call …
    bool worked_out_ = true;                  ///< … whose planes `beyond_` has
    std::array<std::array<std::vector<T>, 2>, 3> faces_on_host_;
    bool faces_fetched_ = true;   ///< of the last call
    Removed* removed_ = nullptr;  ///< on the device, of each field of a batch
    std::vector<Removed> removed_on_host_;
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
    return whole_bytes(problem, *choose<T>(kind, problem, options).pipeline, options.batch);
}

template <class T, Engine kind>
EngineEntry<T> entry() {
    return {kind, &why_unavailable, &refuses<kind>, &make<T, kind>, &workspace_bytes<T, kind>};
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
