#include "free_gauge.hpp"

#include <algorithm>
#include <numeric>

#include "axis_kind.hpp"
#include "field_sweeps.hpp"
#include "poisson3d/device_memory.hpp"

namespace poisson3d::device {

template <class T>
WeightedSum<T>::WeightedSum(std::array<std::vector<double>, 3> weights) : weights_(std::move(weights)) {
    constexpr std::size_t most_parts = 1024;
    parts_ = static_cast<Index>(std::clamp<std::size_t>(weights_[0].size() * weights_[1].size(), 1, most_parts));
}

template <class T>
void WeightedSum<T>::reserve(WorkspaceLayout& layout) {
    for (int a = 0; a < 3; ++a) offset_[a] = layout.take(weights_[a].size() * sizeof(double));
    partials_offset_ = layout.take(static_cast<std::size_t>(parts_) * sizeof(double));
}

template <class T>
void WeightedSum<T>::upload(std::byte* workspace) {
    for (int a = 0; a < 3; ++a) {
        copy_to_device(workspace + offset_[a], weights_[a].data(), weights_[a].size() * sizeof(double));
        there_[a] = reinterpret_cast<const double*>(workspace + offset_[a]);
    }
    synchronize();
    weights_ = {};
    partials_ = reinterpret_cast<double*>(workspace + partials_offset_);
}

template <class T>
WeightedMean<T> WeightedSum<T>::task(const FieldView<T>& u) const {
    WeightedMean<T> task;
    task.u = u;
    for (int a = 0; a < 3; ++a) task.weights[a] = there_[a];
    task.partials = partials_, task.parts = parts_;
    return task;
}

namespace {

std::array<std::vector<double>, 3> weights_of(const Problem& problem) {
    std::array<std::vector<double>, 3> weights;
    if (!grows_far_away(problem) || !problem.gauge.mean || problem.gauge.point) return weights;
    for (std::size_t a = 0; a < 3; ++a) weights[a] = mean_weights(problem.grid.axes[a]);
    return weights;
}
double total_of(const std::array<std::vector<double>, 3>& weights) {
    double total = 1;
    for (const std::vector<double>& axis : weights) total *= std::accumulate(axis.begin(), axis.end(), 0.0);
    return total;
}

}  // namespace

template <class T>
FreeGauge<T>::FreeGauge(const Problem& problem)
    : gauge_(problem.gauge),
      asked_(grows_far_away(problem) && (gauge_.mean || gauge_.point)),
      total_(total_of(weights_of(problem))),
      sum_(weights_of(problem)) {}

template <class T>
void FreeGauge<T>::reserve(WorkspaceLayout& layout) {
    if (!asked_) return;
    sum_.reserve(layout);
    value_offset_ = layout.take(sizeof(T));
}

template <class T>
void FreeGauge<T>::upload(std::byte* workspace) {
    if (!asked_) return;
    sum_.upload(workspace);
    value_ = reinterpret_cast<T*>(workspace + value_offset_);
}

template <class T>
void FreeGauge<T>::apply(const FieldView<T>& u, T* faces, Index count, Stream stream) const {
    if (!asked_) return;
    if (gauge_.point) {
        const auto [i, j, k] = *gauge_.point;
        copy_on_device(value_, u.data + i * u.strides[0] + j * u.strides[1] + k, sizeof(T), stream);
    } else {
        WeightedMean<T> task = sum_.task(u);
        task.total = total_;
        task.mean = value_;
        launch_mean(task, stream);
    }
    launch_subtract<T>(u, value_, 1, 0, stream);
    if (count > 0) launch_subtract<T>({faces, {1, 1, count}}, value_, 1, 0, stream);
}

template class WeightedSum<float>;
template class WeightedSum<double>;
template class FreeGauge<float>;
template class FreeGauge<double>;

}  // namespace poisson3d::device
