// All-periodic boxes: one real 3-D FFT, a division of its modes, and back. About 3.5 + 1 + 3.5 copies of the field,
// which the rotating pipeline does not reach; where cuFFT has no good kernels for the lengths, it is the other way
// round. Singular problems want a copy more: the constant of f is taken out first, on the way to the modes' memory.
// Modes are complex here: [x][y][z ≤ n_z/2].
#include <algorithm>

#include "device_axis.hpp"
#include "field_sweeps.hpp"
#include "poisson3d/device_memory.hpp"
#include "spectrum.hpp"

namespace poisson3d::cufft {

namespace {

/// Factors 2, 3, 5 and 7 only: lengths for which cuFFT has kernels of their own.
bool smooth(Index n) {
    for (const Index factor : {2, 3, 5, 7})
        while (n % factor == 0) n /= factor;
    return n == 1;
}

template <class T>
class PeriodicPipeline final : public device::Pipeline<T> {
public:
    using Removed = typename device::Pipeline<T>::Removed;

    explicit PeriodicPipeline(const Problem& problem) : problem_(problem), fft_(problem.grid.points()) {
        const Extents n = problem.grid.points();
        modes_ = {n[0], n[1], n[2] / 2 + 1};
        device::WorkspaceLayout layout;
        modes_offset_ = layout.take(mode_bytes());
        for (int a = 0; a < 3; ++a) {
            const std::vector<double> values = eigenvalues(problem.grid.axes[a], problem.discretization);
            eigenvalues_[a].assign(values.begin(), values.begin() + modes_[a]);
            eigenvalue_offsets_[a] = layout.take(eigenvalues_[a].size() * sizeof(T));
        }
        gauge_offset_ = layout.take(sizeof(T));
        work_offset_ =
            layout.take(std::max<std::size_t>(fft_.work_bytes(), 1));  // cuFFT refuses one that is also data
        bytes_ = layout.end();
    }

    [[nodiscard]] std::string name() const override { return "cuFFT in 3-D"; }
    [[nodiscard]] std::size_t workspace_bytes() const noexcept override { return bytes_; }
    [[nodiscard]] std::size_t work_bytes() const noexcept { return fft_.work_bytes(); }
    [[nodiscard]] std::size_t mode_bytes() const noexcept {
        return static_cast<std::size_t>(modes_[0] * modes_[1] * modes_[2]) * 2 * sizeof(T);
    }

    void bind(std::byte* workspace) override {
        work_ = reinterpret_cast<Complex<T>*>(workspace + modes_offset_);
        for (int a = 0; a < 3; ++a) {
            std::byte* const place = workspace + eigenvalue_offsets_[a];
            copy_to_device(place, eigenvalues_[a].data(), eigenvalues_[a].size() * sizeof(T));
            lambda_[a] = reinterpret_cast<const T*>(place);
        }
        gauge_ = reinterpret_cast<T*>(workspace + gauge_offset_);
        synchronize();
        fft_.set_work(workspace + work_offset_);
    }

    void run(const Call<T>& call, Removed* removed, Stream stream, const device::PassClock& clock) override {
        const FieldView<const T>& f = call.f;
        const FieldView<T>& u = call.u;
        if (singular(problem_) || !direct(f.data, f.strides)) {
            const FieldView<T> inside = staging();
            const T *high = nullptr, *low = nullptr;
            if (singular(problem_)) {
                // The constant is removed anyway: taken out here, it costs no digits of the rest.
                device::launch_typical_value(f.data, f.strides, f.extents, &removed->shift, 1, 0, 0, stream);
                high = &removed->shift.high;
                low = &removed->shift.low;
            }
            if (f.data != inside.data || high != nullptr)
                device::launch_shift<T>(f.data, f.strides[0], f.strides[1], inside.data, inside.strides[0],
                                        inside.strides[1], f.extents, high, low, stream);
            fft_.forward_in_place(work_, stream);
        } else {
            fft_.forward(f.data, work_, stream);
        }
        clock.mark(1, stream);
        clock.mark(2, stream);  // the 3-D transform is passes 1 to 3 in one
        launch_periodic(mode_space(call.operation, call.scale * call.restore, removed), stream);
        clock.mark(3, stream);
        clock.mark(4, stream);
        const T* const subtract = pinned(call.operation) ? gauge_ : nullptr;
        FieldView<T> result = u;
        if (direct(u.data, u.strides)) {
            fft_.backward(work_, u.data, stream);
        } else {
            fft_.backward_in_place(work_, stream);
            result = staging();
        }
        if (subtract != nullptr) {
            const auto [i, j, k] = *problem_.gauge.point;
            copy_on_device(gauge_, &result(i, j, k), sizeof(T), stream);
        }
        if (result.data != u.data || subtract != nullptr)
            device::launch_shift<T>(result.data, result.strides[0], result.strides[1], u.data, u.strides[0],
                                    u.strides[1], u.extents, subtract, nullptr, stream);
        clock.mark(5, stream);
    }

