// The way through the five passes inside u: lines are transformed where they are (line_batches.hpp), and the box of
// points is rotated in place between passes.
//
//     pass 1   f, lines along z   → u  [x][y][z]      rotate
//     pass 2   lines along x           [y][z][x]      rotate
//     pass 3   lines along y           [z][x][y]      rotate back       there, and back
//     pass 4   lines along x           [y][z][x]      rotate back
//     pass 5   lines along z           [x][y][z]
//
// Dirichlet nodes are rotated with the rest; what stands there matters to nobody until the last pass.
#include "pipelines.hpp"

#include "box_passes.hpp"
#include "poisson3d/in_place.hpp"

namespace poisson3d::fused {

namespace {

template <class T>
class LowPipeline final : public device::Pipeline<T> {
public:
    using Removed = typename device::Pipeline<T>::Removed;

    LowPipeline(const Problem& problem, std::size_t room)
        : grid_(problem.grid),
          passes_(problem, {LineMethod::whole_ffts, LineMethod::whole_ffts, LineMethod::whole_ffts}, 1,
                  {room, room}) {
        device::WorkspaceLayout layout;
        passes_.reserve(layout);
        lines_offset_ = layout.take(passes_.lines_bytes());
        bytes_ = layout.end();
    }

    [[nodiscard]] std::string name() const override { return "cuFFT batches, rotations in place"; }
    [[nodiscard]] std::size_t workspace_bytes() const noexcept override { return bytes_; }

    void bind(std::byte* workspace) override {
        passes_.bind(workspace);
        lines_ = reinterpret_cast<T*>(workspace + lines_offset_);
        const auto [x, y, z] = grid_.points();
        const InPlaceOptions options{.backend = Backend::cuda};
        const auto plan = [&](const Extents& extents, const Permutation& permutation) {
            return TransposeInPlace({extents, permutation, static_cast<int>(sizeof(T))}, options);
        };
        rotations_.clear();
        rotations_.push_back(plan({x, y, z}, rotation));
        rotations_.push_back(plan({y, z, x}, rotation));
        rotations_.push_back(plan({z, x, y}, rotation_back));
        rotations_.push_back(plan({y, z, x}, rotation_back));
    }

    void run(const Call<T>& call, Removed* removed, Stream stream, const device::PassClock& clock) override {
        const FieldView<T>& u = call.u;
        const FusedAxis<T>& x = passes_.axis(0);
        const FusedAxis<T>& y = passes_.axis(1);
        const FusedAxis<T>& z = passes_.axis(2);

        const auto turn = [&](int pass) {
            rotations_[static_cast<std::size_t>(pass - 1)].execute(u.data, stream);
            clock.mark(pass, stream);
        };

        PassTask<T> task = passes_.first(call, removed, stream);
        task.out = u.data + passes_.first_unknown(u.strides);
        task.out_slow = u.strides[1];
        task.out_line = u.strides[0];
        z.run_phases({passes_.first_role(call), Role::unrotated}, task, lines_, stream);
        turn(1);

        task = x.forward(y.unknowns(), z.unknowns());
        stay(task, u, {1, 2, 0});
        x.run_phases({Role::forward, Role::unrotated}, task, lines_, stream);
        turn(2);

        task = passes_.middle(call, removed);
        stay(task, u, {2, 0, 1});
        y.run_phases({Role::middle, Role::last, true}, task, lines_, stream);
        turn(3);

        task = x.backward(y.unknowns(), z.unknowns());
        stay(task, u, {1, 2, 0});
        x.run_phases({Role::backward, Role::last}, task, lines_, stream);
        turn(4);

        task = passes_.last(call);
        task.in = task.out;
        task.in_slow = task.out_slow;
        task.in_line = task.out_line;
        passes_.finish(call, task, lines_, stream);
        clock.mark(5, stream);
    }

    [[nodiscard]] FieldView<T> staging() const noexcept override { return {}; }
    [[nodiscard]] T* face_staging() const noexcept override { return nullptr; }

    [[nodiscard]] std::array<double, 5> traffic() const noexcept override {
        const double each = 2.0 * sizeof(T) * static_cast<double>(grid_.size());
        return {2 * each, 2 * each, 2 * each, 2 * each,
                each};  // a rotation in place reads and writes at least once
    }
    [[nodiscard]] bool needs_dense_solution() const noexcept override { return true; }

private:
    /// In place, the box lying in `order`: slow index, lines, and along them.
    void stay(PassTask<T>& task, const FieldView<T>& u, const Permutation& order) const {
        const Strides strides = dense_strides(permute(grid_.points(), order));
        task.out = u.data;
        for (int p = 0; p < 3; ++p) task.out += passes_.axis(order[p]).kind().first * strides[p];
        task.in = task.out;
        task.in_slow = task.out_slow = strides[0];
        task.in_line = task.out_line = strides[1];
    }

    Grid grid_;
    BoxPasses<T> passes_;
    std::vector<TransposeInPlace> rotations_;
    std::size_t lines_offset_ = 0, bytes_ = 0;
    T* lines_ = nullptr;
};

}  // namespace

template <class T>
std::unique_ptr<device::Pipeline<T>> make_low_pipeline(const Problem& problem, std::size_t room) {
    for (const Axis& axis : problem.grid.axes)
        if (!has_tables(axis, LineMethod::whole_ffts)) return nullptr;
    // Half of what work areas may have for lines, half for cuFFT, but for some tables.
    return std::make_unique<LowPipeline<T>>(problem, room > 0 ? room : device::max_work<T>(problem) / 32 * 15);
}

template std::unique_ptr<device::Pipeline<float>> make_low_pipeline(const Problem&, std::size_t);
template std::unique_ptr<device::Pipeline<double>> make_low_pipeline(const Problem&, std::size_t);

}  // namespace poisson3d::fused
