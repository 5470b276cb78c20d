// The way through the five passes with one kernel each (launch_pass.hpp). Between passes stand the unknowns alone,
// rows padded to 128 bytes where the memory mode allows:
//
//     fast       rotated, in two internal fields: lines are rows whenever they are read. Where blocks have so few
//                of the longest lines that they would write short runs, these stay rows
//     standard   in one internal field, where lines are transformed as they lie
//     low        the same in u
//
// Lines with large prime factors gain little by rotation and are left where they lie in mode fast, too; so are all
// where the middle pass eliminates an axis, or where lines of any axis do not fit shared memory: these take more
// sweeps (long_axes.hpp), one such axis in the middle. Where z is in the middle, no pass along z adds boundary data
// to f: a sweep does it before. The fields of a batch go through a pass together, so that small boxes fill the
// device.
#include <algorithm>
#include <optional>

#include "box_passes.hpp"
#include "eliminated_axis.hpp"
#include "field_sweeps.hpp"
#include "fused_shape.hpp"
#include "internal_fields.hpp"
#include "launch_pass.hpp"
#include "line_methods.hpp"
#include "long_axes.hpp"
#include "matrix_axes.hpp"
#include "movement.hpp"
#include "pipelines.hpp"

namespace poisson3d::fused {

namespace {

template <class T>
class FusedPipeline final : public Pipeline<T> {
public:
    using Removed = typename Pipeline<T>::Removed;

    /// `eliminated`: an axis, or −1; `long_ones`: axes whose lines do not fit.
    FusedPipeline(const Problem& problem, const std::array<LineMethod, 3>& methods, Memory memory, Index fields,
                  int eliminated, const std::array<bool, 3>& long_ones)
        : grid_(problem.grid),
          memory_(memory),
          fields_(fields),
          eliminated_(eliminated),
          is_singular_(singular(problem)),
          passes_(problem, methods, &block_shape<T>, fields),
          matrices_(problem, methods),
          long_(problem, long_ones),
          movement_(memory == Memory::fast ? fastest_movement(passes_) : Movement::in_place),
          schedule_(schedule_for(longest_lines(passes_))),
          internal_(problem, passes_.unknowns(), memory, movement_, longest_lines(passes_), schedule_,
                    second_field(), fields) {
        passes_.include_round_trip(long_.round_trip());
        WorkspaceLayout layout;
        internal_.reserve(layout);
        const Index faces = memory == Memory::low ? 0 : face_points(grid_);
        faces_offset_ = layout.take(static_cast<std::size_t>(faces) * sizeof(T));
        passes_.reserve(layout);
        if (eliminated >= 0) middle_.emplace(problem, eliminated).reserve(layout);
        if (long_.any()) {
            long_.set_room(internal_.area_bytes(), max_work<T>(problem));
            long_.reserve(layout);
        }
        matrices_.reserve(layout);
        bytes_ = layout.end();
    }

    /// Whether blocks of every axis fit shared memory.
    [[nodiscard]] bool fits() const {
        for (int a = 0; a < 3; ++a)
            if (passes_.axis(a).has_tables() && passes_.axis(a).shape(1).bytes > max_shared()) return false;
        return !middle_ || middle_->fits();
    }

    [[nodiscard]] std::string name() const override {
        return std::string("a kernel a pass") +
               (eliminated_ < 0 ? "" : std::string(", ") + grid_.labels[eliminated_] + " eliminated") +
               long_.description() + matrices_.description();
    }
    [[nodiscard]] Schedule schedule() const override { return schedule_; }
    [[nodiscard]] std::size_t workspace_bytes() const noexcept override { return bytes_; }
    [[nodiscard]] Index fields_at_once() const noexcept override { return fields_; }

    void bind(std::byte* workspace) override {
        passes_.bind(workspace);
        if (middle_) middle_->upload(workspace);
        if (long_.any()) long_.upload(workspace, workspace + internal_.area_offset());
        matrices_.upload(workspace);
        internal_.bind(workspace);
        if (internal_.any()) faces_ = reinterpret_cast<T*>(workspace + faces_offset_);
    }

