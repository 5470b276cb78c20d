// The host engine: five passes in three sweeps, on a team of threads.
//
//     sweep 1   per plane of x: lines along z, then along y      forward
//     sweep 2   lines along x                                    forward, mode space, backward
//     sweep 3   per plane of x: lines along y, then along z      backward
//
// An axis that is eliminated instead of transformed takes the place of x; further axes without fast transform are
// multiplied with matrices.
// A pass goes over blocks of V lines (line_walk.hpp) and works in u as it lies (passes.hpp), in every memory mode.
// A plane that fits the cache crosses memory once per sweep. Where there are fewer planes than keep all threads at
// work, or where z is thin, every pass is a sweep.
#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>

#include "engine.hpp"
#include "field_checks.hpp"
#include "middle_axis.hpp"
#include "move_rows.hpp"
#include "passes.hpp"
#include "planned_axis.hpp"
#include "poisson3d/text.hpp"
#include "typical_value.hpp"

namespace poisson3d::host {

namespace {

/// Everywhere.
std::string why_unavailable() {
    return {};
}

std::string refuses_nothing(const Problem&, const Options&) {
    return {};
}

/// Of the first `axes` axes: the last pass has written those at the ends of its lines, if they run along z.
template <class T>
void write_dirichlet_planes(FieldView<T> u, const BoundaryTerms<T>& terms, int axes) {
    const auto write = [&](const Extents& begin, const Extents& end) {
        for (Index i = begin[0]; i < end[0]; ++i)
            for (Index j = begin[1]; j < end[1]; ++j)
                for (Index k = begin[2]; k < end[2]; ++k) u(i, j, k) = terms.held(i, j, k);
    };
    for_each_dirichlet_plane(terms, u.extents, write, axes);
}

template <class T>
class HostEngine final : public EngineBase<T> {
public:
    HostEngine(const Problem& problem, const Options& options)
        : problem_(problem),
          memory_(options.memory == Memory::automatic ? Memory::fast : options.memory),
          eliminated_(eliminated_axis(problem, options.middle)),
          layout_(make_layout<T>(problem, memory_, thread_count(options), eliminated_)),
          team_(layout_.threads, layout_.scratch, layout_.bytes, options.workspace) {
        for (int a = 0; a < 3; ++a) {
            if (a == eliminated_) continue;
            const Axis& axis = problem.grid.axes[a];
            if (!has_fast_transform(axis)) {
                matrices_[a] = std::make_unique<MatrixAxis<T>>(axis);
                continue;
            }
            axes_[a] = same_axis(a);
            if (axes_[a] == nullptr)
                axes_[a] = std::make_shared<PlannedAxis<T>>(axis, problem.discretization, team_.team());
            round_trip_ *= axes_[a]->round_trip();
        }
        if (eliminated_ >= 0) middle_.emplace(problem, eliminated_);
        sweeps_ = make_sweeps(schedule_, layout_, team_.size(), kernels<T>().element_lines);
        for (const Sweep& sweep : sweeps_)
            reports_.push_back(
                {describe(sweep, static_cast<int>(reports_.size()) + 1, schedule_, problem.grid.labels), 0.0,
                 traffic_of_sweep()});
        results_.resize(static_cast<std::size_t>(options.batch));
    }

    /// One field after the other: a small one stays in the cache from sweep to sweep.
    void run(const Call<T>& call, Stream) override {
        for (PassReport& report : reports_) {
            report.seconds = 0.0;
            report.bytes = traffic_of_sweep() * static_cast<double>(call.fields);
        }
        for (Index b = 0; b < call.fields; ++b) {
            run_field(call.part(b, 1));
            results_[static_cast<std::size_t>(b)] = result_of_field();
        }
    }

    void results(std::span<Result> results, Stream) override {
        std::copy_n(results_.begin(), results.size(), results.begin());
    }

