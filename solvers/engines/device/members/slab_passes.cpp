#include "slab_passes.hpp"

#include "fused_shape.hpp"
#include "line_methods.hpp"

namespace poisson3d::members {

using namespace fused;

namespace {

std::array<LineMethod, 3> methods_of(const Problem& problem, bool transforms_x) {
    std::array<LineMethod, 3> methods{};
    for (int a = 0; a < 3; ++a)
        methods[a] = a == 0 && !transforms_x                    ? LineMethod::none
                     : has_fast_transform(problem.grid.axes[a]) ? line_method<double>(problem, a, -1)
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

}  // namespace

template <class T>
SlabPasses<T>::SlabPasses(const Problem& problem, const Part& part, bool transforms_x)
    : part_(part), passes_(problem, methods_of(problem, transforms_x), &block_shape<T>, 1) {}

template <class T>
std::string SlabPasses<T>::refuses(const Problem& problem, bool transforms_x) {
    const std::array<LineMethod, 3> methods = methods_of(problem, transforms_x);
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
void SlabPasses<T>::launch(const Pass& pass, Role role, Task<T>& task, Stream stream) const {
    const BlockShape shape = passes_.axis(pass.axis()).shape(task.lines);
    launch_pass(role, Movement::in_place, task, shape, all_blocks(task, early_), stream);
}

/// Columns go in twos where all rows begin at multiples of two elements; the kernels for radix 8 want that.
template <class T>
void SlabPasses<T>::set_in(Task<T>& task, const Pass& pass, Role role, const Unknowns<T>& from) const {
    const auto [slow, line] = across_lines_of(pass);
    task.in = from.data;
    task.in_slow = from.strides[slow];
    task.in_line = from.strides[line];
    task.in_sample = from.strides[pass.axis()];
    task.vectors_in = in_rows(layout_in(role, Movement::in_place)) && task.in_map.neighbours;
}

template <class T>
void SlabPasses<T>::set_out(Task<T>& task, const Pass& pass, Role role, const Unknowns<T>& to) const {
    const auto [slow, line] = across_lines_of(pass);
    task.out = to.data;
    task.out_slow = to.strides[slow];
    task.out_line = to.strides[line];
    task.out_sample = to.strides[pass.axis()];
    if (in_rows(layout_out(role, Movement::in_place))) {
        task.vectors_out = task.out_map.in_twos();
        return;
    }
    task.vectors_in = task.vectors_out =
        passes_.unknowns(line) % 2 == 0 && aligned(to.data, task.out_slow, task.out_sample, 0);
    if (!task.vectors_out && task.outer == Outer::radix8) task.outer = Outer::large;
}

template <class T>
void SlabPasses<T>::forward(const Call<T>& call, const Planes& planes, const Unknowns<T>& to, Removed* removed,
                            Stream stream) const {
    Call<T> here = call;
    here.boundary = terms_of(call.boundary, planes, part_.unknowns);
    const Unknowns<T> there = to.planes_from(planes.first);
    const Unknowns<const T> f = unknowns_of(call.f).planes_from(planes.first);
    const Pass &z = schedule_[0], &y = schedule_[1];
    Role role = BoxPasses<T, Compact>::role(z, here);
    Task<T> task = passes_.task(z, here, removed);
    task.slow = planes.count;
    task.in = f.data;
    task.vectors_in = task.in_map.neighbours && aligned(task.in, task.in_slow, task.in_line, 0);
    set_out(task, z, role, there);
    launch(z, role, task, stream);
    role = Role::forward;
    task = passes_.task(y, here, removed);
    task.slow = planes.count;
    set_in(task, y, role, there);
    set_out(task, y, role, there);
    launch(y, role, task, stream);
}

template <class T>
void SlabPasses<T>::backward(const Call<T>& call, const Planes& planes, const Unknowns<T>& from,
                             Stream stream) const {
    Call<T> here = call;
    here.boundary = terms_of(call.boundary, planes, part_.unknowns);
    const Unknowns<T> there = from.planes_from(planes.first);
    const Pass &y = schedule_[3], &z = schedule_[4];
    Task<T> task = passes_.task(y, here, nullptr);
    task.slow = planes.count;
    set_in(task, y, Role::backward, there);
    set_out(task, y, Role::backward, there);
    launch(y, Role::backward, task, stream);
    task = passes_.task(z, here, nullptr);
    task.slow = planes.count;
    set_in(task, z, Role::last, there);
    task.out = unknowns_of(call.u).planes_from(planes.first).data;
    launch(z, Role::last, task, stream);
}

template <class T>
void SlabPasses<T>::middle(const Call<T>& call, Index first, Index count, const Unknowns<T>& lines,
                           Removed* removed, Stream stream) const {
    Task<T> task = passes_.task(schedule_[2], call, removed);
    task.slow = count;
    task.lambda_slow += first;
    if (first > 0) task.removed = nullptr;
    set_in(task, schedule_[2], Role::middle, lines);
    set_out(task, schedule_[2], Role::middle, lines);
    launch(schedule_[2], Role::middle, task, stream);
}

template class SlabPasses<float>;
template class SlabPasses<double>;

}  // namespace poisson3d::members
