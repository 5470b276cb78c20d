// The passes over what this process, or a member, has of a box: all of it, a slab, or a pencil. Engines say in
// which order, and what happens in between.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "middle_axis.hpp"
#include "part.hpp"
#include "passes.hpp"
#include "planned_axis.hpp"
#include "typical_value.hpp"

namespace poisson3d::host {

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

/// Where unknowns are between passes: those of pencils before z modes are shared and after, and those between the
/// passes along y and x. Of all else it is one place.
template <class T>
struct Between {
    FieldView<T> rows, columns, inner;

    Between() = default;
    Between(FieldView<T> everywhere) : Between(everywhere, everywhere, everywhere) {}
    Between(FieldView<T> before, FieldView<T> after, FieldView<T> along_x)
        : rows(before), columns(after), inner(along_x) {}
};

template <class T>
class FieldPasses {
public:
    /// `eliminated`: an axis, or −1. `part`: what is at hand of the box.
    FieldPasses(const Problem& problem, const Options& options, int eliminated, const BoxPart& part)
        : FieldPasses(problem, options, eliminated, part,
                      make_layout<T>(problem, memory_of(options), thread_count(options), eliminated, part)) {}

    /// With a layout that has room for more.
    FieldPasses(const Problem& problem, const Options& options, int eliminated, const BoxPart& part,
                const Layout& layout)
        : problem_(problem),
          eliminated_(eliminated),
          part_(part),
          layout_(layout),
          team_(layout_.threads, layout_.scratch, layout_.bytes, options.workspace) {
        for (int a = 0; a < 3; ++a) {
            if (a == eliminated_) continue;
            const Axis& axis = problem.grid.axes[a];
            if (!has_fast_transform(axis)) {
                matrices_[a] = std::make_unique<MatrixAxis<T>>(axis, team_.team());
                continue;
            }
            axes_[a] = same_axis(a);
            if (axes_[a] == nullptr)
                axes_[a] = std::make_shared<PlannedAxis<T>>(axis, problem.discretization, team_.team());
            round_trip_ *= axes_[a]->round_trip();
        }
        if (eliminated_ >= 0) {
            middle_.emplace(problem, eliminated_);
            without_constant_ = middle_->lines();
            without_constant_.constant = nullptr;
        }
        sweeps_ = make_sweeps(schedule_, layout_, team_.size(), kernels<T>().element_lines);
    }

    static Memory memory_of(const Options& options) {
        return options.memory == Memory::automatic ? Memory::fast : options.memory;
    }

    [[nodiscard]] const Problem& problem() const noexcept { return problem_; }
    [[nodiscard]] const Layout& layout() const noexcept { return layout_; }
    [[nodiscard]] const Schedule& schedule() const noexcept { return schedule_; }
    [[nodiscard]] const std::vector<Sweep>& sweeps() const noexcept { return sweeps_; }
    [[nodiscard]] LineTeam<T>& team() noexcept { return team_; }
    [[nodiscard]] const LineTeam<T>& team() const noexcept { return team_; }
    [[nodiscard]] const EliminatedAxis<T>& middle() const noexcept { return *middle_; }
    /// One that is transformed.
    [[nodiscard]] const PlannedAxis<T>& axis(int number) const noexcept { return *axes_[number]; }
    [[nodiscard]] int eliminated() const noexcept { return eliminated_; }
    /// Of the axes that are not eliminated, there and back.
    [[nodiscard]] double round_trip() const noexcept { return round_trip_; }
    /// By slot of those at hand, of an axis that is not eliminated.
    [[nodiscard]] const T* eigenvalues_along(int axis) const {
        const T* const all =
            matrices_[axis] != nullptr ? matrices_[axis]->eigenvalues() : axes_[axis]->eigenvalues();
        return axis == 2 ? all + part_.z_modes.first : axis == 1 ? all + part_.y_modes.first : all;
    }

    /// From now on another part of the box is at hand, `between` is where its unknowns are between passes. What
    /// begin() was told stays, as does the mean that was removed. Lines that lie across x or a share of modes round
    /// as those of the whole box do if the part begins at a multiple of the lines of an element.
    void aim(const BoxPart& part, const Between<T>& between) {
        part_ = part;
        between_ = between;
        layout_.unknowns = part.unknowns(layout_.kinds[2].unknowns);
        Layout of_box = layout_;  // passes share planes only where those of the box may: lines lie the same way
        of_box.unknowns = all_unknowns();
        const bool enough = team_.size() == 1 || layout_.unknowns[0] >= Index{8} * team_.size();
        const bool planes_of_x = eliminated_ <= 0;
        sweeps_ =
            enough && planes_of_x ? make_sweeps(schedule_, of_box, 1, kernels<T>().element_lines) : single_passes();
    }
    /// Taken from every result of the last sweep, in the place of what it finds at the gauge point; or nothing.
    void hold(std::optional<T> at_gauge) { held_at_gauge_ = at_gauge; }
    /// What the last sweep would give the gauge point, if its plane is at hand; leaves the part transformed in
    /// part.
    T value_at_gauge(const Sweep& last, const Call<T>& call) {
        for (std::size_t p = 0; p + 1 < last.passes; ++p) team_.run(task(last.first + p, last.planes, call));
        return value_at_gauge(task(last.first + last.passes - 1, last.passes > 1 ? last.planes : -1, call));
    }

