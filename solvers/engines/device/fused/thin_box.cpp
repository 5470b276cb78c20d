#include "thin_box.hpp"

#include <algorithm>
#include <utility>

#include "axis_kind.hpp"
#include "box_passes.hpp"
#include "field_sweeps.hpp"
#include "fused_shape.hpp"
#include "line_modes.hpp"
#include "spectrum.hpp"
#include "thin_lines.hpp"

namespace poisson3d::fused {

using namespace device;

namespace {

/// (x, z, y), with nothing that fixes the solution at a point.
Problem turned_box(const Problem& problem) {
    const auto turned = [](const auto& user) { return std::decay_t<decltype(user)>{user[0], user[2], user[1]}; };
    Problem box = problem;
    box.grid.axes = turned(problem.grid.axes);
    box.grid.labels = turned(problem.grid.labels);
    box.gauge.point.reset();
    return box;
}

template <class T>
std::vector<T> eigenvalues_by_mode(const Problem& problem, const lines::LineModes& modes) {
    const std::vector<double> by_slot = eigenvalues(problem.grid.axes[2], problem.discretization);
    std::vector<T> by_mode;
    for (const Index slot : modes.slots) by_mode.push_back(static_cast<T>(by_slot[static_cast<std::size_t>(slot)]));
    return by_mode;
}

template <class T>
class ThinPipeline final : public Pipeline<T> {
public:
    using Removed = typename Pipeline<T>::Removed;

    ThinPipeline(const Problem& problem, Memory memory, Index fields, const lines::LineModes& modes,
                 std::unique_ptr<Pipeline<T>> passes)
        : problem_(problem), memory_(memory), passes_(std::move(passes)) {
        for (int a = 0; a < 3; ++a) unknowns_[a] = axis_kind(problem.grid.axes[a]).unknowns;
        const Index multiple = memory == Memory::fast ? 128 / static_cast<Index>(sizeof(T)) : 2;
        row_ = (unknowns_[1] + multiple - 1) / multiple * multiple;
        next_ = unknowns_[0] * unknowns_[2] * row_;
        const auto n = static_cast<int>(unknowns_[2]);
        const auto set = [n](ThinTask<T>& task, const std::vector<double>& matrix) {
            task.n = n;
            for (int i = 0; i < n * n; ++i)
                task.matrix[i / n * thin_size(n) + i % n] = static_cast<T>(matrix[static_cast<std::size_t>(i)]);
        };
        set(forward_, modes.forward);
        set(backward_, modes.backward);
        WorkspaceLayout layout;
        layout.take(passes_->workspace_bytes());
        const auto take = [&](Index elements) {
            return layout.take(static_cast<std::size_t>(elements) * sizeof(T));
        };
        modes_offset_ = take(fields * next_);
        gauge_offset_ = take(fixes_point() ? fields * most_thin : 0);
        staging_offset_ = take(memory == Memory::fast ? problem.grid.size() : 0);
        faces_offset_ = take(memory == Memory::fast ? face_points(problem.grid) : 0);
        bytes_ = layout.end();
    }

    [[nodiscard]] std::string name() const override { return passes_->name(); }
    [[nodiscard]] Schedule schedule() const override { return make_schedule_in_place(0); }
    [[nodiscard]] std::size_t workspace_bytes() const noexcept override { return bytes_; }
    [[nodiscard]] Index fields_at_once() const noexcept override { return passes_->fields_at_once(); }

    void bind(std::byte* workspace) override {
        passes_->bind(workspace);
        const auto at = [&](std::size_t offset) { return reinterpret_cast<T*>(workspace + offset); };
        modes_ = at(modes_offset_);
        gauge_ = at(gauge_offset_);
        if (memory_ != Memory::fast) return;
        staging_ = at(staging_offset_);
        faces_ = at(faces_offset_);
    }

    void run(const Call<T>& call, Removed* removed, Stream stream, const PassClock& clock) override {
        if (singular(problem_))
            launch_typical_value(call.f.data, call.f.strides, call.f.extents, &removed->shift, call.fields,
                                 call.f_next, removed_numbers, stream);
        run_forward(call, removed, stream);
        clock.mark(1, stream);
        passes_->run(call_of_modes(call), removed, stream, clock);
        run_backward(call, stream);
        clock.mark(5, stream);
        write_dirichlet_planes(call, stream, 3);
    }

    [[nodiscard]] FieldView<T> staging() const noexcept override {
        return staging_ == nullptr ? FieldView<T>{} : FieldView<T>{staging_, problem_.grid.points()};
    }
    [[nodiscard]] T* face_staging() const noexcept override { return faces_; }
    [[nodiscard]] std::array<double, 5> traffic() const noexcept override {
        std::array<double, 5> bytes{};
        bytes.fill(2.0 * sizeof(T) * static_cast<double>(unknowns_[0] * unknowns_[1] * unknowns_[2]));
        return bytes;
    }
    [[nodiscard]] bool needs_dense_solution() const noexcept override { return memory_ != Memory::fast; }
    [[nodiscard]] bool works_in_solution() const noexcept override { return false; }

private:
    static constexpr Index removed_numbers = sizeof(Removed) / sizeof(T);

