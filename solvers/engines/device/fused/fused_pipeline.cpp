// The way through the five passes with one kernel each (launch_pass.hpp). Between passes stand the unknowns alone,
// rows padded to 128 bytes where the memory mode allows:
//
//     fast       rotated, in two internal fields: lines are rows whenever they are read. Where blocks have so few
//     of
//                the longest lines that they would write short runs, these stay rows
//     standard   in one internal field, where lines are transformed as they lie
//     low        the same in u
//
// Lines with large prime factors gain little by rotation and are left where they lie in mode fast, too; so are all
// where the middle pass eliminates an axis. An axis whose lines do not fit shared memory goes in the middle, as
// rows, through more sweeps (long_axis.hpp). Where that is z, no pass along z adds boundary data to f: a sweep does
// it before. The fields of a batch go through a pass together, so that small boxes fill the device.
#include <algorithm>
#include <optional>

#include "box_passes.hpp"
#include "eliminated_axis.hpp"
#include "field_sweeps.hpp"
#include "fused_shape.hpp"
#include "launch_pass.hpp"
#include "line_methods.hpp"
#include "long_axis.hpp"
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

/// Whether two lines of an axis fit a block's shared memory.
template <class T>
bool lines_fit(const Axis& axis, LineMethod method) {
    if (!has_tables(axis, method)) return false;
    const LineFfts ffts = line_ffts<Compact>(axis);
    const Index padded = method == LineMethod::chirp ? chirp_padded_length(ffts.length)
                                                     : padded_length_of(radices_of(ffts.length, ffts.first));
    constexpr Index banks = 128 / static_cast<Index>(2 * sizeof(T));
    return static_cast<std::size_t>(ffts.count * padded + banks) * 2 * sizeof(T) <= max_shared();
}

template <class T>
class FusedPipeline final : public Pipeline<T> {
public:
    using Removed = typename Pipeline<T>::Removed;

    /// `eliminated`, `too_long`: an axis, or −1.
    FusedPipeline(const Problem& problem, const std::array<LineMethod, 3>& methods, Memory memory, Index fields,
                  int eliminated, int too_long)
        : grid_(problem.grid),
          memory_(memory),
          fields_(fields),
          eliminated_(eliminated),
          too_long_(too_long),
          is_singular_(singular(problem)),
          passes_(problem, methods, &block_shape<T>, fields),
          matrices_(problem, methods),
          longest_(longest_lines()),
          movement_(memory == Memory::fast && may_rotate() ? fastest_movement() : Movement::in_place),
          schedule_(movement_ == Movement::rotated  ? make_schedule()
                    : movement_ == Movement::turned ? make_schedule_turned(longest_)
                                                    : make_schedule_in_place(std::max({eliminated, too_long, 0}))) {
        if (memory == Memory::standard && fields_ * size(identity_order) > grid_.size() + spare<T>(problem))
            row_multiple_ = 2;
        WorkspaceLayout layout;
        const Index points = padded(grid_.size(), row_multiple_);  // copies of host fields stand there
        for (const Pass& pass : schedule_)
            if (pass.to != Buffer::output && memory != Memory::low) {
                Internal& to = internal(pass.to);
                to.next = std::max({to.next, points, size(layout_after(pass))});
            }
        // Products go from one field to the other; copies of host fields are turned on their way in and out.
        if ((matrices_.any() && memory == Memory::fast) || movement_ == Movement::turned)
            second_.next = first_.next;
        for (Internal* field : {&first_, &second_})
            field->offset = layout.take(static_cast<std::size_t>(fields_ * field->next) * sizeof(T));
        const Index faces = memory == Memory::low ? 0 : face_points(grid_);
        faces_offset_ = layout.take(static_cast<std::size_t>(faces) * sizeof(T));
        passes_.reserve(layout);
        if (eliminated >= 0) middle_.emplace(problem, eliminated).reserve(layout);
        if (too_long >= 0) {
            const auto [slow, line] = across_lines_of(schedule_[2]);
            const std::array across{passes_.unknowns(slow), passes_.unknowns(line)};
            // The second field holds nothing while the passes run.
            long_.emplace(problem, too_long, across, static_cast<std::size_t>(second_.next) * sizeof(T),
                          max_work<T>(problem));
            long_->reserve(layout);
        }
        matrices_.reserve(layout);
        bytes_ = layout.end();
    }

