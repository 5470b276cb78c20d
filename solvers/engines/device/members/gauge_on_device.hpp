// The constant that free faces leave open, on a member's device: what its buffer has of it (MemberBuffer::gauge).
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "field_sweeps.hpp"
#include "free_gauge.hpp"
#include "poisson3d/device_memory.hpp"

namespace poisson3d::members {

using namespace device;

template <class T>
class GaugeOnDevice {
public:
    /// Once, where sums are asked for. Synchronises.
    void weigh(const std::array<std::vector<double>, 3>& weights, double total) {
        sum_.emplace(weights);
        total_ = total;
        WorkspaceLayout layout;
        sum_->reserve(layout);
        own_ = DeviceBuffer(layout.end());
        sum_->upload(static_cast<std::byte*>(own_.data()));
    }

    /// Asynchronous on `stream`.
    static void take_point(const FieldView<T>& u, const std::array<Index, 3>& point, T* gauge, Stream stream) {
        copy_on_device(gauge, &u(point[0], point[1], point[2]), sizeof(T), stream);
    }
    void take_sum(const FieldView<T>& u, T* gauge, Stream stream) const {
        WeightedMean<T> task = sum_->task(u);
        task.mean = gauge + 2, task.low = gauge + 3;
        launch_mean(task, stream);
    }
    void find_mean(int members, T* gauge, Stream stream) const {
        launch_mean_of_sums<T>(gauge + 4, members, total_, gauge + 1, stream);
    }
    static void subtract(const FieldView<T>& u, const T* gauge, Stream stream) {
        launch_subtract<T>(u, gauge + 1, 1, 0, stream);
    }

    [[nodiscard]] std::size_t bytes() const noexcept { return own_.size(); }

private:
    std::optional<WeightedSum<T>> sum_;
    double total_ = 1;
    DeviceBuffer own_;
};

}  // namespace poisson3d::members