    [[nodiscard]] bool fixes_point() const { return gauge_applies(problem_) && problem_.gauge.point.has_value(); }
    [[nodiscard]] Index first_unknown(const Call<T>& call, const Strides& strides) const {
        return BoxPasses<T, lines::Compact>::first_unknown(call, strides);
    }

    void describe(ThinTask<T>& task, const Strides& rows, Index row_field, Index fields) const {
        task.slow = unknowns_[0];
        task.lines = unknowns_[1];
        task.fields = fields;
        task.row_slow = rows[0];
        task.row_line = rows[1];
        task.row_field = row_field;
        task.mode_slow = unknowns_[2] * row_;
        task.mode_sample = row_;
        task.mode_field = next_;
    }
    void run_forward(const Call<T>& call, const Removed* removed, Stream stream) const {
        ThinTask<T> task = forward_;
        describe(task, call.f.strides, call.f_next, call.fields);
        task.in = call.f.data + first_unknown(call, call.f.strides);
        task.out = modes_;
        task.scale = static_cast<T>(call.scale);
        task.boundary = call.boundary;
        if (singular(problem_)) {
            task.subtract = &removed->shift.high;
            task.subtract_field = removed_numbers;
        }
        launch_thin_lines(true, task, stream);
    }
    /// Where the solution is fixed at a point, the line through it comes first, and from all what it has there is
    /// taken.
    void run_backward(const Call<T>& call, Stream stream) const {
        ThinTask<T> task = backward_;
        describe(task, call.u.strides, call.u_next, call.fields);
        task.in = modes_;
        task.out = call.u.data + first_unknown(call, call.u.strides);
        if (call.operation == ModeOperation::divide && fixes_point()) {
            const auto [x, y, z] = *problem_.gauge.point;  // singular: every point is an unknown
            ThinTask<T> line = task;
            line.in = modes_ + x * task.mode_slow + y;
            line.out = gauge_;
            line.slow = line.lines = 1;
            line.row_field = most_thin;
            launch_thin_lines(false, line, stream);
            task.subtract = gauge_ + z;
            task.subtract_field = most_thin;
        }
        launch_thin_lines(false, task, stream);
    }
    /// Of the box (x, z, y), whose points are the unknowns.
    [[nodiscard]] Call<T> call_of_modes(const Call<T>& call) const {
        Call<T> inner;
        const Extents extents{unknowns_[0], unknowns_[2], unknowns_[1]};
        const Strides strides{unknowns_[2] * row_, row_, 1};
        inner.operation = call.operation;
        inner.u = {modes_, extents, strides};
        inner.f = inner.u;
        for (int a = 0; a < 3; ++a) inner.boundary.last[a] = extents[a] - 1;
        inner.fields = call.fields;
        inner.f_next = inner.u_next = next_;
        inner.restore = call.restore;
        return inner;
    }

    Problem problem_;
    Memory memory_;
    std::unique_ptr<Pipeline<T>> passes_;
    Extents unknowns_{};
    Index row_ = 0, next_ = 0;  ///< of modes: elements from row to row, from field to field
    ThinTask<T> forward_, backward_;
    std::size_t modes_offset_ = 0, gauge_offset_ = 0, staging_offset_ = 0, faces_offset_ = 0, bytes_ = 0;
    T *modes_ = nullptr, *gauge_ = nullptr, *staging_ = nullptr, *faces_ = nullptr;
};

}  // namespace

template <class T>
bool is_thin(const Problem& problem, Memory memory, const std::array<lines::LineMethod, 3>& methods) {
    constexpr Index most_slow = 65535;                 // of a launch's second dimension
    constexpr Index fewest_lines = 64, fewest = 4096;  // that fill blocks, and a device
    const auto& axes = problem.grid.axes;
    const Index x = axis_kind(axes[0]).unknowns, y = axis_kind(axes[1]).unknowns, z = axis_kind(axes[2]).unknowns;
    if (memory == Memory::low || !has_fast_transform(axes[2]) || z > most_thin) return false;
    if (x < 2 || x > most_slow || y < fewest_lines || x * y < fewest) return false;
    for (const int a : {0, 1})
        if (!lines::has_ffts(methods[a]) || !lines_fit<T>(axes[a], methods[a])) return false;
    return true;
}

template <class T>
std::unique_ptr<Pipeline<T>> make_thin_pipeline(const Problem& problem, Memory memory, Index fields) {
    const lines::LineModes modes = lines::make_line_modes(problem.grid.axes[2]);
    auto passes = make_passes_beside_modes<T>(turned_box(problem), fields, eigenvalues_by_mode<T>(problem, modes));
    if (passes == nullptr) return nullptr;
    return std::make_unique<ThinPipeline<T>>(problem, memory, fields, modes, std::move(passes));
}

template bool is_thin<float>(const Problem&, Memory, const std::array<lines::LineMethod, 3>&);
template bool is_thin<double>(const Problem&, Memory, const std::array<lines::LineMethod, 3>&);
template std::unique_ptr<Pipeline<float>> make_thin_pipeline(const Problem&, Memory, Index);
template std::unique_ptr<Pipeline<double>> make_thin_pipeline(const Problem&, Memory, Index);

}  // namespace poisson3d::fused
