#include "host_gradient.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "gradient_modes.hpp"
#include "passes.hpp"
#include "planned_axis.hpp"

namespace poisson3d {

namespace host {

namespace {

/// Of the lines of all axes, there and back, free ones padded; none but for spectral derivatives.
template <class T>
LineScratch scratch_of(const Problem& problem) {
    if (problem.discretization != Discretization::spectral) return {};
    std::vector<Axis> axes;
    for (const Axis& axis : problem.grid.axes) {
        axes.push_back(lines::padded_axis(axis));
        axes.push_back(lines::padded_axis(derivative_axis(axis)));
    }
    return line_scratch<T>(axes);
}

/// out_k := factor (above_k − below_k)
template <class T>
void difference(const T* below, const T* above, T factor, Index count, T* out) {
    for (Index k = 0; k < count; ++k) out[k] = factor * (above[k] - below[k]);
}

/// Component c, 0 or 1, at all points of line (i, j); its index along that axis is `at`, its stride in u `stride`.
template <int c, class T>
void line_across(const GradientTask<T>& task, Index i, Index j, Index at, Index stride) {
    if (task.out[c] == nullptr) return;
    const Index count = task.rule[2].points;
    const T* const line = task.u + i * task.u_x + j * task.u_y;
    T* const out = task.line(c, i, j);
    if (task.rule[c].inside(at) && task.rule[c].lower == nullptr)
        difference(line - stride, line + stride, task.rule[c].factor, count, out);
    else
        for (Index k = 0; k < count; ++k) out[k] = task.template component<c>(i, j, k);
}

/// Component 2.
template <class T>
void line_along(const GradientTask<T>& task, Index i, Index j) {
    if (task.out[2] == nullptr) return;
    const Index count = task.rule[2].points;
    const T* const line = task.u + i * task.u_x + j * task.u_y;
    T* const out = task.line(2, i, j);
    if (task.rule[2].lower != nullptr) {
        for (Index k = 0; k < count; ++k) out[k] = task.template component<2>(i, j, k);
        return;
    }
    out[0] = task.template component<2>(i, j, 0);
    if (count == 1) return;
    difference(line, line + 2, task.rule[2].factor, count - 2, out + 1);
    out[count - 1] = task.template component<2>(i, j, count - 1);
}

template <class T>
void set_to_zero(FieldView<T> out) {
    for (Index i = 0; i < out.extents[0]; ++i)
        for (Index j = 0; j < out.extents[1]; ++j) std::fill_n(&out(i, j, 0), out.extents[2], T(0));
}

template <class T>
class ThreadedGradient final : public HostGradient<T> {
public:
    ThreadedGradient(const Problem& problem, const Options& options)
        : bytes_(host_gradient_bytes<T>(problem, options)),
          team_(thread_count(options), scratch_of<T>(problem), bytes_,
                bytes_ == 0 ? std::span<std::byte>{} : options.workspace) {
        if (bytes_ > 0) plan(problem.grid);
    }

    void central(const GradientTask<T>& task) override;
    void spectral(FieldView<const T> u, const std::array<FieldView<T>, 3>& gradient) override {
        for (int a = 0; a < 3; ++a)
            if (gradient[a].data != nullptr) derive(a, u, gradient[a]);
    }

    [[nodiscard]] int threads() const noexcept override { return team_.size(); }
    [[nodiscard]] std::size_t workspace() const noexcept override { return bytes_; }

private:
    struct PlannedDerivative {
        const PlannedAxis<T>* there = nullptr;
        const PlannedAxis<T>* back = nullptr;  ///< null: all derivatives are 0
        AxisKind kind_there, kind_back;        ///< of the stored points
        DerivativeTable<T> modes;
    };
    void plan(const Grid& grid);
    const PlannedAxis<T>& planned(const Axis& axis) {
        const LineKind kind{axis.lower, axis.upper, axis.centering, axis.points};
        return lines_.try_emplace(kind, axis, Discretization::spectral, team_.team()).first->second;
    }
    void derive(int axis, FieldView<const T> u, FieldView<T> out);

    std::size_t bytes_;
    LineTeam<T> team_;
    using LineKind = std::tuple<Boundary, Boundary, Centering, Index>;
    std::map<LineKind, PlannedAxis<T>> lines_;  // axes of one kind and size share a plan
    std::array<PlannedDerivative, 3> axes_;
};

template <class T>
void ThreadedGradient<T>::plan(const Grid& grid) {
    for (int a = 0; a < 3; ++a) {
        const Axis& axis = grid.axes[a];
        PlannedDerivative& derivative = axes_[a];
        derivative.kind_there = axis_kind(axis), derivative.kind_back = axis_kind(derivative_axis(axis));
        if (derivative.kind_back.unknowns == 0) continue;
        derivative.there = &planned(axis);
        derivative.back = &planned(derivative_axis(axis));
        derivative.modes = derivative_table<T>(lines::padded_axis(axis), derivative.there->mode_of(),
                                               derivative.back->mode_of(), derivative.there->gain());
    }
}

template <class T>
void ThreadedGradient<T>::central(const GradientTask<T>& task) {
    const Index rows = task.rule[1].points;
    team_.for_each(task.planes, rows, [&](Index row, int) {
        const Index i = task.first + row / rows;
        const Index j = row % rows;
        line_across<0>(task, i, j, i, task.u_x);
        line_across<1>(task, i, j, j, task.u_y);
        line_along(task, i, j);
    });
}

template <class T>
void ThreadedGradient<T>::derive(int axis, FieldView<const T> u, FieldView<T> out) {
    const PlannedDerivative& plan = axes_[axis];
    if (plan.back == nullptr) return set_to_zero(out);
    const Index first_in = plan.kind_there.first * u.strides[axis];
    const Index first_out = plan.kind_back.first * out.strides[axis];
    PassTask<T> task = lines_of(u.extents, axis, axis_across(u.extents, axis, kernels<T>().element_lines, 0), u,
                                first_in, out, first_out);
    task.line = &plan.there->line();
    task.derivative = {&plan.back->line(), plan.modes.source.data(), plan.modes.factor.data()};
    write_ends_of(task, plan.kind_back);
    team_.run(task);
}

}  // namespace
}  // namespace host

template <class T>
std::unique_ptr<HostGradient<T>> make_host_gradient(const Problem& problem, const Options& options) {
    return std::make_unique<host::ThreadedGradient<T>>(problem, options);
}

template <class T>
std::size_t host_gradient_bytes(const Problem& problem, const Options& options) {
    return host::scratch_of<T>(problem).bytes() * static_cast<std::size_t>(host::thread_count(options));
}

template std::unique_ptr<HostGradient<float>> make_host_gradient(const Problem&, const Options&);
template std::unique_ptr<HostGradient<double>> make_host_gradient(const Problem&, const Options&);
template std::size_t host_gradient_bytes<float>(const Problem&, const Options&);
template std::size_t host_gradient_bytes<double>(const Problem&, const Options&);

}  // namespace poisson3d
