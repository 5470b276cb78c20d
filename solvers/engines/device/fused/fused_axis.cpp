#include "fused_axis.hpp"

#include <algorithm>

#include "poisson3d/device_memory.hpp"

namespace poisson3d::fused {

namespace {

template <class T>
int max_items(const AxisTables<T>& tables) {
    const WorkItems& samples =
        tables.symmetric.view.radix != 0 ? tables.symmetric.view.items : tables.samples.view.items;
    return std::max(samples.count, tables.modes.view.items.count);
}

}  // namespace

template <class T>
std::optional<LineMethod> FusedAxis<T>::line_method(const Axis& axis) {
    if (has_tables(axis, LineMethod::radix_steps)) {
        const AxisTables<T> tables = make_axis_tables<T>(axis, Discretization::second_order);
        if (block_shape<T>(tables.plan.pitch, max_items(tables), 2).bytes <= max_shared())
            return LineMethod::radix_steps;
    }
    if (has_tables(axis, LineMethod::whole_ffts)) return LineMethod::whole_ffts;
    return {};
}

template <class T>
FusedAxis<T>::FusedAxis(const Axis& axis, Discretization discretization, LineMethod method,
                        std::array<Index, 2> across, Index fields, const BatchRoom& room)
    : method_(method), tables_(make_axis_tables<T>(axis, discretization, method)) {
    if (method == LineMethod::radix_steps) return;
    const Index lines = 2 * count(0);
    const auto blocks = [&](Index slow, Index all) { return slow * ((all + lines - 1) / lines); };
    batches_ = LineBatches<T>(tables_.plan, count(0),
                              fields * std::max(blocks(across[0], across[1]), blocks(across[1], across[0])), room);
}

template <class T>
void FusedAxis<T>::share(std::byte* fft) {
    if (method_ == LineMethod::whole_ffts) batches_.bind(fft);
}

template <class T>
BlockShape FusedAxis<T>::shape(Index lines) const {
    const int items = max_items(tables_);
    return method_ == LineMethod::radix_steps ? block_shape<T>(tables_.plan.pitch, items, lines)
                                              : phase_shape<T>(items);
}

/// visit(host array, where its device address goes), in the order in which they lie.
template <class T>
template <class Visit>
void FusedAxis<T>::for_each_array(const Visit& visit) {
    for_each_table(tables_, visit);
    visit(tables_.eigenvalues, eigenvalues_on_device_);
    visit(tables_.eigenvalue_pairs, eigenvalue_pairs_on_device_);
}

template <class T>
void FusedAxis<T>::reserve(device::WorkspaceLayout& layout) {
    device::WorkspaceLayout inside;
    for_each_array([&](const auto& array, auto&) { inside.take(array.size() * sizeof(array[0])); });
    offset_ = layout.take(inside.end());
}

template <class T>
void FusedAxis<T>::upload(std::byte* workspace) {
    device::WorkspaceLayout inside;
    for_each_array([&](const auto& array, auto& address) {
        const std::size_t bytes = array.size() * sizeof(array[0]);
        if (bytes == 0) return;  // null: there is no such table
        std::byte* const place = workspace + offset_ + inside.take(bytes);
        copy_to_device(place, array.data(), bytes);
        address = reinterpret_cast<decltype(address + 0)>(place);
    });
}

template <class T>
PassTask<T> FusedAxis<T>::task(Index slow, Index lines) const {
    PassTask<T> task;
    task.slow = slow;
    task.lines = lines;
    task.count = shape(lines).count;
    task.shift = 0;
    while (1 << task.shift < task.count) ++task.shift;
    task.kind = tables_.form;
    task.radix8 = tables_.radix8;
    task.pitch = tables_.plan.pitch;
    task.fft = tables_.plan.fft;
    task.symmetric = tables_.symmetric.view;
    return task;
}

template <class T>
PassTask<T> FusedAxis<T>::forward(Index slow, Index lines) const {
    PassTask<T> result = task(slow, lines);
    result.in_butterflies = tables_.samples.view;
    result.in_map = tables_.samples_in.view;
    result.out_butterflies = tables_.modes.view;
    result.out_map = tables_.modes_out.view;
    return result;
}

template <class T>
PassTask<T> FusedAxis<T>::backward(Index slow, Index lines) const {
    PassTask<T> result = task(slow, lines);
    result.in_butterflies = tables_.modes.view;
    result.in_map = tables_.modes_in.view;
    result.out_butterflies = tables_.samples.view;
    result.out_map = tables_.samples_out.view;
    return result;
}

template <class T>
PassTask<T> FusedAxis<T>::both(Index slow, Index lines) const {
    PassTask<T> result = task(slow, lines);
    result.in_butterflies = tables_.samples.view;
    result.in_map = tables_.samples_in.view;
    result.mode_butterflies = tables_.modes.view;
    result.modes_out = tables_.modes_out.view;
    result.modes_in = tables_.modes_in.view;
    result.lambda_line = eigenvalue_pairs_on_device_;
    result.out_butterflies = tables_.samples.view;
    result.out_map = tables_.samples_out.view;
    return result;
}

template <class T>
void FusedAxis<T>::run(Role role, const PassTask<T>& task, T* lines, Stream stream) const {
    if (method_ == LineMethod::whole_ffts) return run_phases(phases_of(role), task, lines, stream);
    launch_pass(role, task, shape(task.lines), all_blocks(task), stream);
}

template <class T>
void FusedAxis<T>::run_block(Role role, const PassTask<T>& task, Index slow, Index line, T* lines,
                             Stream stream) const {
    const Index chunk = line / (2 * task.count);
    const BlockShape shape = this->shape(task.lines);
    if (method_ == LineMethod::radix_steps)
        return launch_pass(role, task, shape, {static_cast<int>(chunk), 1, static_cast<int>(slow), 1}, stream);
    const Index chunks = all_blocks(task).chunks;
    for (Index field = 0; field < task.fields; ++field)
        batches_.run(phases_of(role), task, shape.threads, {(field * task.slow + slow) * chunks + chunk, 1},
                     reinterpret_cast<Complex<T>*>(lines), stream);
}

template <class T>
void FusedAxis<T>::run_phases(const Phases& phases, const PassTask<T>& task, T* lines, Stream stream) const {
    const Blocks all = all_blocks(task);
    batches_.run(phases, task, shape(task.lines).threads, {0, task.fields * all.chunks * all.slow},
                 reinterpret_cast<Complex<T>*>(lines), stream);
}

template class FusedAxis<float>;
template class FusedAxis<double>;

}  // namespace poisson3d::fused
