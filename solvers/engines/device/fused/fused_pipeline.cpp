// The way through the five passes with one kernel each (pass.hpp). Between passes stands the real rotated field,
// its rows padded to 128 bytes:
//
//     pass 1   f, lines along z        → first   [y][z][x]
//     pass 2   first, lines along x    → second  [z][x][y]
//     pass 3   second, lines along y   → first   [y][z][x]     and back
//     pass 4   first, lines along x    → second  [x][y][z]
//     pass 5   second, lines along z   → u
//
// Along axes of other lengths a pass is cuFFT's (line_batches.hpp): from one field to lines in the other, and back.
//
// The fields of a batch go through a pass together, so that small boxes fill the device.
#include "pipelines.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "box_passes.hpp"

namespace poisson3d::fused {

namespace {

template <class T>
constexpr Index padded(Index elements) {
    constexpr Index line = 128 / static_cast<Index>(sizeof(T));
    return (elements + line - 1) / line * line;
}

/// Engine cufft rotates while it mixes: a sweep less for a pass by cuFFT. Two such axes outweigh the kernels of the
/// third, unless a type I line has an odd half period: engine cufft extends it to a whole one.
bool sweeps_are_faster(const Problem& problem, const std::array<LineMethod, 3>& methods) {
    if (std::count(methods.begin(), methods.end(), LineMethod::whole_ffts) < 2) return false;
    for (int a = 0; a < 3; ++a) {
        const AxisKind kind = axis_kind(problem.grid.axes[a]);
        if (methods[a] == LineMethod::whole_ffts && type_one(kind) && half_period(kind) % 2 == 1) return false;
    }
    return true;
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
class FusedPipeline final : public device::Pipeline<T> {
public:
    using Removed = typename device::Pipeline<T>::Removed;

    FusedPipeline(const Problem& problem, const std::array<LineMethod, 3>& methods, Index fields)
        : grid_(problem.grid),
          fields_(fields),
          passes_(problem, methods, fields,
                  {std::numeric_limits<std::size_t>::max(), device::max_work<T>(problem)}) {
        const auto [x, y, z] = passes_.unknowns();
        row_x_ = padded<T>(x);
        row_y_ = padded<T>(y);
        row_z_ = padded<T>(z);
        device::WorkspaceLayout layout;
        const auto take = [&](Index elements) {
            return layout.take(static_cast<std::size_t>(elements) * sizeof(T));
        };
        const Index points = grid_.size();  // copies of host fields stand in both
        const auto lines = static_cast<Index>(passes_.lines_bytes() / sizeof(T));
        second_.next = padded<T>(std::max({y * z * row_x_, z * x * row_y_, x * y * row_z_, points}));
        first_.next = lines > 0 ? second_.next : padded<T>(std::max(y * z * row_x_, points));
        first_offset_ = take(std::max(fields_ * first_.next, lines));
        second_offset_ = take(std::max(fields_ * second_.next, lines));
        faces_offset_ = take(device::face_points(grid_));
        passes_.reserve(layout);
        bytes_ = layout.end();
    }

    [[nodiscard]] std::string name() const override {
        std::string along;
        for (int a = 0; a < 3; ++a)
            if (by_batches(a)) (along += along.empty() ? "; cuFFT along " : " and ") += grid_.labels[a];
        return "a kernel a pass" + along;
    }
    [[nodiscard]] std::size_t workspace_bytes() const noexcept override { return bytes_; }
    [[nodiscard]] Index fields_at_once() const noexcept override { return fields_; }

    void bind(std::byte* workspace) override {
        passes_.bind(workspace);
        first_.data = reinterpret_cast<T*>(workspace + first_offset_);
        second_.data = reinterpret_cast<T*>(workspace + second_offset_);
        faces_ = reinterpret_cast<T*>(workspace + faces_offset_);
    }

    void run(const Call<T>& call, Removed* removed, Stream stream, const device::PassClock& clock) override {
        const auto [x, y, z] = passes_.unknowns();
        Fields here = first_;    // where the field stands
        Fields there = second_;  // where it goes to, or where batches have their lines: it then stays here
        const auto run = [&](int number, int a, Role role, PassTask<T>& task, Index out_slow, Index out_mode) {
            const bool stays = by_batches(a) || number == 1;
            const Fields& to = stays ? here : there;
            task.out = to.data;
            task.fields = call.fields;
            task.out_field = to.next;
            task.out_slow = out_slow;
            task.out_mode = static_cast<int>(out_mode);
            passes_.axis(a).run(role, task, there.data, stream);
            if (!stays) std::swap(here, there);
            clock.mark(number, stream);
        };
        const auto read = [&](PassTask<T>& task, Index slow, Index line) {
            task.in = here.data;
            task.in_field = here.next;
            task.in_slow = slow;
            task.in_line = line;
            task.vectors_in = task.in_map.neighbours;  // rows are padded
        };

        PassTask<T> task = passes_.first(call, removed, stream);
        run(1, 2, passes_.first_role(call), task, z * row_x_, row_x_);
        task = passes_.axis(0).forward(z, y);
        read(task, row_x_, z * row_x_);
        run(2, 0, Role::forward, task, x * row_y_, row_y_);
        task = passes_.middle(call, removed);
        read(task, x * row_y_, row_y_);
        run(3, 1, Role::middle, task, row_x_, z * row_x_);
        task = passes_.axis(0).backward(y, z);
        read(task, z * row_x_, row_x_);
        run(4, 0, Role::backward, task, row_z_, y * row_z_);
        task = passes_.last(call);
        read(task, y * row_z_, row_z_);
        passes_.finish(call, task, there.data, stream);
        clock.mark(5, stream);
    }

    /// By batches pass 1 has its lines in the second field, and pass 5 reads all before it writes any.
    [[nodiscard]] FieldView<T> staging() const noexcept override {
        return {by_batches(2) ? first_.data : second_.data, grid_.points()};
    }
    [[nodiscard]] FieldView<T> result_staging() const noexcept override {
        return {by_batches(1) == by_batches(2) ? first_.data : second_.data, grid_.points()};
    }
    [[nodiscard]] T* face_staging() const noexcept override { return faces_; }

    [[nodiscard]] std::array<double, 5> traffic() const noexcept override {
        const auto [x, y, z] = passes_.unknowns();
        const double each = 2.0 * sizeof(T) * static_cast<double>(x * y * z);
        return {each, each, each, each, each};
    }
    [[nodiscard]] bool needs_dense_solution() const noexcept override { return false; }

private:
    /// An internal field, or those of all fields at once, `next` elements apart.
    struct Fields {
        T* data = nullptr;
        Index next = 0;
    };

    [[nodiscard]] bool by_batches(int a) const { return passes_.axis(a).method() == LineMethod::whole_ffts; }

    Grid grid_;
    Index fields_;
    BoxPasses<T> passes_;
    Index row_x_ = 0, row_y_ = 0, row_z_ = 0;
    std::size_t first_offset_ = 0, second_offset_ = 0, faces_offset_ = 0, bytes_ = 0;
    Fields first_, second_;
    T* faces_ = nullptr;
};

}  // namespace

template <class T>
std::unique_ptr<device::Pipeline<T>> make_fused_pipeline(const Problem& problem, Memory memory, Index batch) {
    if (memory != Memory::fast) return nullptr;
    std::array<LineMethod, 3> methods{};
    for (int a = 0; a < 3; ++a) {
        const std::optional<LineMethod> method = FusedAxis<T>::line_method(problem.grid.axes[a]);
        if (!method) return nullptr;
        methods[a] = *method;
    }
    if (batch == 1 && sweeps_are_faster(problem, methods)) return nullptr;
    return std::make_unique<FusedPipeline<T>>(problem, methods, fields_at_once<T>(problem, batch));
}

template std::unique_ptr<device::Pipeline<float>> make_fused_pipeline(const Problem&, Memory, Index);
template std::unique_ptr<device::Pipeline<double>> make_fused_pipeline(const Problem&, Memory, Index);

}  // namespace poisson3d::fused
