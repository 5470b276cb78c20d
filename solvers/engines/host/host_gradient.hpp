// The gradient of a field in host memory, on a team of threads.
#pragma once

#include <array>
#include <map>
#include <utility>

#include "gradient_modes.hpp"
#include "gradient_rule.hpp"
#include "layout.hpp"
#include "planned_axis.hpp"
#include "poisson3d/memory.hpp"
#include "poisson3d/threads.hpp"

namespace poisson3d::host {

template <class T>
class HostGradient {
public:
    HostGradient(const Problem& problem, const Options& options);
    HostGradient(HostGradient&&) = delete;

    /// What threads transform lines in with spectral, nothing with second_order.
    static std::size_t workspace_bytes(const Problem& problem, const Options& options);

    /// Central differences.
    void central(const GradientTask<T>& task);
    /// Through the modes; of a problem planned with spectral.
    void spectral(FieldView<const T> u, const std::array<FieldView<T>, 3>& gradient);

    [[nodiscard]] int threads() const noexcept { return team_.size(); }
    [[nodiscard]] std::size_t workspace() const noexcept { return bytes_; }

private:
    struct PlannedDerivative {
        const PlannedAxis<T>* there = nullptr;
        const PlannedAxis<T>* back = nullptr;  ///< null: all derivatives are 0
        DerivativeTable<T> modes;
    };
    void plan(const Problem& problem, const Options& options);
    const PlannedAxis<T>& planned(const Axis& axis);
    void derive(int axis, FieldView<const T> u, FieldView<T> out);

    ThreadTeam team_;
    LineScratch scratch_;
    std::size_t bytes_ = 0;
    HostBuffer own_;
    std::byte* base_ = nullptr;
    std::map<std::pair<Transform, Index>, PlannedAxis<T>> lines_;  // axes of one kind and size share a plan
    std::array<PlannedDerivative, 3> axes_;
};

}  // namespace poisson3d::host
