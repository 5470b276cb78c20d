// The way through the five passes with one kernel each (launch_pass.hpp). Between passes stand the unknowns alone
// (movement.hpp says how), rows padded to 128 bytes where the memory mode allows. An axis whose lines do not fit
// shared memory takes more sweeps (long_axes.hpp). Where z is in the middle, no pass along z adds boundary data to
// f: a sweep does it before. The fields of a batch go through a pass together, so that small boxes fill the device.
#include <algorithm>
#include <optional>

#include "added_pass.hpp"
#include "box_passes.hpp"
#include "eliminated_axis.hpp"
#include "field_sweeps.hpp"
#include "flat_box.hpp"
#include "fused_shape.hpp"
#include "internal_fields.hpp"
#include "launch_pass.hpp"
#include "line_methods.hpp"
#include "long_axes.hpp"
#include "matrix_axes.hpp"
#include "movement.hpp"
#include "pass_sides.hpp"
#include "pipelines.hpp"
#include "poisson3d/device_memory.hpp"
#include "thin_box.hpp"

namespace poisson3d::fused {

namespace {

template <class T>
class FusedPipeline final : public Pipeline<T>, public MiddleTwice<T>, public ModeStop<T> {
public:
    using Removed = typename Pipeline<T>::Removed;

    /// `eliminated`: an axis, or −1; `long_ones`: axes whose lines do not fit; `in_modes`: eigenvalues of y, if
    /// others transform it (thin_box.hpp).
    FusedPipeline(const Problem& problem, const std::array<LineMethod, 3>& methods, Memory memory, Index fields,
                  int eliminated, const std::array<bool, 3>& long_ones, std::vector<T> in_modes = {})
        : grid_(problem.grid),
          memory_(memory),
          fields_(fields),
          eliminated_(eliminated),
          is_singular_(singular(problem)),
          helmholtz_(static_cast<T>(problem.helmholtz)),
          in_modes_(std::move(in_modes)),
          passes_(problem, methods, &block_shape<T>, fields),
          matrices_(problem, methods),
          long_(problem, long_ones),
          way_(in_modes_.empty() ? field_way(passes_, memory, eliminated, long_ones, matrices_.any())
                                 : way_beside_modes()),
          internal_(problem, passes_.unknowns(), memory, way_, second_field(), fields) {
        passes_.include_round_trip(long_.round_trip());
        if (way_.skipped >= 0 && in_modes_.empty())
            passes_.include_round_trip(1.0 / passes_.axis(way_.skipped).round_trip());
        WorkspaceLayout layout;
        internal_.reserve(layout);
        const Index faces = memory == Memory::fast ? face_points(grid_) : 0;  // of fields on the host
        faces_offset_ = layout.take(static_cast<std::size_t>(faces) * sizeof(T));
        passes_.reserve(layout);
        if (eliminated >= 0) middle_.emplace(problem, eliminated).reserve(layout);
        if (long_.any()) {
            long_.set_room(internal_.area_bytes(), max_work<T>(problem));
            long_.reserve(layout);
        }
        matrices_.reserve(layout);
        in_modes_offset_ = layout.take(in_modes_.size() * sizeof(T));
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
    [[nodiscard]] Schedule schedule() const override { return way_.schedule; }
    [[nodiscard]] std::vector<std::string> parts(const std::array<char, 3>& labels) const override {
        std::vector<std::string> names;
        for (int number = 0; number < 5; ++number)
            if (!skips(number)) names.push_back(describe(way_.schedule[number], place(number) + 1, labels));
        return names;
    }
    [[nodiscard]] std::size_t workspace_bytes() const noexcept override { return bytes_; }
    [[nodiscard]] Index fields_at_once() const noexcept override { return fields_; }

    void bind(std::byte* workspace) override {
        if (!in_modes_.empty()) {
            eigenvalues_in_modes_ = reinterpret_cast<T*>(workspace + in_modes_offset_);
            copy_to_device(eigenvalues_in_modes_, in_modes_.data(), in_modes_.size() * sizeof(T));
        }
        passes_.bind(workspace);
        if (middle_) middle_->upload(workspace);
        if (long_.any()) long_.upload(workspace, workspace + internal_.area_offset());
        matrices_.upload(workspace);
        internal_.bind(workspace);
        if (memory_ == Memory::fast) faces_ = reinterpret_cast<T*>(workspace + faces_offset_);
    }

    void run(const Call<T>& call, Removed* removed, Stream stream, const PassClock& clock) override {
        const bool made = begin(call, removed, stream);
        for (int number = 0; number < 5; ++number)
            if (!skips(number)) run_pass(number, made, call, removed, stream, clock);
        end(call, stream);
    }

    /// Rotated, the middle pass reads the second internal field and writes the first one.
    [[nodiscard]] MiddleTwice<T>* middle_twice() noexcept override {
        return way_.movement == Movement::rotated ? this : nullptr;
    }
    [[nodiscard]] std::array<int, 3> axes_in_middle() const override {
        const Permutation& order = way_.schedule[2].order;
        return {order[2], order[0], order[1]};
    }
    [[nodiscard]] ModeOrder modes_of(int axis) const override {
        return {passes_.axis(axis).mode_of(), passes_.axis(axis).gain()};
    }
    [[nodiscard]] MiddleFields<T> middle_fields() const override {
        const Pass& pass = way_.schedule[2];
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
        const bool done = transform(way_.schedule[2], false, call, nullptr, stream, &terms);
        if (done) clock.mark(3, stream);
        return done;
    }
    void run_after_middle(const Call<T>& call, Stream stream, const PassClock& clock) override {
        for (int number = 3; number < 5; ++number) run_pass(number, false, call, nullptr, stream, clock);
        end(call, stream);
    }

    /// In place, where every axis is transformed by one pass.
    [[nodiscard]] ModeStop<T>* mode_stop() noexcept override {
        const bool plain = eliminated_ < 0 && !long_.any() && !matrices_.any() && way_.skipped < 0;
        return plain && way_.movement == Movement::in_place ? this : nullptr;
    }
    [[nodiscard]] ModeField<T> modes(const Call<T>& call) const override {
        const Unknowns<T> here = unknowns(Buffer::first, identity_order, call);
        return {here.data,
                here.strides,
                {passes_.axis(0).eigenvalues(), passes_.axis(1).eigenvalues(), passes_.axis(2).eigenvalues()},
                -helmholtz_,
                passes_.mode_factor(call),
                static_cast<T>(call.restore)};
    }
    void run_to_modes(const Call<T>& call, Stream stream, const PassClock& clock) override {
        run_before_middle(call, stream, clock);
        run_half(Direction::forward, call, stream);
    }
    void run_from_modes(const Call<T>& call, Stream stream, const PassClock& clock) override {
        run_half(Direction::backward, call, stream);
        clock.mark(3, stream);
        run_after_middle(call, stream, clock);
    }

    [[nodiscard]] FieldView<T> staging() const noexcept override { return staged(internal_.staging()); }
    [[nodiscard]] FieldView<T> result_staging() const noexcept override {
        return staged(internal_.result_staging());
    }
    [[nodiscard]] bool stages_apart() const noexcept override {
        return memory_ == Memory::fast && way_.movement == Movement::rotated;
    }
    [[nodiscard]] T* face_staging() const noexcept override { return faces_; }

    [[nodiscard]] std::array<double, 5> traffic() const noexcept override {
        const auto [x, y, z] = passes_.unknowns();
        const double each = 2.0 * sizeof(T) * static_cast<double>(x * y * z);
        std::array<double, 5> bytes{};
        for (int number = 0; number < 5; ++number) {
            const Pass& pass = way_.schedule[number];
            if (skips(number)) continue;
            bytes[place(number)] = each * (long_.has(pass.axis()) ? LongAxes<T>::sweeps(pass.direction) : 1.0);
        }
        return bytes;
    }
    [[nodiscard]] bool needs_dense_solution() const noexcept override { return memory_ != Memory::fast; }
    [[nodiscard]] bool works_in_solution() const noexcept override { return !internal_.any(); }

private:
    [[nodiscard]] bool skips(int number) const { return way_.skipped >= 0 && number % 2 == 1; }
    /// Of a pass among those that there are.
    [[nodiscard]] int place(int number) const {
        return (way_.skipped >= 0 ? number / 2 : number) + (in_modes_.empty() ? 0 : 1);
    }

    /// Whether the right-hand side is made where the first pass writes.
    [[nodiscard]] bool begin(const Call<T>& call, Removed* removed, Stream stream) {
        if (in_modes_.empty()) passes_.start(call, removed, stream);
        internal_.unswap();
        const bool made = !first_along_z() && (call.boundary.any || (multiplies_first() && is_singular_));
        if (made) write_right_hand_side(call, removed, stream);
        return made;
    }
    void run_pass(int number, bool made, const Call<T>& call, Removed* removed, Stream stream,
                  const PassClock& clock) {
        const Pass& pass = way_.schedule[number];
        if (pass.axis() == eliminated_)
            eliminate(pass, call, removed, stream);
        else if (matrices_.has(pass.axis()))
            multiply(pass, made, call, stream);
        else
            transform(pass, made, call, removed, stream);
        clock.mark(place(number) + 1, stream);
    }
    void run_half(Direction direction, const Call<T>& call, Stream stream) {
        Pass half = way_.schedule[2];
        half.direction = direction;
        transform(half, false, call, nullptr, stream);
    }
    void end(const Call<T>& call, Stream stream) {
        if (!first_along_z() || long_.has(2)) passes_.fix_gauge(call, stream);
        write_dirichlet_planes(call, stream, writes_ends() ? 2 : 3);
    }

    [[nodiscard]] typename InternalFields<T>::Second second_field() const {
        using Second = typename InternalFields<T>::Second;
        return matrices_.any() ? Second::products : long_.any() ? Second::area : Second::none;
    }

    /// The first and the last pass run along z, unless it is in the middle: only then do they change f and write
    /// ends of lines on their way.
    [[nodiscard]] bool first_along_z() const { return way_.schedule[0].axis() == 2 && !matrices_.has(2); }
    /// Whether the last pass has written ends of lines: it knows them where lines are counted along y.
    [[nodiscard]] bool writes_ends() const { return first_along_z() && way_.skipped != 1; }
    /// A product of lines and a matrix takes nothing from f.
    [[nodiscard]] bool multiplies_first() const { return matrices_.has(way_.schedule[0].axis()); }

    /// False, and nothing is done, if no kernel adds `terms`.
    bool transform(const Pass& pass, bool made, const Call<T>& call, Removed* removed, Stream stream,
                   const MiddleTerms<T>* terms = nullptr) {
        const int a = pass.axis();
        Pass inner = pass;
        if (!first_along_z()) {  // no pass is a first or a last one
            inner.from = pass.from == Buffer::input ? Buffer::first : pass.from;
            inner.to = pass.to == Buffer::output ? Buffer::first : pass.to;
        }
        const bool reads_f = inner.from == Buffer::input, writes_u = inner.to == Buffer::output;
        const Role role = BoxPasses<T, Compact>::role(inner, call);
        Task<T> task = passes_.task(inner, call, removed);
        if (!writes_ends()) task.below = task.above = 0;
        if (!in_modes_.empty()) task.subtract = nullptr;
        if (pass.from == Buffer::input && !reads_f && !made) passes_.read_scaled(task, call, removed);
        set_eigenvalues(pass, task);
        PassSides<T> sides{pass};
        if (!reads_f) sides.from = source(pass, made, call);
        if (!writes_u) sides.to = unknowns(pass.to, permute(pass.order, pass.movement), call);
        if (long_.has(a)) {
            PhaseTask<T> lines = long_.task(a, pass.direction, task);
            sides.set(internal_, LongAxes<T>::layout(a), LongAxes<T>::layout(a), lines);
            long_.run(a, role, lines, stream);
            return true;
        }
        const Movement movement = way_.movement;
        const bool even = sides.set(internal_, layout_in(role, movement), layout_out(role, movement), task);
        if (!writes_u && movement == Movement::in_place && !even && task.outer == Outer::radix8)
            task.outer = Outer::large;
        const BlockShape shape = passes_.axis(a).shape(task.lines);
        if (writes_u)
            if (const auto block = passes_.gauge(call, task))
                launch_pass(role, movement, block->task, shape,
                            block_of(block->task, block->slow, block->line, early_), stream);
        if (terms != nullptr) return launch_added_pass(task, *terms, shape, all_blocks(task, early_), stream);
        launch_pass(role, movement, task, shape, all_blocks(task, early_), stream);
        return true;
    }

    /// Of axes that have tables of their own.
    template <class AnyTask>
    void set_eigenvalues(const Pass& pass, AnyTask& task) const {
        const auto [slow, line] = across_lines_of(pass);
        const auto own = [&](int a, const T*& eigenvalues) {
            if (matrices_.has(a)) eigenvalues = matrices_.eigenvalues(a);
            if (long_.has(a)) eigenvalues = long_.eigenvalues(a);
            if (a == 1 && !in_modes_.empty()) eigenvalues = eigenvalues_in_modes_;
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
        task.vectors = task.rows && holds_vectors(task);
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
    T helmholtz_;
    std::vector<T> in_modes_;
    std::size_t in_modes_offset_ = 0;
    T* eigenvalues_in_modes_ = nullptr;
    bool early_ = may_launch_early();
    BoxPasses<T, Compact> passes_;
    std::optional<EliminatedAxis<T>> middle_;
    MatrixAxes<T> matrices_;
    LongAxes<T> long_;
    FieldWay way_;
    InternalFields<T> internal_;
    std::size_t faces_offset_ = 0, bytes_ = 0;
    T* faces_ = nullptr;
};

}  // namespace

template <class T>
std::unique_ptr<Pipeline<T>> make_fused_pipeline(const Problem& problem, Memory memory, Index batch,
                                                 int eliminated) {
    if (is_flat(problem)) {
        auto plane = make_fused_pipeline<T>(in_plane(problem), memory, batch,
                                            eliminated < 0 ? -1 : axis_in_plane(eliminated));
        return plane == nullptr ? nullptr : make_flat_pipeline<T>(problem, std::move(plane));
    }
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
    if (eliminated < 0 && is_thin<T>(problem, memory, methods))
        if (auto thin = make_thin_pipeline<T>(problem, memory, fields_at_once<T>(problem, memory, batch)))
            return thin;
    const bool any_long = long_ones[0] || long_ones[1] || long_ones[2];
    const Index fields = any_long ? 1 : fields_at_once<T>(problem, memory, batch);
    auto pipeline = std::make_unique<FusedPipeline<T>>(problem, methods, memory, fields, eliminated, long_ones);
    if (!pipeline->fits()) return nullptr;
    return pipeline;
}

template <class T>
std::unique_ptr<Pipeline<T>> make_passes_beside_modes(const Problem& problem, Index fields,
                                                      const std::vector<T>& eigenvalues) {
    const std::array<LineMethod, 3> methods{line_method<T>(problem, 0, -1), LineMethod::none,
                                            line_method<T>(problem, 2, -1)};
    auto pipeline = std::make_unique<FusedPipeline<T>>(problem, methods, Memory::low, fields, -1,
                                                       std::array<bool, 3>{}, eigenvalues);
    if (!pipeline->fits()) return nullptr;
    return pipeline;
}

template std::unique_ptr<Pipeline<float>> make_passes_beside_modes(const Problem&, Index,
                                                                   const std::vector<float>&);
template std::unique_ptr<Pipeline<double>> make_passes_beside_modes(const Problem&, Index,
                                                                    const std::vector<double>&);
template std::unique_ptr<Pipeline<float>> make_fused_pipeline(const Problem&, Memory, Index, int);
template std::unique_ptr<Pipeline<double>> make_fused_pipeline(const Problem&, Memory, Index, int);

}  // namespace poisson3d::fused