    /// The lines along an axis of another field in place; they lie across `across`.
    void transform(FieldView<T> field, int along, int across, Direction direction) {
        PassTask<T> task = lines_of(field.extents, along, across, FieldView<const T>(field), 0, field, 0);
        task.direction = direction;
        set_lines(task, along);
        team_.run(task);
    }

    /// Whether the call that begins is `divide` or `multiply`, what is taken from its f, and where the unknowns are
    /// between passes: unknowns_of(u), or elsewhere.
    void begin(ModeOperation operation, Constant<T> shift, const Between<T>& between) {
        operation_ = operation;
        shift_ = shift;
        between_ = between;
        removed_ = T(0);
    }
    [[nodiscard]] ModeOperation operation() const noexcept { return operation_; }
    /// The mean that was removed: of what was left of f when the constant had been taken, and that.
    [[nodiscard]] Result result(double scale) const {
        if (operation_ != ModeOperation::divide || !singular(problem_)) return {};
        return {true, static_cast<double>(removed_) +
                          (static_cast<double>(shift_.high) + static_cast<double>(shift_.low)) * scale};
    }
    /// Where that mean goes.
    [[nodiscard]] T* removed() noexcept { return &removed_; }

    /// Those of a field of the caller.
    template <class U>
    [[nodiscard]] FieldView<U> unknowns_of(const FieldView<U>& field) const {
        const Strides& strides = field.strides;
        return {field.data + part_.x.first_stored * strides[0] + part_.y.first_stored * strides[1] +
                    layout_.kinds[2].first * strides[2],
                layout_.unknowns, strides};
    }

    /// Bytes of a pass over one field.
    [[nodiscard]] double traffic() const {
        return 2.0 * sizeof(T) *
               static_cast<double>(layout_.unknowns[0] * layout_.unknowns[1] * layout_.unknowns[2]);
    }

    /// What is done with which axis, and by how many threads.
    [[nodiscard]] std::string description() const {
        std::string text = "host, " + std::to_string(team_.size()) +
                           (team_.size() == 1 ? " thread, " : " threads, ") + instruction_set().name;
        for (int a = 0; a < 3; ++a) {
            if (a == eliminated_) text += std::string(", ") + problem_.grid.labels[a] + " eliminated";
            if (matrices_[a] != nullptr) text += std::string(", ") + problem_.grid.labels[a] + " as a matrix";
        }
        return text;
    }

    /// Pass `number` of the schedule. `planes`: the axis across the planes that it shares with other passes, or −1.
    PassTask<T> task(std::size_t number, int planes, const Call<T>& call) {
        const Pass& pass = schedule_[number];
        const int along = pass.axis();
        const int across = planes >= 0 ? 3 - along - planes : across_of(along);
        const bool reads_f = pass.from == Buffer::input;
        const bool forward = pass.direction == Direction::forward;
        const FieldView<const T> in = reads_f ? unknowns_of(call.f) : FieldView<const T>(between(along, forward));
        const FieldView<T> out = pass.to == Buffer::output ? unknowns_of(call.u) : between(along, !forward);
        const bool along_rows = along == 2 && pass.direction != Direction::both;
        PassTask<T> task = lines_of(along_rows ? layout_.unknowns : part_.turned(), along, across, in, 0, out, 0);
        task.direction = pass.direction;
        if (along == eliminated_)
            task.eliminated = part_.has_lowest() ? &middle_->lines() : &without_constant_;
        else
            set_lines(task, along);
        if (reads_f) {
            task.shift = shift_.high, task.shift_low = shift_.low;
            task.scale = static_cast<T>(call.scale);
            if (call.boundary.any) task.added = &call.boundary;
        }
        if (pass.to == Buffer::output && along == 2) {
            write_ends_of(task, layout_.kinds[along]);
            if (call.boundary.any) task.held = &call.boundary;
        }
        if (pass.direction == Direction::both) task.modes = modes(along, across, call.restore);
        return task;
    }

    /// Mode space of lines along `along` that lie across `across`.
    [[nodiscard]] ModeSpace<T> modes(int along, int across, double restore) {
        return {operation_,
                eigenvalues_along(3 - along - across),
                eigenvalues_along(across),
                static_cast<T>(-problem_.helmholtz),
                static_cast<T>(restore / round_trip_),
                singular(problem_) && part_.has_lowest(),
                &removed_};
    }

