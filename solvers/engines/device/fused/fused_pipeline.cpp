// The way through the five passes with one kernel each (launch_pass.hpp). Between passes stand the unknowns alone,
// rows padded to 128 bytes where the memory mode allows:
//
//     fast       rotated, in two internal fields: lines are rows whenever they are read
//     standard   in one internal field, where lines are transformed as they lie
//     low        the same in u
//
// Lines with large prime factors gain little by rotation and are left where they lie in mode fast, too; so are all
// where the middle pass eliminates an axis. Where that is z, no pass along z adds boundary data to f: a sweep does
// it before. The fields of a batch go through a pass together, so that small boxes fill the device.
#include <algorithm>
#include <optional>

#include "box_passes.hpp"
#include "eliminated_axis.hpp"
#include "field_sweeps.hpp"
#include "fused_shape.hpp"
#include "launch_pass.hpp"
#include "line_methods.hpp"
#include "matrix_axes.hpp"
#include "pipelines.hpp"

namespace poisson3d::fused {

namespace {

constexpr Index padded(Index elements, Index multiple) {
    return (elements + multiple - 1) / multiple * multiple;
}

/// Elements that modes standard and low may have beside their field.
template <class T>
Index spare(const Problem& problem) {
    return static_cast<Index>(max_work<T>(problem) / (2 * sizeof(T)));
}

/// Even parts of a batch: fields of 1 GiB together, whose passes take so long that where one ends and the next
/// begins, when parts of the device idle, does not matter. Fewer that stay in its cache are slower (docs/notes.md).
template <class T>
Index fields_at_once(const Problem& problem, Memory memory, Index batch) {
    constexpr Index most = 65535;  // of a launch's third dimension
    // In mode low a field has nothing of its own but the block of lines that holds the gauge point.
    const Index each = memory == Memory::low ? 64 * problem.grid.axes[2].points : problem.grid.size();
    const Index together =
        memory == Memory::fast ? (Index{1} << 30) / static_cast<Index>(sizeof(T)) : spare<T>(problem) / 2;
    const Index fit = std::clamp<Index>(together / each, 1, std::min(batch, most));
    const Index parts = (batch + fit - 1) / fit;
    return (batch + parts - 1) / parts;
}

template <class T>
class FusedPipeline final : public Pipeline<T> {
public:
    using Removed = typename Pipeline<T>::Removed;

    FusedPipeline(const Problem& problem, const std::array<LineMethod, 3>& methods, Memory memory, Index fields,
                  int eliminated)
        : grid_(problem.grid),
          memory_(memory),
          fields_(fields),
          eliminated_(eliminated),
          is_singular_(singular(problem)),
          passes_(problem, methods, &block_shape<T>, fields),
          matrices_(problem, methods),
          movement_(memory == Memory::fast && may_rotate() ? Movement::rotated : Movement::in_place),
          schedule_(movement_ == Movement::rotated ? make_schedule()
                                                   : make_schedule_in_place(std::max(eliminated, 0))) {
        if (memory == Memory::standard && fields_ * size(identity_order) > grid_.size() + spare<T>(problem))
            row_multiple_ = 2;
        WorkspaceLayout layout;
        const Index points = padded(grid_.size(), row_multiple_);  // copies of host fields stand there
        for (const Pass& pass : schedule_)
            if (pass.to != Buffer::output && memory != Memory::low) {
                Internal& to = internal(pass.to);
                to.next = std::max({to.next, points, size(permute(pass.order, pass.movement))});
            }
        if (matrices_.any() && memory == Memory::fast) second_.next = first_.next;
        for (Internal* field : {&first_, &second_})
            field->offset = layout.take(static_cast<std::size_t>(fields_ * field->next) * sizeof(T));
        const Index faces = memory == Memory::low ? 0 : face_points(grid_);
        faces_offset_ = layout.take(static_cast<std::size_t>(faces) * sizeof(T));
        passes_.reserve(layout);
        if (eliminated >= 0) middle_.emplace(problem, eliminated).reserve(layout);
        matrices_.reserve(layout);
        bytes_ = layout.end();
    }

