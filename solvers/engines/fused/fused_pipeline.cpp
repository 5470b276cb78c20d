// The way through the five passes with one kernel each (pass.hpp). Between passes stands the real rotated field,
// its rows padded to 128 bytes:
//
//     pass 1   f, lines along z        → first   [y][z][x]
//     pass 2   first, lines along x    → second  [z][x][y]
//     pass 3   second, lines along y   → first   [y][z][x]     and back
//     pass 4   first, lines along x    → second  [x][y][z]
//     pass 5   second, lines along z   → u
#include <algorithm>
#include <cstdint>

#include "fused_axis.hpp"
#include "fused_pipeline.hpp"
#include "poisson3d/device_memory.hpp"

namespace poisson3d::fused {

namespace {

template <class T>
constexpr Index padded(Index elements) {
    constexpr Index line = 128 / static_cast<Index>(sizeof(T));
    return (elements + line - 1) / line * line;
}

template <class T>
class FusedPipeline final : public cufft::Pipeline<T> {
public:
    using Removed = typename cufft::Pipeline<T>::Removed;

    explicit FusedPipeline(const Problem& problem)
        : problem_(problem),
          x_(problem.grid.axes[0], problem.discretization),
          y_(problem.grid.axes[1], problem.discretization),
          z_(problem.grid.axes[2], problem.discretization) {
        for (const FusedAxis<T>* axis : {&x_, &y_, &z_}) round_trip_ *= axis->round_trip();
        reserve();
    }

    [[nodiscard]] const char* name() const noexcept override { return "a kernel a pass"; }
    [[nodiscard]] std::size_t workspace_bytes() const noexcept override { return bytes_; }

    void bind(std::byte* workspace) override {
        for (FusedAxis<T>* axis : {&x_, &y_, &z_}) axis->upload(workspace);
        first_ = reinterpret_cast<T*>(workspace + first_offset_);
        second_ = reinterpret_cast<T*>(workspace + second_offset_);
        faces_ = reinterpret_cast<T*>(workspace + faces_offset_);
        gauge_ = reinterpret_cast<T*>(workspace + gauge_offset_);
        scalars_ = reinterpret_cast<T*>(workspace + scalars_offset_);
        fill_on_device(scalars_, 0, 3 * sizeof(T));
        synchronize();
    }

    void run(const Call<T>& call, Stream stream, const cufft::PassClock& clock) override {
        pass(call.boundary.any ? Role::first_with_data : Role::first, first_pass(call, stream), z_, stream);
        clock.mark(1, stream);
        pass(Role::forward, second_pass(), x_, stream);
        clock.mark(2, stream);
        pass(Role::middle, third_pass(call.operation), y_, stream);
        clock.mark(3, stream);
        pass(Role::backward, fourth_pass(), x_, stream);
        clock.mark(4, stream);
        PassTask<T> last = last_pass(call);
        if (call.operation == ModeOperation::divide && singular(problem_) && problem_.gauge.point)
            last.subtract = value_at_gauge(last, stream);
        pass(Role::last, last, z_, stream);
        cufft::write_dirichlet_planes(call.u, call.boundary, stream);
        clock.mark(5, stream);
    }

    [[nodiscard]] const Removed* removed() const noexcept override {
        return reinterpret_cast<const Removed*>(scalars_);
    }
    [[nodiscard]] FieldView<T> staging() const noexcept override { return {second_, problem_.grid.points()}; }
    [[nodiscard]] FieldView<T> result_staging() const noexcept override { return {first_, problem_.grid.points()}; }
    [[nodiscard]] T* face_staging() const noexcept override { return faces_; }

    [[nodiscard]] std::array<double, 5> traffic() const noexcept override {
        const double each = 2.0 * sizeof(T) * static_cast<double>(x_.unknowns() * y_.unknowns() * z_.unknowns());
        return {each, each, each, each, each};
    }
    [[nodiscard]] bool needs_dense_solution() const noexcept override { return false; }

private:
    void reserve() {
        const Index x = x_.unknowns();
        const Index y = y_.unknowns();
        const Index z = z_.unknowns();
        row_x_ = padded<T>(x);
        row_y_ = padded<T>(y);
        row_z_ = padded<T>(z);
        const Index points = problem_.grid.size();  // copies of host fields stand in both
        cufft::Carver carver;
        const auto take = [&](Index elements) {
            return carver.take(static_cast<std::size_t>(elements) * sizeof(T));
        };
        first_offset_ = take(std::max(y * z * row_x_, points));
        second_offset_ = take(std::max({z * x * row_y_, x * y * row_z_, points}));
        faces_offset_ = take(cufft::face_points(problem_.grid));
        gauge_offset_ = take(2 * z_.shape(y).count * z);
        scalars_offset_ = take(3);
        for (FusedAxis<T>* axis : {&x_, &y_, &z_}) axis->reserve(carver);
        bytes_ = carver.end();
    }

    static void pass(Role role, const PassTask<T>& task, const FusedAxis<T>& axis, Stream stream) {
        launch_pass(role, task, axis.shape(task.lines), all_blocks(task), stream);
    }