    void run(const Call<T>& call, Removed* removed, Stream stream, const PassClock& clock) override {
        passes_.start(call, removed, stream);
        internal_.unswap();
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
        if (!first_along_z() || long_.has(2)) passes_.fix_gauge(call, stream);
        write_dirichlet_planes(call, stream, first_along_z() ? 2 : 3);
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
        std::array<double, 5> bytes{};
        std::size_t number = 0;
        for (const Pass& pass : schedule_)
            bytes[number++] = each * (long_.has(pass.axis()) ? LongAxes<T>::sweeps(pass.direction) : 1.0);
        return bytes;
    }
    [[nodiscard]] bool needs_dense_solution() const noexcept override { return memory_ != Memory::fast; }
    [[nodiscard]] bool works_in_solution() const noexcept override { return !internal_.any(); }

private:
    [[nodiscard]] Schedule schedule_for(int longest) const {
        if (movement_ == Movement::rotated) return make_schedule();
        if (movement_ == Movement::turned) return make_schedule_turned(longest);
        int middle = std::max(eliminated_, 0);
        for (int a = 0; a < 3 && eliminated_ < 0; ++a)
            if (long_.has(a)) middle = a;
        return make_schedule_in_place(middle);
    }
    [[nodiscard]] typename InternalFields<T>::Second second_field() const {
        using Second = typename InternalFields<T>::Second;
        return matrices_.any() ? Second::products : long_.any() ? Second::area : Second::none;
    }

    /// The first and the last pass run along z, unless it is in the middle: only then do they change f and write
    /// ends of lines on their way.
    [[nodiscard]] bool first_along_z() const { return schedule_[0].axis() == 2 && !matrices_.has(2); }
    /// A product of lines and a matrix takes nothing from f.
    [[nodiscard]] bool multiplies_first() const { return matrices_.has(schedule_[0].axis()); }

    void transform(const Pass& pass, bool made, const Call<T>& call, Removed* removed, Stream stream) {
        const int a = pass.axis();
        Pass inner = pass;
        if (!first_along_z()) {  // no pass is a first or a last one
            inner.from = pass.from == Buffer::input ? Buffer::first : pass.from;
            inner.to = pass.to == Buffer::output ? Buffer::first : pass.to;
        }
        const Role role = BoxPasses<T, Compact>::role(inner, call);
        Task<T> task = passes_.task(inner, call, removed);
        if (pass.from == Buffer::input && inner.from != pass.from && !made)
            passes_.read_scaled(task, call, removed);
        set_eigenvalues(pass, task);
        if (long_.has(a)) {
            PhaseTask<T> lines = long_.task(a, pass.direction, task);
            set_fields(pass, inner, made, call, LongAxes<T>::layout(a), LongAxes<T>::layout(a), lines);
            return long_.run(a, role, lines, stream);
        }
        const bool even =
            set_fields(pass, inner, made, call, layout_in(role, movement_), layout_out(role, movement_), task);
        if (inner.to != Buffer::output && movement_ == Movement::in_place && !even && task.outer == Outer::radix8)
            task.outer = Outer::large;
        const BlockShape shape = passes_.axis(a).shape(task.lines);
        if (inner.to == Buffer::output)
            if (const auto block = passes_.gauge(call, task))
                launch_pass(role, movement_, block->task, shape,
                            block_of(block->task, block->slow, block->line, early_), stream);
        launch_pass(role, movement_, task, shape, all_blocks(task, early_), stream);
    }