    /// The middle pass on lines of the whole axis x that are elsewhere: `count` indices of the slow one, from
    /// `first` of those at hand on, in a dense field of unknowns.
    PassTask<T> middle_task(T* field, Index first, Index count, double restore, bool whole = false) {
        const int across = across_of(0);
        Extents unknowns = part_.turned();
        unknowns[0] = part_.x.all_unknowns;
        const Extents strides{unknowns[1] * unknowns[2], unknowns[2], 1};
        unknowns[3 - across] = count;
        const FieldView<T> view =
            whole ? FieldView<T>(field + first * strides[static_cast<std::size_t>(3 - across)], unknowns, strides)
                  : FieldView<T>(field, unknowns);
        PassTask<T> task = lines_of(unknowns, 0, across, FieldView<const T>(view), 0, view, 0);
        task.direction = Direction::both;
        task.line = &axes_[0]->line();
        task.modes = modes(0, across, restore);
        task.modes.slow += first;
        task.modes.singular = task.modes.singular && first == 0;
        return task;
    }

    /// The axis across which lines along `along` lie, where passes share no planes: the same for all parts.
    [[nodiscard]] int across_of(int along) const {
        return axis_across(all_unknowns(), along, kernels<T>().element_lines, schedule_[2].axis());
    }

    /// Of the whole box.
    [[nodiscard]] Extents all_unknowns() const {
        return {part_.x.all_unknowns, part_.y.all_unknowns, layout_.kinds[2].unknowns};
    }

    /// Of a whole box the last sweep fixes the gauge at a point.
    void run_sweep(const Sweep& sweep, const Call<T>& call) {
        std::array<PassTask<T>, 3> tasks;
        const int planes = sweep.passes > 1 ? sweep.planes : -1;
        for (std::size_t p = 0; p < sweep.passes; ++p) tasks[p] = task(sweep.first + p, planes, call);
        PassTask<T>& last = tasks[sweep.passes - 1];
        Index done = -1;  // a plane where all passes but the last are over
        if (sweep.first + sweep.passes == schedule_.size() && held_at_gauge_) {
            last.subtract = *held_at_gauge_;
        } else if (sweep.first + sweep.passes == schedule_.size() && operation_ == ModeOperation::divide &&
                   singular(problem_) && problem_.gauge.point && part_.whole()) {
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

private:
    /// Where lines along an axis are before its forward pass, which is where its backward pass leaves them; or
    /// after.
    [[nodiscard]] const FieldView<T>& between(int along, bool before) const noexcept {
        if (along == 2) return between_.rows;
        return along == 1 && before ? between_.columns : between_.inner;
    }

    void set_lines(PassTask<T>& task, int along) const {
        if (matrices_[along] != nullptr)
            task.matrix = &matrices_[along]->lines();
        else
            task.line = &axes_[along]->line();
    }

    /// The value the last pass will give the gauge point. The same block of lines goes through the same arithmetic,
    /// so that subtracting it leaves exactly 0 there.
    T value_at_gauge(PassTask<T> task) const {
        std::array<Index, 3> point = *problem_.gauge.point;
        point[0] -= part_.x.first;
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

    /// An axis before this one that transforms in the same way and has the same eigenvalues.
    [[nodiscard]] std::shared_ptr<PlannedAxis<T>> same_axis(int axis) const {
        const Axis& wanted = problem_.grid.axes[axis];
        for (int a = 0; a < axis; ++a) {
            const Axis& other = problem_.grid.axes[a];
            if (axes_[a] != nullptr && same_lines(other, wanted)) return axes_[a];
        }
        return nullptr;
    }

    Problem problem_;
    int eliminated_;  ///< an axis, or −1
    BoxPart part_;
    Layout layout_;
    LineTeam<T> team_;
    Schedule schedule_ = make_schedule_in_place(std::max(eliminated_, 0));
    std::vector<Sweep> sweeps_;  ///< of the part at hand
    std::array<std::shared_ptr<PlannedAxis<T>>, 3> axes_;
    std::array<std::unique_ptr<MatrixAxis<T>>, 3> matrices_;
    std::optional<EliminatedAxis<T>> middle_;
    EliminatedLines<T> without_constant_;  ///< the same lines, where that of κ = 0 is not among them
    std::optional<T> held_at_gauge_;
    double round_trip_ = 1.0;
    ModeOperation operation_ = ModeOperation::none;
    Between<T> between_;
    T removed_ = 0;      ///< the mean of what was left of f …
    Constant<T> shift_;  ///< … when this had been taken from it
};

}  // namespace poisson3d::host
