#include "fused_axis.hpp"

#include <algorithm>

#include "poisson3d/device_memory.hpp"

namespace poisson3d::fused {

namespace {

template <class T>
int max_items(const AxisTables<T>& tables) {
    const Items& samples =
        tables.symmetric.head.radix != 0 ? tables.symmetric.head.items : tables.samples.head.items;
    return std::max(samples.count, tables.modes.head.items.count);
}

}  // namespace

template <class T>
std::optional<Way> FusedAxis<T>::way_of(const Axis& axis) {
    if (has_tables(axis, Way::kernels)) {
        const AxisTables<T> tables = make_axis_tables<T>(axis, Discretization::second_order);
        if (block_shape<T>(tables.plan.pitch, max_items(tables), 2).bytes <= max_shared()) return Way::kernels;
    }
    if (has_tables(axis, Way::batches)) return Way::batches;
    return {};
}

template <class T>
FusedAxis<T>::FusedAxis(const Axis& axis, Discretization discretization, Way way, std::array<Index, 2> across,
                        Index fields, const BatchRoom& room)
    : way_(way), tables_(make_axis_tables<T>(axis, discretization, way)) {
    if (way == Way::kernels) return;
    const Index lines = 2 * count(0);
    const auto blocks = [&](Index slow, Index all) { return slow * ((all + lines - 1) / lines); };
    batches_ = LineBatches<T>(tables_.plan, count(0),
                              fields * std::max(blocks(across[0], across[1]), blocks(across[1], across[0])), room);
}

template <class T>
void FusedAxis<T>::share(std::byte* fft) {
    if (way_ == Way::batches) batches_.bind(fft);
}

template <class T>
BlockShape FusedAxis<T>::shape(Index lines) const {
    const int items = max_items(tables_);
    return way_ == Way::kernels ? block_shape<T>(tables_.plan.pitch, items, lines) : phase_shape<T>(items);
}

/// visit(host array, where its device address goes), in the order in which they lie.
template <class T>
template <class Visit>
void FusedAxis<T>::for_each_array(const Visit& visit) {
    for_each_table(tables_, visit);
    visit(tables_.eigenvalues, eigenvalues_on_device_);
    visit(tables_.pairs, pairs_on_device_);
}

template <class T>
void FusedAxis<T>::reserve(device::Carver& carver) {
    device::Carver inside;
    for_each_array([&](const auto& array, auto&) { inside.take(array.size() * sizeof(array[0])); });
    offset_ = carver.take(inside.end());
}

template <class T>
void FusedAxis<T>::upload(std::byte* workspace) {
    device::Carver inside;
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
    task.symmetric = tables_.symmetric.head;
    return task;
}

template <class T>
PassTask<T> FusedAxis<T>::forward(Index slow, Index lines) const {
    PassTask<T> result = task(slow, lines);
    result.in_twins = tables_.samples.head;
    result.in_slots = tables_.samples_in.head;
    result.out_twins = tables_.modes.head;
    result.out_slots = tables_.modes_out.head;
    return result;
}

template <class T>
PassTask<T> FusedAxis<T>::backward(Index slow, Index lines) const {
    PassTask<T> result = task(slow, lines);
    result.in_twins = tables_.modes.head;
    result.in_slots = tables_.modes_in.head;
    result.out_twins = tables_.samples.head;
    result.out_slots = tables_.samples_out.head;
    return result;
}

template <class T>
PassTask<T> FusedAxis<T>::both(Index slow, Index lines) const {
    PassTask<T> result = task(slow, lines);
    result.in_twins = tables_.samples.head;
    result.in_slots = tables_.samples_in.head;
    result.mode_twins = tables_.modes.head;
    result.modes_out = tables_.modes_out.head;
    result.modes_in = tables_.modes_in.head;
    result.lambda_line = pairs_on_device_;
    result.out_twins = tables_.samples.head;
    result.out_slots = tables_.samples_out.head;
    return result;
}

template <class T>
void FusedAxis<T>::run(Role role, const PassTask<T>& task, T* lines, Stream stream) const {
    if (way_ == Way::batches) return run_phases(phases_of(role), task, lines, stream);
    launch_pass(role, task, shape(task.lines), all_blocks(task), stream);
}

template <class T>
void FusedAxis<T>::run_block(Role role, const PassTask<T>& task, Index slow, Index line, T* lines,
                             Stream stream) const {
    const Index chunk = line / (2 * task.count);
    const BlockShape shape = this->shape(task.lines);
    if (way_ == Way::kernels)
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
