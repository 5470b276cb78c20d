#include "eliminated_axis.hpp"

#include "block_threads.hpp"
#include "elimination_pass.hpp"
#include "free_faces.hpp"
#include "launch_pass.hpp"

#include "poisson3d/device_memory.hpp"

namespace poisson3d::fused {

namespace {

/// Of a block of which two share a multiprocessor.
template <class T, LineShape shape>
constexpr int usual_threads = 16 * std::min(32, warps_with(elimination_registers<T, shape, true>));

/// How a block takes lines: of columns as many as lie in 64 bytes, or in 32 where these are many threads; of short
/// lines and of rows enough for a block.
template <class T>
void shape_blocks(EliminationTask<T>& task) {
    constexpr int segment = 64 / static_cast<int>(sizeof(T)), usual = usual_threads<T, LineShape::columns>;
    task.sections = (task.chain.nodes + section_nodes - 1) / section_nodes;
    task.section_threads = task.rows() ? (task.sections + row_group - 1) / row_group * row_group : task.sections;
    task.line_shift = 0;
    const auto widen = [&](int lines, int threads) {
        while (task.block_lines() < lines && 2 * task.threads() <= threads) {
            ++task.line_shift;
            if (elimination_bytes(task) <= max_shared()) continue;
            --task.line_shift;
            return;
        }
    };
    if (task.rows()) return widen(128, 128);
    if (sizeof(T) == 8 && !task.part && segment * task.sections > usual &&
        segment * task.sections <= usual_threads<T, LineShape::long_columns>) {
        task.shape = LineShape::long_columns;
        return widen(segment, usual_threads<T, LineShape::long_columns>);
    }
    widen(segment, usual);
    widen(segment / 2, 2 * usual);
    widen(256, 256);
}

/// The chain as kernels read it.
template <class T>
std::vector<T> sectioned(const lines::ChainTables<T>& tables, int sections) {
    constexpr int vector = vector_nodes<T>;
    const int size = sections * section_nodes;
    std::vector<T> result(static_cast<std::size_t>(2 * size));
    for (int j = 0; j < tables.view.nodes; ++j) {
        const int section = j / section_nodes, i = j % section_nodes;
        const auto to = static_cast<std::size_t>((i / vector * sections + section) * vector + i % vector);
        const auto from = static_cast<std::size_t>(j);
        result[to] = tables.links[from];
        result[to + static_cast<std::size_t>(size)] = tables.volumes[from];
    }
    return result;
}

/// Whether all links between nodes are equal, and all volumes.
template <class T>
bool even(const lines::ChainTables<T>& tables) {
    const auto nodes = static_cast<std::size_t>(tables.view.nodes);
    const auto equal = [](const auto& numbers, std::size_t first, std::size_t end) {
        for (std::size_t j = first + 1; j < end; ++j)
            if (numbers[j] != numbers[first]) return false;
        return true;
    };
    return equal(tables.links, 1, nodes) && equal(tables.volumes, 0, nodes);
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
    task_.shape = axis == 2 ? LineShape::rows : LineShape::columns;
    task_.constant = lines::has_constant_line(problem, axis);
    if (task_.chain.nodes > max_eliminated) return;
    shape_blocks(task_);
    task_.even = even(tables_);
    task_.first_link = tables_.links[0];
    task_.link = tables_.links[task_.chain.nodes > 1 ? 1 : 0];
    task_.volume = tables_.volumes[0];
}

template <class T>
bool EliminatedAxis<T>::fits() const {
    return task_.chain.nodes <= max_eliminated && elimination_bytes(task_) <= max_shared();
}

template <class T>
void EliminatedAxis<T>::reserve(WorkspaceLayout& layout) {
    links_ = layout.take(tables_.links.size() * sizeof(T));
    volumes_ = layout.take(tables_.volumes.size() * sizeof(T));
    sectioned_ = layout.take(static_cast<std::size_t>(2 * task_.sections * section_nodes) * sizeof(T));
}

template <class T>
void EliminatedAxis<T>::upload(std::byte* workspace) {
    const auto copy = [&](const std::vector<T>& numbers, std::size_t offset) {
        copy_to_device(workspace + offset, numbers.data(), numbers.size() * sizeof(T));
        return reinterpret_cast<const T*>(workspace + offset);
    };
    task_.chain.links = copy(tables_.links, links_);
    task_.chain.volumes = copy(tables_.volumes, volumes_);
    task_.sectioned = copy(sectioned(tables_, task_.sections), sectioned_);
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