    /// Whether every axis has lines that fit a block's shared memory.
    [[nodiscard]] bool fits() const {
        for (int a = 0; a < 3; ++a)
            if (passes_.axis(a).has_tables() && passes_.axis(a).shape(1).bytes > max_shared()) return false;
        return !middle_ || middle_->fits();
    }

    [[nodiscard]] std::string name() const override {
        return std::string("a kernel a pass") +
               (eliminated_ < 0 ? "" : std::string(", ") + grid_.labels[eliminated_] + " eliminated") +
               matrices_.description();
    }
    [[nodiscard]] Schedule schedule() const override { return schedule_; }
    [[nodiscard]] std::size_t workspace_bytes() const noexcept override { return bytes_; }
    [[nodiscard]] Index fields_at_once() const noexcept override { return fields_; }

    void bind(std::byte* workspace) override {
        passes_.bind(workspace);
        if (middle_) middle_->upload(workspace);
        matrices_.upload(workspace);
        for (Internal* field : {&first_, &second_})
            if (field->next > 0) field->data = reinterpret_cast<T*>(workspace + field->offset);
        if (first_.next > 0) faces_ = reinterpret_cast<T*>(workspace + faces_offset_);
    }

    void run(const Call<T>& call, Removed* removed, Stream stream, const PassClock& clock) override {
        passes_.start(call, removed, stream);
        swapped_ = false;
        const bool made = !first_along_z() && (call.boundary.any || (multiplies_first() && is_singular_));
        if (made) write_right_hand_side(call, removed, stream);
        int number = 0;
        for (const Pass& pass : schedule_) {
            if (pass.axis() == eliminated_)
                eliminate(pass, call, removed, stream);
            else if (matrices_.has(pass.axis()))
                multiply(pass, made, call, stream);
            else
                transform(pass, made, call, removed, stream);
            clock.mark(++number, stream);
        }
        if (!first_along_z()) passes_.fix_gauge(call, stream);
        write_dirichlet_planes(call, stream, first_along_z() ? 2 : 3);
    }

    /// Rotated, pass 1 writes the first field and pass 5 reads the second. In place, f and u are one field here.
    [[nodiscard]] FieldView<T> staging() const noexcept override {
        return staged(second_.data != nullptr ? second_.data : first_.data);
    }
    [[nodiscard]] FieldView<T> result_staging() const noexcept override { return staged(first_.data); }
    [[nodiscard]] T* face_staging() const noexcept override { return faces_; }

    [[nodiscard]] std::array<double, 5> traffic() const noexcept override {
        const auto [x, y, z] = passes_.unknowns();
        const double each = 2.0 * sizeof(T) * static_cast<double>(x * y * z);
        return {each, each, each, each, each};
    }
    [[nodiscard]] bool needs_dense_solution() const noexcept override { return memory_ != Memory::fast; }
    [[nodiscard]] bool works_in_solution() const noexcept override { return first_.data == nullptr; }

private:
    /// Whether all passes have kernels that rotate: those of FFTs with outer steps and without large primes.
    [[nodiscard]] bool may_rotate() const {
        bool all = true;
        for (int a = 0; a < 3; ++a)
            all = all && passes_.axis(a).has_tables() && passes_.axis(a).outer() != Outer::any;
        return all;
    }
    /// The first and the last pass run along z, unless it is eliminated: only then do they change f and write ends
    /// of lines on their way.
    [[nodiscard]] bool first_along_z() const { return eliminated_ != 2 && !matrices_.has(2); }
    /// A product of lines and a matrix takes nothing from f.
    [[nodiscard]] bool multiplies_first() const { return matrices_.has(schedule_[0].axis()); }

