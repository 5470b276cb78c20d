#include "fused_passes.hpp"

#include "field_sweeps.hpp"
#include "fused_shape.hpp"
#include "launch_pass.hpp"
#include "pass_sides.hpp"
#include "poisson3d/device_memory.hpp"
#include "thin_box.hpp"

namespace poisson3d::fused {

template <class T>
FusedPasses<T>::FusedPasses(const Problem& problem, const std::array<LineMethod, 3>& methods, Memory memory,
                            Index fields, int eliminated, const std::array<bool, 3>& long_ones,
                            std::vector<T> in_modes)
    : long_work_(max_work<T>(problem)),
      is_singular_(singular(problem)),
      in_modes_(std::move(in_modes)),
      early_(may_launch_early()),
      passes_(problem, methods, &block_shape<T>, fields),
      matrices_(problem, methods),
      long_(problem, long_ones),
      way_(in_modes_.empty() ? field_way(passes_, memory, eliminated, long_ones, matrices_.any())
                             : way_beside_modes()),
      internal_(problem, passes_.unknowns(), memory, way_, second_field(), fields) {
    passes_.include_round_trip(long_.round_trip());
    if (way_.skipped >= 0 && in_modes_.empty())
        passes_.include_round_trip(1.0 / passes_.axis(way_.skipped).round_trip());
    if (eliminated >= 0) middle_.emplace(problem, eliminated);
}

template <class T>
bool FusedPasses<T>::fits() const {
    for (int a = 0; a < 3; ++a)
        if (passes_.axis(a).has_tables() && passes_.axis(a).shape(1).bytes > max_shared()) return false;
    return !middle_ || middle_->fits();
}

template <class T>
void FusedPasses<T>::reserve(WorkspaceLayout& layout) {
    internal_.reserve(layout);
    passes_.reserve(layout);
    if (middle_) middle_->reserve(layout);
    if (long_.any()) {
        long_.set_room(internal_.area_bytes(), long_work_);
        long_.reserve(layout);
    }
    matrices_.reserve(layout);
    in_modes_offset_ = layout.take(in_modes_.size() * sizeof(T));
}

template <class T>
void FusedPasses<T>::bind(std::byte* workspace) {
    if (!in_modes_.empty()) {
        eigenvalues_in_modes_ = reinterpret_cast<T*>(workspace + in_modes_offset_);
        copy_to_device(eigenvalues_in_modes_, in_modes_.data(), in_modes_.size() * sizeof(T));
    }
    passes_.bind(workspace);
    if (middle_) middle_->upload(workspace);
    if (long_.any()) long_.upload(workspace, workspace + internal_.area_offset());
    matrices_.upload(workspace);
    internal_.bind(workspace);
}

template <class T>
bool FusedPasses<T>::begin(const Call<T>& call, Removed* removed, Stream stream) {
    if (in_modes_.empty()) passes_.start(call, removed, stream);
    internal_.unswap();
    const bool made = !first_along_z() && (call.boundary.any || (multiplies_first() && is_singular_));
    if (made) write_right_hand_side(call, removed, stream);
    return made;
}

template <class T>
void FusedPasses<T>::run(int number, bool made, const Call<T>& call, Removed* removed, Stream stream) {
    const Pass& pass = way_.schedule[number];
    if (middle_ && pass.axis() == way_.schedule[2].axis())
        eliminate(pass, call, removed, stream);
    else if (matrices_.has(pass.axis()))
        multiply(pass, made, call, stream);
    else
        transform(pass, made, call, removed, stream);
}

template <class T>
void FusedPasses<T>::run_half(Direction direction, const Call<T>& call, Stream stream) {
    Pass half = way_.schedule[2];
    half.direction = direction;
    transform(half, false, call, nullptr, stream);
}

template <class T>
void FusedPasses<T>::end(const Call<T>& call, Stream stream) {
    if (!first_along_z() || long_.has(2)) passes_.fix_gauge(call, stream);
    write_dirichlet_planes(call, stream, writes_ends() ? 2 : 3);
}

template <class T>
bool FusedPasses<T>::transform(const Pass& pass, bool made, const Call<T>& call, Removed* removed, Stream stream,
                               const MiddleTerms<T>* terms) {
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
            launch_pass(role, movement, block->task, shape, block_of(block->task, block->slow, block->line, early_),
                        stream);
    if (terms != nullptr) return launch_added_pass(task, *terms, shape, all_blocks(task, early_), stream);
    launch_pass(role, movement, task, shape, all_blocks(task, early_), stream);
    return true;
}

template <class T>
template <class AnyTask>
void FusedPasses<T>::set_eigenvalues(const Pass& pass, AnyTask& task) const {
    const auto [slow, line] = across_lines_of(pass);
    const auto own = [&](int a, const T*& eigenvalues) {
        if (matrices_.has(a)) eigenvalues = matrices_.eigenvalues(a);
        if (long_.has(a)) eigenvalues = long_.eigenvalues(a);
        if (a == 1 && !in_modes_.empty()) eigenvalues = eigenvalues_in_modes_;
    };
    own(slow, task.lambda_slow);
    own(line, task.lambda_lanes);
}

template <class T>
void FusedPasses<T>::eliminate(const Pass& pass, const Call<T>& call, Removed* removed, Stream stream) {
    const auto [slow, line] = across_lines_of(pass);
    const Unknowns<T> here = unknowns(pass.from, pass.order, call);
    EliminationTask<T> task = middle_->task(passes_, pass, call, removed);
    set_eigenvalues(pass, task);
    task.data = here.data;
    task.slow = here.strides[slow];
    task.line = here.strides[line];
    task.sample = here.strides[pass.axis()];
    task.field = here.next;
    task.vectors = task.rows() && holds_vectors(task);
    launch_elimination(task, early_, stream);
}

template <class T>
void FusedPasses<T>::multiply(const Pass& pass, bool made, const Call<T>& call, Stream stream) {
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

template <class T>
void FusedPasses<T>::write_right_hand_side(const Call<T>& call, const Removed* removed, Stream stream) {
    const Unknowns<T> to = unknowns(Buffer::first, identity_order, call);
    RightHandSide<T> task = passes_.right_hand_side(call, removed);
    task.out = {to.data, passes_.unknowns(), to.strides};
    task.out_next = to.next;
    launch_right_hand_side(task, call.fields, stream);
}

template <class T>
Unknowns<const T> FusedPasses<T>::source(const Pass& pass, bool made, const Call<T>& call) const {
    const bool reads_f = pass.from == Buffer::input;
    if (!reads_f || made) return unknowns(reads_f ? Buffer::first : pass.from, pass.order, call).read_only();
    return {call.f.data + passes_.first_unknown(call, call.f.strides), call.f.strides, call.f_next};
}

template class FusedPasses<float>;
template class FusedPasses<double>;

}  // namespace poisson3d::fused