    [[nodiscard]] Engine kind() const noexcept override { return Engine::host; }
    [[nodiscard]] Memory memory() const noexcept override { return memory_; }
    [[nodiscard]] int threads() const noexcept override { return team_.size(); }
    [[nodiscard]] std::size_t workspace() const noexcept override { return layout_.bytes; }
    [[nodiscard]] const std::vector<PassReport>& passes() const noexcept override { return reports_; }
    [[nodiscard]] std::string description() const override {
        std::string text = "host, " + std::to_string(team_.size()) +
                           (team_.size() == 1 ? " thread, " : " threads, ") + instruction_set().name;
        for (int a = 0; a < 3; ++a) {
            if (a == eliminated_) text += std::string(", ") + problem_.grid.labels[a] + " eliminated";
            if (matrices_[a] != nullptr) text += std::string(", ") + problem_.grid.labels[a] + " as a matrix";
        }
        return text;
    }

private:
    void run_field(const Call<T>& call) {
        removed_ = T(0);
        shift_ = {};
        if (singular(problem_)) shift_ = typical_value(call.f.data, call.f.strides, call.f.extents);
        operation_ = call.operation;
        scale_ = call.scale * call.restore;
        const bool moved = overlap<T>(call.f, call.u);
        if (moved) move_rows<T>(call.f, call.u);
        Call<T> here = call;
        if (moved) here.f = call.u;
        for (std::size_t s = 0; s < sweeps_.size(); ++s) {
            const auto start = std::chrono::steady_clock::now();
            run_sweep(sweeps_[s], here);
            reports_[s].seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        }
        write_dirichlet_planes(call.u, call.boundary, schedule_[4].axis() == 2 ? 2 : 3);
    }

    [[nodiscard]] Result result_of_field() const {
        const bool is_singular = operation_ == ModeOperation::divide && singular(problem_);
        if (!is_singular) return {};
        return {true, static_cast<double>(removed_) +
                          (static_cast<double>(shift_.high) + static_cast<double>(shift_.low)) * scale_};
    }

    /// Bytes, of one field.
    [[nodiscard]] double traffic_of_sweep() const {
        return 2.0 * sizeof(T) *
               static_cast<double>(layout_.unknowns[0] * layout_.unknowns[1] * layout_.unknowns[2]);
    }

    /// An axis before this one that transforms in the same way and has the same eigenvalues.
    [[nodiscard]] std::shared_ptr<PlannedAxis<T>> same_axis(int axis) const {
        const Axis& wanted = problem_.grid.axes[axis];
        for (int a = 0; a < axis; ++a) {
            const Axis& other = problem_.grid.axes[a];
            if (axes_[a] != nullptr && other.points == wanted.points && other.step() == wanted.step() &&
                other.lower == wanted.lower && other.upper == wanted.upper && other.centering == wanted.centering)
                return axes_[a];
        }
        return nullptr;
    }

    [[nodiscard]] const T* eigenvalues_along(int axis) const {
        return matrices_[axis] != nullptr ? matrices_[axis]->eigenvalues() : axes_[axis]->eigenvalues();
    }

    /// Offset of the first unknown in a field of the caller with these strides.
    [[nodiscard]] Index first_unknown(const Strides& strides) const {
        Index offset = 0;
        for (int a = 0; a < 3; ++a) offset += layout_.kinds[a].first * strides[a];
        return offset;
    }

    /// Lines of a sweep in planes have the plane's index as their slow one.
    PassTask<T> make_task(const Pass& pass, const Sweep& sweep, const Call<T>& call) {
        const int along = pass.axis();
        const int across = sweep.passes > 1 ? 3 - along - sweep.planes
                                            : axis_across(layout_.unknowns, along, kernels<T>().element_lines,
                                                          schedule_[2].axis());
        const bool reads_f = pass.from == Buffer::input;
        const FieldView<const T> in = reads_f ? call.f : FieldView<const T>(call.u);
        PassTask<T> task = lines_of(layout_.unknowns, along, across, in, first_unknown(in.strides), call.u,
                                    first_unknown(call.u.strides));
        task.direction = pass.direction;
        if (along == eliminated_)
            task.eliminated = &middle_->lines();
        else if (matrices_[along] != nullptr)
            task.matrix = &matrices_[along]->lines();
        else
            task.line = &axes_[along]->line();
        if (reads_f) {
            task.shift = shift_.high, task.shift_low = shift_.low, task.scale = static_cast<T>(call.scale);
            if (call.boundary.any) task.added = &call.boundary;
        }
        if (pass.to == Buffer::output && along == 2) {
            write_ends_of(task, layout_.kinds[along]);
            if (call.boundary.any) task.held = &call.boundary;
        }
        if (pass.direction == Direction::both) {
            task.modes = {operation_,
                          eigenvalues_along(3 - along - across),
                          eigenvalues_along(across),
                          static_cast<T>(-problem_.helmholtz),
                          static_cast<T>(call.restore / round_trip_),
                          singular(problem_),
                          &removed_};
        }
        return task;
    }