    PassTask<T> first_pass(const Call<T>& call, Stream stream) const {
        const FieldView<const T>& f = call.f;
        PassTask<T> task = z_.forward(y_.unknowns(), x_.unknowns());
        task.in = f.data + first_unknown(f.strides);
        task.in_slow = f.strides[1];
        task.in_line = f.strides[0];
        task.out = first_;
        task.out_slow = z_.unknowns() * row_x_;
        task.out_mode = static_cast<int>(row_x_);
        task.vectors_in = task.in_slots.neighbours && aligned(task.in, task.in_slow, task.in_line);
        task.scale = static_cast<T>(call.scale);
        task.boundary = call.boundary;
        if (singular(problem_)) {
            // The constant is removed anyway: taken out here, it costs no digits of the rest.
            cufft::launch_median(f.data, f.strides, f.extents, scalars_ + 1, stream);
            task.subtract = scalars_ + 1;
        }
        return task;
    }

    PassTask<T> second_pass() const {
        PassTask<T> task = x_.forward(z_.unknowns(), y_.unknowns());
        task.in = first_;
        task.in_slow = row_x_;
        task.in_line = z_.unknowns() * row_x_;
        task.out = second_;
        task.out_slow = x_.unknowns() * row_y_;
        task.out_mode = static_cast<int>(row_y_);
        task.vectors_in = task.in_slots.neighbours;
        return task;
    }

    PassTask<T> third_pass(ModeOperation operation) const {
        PassTask<T> task = y_.both(z_.unknowns(), x_.unknowns());
        task.in = second_;
        task.in_slow = x_.unknowns() * row_y_;
        task.in_line = row_y_;
        task.out = first_;
        task.out_slow = row_x_;
        task.out_mode = static_cast<int>(z_.unknowns() * row_x_);
        task.vectors_in = task.in_slots.neighbours;
        task.lambda_slow = z_.eigenvalues();
        task.lambda_lanes = x_.eigenvalues();
        task.shift_by = static_cast<T>(-problem_.helmholtz);
        task.factor = static_cast<T>(1.0 / round_trip_);
        task.multiply = operation == ModeOperation::multiply;
        if (singular(problem_)) task.removed = scalars_;
        return task;
    }

    PassTask<T> fourth_pass() const {
        PassTask<T> task = x_.backward(y_.unknowns(), z_.unknowns());
        task.in = first_;
        task.in_slow = z_.unknowns() * row_x_;
        task.in_line = row_x_;
        task.out = second_;
        task.out_slow = row_z_;
        task.out_mode = static_cast<int>(y_.unknowns() * row_z_);
        return task;
    }

    PassTask<T> last_pass(const Call<T>& call) const {
        const FieldView<T>& u = call.u;
        PassTask<T> task = z_.backward(x_.unknowns(), y_.unknowns());
        task.in = second_;
        task.in_slow = y_.unknowns() * row_z_;
        task.in_line = row_z_;
        task.out = u.data + first_unknown(u.strides);
        task.out_slow = u.strides[0];
        task.out_line = u.strides[1];
        task.vectors_out = task.out_slots.neighbours && aligned(task.out, task.out_slow, task.out_line);
        const AxisKind& kind = z_.kind();
        task.below = static_cast<int>(kind.first);
        task.above = static_cast<int>(kind.points - kind.first - kind.unknowns);
        task.samples = kind.unknowns;
        task.boundary = call.boundary;
        return task;
    }

    /// The value the last pass will give the gauge point, by the same arithmetic: its block alone, written
    /// elsewhere.
    const T* value_at_gauge(PassTask<T> task, Stream stream) const {
        const auto [i, j, k] = *problem_.gauge.point;  // singular: every point is an unknown
        const Index chunk = j / (2 * task.count);
        const Index line = chunk * 2 * task.count;
        task.out_slow = 0;
        task.out_line = z_.unknowns();
        task.out = gauge_ - line * task.out_line;
        task.vectors_out = false;
        launch_pass(Role::last, task, z_.shape(task.lines), {static_cast<int>(chunk), 1, static_cast<int>(i), 1},
                    stream);
        copy_on_device(scalars_ + 2, gauge_ + (j - line) * task.out_line + k, sizeof(T), stream);
        return scalars_ + 2;
    }

    /// Whether every line starts at a multiple of two elements.
    static bool aligned(const T* data, Index slow, Index line) {
        return reinterpret_cast<std::uintptr_t>(data) % (2 * sizeof(T)) == 0 && slow % 2 == 0 && line % 2 == 0;
    }

    [[nodiscard]] Index first_unknown(const Strides& strides) const {
        return x_.kind().first * strides[0] + y_.kind().first * strides[1] + z_.kind().first * strides[2];
    }

    Problem problem_;
    FusedAxis<T> x_, y_, z_;
    double round_trip_ = 1.0;
    Index row_x_ = 0, row_y_ = 0, row_z_ = 0;
    std::size_t first_offset_ = 0, second_offset_ = 0, faces_offset_ = 0, gauge_offset_ = 0, scalars_offset_ = 0;
    std::size_t bytes_ = 0;
    T *first_ = nullptr, *second_ = nullptr, *faces_ = nullptr, *gauge_ = nullptr;
    T* scalars_ = nullptr;  ///< what is removed (two numbers); the value at the gauge point
};

}  // namespace

template <class T>
std::unique_ptr<cufft::Pipeline<T>> make_fused_pipeline(const Problem& problem, Memory memory) {
    if (memory != Memory::fast) return nullptr;
    for (const Axis& axis : problem.grid.axes)
        if (!FusedAxis<T>::supports(axis)) return nullptr;
    return std::make_unique<FusedPipeline<T>>(problem);
}

template std::unique_ptr<cufft::Pipeline<float>> make_fused_pipeline(const Problem&, Memory);
template std::unique_ptr<cufft::Pipeline<double>> make_fused_pipeline(const Problem&, Memory);

}  // namespace poisson3d::fused
