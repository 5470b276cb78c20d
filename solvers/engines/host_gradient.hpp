// Gradients of fields in host memory. Defined by the host engine.
#pragma once

#include <array>
#include <cstddef>
#include <memory>

#include "gradient_rule.hpp"
#include "poisson3d/solver.hpp"

namespace poisson3d {

template <class T>
class HostGradient {
public:
    virtual ~HostGradient() = default;
    HostGradient() = default;
    HostGradient(const HostGradient&) = delete;
    HostGradient& operator=(const HostGradient&) = delete;

    /// Central differences.
    virtual void central(const GradientTask<T>& task) = 0;
    /// Through the modes; of a problem planned with spectral. Along a free axis those of a field that is 0 beyond
    /// the box. A component may be `u` itself if it is the only one.
    virtual void spectral(FieldView<const T> u, const std::array<FieldView<T>, 3>& gradient) = 0;

    [[nodiscard]] virtual int threads() const noexcept = 0;
    [[nodiscard]] virtual std::size_t workspace() const noexcept = 0;
};

/// Starts its team of threads, and takes all memory.
template <class T>
std::unique_ptr<HostGradient<T>> make_host_gradient(const Problem& problem, const Options& options);

/// What it takes: what threads transform lines in with spectral, nothing with second_order.
template <class T>
std::size_t host_gradient_bytes(const Problem& problem, const Options& options);

}  // namespace poisson3d