    /// Where a pass reads and writes. `inner`: the same pass, whose input is f only where it is a first one, and so
    /// on. Returns whether rows of columns are even.
    template <class F>
    bool set_fields(const Pass& pass, const Pass& inner, bool made, const Call<T>& call, Layout in, Layout out,
                    PassTask<T, F>& task) const {
        const auto [slow, line] = across_lines_of(pass);
        const bool reads_f = inner.from == Buffer::input;
        bool even = true;
        if (reads_f) {
            task.vectors_in = task.in_map.neighbours && aligned(task.in, task.in_slow, task.in_line, task.in_field);
        } else {
            const Unknowns<const T> from = source(pass, made, call);
            even = internal_.has_even_rows(from, slow, line, pass.axis());
            task.in = from.data;
            task.in_field = from.next;
            task.in_slow = from.strides[slow];
            task.in_line = from.strides[line];
            task.in_sample = from.strides[pass.axis()];
            task.vectors_in = even;
            if (in_rows(in))
                task.vectors_in =
                    task.in_map.neighbours && aligned(from.data, task.in_slow, task.in_line, from.next);
        }
        if (inner.to == Buffer::output) {
            task.vectors_out =
                task.out_map.in_twos() && aligned(task.out, task.out_slow, task.out_line, task.out_field);
            return even;
        }
        const Unknowns<T> to = unknowns(pass.to, permute(pass.order, pass.movement), call);
        if (movement_ == Movement::in_place && !reads_f)
            even = even && internal_.has_even_rows(to.read_only(), slow, line, pass.axis());
        task.out = to.data;
        task.out_field = to.next;
        task.out_slow = to.strides[slow];
        task.out_line = to.strides[line];
        task.out_sample = to.strides[pass.axis()];
        task.vectors_out = even;
        if (in_rows(out))
            task.vectors_out = task.out_map.in_twos() && aligned(to.data, task.out_slow, task.out_line, to.next);
        return even;
    }

    /// Of axes that have tables of their own.
    template <class AnyTask>
    void set_eigenvalues(const Pass& pass, AnyTask& task) const {
        const auto [slow, line] = across_lines_of(pass);
        const auto own = [&](int a, const T*& eigenvalues) {
            if (matrices_.has(a)) eigenvalues = matrices_.eigenvalues(a);
            if (long_.has(a)) eigenvalues = long_.eigenvalues(a);
        };
        own(slow, task.lambda_slow);
        own(line, task.lambda_lanes);
    }

    void eliminate(const Pass& pass, const Call<T>& call, Removed* removed, Stream stream) {
        const auto [slow, line] = across_lines_of(pass);
        const Unknowns<T> here = unknowns(pass.from, pass.order, call);
        EliminationTask<T> task = middle_->task(passes_, pass, call, removed);
        set_eigenvalues(pass, task);
        task.data = here.data;
        task.slow = here.strides[slow];
        task.line = here.strides[line];
        task.sample = here.strides[pass.axis()];
        task.field = here.next;
        launch_elimination(task, early_, stream);
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
    int eliminated_;  ///< an axis, or −1
    bool is_singular_;
    bool early_ = may_launch_early();
    BoxPasses<T, Compact> passes_;
    std::optional<EliminatedAxis<T>> middle_;
    MatrixAxes<T> matrices_;
    LongAxes<T> long_;
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
    std::array<bool, 3> long_ones{};
    for (int a = 0; a < 3; ++a) {
        const Axis& axis = problem.grid.axes[a];
        methods[a] = line_method<T>(problem, a, eliminated);
        if (!has_ffts(methods[a]) || lines_fit<T>(axis, methods[a])) continue;
        if (!LongAxes<T>::possible(axis)) return nullptr;
        long_ones[a] = true;
        methods[a] = LineMethod::none;
    }
    const bool any_long = long_ones[0] || long_ones[1] || long_ones[2];
    const Index fields = any_long ? 1 : fields_at_once<T>(problem, memory, batch);
    auto pipeline = std::make_unique<FusedPipeline<T>>(problem, methods, memory, fields, eliminated, long_ones);
    if (!pipeline->fits()) return nullptr;
    return pipeline;
}

template std::unique_ptr<Pipeline<float>> make_fused_pipeline(const Problem&, Memory, Index, int);
template std::unique_ptr<Pipeline<double>> make_fused_pipeline(const Problem&, Memory, Index, int);

}  // namespace poisson3d::fused
