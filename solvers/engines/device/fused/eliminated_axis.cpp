#include "eliminated_axis.hpp"

#include "launch_pass.hpp"

#include "poisson3d/device_memory.hpp"

namespace poisson3d::fused {

namespace {

/// How a block takes lines: 32 sections of each if they have so many nodes, more if 8 nodes a section are not
/// enough; lines enough for 64 bytes side by side, or for 32 where these are many threads.
template <class T>
void shape_blocks(EliminationTask<T>& task) {
    constexpr int usual_sections = 32;
    constexpr int segment = 64 / static_cast<int>(sizeof(T));
    constexpr int fewest_threads = 256, usual_threads = 512, most_threads = 1024;
    const int nodes = task.chain.nodes;
    const auto longest = [&] { return (nodes + task.sections() - 1) >> task.section_shift; };
    task.section_shift = task.line_shift = 0;
    while (2 * task.sections() <= nodes && task.sections() < usual_sections) ++task.section_shift;
    while (longest() > max_section) ++task.section_shift;
    while (task.block_lines() < segment && 2 * task.threads() <= usual_threads) ++task.line_shift;
    while (task.block_lines() < segment / 2 && 2 * task.threads() <= most_threads) ++task.line_shift;
    while (2 * task.threads() <= fewest_threads) ++task.line_shift;
}

}  // namespace

template <class T>
EliminatedAxis<T>::EliminatedAxis(const Problem& problem, int axis) : tables_(make_chain(problem.grid.axes[axis])) {
    task_.chain = tables_.on_host();
    task_.rows = axis == 2;
    task_.constant = lines::has_constant_line(problem, axis);
    if (task_.constant) task_.constant_line = lines::make_constant_line(tables_, singular(problem));
    if (task_.chain.nodes <= max_eliminated) shape_blocks(task_);
}

template <class T>
bool EliminatedAxis<T>::fits() const {
    return task_.chain.nodes <= max_eliminated && elimination_bytes(task_) <= max_shared();
}

template <class T>
void EliminatedAxis<T>::reserve(WorkspaceLayout& layout) {
    links_ = layout.take(tables_.links.size() * sizeof(T));
    volumes_ = layout.take(tables_.volumes.size() * sizeof(T));
}

template <class T>
void EliminatedAxis<T>::upload(std::byte* workspace) {
    const auto copy = [&](const std::vector<T>& numbers, std::size_t offset) {
        copy_to_device(workspace + offset, numbers.data(), numbers.size() * sizeof(T));
        return reinterpret_cast<const T*>(workspace + offset);
    };
    task_.chain.links = copy(tables_.links, links_);
    task_.chain.volumes = copy(tables_.volumes, volumes_);
    task_.constant_line.chain = task_.chain;
    synchronize();
}

template <class T>
EliminationTask<T> EliminatedAxis<T>::task(const BoxPasses<T, Compact>& passes, const Pass& pass,
                                           const Call<T>& call, typename Pipeline<T>::Removed* removed) const {
    const PassTask<T, Compact> modes = passes.task(pass, call, removed);
    EliminationTask<T> task = task_;
    task.slow_count = modes.slow;
    task.lines = modes.lines;
    task.fields = call.fields;
    task.lambda_slow = modes.lambda_slow;
    task.lambda_lanes = modes.lambda_lanes;
    task.shift_by = modes.shift_by;
    task.factor = modes.factor;
    task.multiply = modes.multiply;
    task.removed = modes.removed;
    task.removed_field = modes.removed_field;
    return task;
}

template class EliminatedAxis<float>;
template class EliminatedAxis<double>;

}  // namespace poisson3d::fused