    void run_sweep(const Sweep& sweep, const Call<T>& call) {
        std::array<PassTask<T>, 3> tasks;
        for (std::size_t p = 0; p < sweep.passes; ++p)
            tasks[p] = make_task(schedule_[sweep.first + p], sweep, call);
        PassTask<T>& last = tasks[sweep.passes - 1];
        Index done = -1;  // a plane where all passes but the last are over
        if (sweep.first + sweep.passes == schedule_.size() && operation_ == ModeOperation::divide &&
            singular(problem_) && problem_.gauge.point) {
            if (sweep.passes > 1) {
                done = (*problem_.gauge.point)[last.slow_axis];
                for (std::size_t p = 0; p + 1 < sweep.passes; ++p) team_.run_plane(tasks[p], done, 0);
            }
            last.subtract = value_at_gauge(last);
        }
        if (sweep.passes == 1) return team_.run(last);
        team_.team().parallel_for(last.slow, 1, [&](Index begin, Index end, int thread) {
            for (Index plane = begin; plane < end; ++plane)
                for (std::size_t p = plane == done ? sweep.passes - 1 : 0; p < sweep.passes; ++p)
                    team_.run_plane(tasks[p], plane, thread);
        });
    }

    /// The value the last pass will give the gauge point. The same block of lines goes through the same arithmetic,
    /// so that subtracting it leaves exactly 0 there.
    T value_at_gauge(PassTask<T> task) const {
        const std::array<Index, 3>& point = *problem_.gauge.point;
        const Index lines = kernels<T>().lines;
        const Index line = point[task.line_axis] / lines * lines;
        T* const block = reinterpret_cast<T*>(team_.memory() + layout_.gauge_offset);
        task.in += point[task.slow_axis] * task.in_slow + line * task.in_line;
        task.out = block;
        task.lines -= line;
        task.out_line = layout_.unknowns[task.along_axis];
        task.out_sample = 1;
        team_.run(task, 0, 0, 0);
        return block[(point[task.line_axis] - line) * task.out_line + point[task.along_axis]];
    }

    Problem problem_;
    Memory memory_;
    int eliminated_;  ///< an axis, or −1
    Layout layout_;
    LineTeam<T> team_;
    Schedule schedule_ = make_schedule_in_place(std::max(eliminated_, 0));
    std::vector<Sweep> sweeps_;
    std::array<std::shared_ptr<PlannedAxis<T>>, 3> axes_;  // axes of one kind, size and spacing share a plan
    std::array<std::unique_ptr<MatrixAxis<T>>, 3> matrices_;
    std::optional<EliminatedAxis<T>> middle_;
    double round_trip_ = 1.0;
    ModeOperation operation_ = ModeOperation::none;
    double scale_ = 1.0;
    T removed_ = 0;                ///< the mean of what was left of f …
    Constant<T> shift_;            ///< … when this had been taken from it
    std::vector<Result> results_;  ///< of each field of the last call
    std::vector<PassReport> reports_;
};

template <class T>
std::unique_ptr<EngineBase<T>> make(const Problem& problem, const Options& options) {
    return std::make_unique<HostEngine<T>>(problem, options);
}

template <class T>
std::size_t workspace_bytes(const Problem& problem, const Options& options) {
    return make_layout<T>(problem, options.memory, thread_count(options), eliminated_axis(problem, options.middle))
        .bytes;
}

}  // namespace

}  // namespace poisson3d::host

namespace poisson3d {

template <class T>
EngineEntry<T> host_engine() {
    return {Engine::host, &host::why_unavailable, &host::refuses_nothing, &host::make<T>,
            &host::workspace_bytes<T>};
}

template EngineEntry<float> host_engine();
template EngineEntry<double> host_engine();

}  // namespace poisson3d
