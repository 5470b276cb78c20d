#include "eliminated_axis.hpp"

#include "block_threads.hpp"
#include "elimination_pass.hpp"
#include "free_faces.hpp"
#include "launch_pass.hpp"

#include "poisson3d/device_memory.hpp"

namespace poisson3d::fused {

namespace {

template <class T>
void cut(EliminationTask<T>& task) {
    task.sections = (task.chain.nodes + task.section_nodes() - 1) / task.section_nodes();
    task.section_threads = task.rows ? (task.sections + row_group - 1) / row_group * row_group : task.sections;
}

/// Whether two blocks share a multiprocessor of this device, and leave a part of its memory to the cache.
inline bool two_fit(std::size_t bytes) {
    return blocks_beside_cache(bytes) >= 2 && 2 * taken_by_block(bytes) <= taken_by_block(max_shared());
}

/// How a block takes lines: of columns as many as lie in 64 bytes, if need be by longer sections, or in 32 where
/// these are many threads; of short lines and of rows enough for a block.
template <class T>
void shape_blocks(EliminationTask<T>& task) {
    constexpr int segment_shift = sizeof(T) == 8 ? 3 : 4, segment = 1 << segment_shift;
    constexpr int fewest_threads = 256;
    constexpr int most_threads = std::min(1024, 32 * warps_with(elimination_registers<T, LineShape::columns>));
    constexpr int usual_threads = most_threads / 2;  // two blocks share a multiprocessor
    cut(task);
    if (sizeof(T) == 8 && !task.rows && !task.part && segment * task.sections > usual_threads) {
        EliminationTask<T> longer = task;
        longer.long_columns = true;
        longer.line_shift = segment_shift;
        cut(longer);
        if (longer.threads() <= usual_threads && two_fit(elimination_bytes(longer))) task = longer;
    }
    task.line_shift = 0;
    const auto widen = [&](int lines, int threads) {
        while (task.block_lines() < lines && 2 * task.threads() <= threads) {
            ++task.line_shift;
            if (elimination_bytes(task) <= max_shared()) continue;
            --task.line_shift;
            return;
        }
    };
    if (!task.rows) {
        widen(segment, usual_threads);
        widen(segment / 2, most_threads);
    }
    widen(fewest_threads, fewest_threads);
}

/// The chain as the kernel reads it.
template <class T>
std::vector<T> sectioned(const lines::ChainTables<T>& tables, const EliminationTask<T>& task) {
    constexpr int vector = vector_nodes<T>;
    const int sections = task.sections, nodes = task.section_nodes(), size = sections * nodes;
    std::vector<T> result(static_cast<std::size_t>(2 * size));
    const int real = tables.view.nodes;
    for (int j = 0; j < size; ++j) {
        const int section = j / nodes, i = j % nodes;
        const auto to = static_cast<std::size_t>((i / vector * sections + section) * vector + i % vector);
        const auto from = static_cast<std::size_t>(j);
        result[to] = j < real ? tables.links[from] : wire<T>();
        result[to + static_cast<std::size_t>(size)] = j < real ? tables.volumes[from] : T(0);
    }
    return result;
}

}  // namespace

template <class T>
EliminatedAxis<T>::EliminatedAxis(const Problem& problem, int axis) : tables_(make_chain(problem.grid.axes[axis])) {
    describe_lines(problem, axis);
    if (task_.constant)
        task_.constant_line = lines::make_constant_line(tables_, singular(problem), !takes_constant(problem));
}

template <class T>
EliminatedAxis<T>::EliminatedAxis(const Problem& problem, const Part& part)
    : tables_(lines::ChainTables<T>(make_chain(problem.grid.axes[0])).part(part.first_unknown, part.unknowns)) {
    task_.part = true;
    describe_lines(problem, 0);
}

template <class T>
void EliminatedAxis<T>::describe_lines(const Problem& problem, int axis) {
    task_.chain = tables_.on_host();
    task_.rows = axis == 2;
    task_.constant = lines::has_constant_line(problem, axis);
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
    sectioned_ = layout.take(sectioned(tables_, task_).size() * sizeof(T));
}

template <class T>
void EliminatedAxis<T>::upload(std::byte* workspace) {
    const auto copy = [&](const std::vector<T>& numbers, std::size_t offset) {
        copy_to_device(workspace + offset, numbers.data(), numbers.size() * sizeof(T));
        return reinterpret_cast<const T*>(workspace + offset);
    };
    task_.chain.links = copy(tables_.links, links_);
    task_.chain.volumes = copy(tables_.volumes, volumes_);
    task_.sectioned = copy(sectioned(tables_, task_), sectioned_);
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
