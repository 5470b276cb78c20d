// The way through the five passes with one kernel each (launch_pass.hpp). Between passes stands the real rotated
// field, its rows padded to 128 bytes. The fields of a batch go through a pass together, so that small boxes fill
// the device.
#include <algorithm>

#include "box_passes.hpp"
#include "field_sweeps.hpp"
#include "launch_pass.hpp"
#include "pipelines.hpp"

namespace poisson3d::fused {

namespace {

template <class T>
constexpr Index padded(Index elements) {
    constexpr Index line = 128 / static_cast<Index>(sizeof(T));
    return (elements + line - 1) / line * line;
}

/// Even parts of a batch: fields of 1 GiB together, whose passes take so long that where one ends and the next
/// begins, when parts of the device idle, does not matter. Fewer that stay in its cache are slower (docs/notes.md).
template <class T>
Index fields_at_once(const Problem& problem, Index batch) {
    constexpr Index together = Index{1} << 30;
    const Index fit = std::clamp<Index>(together / (problem.grid.size() * static_cast<Index>(sizeof(T))), 1, batch);
    const Index parts = (batch + fit - 1) / fit;
    return (batch + parts - 1) / parts;
}

template <class T>
class FusedPipeline final : public Pipeline<T> {
public:
    using Removed = typename Pipeline<T>::Removed;

    FusedPipeline(const Problem& problem, const std::array<LineMethod, 3>& methods, Index fields)
        : grid_(problem.grid), fields_(fields), passes_(problem, methods, &block_shape<T>, fields) {
        WorkspaceLayout layout;
        const Index points = padded<T>(grid_.size());  // copies of host fields stand in both
        for (const Pass& pass : make_schedule())
            if (pass.to != Buffer::output) {
                Internal& to = internal(pass.to);
                to.next = std::max({to.next, points, size(permute(pass.order, pass.movement))});
            }
        for (Internal* field : {&first_, &second_})
            field->offset = layout.take(static_cast<std::size_t>(fields_ * field->next) * sizeof(T));
        faces_offset_ = layout.take(static_cast<std::size_t>(face_points(grid_)) * sizeof(T));
        passes_.reserve(layout);
        bytes_ = layout.end();
    }

    /// Whether every axis has lines that fit a block's shared memory.
    [[nodiscard]] bool fits() const {
        for (int a = 0; a < 3; ++a)
            if (passes_.axis(a).shape(1).bytes > max_shared()) return false;
        return true;
    }

    [[nodiscard]] std::string name() const override { return "a kernel a pass"; }
    [[nodiscard]] std::size_t workspace_bytes() const noexcept override { return bytes_; }
    [[nodiscard]] Index fields_at_once() const noexcept override { return fields_; }

    void bind(std::byte* workspace) override {
        passes_.bind(workspace);
        for (Internal* field : {&first_, &second_}) field->data = reinterpret_cast<T*>(workspace + field->offset);
        faces_ = reinterpret_cast<T*>(workspace + faces_offset_);
    }

    void run(const Call<T>& call, Removed* removed, Stream stream, const PassClock& clock) override {
        passes_.start(call, removed, stream);
        int number = 0;
        for (const Pass& pass : make_schedule()) {
            const auto [slow, line] = across_lines_of(pass);
            const BlockShape shape = passes_.axis(pass.axis()).shape(passes_.unknowns(line));
            const Role role = BoxPasses<T, Compact>::role(pass, call);
            Task<T> task = passes_.task(pass, call, removed);
            if (pass.from != Buffer::input) {
                const Internal& from = internal(pass.from);
                const Strides strides = strides_by_axis(pass.order);
                task.in = from.data;
                task.in_field = from.next;
                task.in_slow = strides[slow];
                task.in_line = strides[line];
                task.vectors_in = task.in_map.neighbours;  // rows are padded
            }
            if (pass.to != Buffer::output) {
                const Internal& to = internal(pass.to);
                const Strides strides = strides_by_axis(permute(pass.order, pass.movement));
                task.out = to.data;
                task.out_field = to.next;
                task.out_slow = strides[slow];
                task.out_mode = static_cast<int>(strides[pass.axis()]);
            } else if (const auto block = passes_.gauge(call, task)) {
                launch_pass(role, block->task, shape, block_of(block->task, block->slow, block->line), stream);
            }
            launch_pass(role, task, shape, all_blocks(task), stream);
            if (pass.to == Buffer::output) write_dirichlet_planes(call, stream);
            clock.mark(++number, stream);
        }
    }

    /// Pass 1 writes the first field, pass 5 reads the second.
    [[nodiscard]] FieldView<T> staging() const noexcept override { return {second_.data, grid_.points()}; }
    [[nodiscard]] FieldView<T> result_staging() const noexcept override { return {first_.data, grid_.points()}; }
    [[nodiscard]] T* face_staging() const noexcept override { return faces_; }

    [[nodiscard]] std::array<double, 5> traffic() const noexcept override {
        const auto [x, y, z] = passes_.unknowns();
        const double each = 2.0 * sizeof(T) * static_cast<double>(x * y * z);
        return {each, each, each, each, each};
    }
    [[nodiscard]] bool needs_dense_solution() const noexcept override { return false; }

private:
    /// An internal field, or those of all fields at once, `next` elements apart.
    struct Internal {
        std::size_t offset = 0;
        T* data = nullptr;
        Index next = 0;
    };
    Internal& internal(Buffer buffer) { return buffer == Buffer::first ? first_ : second_; }

    /// Of a field whose axes lie in `order`.
    [[nodiscard]] Strides strides_by_axis(const Permutation& order) const {
        Strides strides{};
        strides[order[2]] = 1;
        strides[order[1]] = padded<T>(passes_.unknowns(order[2]));
        strides[order[0]] = passes_.unknowns(order[1]) * strides[order[1]];
        return strides;
    }
    [[nodiscard]] Index size(const Permutation& order) const {
        return passes_.unknowns(order[0]) * strides_by_axis(order)[order[0]];
    }

    Grid grid_;
    Index fields_;
    BoxPasses<T, Compact> passes_;
    Internal first_, second_;
    std::size_t faces_offset_ = 0, bytes_ = 0;
    T* faces_ = nullptr;
};

}  // namespace

template <class T>
std::unique_ptr<Pipeline<T>> make_fused_pipeline(const Problem& problem, Memory memory, Index batch) {
    if (memory != Memory::fast) return nullptr;
    std::array<LineMethod, 3> methods{};
    for (int a = 0; a < 3; ++a) {
        const Axis& axis = problem.grid.axes[a];
        methods[a] = has_tables(axis, LineMethod::radix_steps) ? LineMethod::radix_steps : LineMethod::chirp;
        if (!has_tables(axis, methods[a])) return nullptr;
    }
    auto pipeline = std::make_unique<FusedPipeline<T>>(problem, methods, fields_at_once<T>(problem, batch));
    if (!pipeline->fits()) return nullptr;
    return pipeline;
}

template std::unique_ptr<Pipeline<float>> make_fused_pipeline(const Problem&, Memory, Index);
template std::unique_ptr<Pipeline<double>> make_fused_pipeline(const Problem&, Memory, Index);

}  // namespace poisson3d::fused
