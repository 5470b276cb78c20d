// The gradient of a field in device memory. One definition with CUDA (device/gradient.cu, and of spectral
// derivatives device/cufft/device_gradient.cpp), one without (absent).
#pragma once

#include <array>
#include <cstddef>
#include <memory>

#include "gradient_rule.hpp"
#include "poisson3d/solver.hpp"
#include "poisson3d/stream.hpp"

namespace poisson3d {

/// Throws Error{unsupported} in a build without CUDA, Error{device} without a device; the words are those of a
/// solver with that engine. All engines of a device share one gradient.
void require_device_gradient(Engine engine);

/// Central differences on the current device: all pointers are device memory. Asynchronous, one launch.
template <class T>
void launch_gradient(const GradientTask<T>& task, Stream stream);

/// Derivatives through the modes.
template <class T>
class DeviceGradient {
public:
    virtual ~DeviceGradient() = default;
    DeviceGradient() = default;
    DeviceGradient(const DeviceGradient&) = delete;
    DeviceGradient& operator=(const DeviceGradient&) = delete;

    /// All fields are in memory of the device it was made for. Asynchronous; strides other than those of the last
    /// call cost a little host memory. Components without data are left out.
    virtual void evaluate(FieldView<const T> u, const std::array<FieldView<T>, 3>& gradient, Stream stream) = 0;
    [[nodiscard]] virtual std::size_t workspace() const noexcept = 0;
};

/// Takes all memory, from options.workspace if that is given. `room`: bytes for each of the four work areas, or
/// what one line or plane wants if that is more; 0: chosen. `axes`: along which there will be derivatives.
/// Synchronises.
template <class T>
std::unique_ptr<DeviceGradient<T>> make_device_gradient(const Problem& problem, const Options& options,
                                                        std::size_t room = 0,
                                                        const std::array<bool, 3>& axes = {true, true, true});

/// What it takes.
template <class T>
std::size_t device_gradient_bytes(const Problem& problem, const Options& options);

}  // namespace poisson3d
