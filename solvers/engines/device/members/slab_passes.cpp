#include "slab_passes.hpp"

#include <algorithm>
#include <optional>

#include "fused_shape.hpp"
#include "line_methods.hpp"

namespace poisson3d::members {

using namespace fused;

namespace {

template <class T>
std::array<LineMethod, 3> methods_of(const Problem& problem, bool transforms_x) {
    std::array<LineMethod, 3> methods{};
    for (int a = 0; a < 3; ++a)
        methods[a] = a == 0 && !transforms_x                    ? LineMethod::none
                     : has_fast_transform(problem.grid.axes[a]) ? line_method<T>(problem, a, -1)
                                                                : LineMethod::none;
    return methods;
}

/// What boundary data adds to some planes: as if there were no others.
template <class T>
BoundaryTerms<T> terms_of(BoundaryTerms<T> terms, const Planes& planes, Index all) {
    terms.first[0] += planes.first;
    terms.last[0] = terms.first[0] + planes.count - 1;
    if (planes.first > 0) terms.factor[0][0] = T(0);
    if (planes.first + planes.count < all) terms.factor[0][1] = T(0);
    return terms;
}

/// Of rows along y.
template <class T>
constexpr Index padded(Index elements) {
    constexpr Index multiple = 128 / sizeof(T);
    return (elements + multiple - 1) / multiple * multiple;
}

/// Planes that are turned at once: a quarter of them, but at least 256 MiB, over which passes take much longer than
/// to start, and not much more than 1 GiB, which leaves room for larger boxes.
template <class T>
Index planes_at_once(Index planes, Index plane_size) {
    constexpr Index enough = Index{256} << 20, most = Index{1} << 30;
    const Index bytes = planes * plane_size * static_cast<Index>(sizeof(T));
    const Index groups = std::max(std::clamp<Index>((bytes + enough - 1) / enough, 1, 4), bytes / most);
    return (planes + groups - 1) / groups;
}

}  // namespace

template <class T>
SlabPasses<T>::SlabPasses(const Problem& problem, const BoxPart& part, Index first_z, bool transforms_x)
    : part_(part), first_z_(first_z), passes_(problem, methods_of<T>(problem, transforms_x), &block_shape<T>, 1) {
    // Columns are written in runs of at least 32 bytes by kernels with outer steps.
    const bool slab = part.y.whole() && part.z_modes.count == passes_.unknowns(2);
    bool turn = slab;
    for (const int a : {1, 2}) {
        const DeviceAxis<T, Compact>& axis = passes_.axis(a);
        turn = turn && lines::steps_in_registers(axis.outer()) &&
               2 * axis.shape(passes_.unknowns(3 - a)).count * static_cast<int>(sizeof(T)) >= 32;
    }
    may_store_ = turn && transforms_x && lines::steps_in_registers(passes_.axis(0).outer());
    if (turn && part.x.unknowns > 0)
        turned_planes_ = planes_at_once<T>(part.x.unknowns, passes_.unknowns(2) * padded<T>(passes_.unknowns(1)));
}

template <class T>
void SlabPasses<T>::reserve(WorkspaceLayout& layout) {
    const Index size = turned_planes_ * passes_.unknowns(2) * padded<T>(passes_.unknowns(1));
    offset_ = layout.take(static_cast<std::size_t>(size) * sizeof(T));
    passes_.reserve(layout);
}

template <class T>
void SlabPasses<T>::bind(std::byte* workspace) {
    turned_ = reinterpret_cast<T*>(workspace + offset_);
    passes_.bind(workspace);
}

template <class T>
Unknowns<T> SlabPasses<T>::turned() const {
    const Index row = padded<T>(passes_.unknowns(1));
    return {turned_, {passes_.unknowns(2) * row, 1, row}, true};
}

template <class T>
std::string SlabPasses<T>::refuses(const Problem& problem, bool transforms_x) {
    const std::array<LineMethod, 3> methods = methods_of<T>(problem, transforms_x);
    for (int a = transforms_x ? 0 : 1; a < 3; ++a) {
        const Axis& axis = problem.grid.axes[a];
        const std::string name = std::string("axis ") + problem.grid.labels[a];
        if (!has_ffts(methods[a]))
            return name +
                   " has positions, widths, coefficients, a Robin or a free face, where only the one that is "
                   "eliminated may have some";
        const auto bytes = [&] {
            return DeviceAxis<T, Compact>(axis, problem.discretization, methods[a], &block_shape<T>).shape(1).bytes;
        };
        if (!has_tables<Compact>(axis, methods[a]) || bytes() > max_shared())
            return name + " has " + std::to_string(axis_kind(axis).unknowns) +
                   " unknowns, more than the shared memory of a GPU holds of a line";
    }
    return {};
}

template <class T>
void SlabPasses<T>::launch(const Step& step, fused::Task<T> task, const Pass& pass, Stream stream) const {
    const auto [slow, line] = across_lines_of(pass);
    const auto& [role, movement, from, to, sent] = step;
    task.in = from.data, task.out = to.data;
    task.in_slow = from.strides[slow], task.out_slow = to.strides[slow];
    task.in_line = from.strides[line], task.out_line = to.strides[line];
    task.in_sample = from.strides[pass.axis()], task.out_sample = to.strides[pass.axis()];
    const bool reads_rows = in_rows(layout_in(role, movement)), writes_rows = in_rows(layout_out(role, movement));
    const bool twos = movement == Movement::rotated || (in_twos(to) && (reads_rows || in_twos(from)));
    task.vectors_in = reads_rows ? task.in_map.neighbours && aligned(task.in, task.in_slow, task.in_line, 0) : twos;
    task.vectors_out =
        writes_rows ? task.out_map.in_twos() && aligned(task.out, task.out_slow, task.out_line, 0) : twos;
    if (!reads_rows && !twos && task.outer == Outer::radix8) task.outer = Outer::large;
    const BlockShape shape = passes_.axis(pass.axis()).shape(passes_.unknowns(line));
    if (sent != nullptr)
        launch_sent_pass(role, task, *sent, shape, all_blocks(task, early_), stream);
    else
        launch_pass(role, movement, task, shape, all_blocks(task, early_), stream);
}

template <class T>
void SlabPasses<T>::run(const Step& step, const Pass& pass, const Call<T>& call, Index planes, Removed* removed,
                        Stream stream) const {
    fused::Task<T> task = passes_.task(pass, call, removed);
    task.slow = planes;
    task.lines = pass.axis() == 2 ? part_.y.unknowns : part_.z_modes.count;
    launch(step, task, pass, stream);
}

/// body(call, first plane, planes), with data of the faces that these planes touch.
template <class T>
template <class Body>
void SlabPasses<T>::for_planes(const Call<T>& call, const Planes& planes, Index together, const Body& body) const {
    for (Index done = 0; done < planes.count; done += together) {
        const Planes some{planes.first + done, std::min(together, planes.count - done)};
        Call<T> here = call;
        here.boundary = terms_of(call.boundary, some, part_.x.unknowns);
        body(here, some.first, some.count);
    }
}

template <class T>
void SlabPasses<T>::forward(const Call<T>& call, const Planes& planes, const Unknowns<T>& to, Removed* removed,
                            Stream stream, const SentElements<T>* sent) const {
    const Pass &z = schedule_[0], &y = schedule_[1];
    const Role role = BoxPasses<T, Compact>::role(z, call);
    const bool turn = turns(to);
    const Movement movement = turn ? Movement::rotated : Movement::in_place;
    for_planes(
        call, planes, turn ? turned_planes_ : planes.count, [&](const Call<T>& here, Index first, Index count) {
            const Unknowns<T> there = to.planes_from(first), between = turn ? turned() : there;
            run({role, movement, unknowns_of(here.f).planes_from(first), between}, z, here, count, removed, stream);
            Step along_y{Role::forward, movement, between.read_only(), there};
            std::optional<SentElements<T>> from_here;
            if (sent != nullptr) along_y.sent = &from_here.emplace(sent->planes_from(first));
            run(along_y, y, here, count, removed, stream);
        });
}

template <class T>
void SlabPasses<T>::backward(const Call<T>& call, const Planes& planes, const Unknowns<T>& from,
                             Stream stream) const {
    const Pass &y = schedule_[3], &z = schedule_[4];
    const Unknowns<T> u = unknowns_of(call.u);
    const bool turn = turns(u);
    for_planes(
        call, planes, turn ? turned_planes_ : planes.count, [&](const Call<T>& here, Index first, Index count) {
            const Unknowns<T> there = from.planes_from(first), out = u.planes_from(first);
            if (turn) {
                Pass first_z = z;
                first_z.to = Buffer::first;  // it is not the last pass
                run({Role::backward, Movement::rotated, there.read_only(), turned()}, first_z, here, count, nullptr,
                    stream);
                run({Role::backward, Movement::rotated, turned().read_only(), out}, y, here, count, nullptr,
                    stream);
            } else {
                run({Role::backward, Movement::in_place, there.read_only(), there}, y, here, count, nullptr,
                    stream);
                run({Role::last, Movement::in_place, there.read_only(), out}, z, here, count, nullptr, stream);
            }
        });
}

template <class T>
void SlabPasses<T>::forward_z(const Call<T>& call, const Unknowns<T>& rows, Removed* removed, Stream stream) const {
    run({BoxPasses<T, Compact>::role(schedule_[0], call), Movement::in_place, unknowns_of(call.f), rows},
        schedule_[0], call, part_.x.unknowns, removed, stream);
}

template <class T>
void SlabPasses<T>::forward_y(const Call<T>& call, const Unknowns<T>& from, const Unknowns<T>& to,
                              Stream stream) const {
    run({Role::forward, Movement::in_place, from.read_only(), to}, schedule_[1], call, part_.x.unknowns, nullptr,
        stream);
}

template <class T>
void SlabPasses<T>::backward_y(const Call<T>& call, const Unknowns<T>& from, const Unknowns<T>& to,
                               Stream stream) const {
    run({Role::backward, Movement::in_place, from.read_only(), to}, schedule_[3], call, part_.x.unknowns, nullptr,
        stream);
}

template <class T>
void SlabPasses<T>::backward_z(const Call<T>& call, const Unknowns<T>& rows, Stream stream) const {
    run({Role::last, Movement::in_place, rows.read_only(), unknowns_of(call.u)}, schedule_[4], call,
        part_.x.unknowns, nullptr, stream);
}

template <class T>
void SlabPasses<T>::middle(const Call<T>& call, Index first, Index count, const Unknowns<T>& lines,
                           Removed* removed, Stream stream, const SentElements<T>* sent) const {
    fused::Task<T> task = passes_.task(schedule_[2], call, removed);
    task.slow = count, task.lines = part_.z_modes.count;
    task.lambda_slow += first, task.lambda_lanes += part_.z_modes.first;
    if (first > 0 || part_.z_modes.first > 0) task.removed = nullptr;
    launch({Role::middle, Movement::in_place, lines.read_only(), lines, sent}, task, schedule_[2], stream);
}

template class SlabPasses<float>;
template class SlabPasses<double>;

}  // namespace poisson3d::members
