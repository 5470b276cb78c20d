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

#include "added_pass.hpp"
#include "box_passes.hpp"
#include "eliminated_axis.hpp"
#include "field_sweeps.hpp"
#include "fused_shape.hpp"
#include "internal_fields.hpp"
#include "launch_pass.hpp"
#include "line_methods.hpp"
#include "long_axis.hpp"
#include "matrix_axes.hpp"
#include "movement.hpp"
#include "pipelines.hpp"

namespace poisson3d::fused {

namespace {

template <class T>
class FusedPipeline final : public Pipeline<T>, public MiddleTwice<T> {
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
          movement_(memory == Memory::fast ? fastest_movement(passes_, too_long) : Movement::in_place),
          schedule_(schedule_for(longest_lines(passes_, too_long))),
          internal_(problem, passes_.unknowns(), memory, movement_, longest_lines(passes_, too_long),
                    x_next_to_rows() ? x_next_to_rows_order : identity_order, schedule_, matrices_.any(), fields) {
        WorkspaceLayout layout;
        internal_.reserve(layout);
        const Index faces = memory == Memory::low ? 0 : face_points(grid_);
        faces_offset_ = layout.take(static_cast<std::size_t>(faces) * sizeof(T));
        passes_.reserve(layout);
        if (eliminated >= 0) middle_.emplace(problem, eliminated).reserve(layout);
        if (too_long >= 0) {
            const auto [slow, line] = across_lines_of(schedule_[2]);
            const std::array across{passes_.unknowns(slow), passes_.unknowns(line)};
            long_.emplace(problem, too_long, across, internal_.second_bytes(), max_work<T>(problem));
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
        if (long_) long_->upload(workspace, workspace + internal_.second_offset());
        matrices_.upload(workspace);
        internal_.bind(workspace);
        if (internal_.any()) faces_ = reinterpret_cast<T*>(workspace + faces_offset_);
    }

    void run(const Call<T>& call, Removed* removed, Stream stream, const PassClock& clock) override {
        const bool made = begin(call, removed, stream);
        for (int number = 0; number < 5; ++number) run_pass(number, made, call, removed, stream, clock);
        end(call, stream);
    }

    /// Rotated, the middle pass reads the second internal field and writes the first one.
    [[nodiscard]] MiddleTwice<T>* middle_twice() noexcept override {
        return movement_ == Movement::rotated ? this : nullptr;
    }
    [[nodiscard]] std::array<int, 3> axes_in_middle() const override {
        const Permutation& order = schedule_[2].order;
        return {order[2], order[0], order[1]};
    }
    [[nodiscard]] typename MiddleTwice<T>::Modes modes_of(int axis) const override {
        return {passes_.axis(axis).mode_of(), passes_.axis(axis).gain()};
    }
    [[nodiscard]] MiddleFields<T> middle_fields() const override {
        const Pass& pass = schedule_[2];
        const Unknowns<T> before = unknowns(pass.from, pass.order, {});
        const Unknowns<T> after = unknowns(pass.to, permute(pass.order, pass.movement), {});
        return {before.data, before.strides, after.data, after.strides};
    }
    [[nodiscard]] Index middle_room() const override { return internal_.first_elements(); }
    void run_before_middle(const Call<T>& call, Stream stream, const PassClock& clock) override {
        const bool made = begin(call, nullptr, stream);
        for (int number = 0; number < 2; ++number) run_pass(number, made, call, nullptr, stream, clock);
    }
    void run_middle(const Call<T>& call, Stream stream, const PassClock& clock) override {
        run_pass(2, false, call, nullptr, stream, clock);
    }
    bool run_middle_with(const MiddleTerms<T>& terms, const Call<T>& call, Stream stream,
                         const PassClock& clock) override {
        const bool done = transform(schedule_[2], false, call, nullptr, stream, &terms);
        if (done) clock.mark(3, stream);
        return done;
    }
    void run_after_middle(const Call<T>& call, Stream stream, const PassClock& clock) override {
        for (int number = 3; number < 5; ++number) run_pass(number, false, call, nullptr, stream, clock);
        end(call, stream);
    }

    [[nodiscard]] FieldView<T> staging() const noexcept override { return staged(internal_.staging()); }
    [[nodiscard]] FieldView<T> result_staging() const noexcept override {
        return staged(internal_.result_staging());
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
    [[nodiscard]] bool works_in_solution() const noexcept override { return !internal_.any(); }

private:
    /// Whether the right-hand side is made where the first pass writes.
    [[nodiscard]] bool begin(const Call<T>& call, Removed* removed, Stream stream) {
        passes_.start(call, removed, stream);
        internal_.unswap();
        const bool made = !first_along_z() && (call.boundary.any || (multiplies_first() && is_singular_));
        if (made) write_right_hand_side(call, removed, stream);
        return made;
    }
    void run_pass(int number, bool made, const Call<T>& call, Removed* removed, Stream stream,
                  const PassClock& clock) {
        const Pass& pass = schedule_[number];
        if (pass.axis() == eliminated_)
            eliminate(pass, call, removed, stream);
        else if (pass.axis() == too_long_)
            transform_long(pass, call, removed, stream);
        else if (matrices_.has(pass.axis()))
            multiply(pass, made, call, stream);
        else
            transform(pass, made, call, removed, stream);
        clock.mark(number + 1, stream);
    }
    void end(const Call<T>& call, Stream stream) {
        if (!first_along_z()) passes_.fix_gauge(call, stream);
        write_dirichlet_planes(call, stream, first_along_z() ? 2 : 3);
    }

    [[nodiscard]] Schedule schedule_for(int longest) const {
        if (movement_ == Movement::rotated) return make_schedule();
        if (movement_ == Movement::turned) return make_schedule_turned(longest);
        Schedule schedule = make_schedule_in_place(std::max({eliminated_, too_long_, 0}));
        if (x_next_to_rows()) {
            schedule[2].order = x_next_to_rows_order;
            schedule[3].to = schedule[4].from = Buffer::output;
        }
        return schedule;
    }
    /// Where z is eliminated, lines along x stand y, x, z in the internal field, so that their samples are a row
    /// apart and not a plane: pass 1, along y, writes them so, and pass 4, along x, writes u as it is, where pass 5
    /// goes on. What is far apart is written then, never read, and nobody waits for that.
    [[nodiscard]] bool x_next_to_rows() const {
        return eliminated_ == 2 && movement_ == Movement::in_place && memory_ != Memory::low && !matrices_.any();
    }
    static constexpr Permutation x_next_to_rows_order{1, 0, 2};

    /// The first and the last pass run along z, unless it is eliminated: only then do they change f and write ends
    /// of lines on their way.
    [[nodiscard]] bool first_along_z() const { return eliminated_ != 2 && too_long_ != 2 && !matrices_.has(2); }
    /// A product of lines and a matrix takes nothing from f.
    [[nodiscard]] bool multiplies_first() const { return matrices_.has(schedule_[0].axis()); }

    /// False, and nothing is done, if no kernel adds `terms`.
    bool transform(const Pass& pass, bool made, const Call<T>& call, Removed* removed, Stream stream,
                   const MiddleTerms<T>* terms = nullptr) {
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
            even = internal_.has_even_rows(from, slow, line, pass.axis());
            task.in = from.data;
            task.in_field = from.next;
            task.in_slow = from.strides[slow];
            task.in_line = from.strides[line];
            task.in_sample = from.strides[pass.axis()];
            task.vectors_in = in_rows(layout_in(role, movement_)) ? task.in_map.neighbours : even;
        }
        if (inner.to != Buffer::output) {
            const Unknowns<T> to = unknowns(pass.to, permute(pass.order, pass.movement), call);
            if (movement_ == Movement::in_place && !reads_f)
                even = even && internal_.has_even_rows(to.read_only(), slow, line, pass.axis());
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
        if (terms != nullptr) return launch_added_pass(task, *terms, shape, all_blocks(task, early_), stream);
        launch_pass(role, movement_, task, shape, all_blocks(task, early_), stream);
        return true;
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
        if (internal_.has_second() && pass.to == Buffer::first && (pass.from == Buffer::first || made))
            internal_.swap();  // products go from one internal field to the other
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

    /// What a pass reads; `made`: f is where the first pass writes.
    [[nodiscard]] Unknowns<const T> source(const Pass& pass, bool made, const Call<T>& call) const {
        const bool reads_f = pass.from == Buffer::input;
        if (!reads_f || made) return unknowns(reads_f ? Buffer::first : pass.from, pass.order, call).read_only();
        return {call.f.data + passes_.first_unknown(call, call.f.strides), call.f.strides, call.f_next};
    }
    [[nodiscard]] Unknowns<T> unknowns(Buffer buffer, const Permutation& order, const Call<T>& call) const {
        return internal_.unknowns(buffer, order, call, passes_.first_unknown(call, call.u.strides));
    }
    [[nodiscard]] FieldView<T> staged(T* data) const {
        return data == nullptr ? FieldView<T>{} : FieldView<T>{data, grid_.points()};
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
    Movement movement_;
    Schedule schedule_;
    InternalFields<T> internal_;
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