    /// Whether every axis has lines that fit a block's shared memory, or are rows in the middle.
    [[nodiscard]] bool fits() const {
        if (too_long_ >= 0 && too_long_ != 2 && movement_ != Movement::turned) return false;
        for (int a = 0; a < 3; ++a)
            if (passes_.axis(a).has_tables() && passes_.axis(a).shape(1).bytes > max_shared()) return false;
        return !middle_ || middle_->fits();
    }

    [[nodiscard]] std::string name() const override {
        return std::string("a kernel a pass") +
               (eliminated_ < 0 ? "" : std::string(", ") + grid_.labels[eliminated_] + " eliminated") +
               (too_long_ < 0 ? "" : std::string(", ") + grid_.labels[too_long_] + " in two steps") +
               matrices_.description();
    }
    [[nodiscard]] Schedule schedule() const override { return schedule_; }
    [[nodiscard]] std::size_t workspace_bytes() const noexcept override { return bytes_; }
    [[nodiscard]] Index fields_at_once() const noexcept override { return fields_; }

    void bind(std::byte* workspace) override {
        passes_.bind(workspace);
        if (middle_) middle_->upload(workspace);
        if (long_) long_->upload(workspace, workspace + second_.offset);
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
            else if (pass.axis() == too_long_)
                transform_long(pass, call, removed, stream);
            else if (matrices_.has(pass.axis()))
                multiply(pass, made, call, stream);
            else
                transform(pass, made, call, removed, stream);
            clock.mark(++number, stream);
        }
        if (!first_along_z()) passes_.fix_gauge(call, stream);
        write_dirichlet_planes(call, stream, first_along_z() ? 2 : 3);
    }

    /// Rotated, pass 1 writes the first field and pass 5 reads the second. In place, f and u are one field here,
    /// and where the field is turned in the first one.
    [[nodiscard]] FieldView<T> staging() const noexcept override {
        return staged(second_.data != nullptr ? second_.data : first_.data);
    }
    [[nodiscard]] FieldView<T> result_staging() const noexcept override {
        return staged(movement_ == Movement::turned ? second_.data : first_.data);
    }
    [[nodiscard]] bool stages_apart() const noexcept override {
        return memory_ == Memory::fast && movement_ == Movement::rotated;
    }
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
            all =
                all && (a == too_long_ || (passes_.axis(a).has_tables() && passes_.axis(a).outer() != Outer::any));
        return all;
    }
    /// The axis of whose lines a block has the fewest.
    [[nodiscard]] int longest_lines() const {
        if (too_long_ >= 0) return too_long_;
        int longest = 0;
        for (int a = 1; a < 3; ++a)
            if (lines_of_block(a) < lines_of_block(longest)) longest = a;
        return longest;
    }
    [[nodiscard]] int lines_of_block(int a) const {
        const DeviceAxis<T, Compact>& axis = passes_.axis(a);
        return axis.has_tables()
                   ? axis.shape(std::max(passes_.unknowns((a + 1) % 3), passes_.unknowns((a + 2) % 3))).count
                   : 1;
    }
    /// Runs of 32 bytes across lines, which rotation writes, are no slower than other ways; those of 16 are.
    [[nodiscard]] Movement fastest_movement() const {
        if (too_long_ >= 0) return too_long_ == 2 ? Movement::in_place : Movement::turned;
        const int fewest = lines_of_block(longest_);
        const int run = 2 * fewest * static_cast<int>(sizeof(T));
        for (int a = 0; a < 3; ++a)
            if (a != longest_ && lines_of_block(a) <= fewest) return Movement::rotated;
        if (run >= 32) return Movement::rotated;
        return longest_ == 2 ? Movement::in_place : Movement::turned;
    }
    /// The order of the axes in the field that a pass writes.
    [[nodiscard]] Permutation layout_after(const Pass& pass) const {
        if (movement_ == Movement::turned) return turned_order(longest_);
        return permute(pass.order, pass.movement);
    }

    /// The first and the last pass run along z, unless it is eliminated: only then do they change f and write ends
    /// of lines on their way.
    [[nodiscard]] bool first_along_z() const { return eliminated_ != 2 && too_long_ != 2 && !matrices_.has(2); }
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
            task.vectors_in = in_rows(layout_in(role, movement_)) ? task.in_map.neighbours : even;
        }
        if (inner.to != Buffer::output) {
            const Unknowns<T> to = unknowns(pass.to, layout_after(pass), call);
            if (movement_ == Movement::in_place && !reads_f)
                even = even && has_even_rows(to.read_only(), pass, slow, line);
            task.out = to.data;
            task.out_field = to.next;
            task.out_slow = to.strides[slow];
            task.out_line = to.strides[line];
            task.out_sample = to.strides[pass.axis()];
            task.vectors_out = in_rows(layout_out(role, movement_)) ? task.out_map.in_twos() : even;
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

    void transform_long(const Pass& pass, const Call<T>& call, Removed* removed, Stream stream) {
        const auto [slow, line] = across_lines_of(pass);
        const Unknowns<T> here = unknowns(pass.from, pass.order, call);
        PhaseTask<T> task = long_->task(passes_, pass, call, removed);
        task.in = task.out = here.data;
        task.in_slow = task.out_slow = here.strides[slow];
        task.in_line = task.out_line = here.strides[line];
        const bool even = aligned(here.data, task.in_slow, task.in_line, here.next);
        task.vectors_in = task.in_map.neighbours && even;
        task.vectors_out = task.out_map.in_twos() && even;
        long_->run(task, stream);
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
        return {call.f.data + passes_.first_unknown(call, call.f.strides), call.f.strides, call.f_next};
    }
    /// In an internal field whose axes lie in `order`, or in u where that is the internal field, or meant.
    [[nodiscard]] Unknowns<T> unknowns(Buffer buffer, const Permutation& order, const Call<T>& call) const {
        const Internal& field = (buffer == Buffer::first) != swapped_ ? first_ : second_;
        if (movement_ == Movement::rotated) return {field.data, strides_by_axis(order), field.next};
        if (movement_ == Movement::turned) return {field.data, strides_by_axis(turned_order(longest_)), field.next};
        if (field.data != nullptr && field.data != call.u.data && buffer != Buffer::output)
            return {field.data, strides_by_axis(identity_order), field.next};
        return {call.u.data + passes_.first_unknown(call, call.u.strides), call.u.strides, call.u_next};
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
    int eliminated_, too_long_;  ///< an axis, or −1
    bool is_singular_;
    bool early_ = may_launch_early();
    BoxPasses<T, Compact> passes_;
    std::optional<EliminatedAxis<T>> middle_;
    std::optional<LongAxis<T>> long_;
    MatrixAxes<T> matrices_;
    int longest_;
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
    int too_long = -1;
    for (int a = 0; a < 3; ++a) {
        const Axis& axis = problem.grid.axes[a];
        methods[a] = line_method<T>(problem, a, eliminated);
        if (!has_ffts(methods[a]) || lines_fit<T>(axis, methods[a])) continue;
        if (too_long >= 0 || eliminated >= 0 || !LongAxis<T>::possible(axis)) return nullptr;
        too_long = a;
        methods[a] = LineMethod::none;
    }
    const Index fields = too_long >= 0 ? 1 : fields_at_once<T>(problem, memory, batch);
    auto pipeline = std::make_unique<FusedPipeline<T>>(problem, methods, memory, fields, eliminated, too_long);
    if (!pipeline->fits()) return nullptr;
    return pipeline;
}

template std::unique_ptr<Pipeline<float>> make_fused_pipeline(const Problem&, Memory, Index, int);
template std::unique_ptr<Pipeline<double>> make_fused_pipeline(const Problem&, Memory, Index, int);

}  // namespace poisson3d::fused