    void transform(const Pass& pass, bool made, const Call<T>& call, Removed* removed, Stream stream) {
        const auto [slow, line] = across_lines_of(pass);
        const BlockShape shape = passes_.axis(pass.axis()).shape(passes_.unknowns(line));
        Pass inner = pass;
        if (!first_along_z()) {  // no pass is a first or a last one
            inner.from = pass.from == Buffer::input ? Buffer::first : pass.from;
            inner.to = pass.to == Buffer::output ? Buffer::first : pass.to;
        }
        const Role role = BoxPasses<T, Compact>::role(inner, call);
        Task<T> task = passes_.task(inner, call, removed);
        const bool reads_f = inner.from == Buffer::input;
        bool even = true;  // rows of columns
        if (!reads_f && pass.from == Buffer::input && !made) passes_.read_scaled(task, call, removed);
        if (!reads_f) {
            const Unknowns<const T> from = source(pass, made, call);
            even = has_even_rows(from, pass, slow, line);
            task.in = from.data;
            task.in_field = from.next;
            task.in_slow = from.strides[slow];
            task.in_line = from.strides[line];
            task.in_sample = from.strides[pass.axis()];
            task.vectors_in = movement_ == Movement::in_place ? even : task.in_map.neighbours;
        }
        if (inner.to != Buffer::output) {
            const Unknowns<T> to = unknowns(pass.to, permute(pass.order, pass.movement), call);
            if (movement_ == Movement::in_place && !reads_f)
                even = even && has_even_rows(to.read_only(), pass, slow, line);
            task.out = to.data;
            task.out_field = to.next;
            task.out_slow = to.strides[slow];
            task.out_line = to.strides[line];
            task.out_sample = to.strides[pass.axis()];
            task.vectors_out = even;
            if (movement_ == Movement::in_place && !even && task.outer == Outer::radix8) task.outer = Outer::large;
        } else if (const auto block = passes_.gauge(call, task)) {
            launch_pass(role, movement_, block->task, shape,
                        block_of(block->task, block->slow, block->line, early_), stream);
        }
        launch_pass(role, movement_, task, shape, all_blocks(task, early_), stream);
    }

    void eliminate(const Pass& pass, const Call<T>& call, Removed* removed, Stream stream) {
        const auto [slow, line] = across_lines_of(pass);
        const Unknowns<T> here = unknowns(pass.from, pass.order, call);
        EliminationTask<T> task = middle_->task(passes_, pass, call, removed);
        if (matrices_.has(slow)) task.lambda_slow = matrices_.eigenvalues(slow);
        if (matrices_.has(line)) task.lambda_lanes = matrices_.eigenvalues(line);
        task.data = here.data;
        task.slow = here.strides[slow];
        task.line = here.strides[line];
        task.sample = here.strides[pass.axis()];
        task.field = here.next;
        launch_elimination(task, early_, stream);
    }

    void multiply(const Pass& pass, bool made, const Call<T>& call, Stream stream) {
        const Unknowns<const T> from = source(pass, made, call);
        if (second_.data != nullptr && pass.to == Buffer::first && (pass.from == Buffer::first || made))
            swapped_ = !swapped_;  // products go from one internal field to the other
        const Unknowns<T> to = unknowns(pass.to, pass.order, call);
        const Extents extents = passes_.unknowns();
        matrices_.run(pass.axis(), pass.direction == Direction::forward,
                      {{from.data, extents, from.strides},
                       {to.data, extents, to.strides},
                       call.fields,
                       from.next,
                       to.next,
                       pass.from == Buffer::input && !made ? static_cast<T>(call.scale) : T(1)},
                      stream);
    }

    /// To where the first pass writes.
    void write_right_hand_side(const Call<T>& call, const Removed* removed, Stream stream) {
        const Unknowns<T> to = unknowns(Buffer::first, identity_order, call);
        RightHandSide<T> task = passes_.right_hand_side(call, removed);
        task.out = {to.data, passes_.unknowns(), to.strides};
        task.out_next = to.next;
        launch_right_hand_side(task, call.fields, stream);
    }

    /// An internal field, or those of all fields at once, `next` elements apart.
    struct Internal {
        std::size_t offset = 0;
        T* data = nullptr;
        Index next = 0;
    };
    Internal& internal(Buffer buffer) { return buffer == Buffer::first ? first_ : second_; }

