// The gradient of a field in host memory, on a team of threads.
#pragma once

#include <array>
#include <map>
#include <utility>
#include <vector>

#include "derivative.hpp"
#include "gradient_modes.hpp"
#include "gradient_rule.hpp"
#include "planned_line.hpp"
#include "poisson3d/memory.hpp"
#include "poisson3d/threads.hpp"

namespace poisson3d::host {

template <class T>
class HostGradient {
public:
    HostGradient(const Problem& problem, const Options& options);
    HostGradient(HostGradient&&) = delete;

    /// Two row arrays per thread with spectral, nothing with second_order.
    static std::size_t workspace_bytes(const Problem& problem, const Options& options);

    /// Central differences.
    void central(const GradientTask<T>& task);
    /// Through the modes; of a problem planned with spectral.
    void spectral(FieldView<const T> u, const std::array<FieldView<T>, 3>& gradient);

    [[nodiscard]] int threads() const noexcept { return team_.size(); }
    [[nodiscard]] std::size_t workspace() const noexcept { return bytes_; }

private:
    struct PlannedDerivative {
        LineDerivative line;
        std::vector<T> factor;
        const LineView<T>* there = nullptr;
        const LineView<T>* back = nullptr;
    };
    void plan(const Problem& problem, const Options& options);
    const LineView<T>* view(Transform transform, Index points, PlanEffort effort);
    void derive(int axis, FieldView<const T> u, FieldView<T> out);

    ThreadTeam team_;
    DerivativeKernel<T> kernel_;
    std::size_t scratch_bytes_ = 0;  ///< of one row array
    std::size_t bytes_ = 0;
    HostBuffer own_;
    std::byte* base_ = nullptr;
    std::map<std::pair<Transform, Index>, PlannedLine<T>> lines_;  // axes of one kind and size share a plan
    std::array<PlannedDerivative, 3> axes_;
};

}  // namespace poisson3d::host
