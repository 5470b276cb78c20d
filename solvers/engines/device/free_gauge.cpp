#include "free_gauge.hpp"

#include <algorithm>
#include <numeric>

#include "axis_kind.hpp"
#include "field_sweeps.hpp"
#include "poisson3d/device_memory.hpp"

namespace poisson3d::device {

template <class T>
FreeGauge<T>::FreeGauge(const Problem& problem)
    : gauge_(problem.gauge), asked_(grows_far_away(problem) && (gauge_.mean || gauge_.point)) {
    if (!asked_ || gauge_.point) return;
    constexpr Index most_parts = 1024;
    parts_ = std::min(problem.grid.axes[0].points * problem.grid.axes[1].points, most_parts);
    for (int a = 0; a < 3; ++a) {
        weights_[a] = mean_weights(problem.grid.axes[a]);
        total_ *= std::accumulate(weights_[a].begin(), weights_[a].end(), 0.0);
    }
}

template <class T>
void FreeGauge<T>::reserve(WorkspaceLayout& layout) {
    if (!asked_) return;
    for (int a = 0; a < 3; ++a) weights_offset_[a] = layout.take(weights_[a].size() * sizeof(double));
    partials_offset_ = layout.take(static_cast<std::size_t>(parts_) * sizeof(double));
    value_offset_ = layout.take(sizeof(T));
}

template <class T>
void FreeGauge<T>::upload(std::byte* workspace) {
    if (!asked_) return;
    for (int a = 0; a < 3; ++a) {
        copy_to_device(workspace + weights_offset_[a], weights_[a].data(), weights_[a].size() * sizeof(double));
        weights_there_[a] = reinterpret_cast<const double*>(workspace + weights_offset_[a]);
    }
    synchronize();
    weights_ = {};
    partials_ = reinterpret_cast<double*>(workspace + partials_offset_);
    value_ = reinterpret_cast<T*>(workspace + value_offset_);
}

template <class T>
void FreeGauge<T>::apply(const FieldView<T>& u, T* faces, Index count, Stream stream) const {
    if (!asked_) return;
    if (gauge_.point) {
        const auto [i, j, k] = *gauge_.point;
        copy_on_device(value_, u.data + i * u.strides[0] + j * u.strides[1] + k, sizeof(T), stream);
    } else {
        WeightedMean<T> task;
        task.u = u;
        for (int a = 0; a < 3; ++a) task.weights[a] = weights_there_[a];
        task.total = total_;
        task.partials = partials_, task.parts = parts_;
        task.mean = value_;
        launch_mean(task, stream);
    }
    launch_subtract<T>(u, value_, 1, 0, stream);
    if (count > 0) launch_subtract<T>({faces, {1, 1, count}}, value_, 1, 0, stream);
}

template class FreeGauge<float>;
template class FreeGauge<double>;

}  // namespace poisson3d::device