    /// Where the unknowns of fields are, strides by axis.
    template <class E>
    struct Unknowns {
        E* data;
        Strides strides;
        Index next;
        [[nodiscard]] Unknowns<const E> read_only() const { return {data, strides, next}; }
    };
    /// What a pass reads; `made`: f is where the first pass writes.
    [[nodiscard]] Unknowns<const T> source(const Pass& pass, bool made, const Call<T>& call) const {
        const bool reads_f = pass.from == Buffer::input;
        if (!reads_f || made) return unknowns(reads_f ? Buffer::first : pass.from, pass.order, call).read_only();
        return {call.f.data + passes_.first_unknown(call.f.strides), call.f.strides, call.f_next};
    }
    /// In an internal field whose axes lie in `order`, or in u where that is the internal field, or meant.
    [[nodiscard]] Unknowns<T> unknowns(Buffer buffer, const Permutation& order, const Call<T>& call) const {
        const Internal& field = (buffer == Buffer::first) != swapped_ ? first_ : second_;
        if (movement_ == Movement::rotated) return {field.data, strides_by_axis(order), field.next};
        if (field.data != nullptr && field.data != call.u.data && buffer != Buffer::output)
            return {field.data, strides_by_axis(identity_order), field.next};
        return {call.u.data + passes_.first_unknown(call.u.strides), call.u.strides, call.u_next};
    }

    /// Whether all rows of a field begin at multiples of two elements and have room for an even number of them, so
    /// that neighbouring lines may be read and written in twos.
    [[nodiscard]] bool has_even_rows(const Unknowns<const T>& field, const Pass& pass, int slow, int line) const {
        const bool own = field.data == first_.data || field.data == second_.data;
        return (own || passes_.unknowns(line) % 2 == 0) &&
               aligned(field.data, field.strides[slow], field.strides[pass.axis()], field.next);
    }

    [[nodiscard]] FieldView<T> staged(T* data) const {
        return data == nullptr ? FieldView<T>{} : FieldView<T>{data, grid_.points()};
    }

    /// Of an internal field whose axes lie in `order`.
    [[nodiscard]] Strides strides_by_axis(const Permutation& order) const {
        Strides strides{};
        strides[order[2]] = 1;
        strides[order[1]] = padded(passes_.unknowns(order[2]), row_multiple_);
        strides[order[0]] = passes_.unknowns(order[1]) * strides[order[1]];
        return strides;
    }
    [[nodiscard]] Index size(const Permutation& order) const {
        return passes_.unknowns(order[0]) * strides_by_axis(order)[order[0]];
    }
    Grid grid_;
    Memory memory_;
    Index fields_;
    int eliminated_;  ///< an axis, or −1
    bool is_singular_;
    bool early_ = may_launch_early();
    BoxPasses<T, Compact> passes_;
    std::optional<EliminatedAxis<T>> middle_;
    MatrixAxes<T> matrices_;
    Movement movement_;
    Schedule schedule_;
    Index row_multiple_ = 128 / static_cast<Index>(sizeof(T));  ///< rows of internal fields are padded to it
    Internal first_, second_;
    bool swapped_ = false;  ///< the first field is the second one now
    std::size_t faces_offset_ = 0, bytes_ = 0;
    T* faces_ = nullptr;
};

}  // namespace

template <class T>
std::unique_ptr<Pipeline<T>> make_fused_pipeline(const Problem& problem, Memory memory, Index batch,
                                                 int eliminated) {
    std::array<LineMethod, 3> methods{};
    for (int a = 0; a < 3; ++a) {
        methods[a] = line_method<T>(problem, a, eliminated);
        if (has_ffts(methods[a]) && !has_tables(problem.grid.axes[a], methods[a])) return nullptr;
    }
    auto pipeline = std::make_unique<FusedPipeline<T>>(problem, methods, memory,
                                                       fields_at_once<T>(problem, memory, batch), eliminated);
    if (!pipeline->fits()) return nullptr;
    return pipeline;
}

template std::unique_ptr<Pipeline<float>> make_fused_pipeline(const Problem&, Memory, Index, int);
template std::unique_ptr<Pipeline<double>> make_fused_pipeline(const Problem&, Memory, Index, int);

}  // namespace poisson3d::fused