    /// The modes' own memory, rows of 2(n_z/2 + 1): what transforms in place work on.
    [[nodiscard]] FieldView<T> staging() const noexcept override {
        const Index row = 2 * modes_[2];
        return {reinterpret_cast<T*>(work_), problem_.grid.points(), Strides{modes_[1] * row, row, 1}};
    }

    [[nodiscard]] T* face_staging() const noexcept override { return nullptr; }

    [[nodiscard]] std::array<double, 5> traffic() const noexcept override {
        const auto field = static_cast<double>(problem_.grid.size()) * static_cast<double>(sizeof(T));
        const auto modes = static_cast<double>(mode_bytes());
        const double forward =
            singular(problem_) ? field + 7 * modes : field + 5 * modes;  // a copy without the constant
        return {forward, 0, 2 * modes, 0, field + 5 * modes};
    }

    [[nodiscard]] bool needs_dense_solution() const noexcept override { return false; }
    [[nodiscard]] bool scales_first() const noexcept override { return false; }

private:
    /// Dense, and aligned as cuFFT wants real fields.
    [[nodiscard]] bool direct(const T* data, const Strides& strides) const {
        return strides == dense_strides(problem_.grid.points()) &&
               reinterpret_cast<std::uintptr_t>(data) % (2 * sizeof(T)) == 0;
    }

    [[nodiscard]] bool pinned(ModeOperation operation) const {
        return operation == ModeOperation::divide && singular(problem_) && problem_.gauge.point.has_value();
    }

    PeriodicTask<T> mode_space(ModeOperation operation, double scale, Removed* removed) const {
        PeriodicTask<T> task;
        task.work = work_;
        task.extents = modes_;
        task.lambda_x = lambda_[0];
        task.lambda_y = lambda_[1];
        task.lambda_z = lambda_[2];
        task.shift = static_cast<T>(-problem_.helmholtz);
        task.factor = static_cast<T>(scale / static_cast<double>(problem_.grid.size()));
        task.multiply = operation == ModeOperation::multiply;
        if (singular(problem_)) task.removed = &removed->mean;
        return task;
    }

    Problem problem_;
    device::BoxFft<T> fft_;
    Extents modes_{};
    std::array<std::vector<T>, 3> eigenvalues_;
    std::array<std::size_t, 3> eigenvalue_offsets_{};
    std::array<const T*, 3> lambda_{};
    std::size_t modes_offset_ = 0, gauge_offset_ = 0, work_offset_ = 0, bytes_ = 0;
    Complex<T>* work_ = nullptr;
    T* gauge_ = nullptr;  ///< the value at the gauge point
};

}  // namespace

template <class T>
std::unique_ptr<device::Pipeline<T>> make_periodic_pipeline(const Problem& problem, Memory memory) {
    for (const Axis& axis : problem.grid.axes)
        if (!axis.periodic() || axis.points < 4 || !smooth(axis.points)) return nullptr;
    auto pipeline = std::make_unique<PeriodicPipeline<T>>(problem);
    // A 3-D work area is no field of ours: as large as one in mode fast, where there would be two, or small.
    const std::size_t field = static_cast<std::size_t>(problem.grid.size()) * sizeof(T);
    const std::size_t most =
        memory == Memory::fast ? std::max(field, device::max_work<T>(problem)) : device::max_work<T>(problem);
    if (pipeline->work_bytes() > most) return nullptr;
    return pipeline;
}

template std::unique_ptr<device::Pipeline<float>> make_periodic_pipeline(const Problem&, Memory);
template std::unique_ptr<device::Pipeline<double>> make_periodic_pipeline(const Problem&, Memory);

}  // namespace poisson3d::cufft
