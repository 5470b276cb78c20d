// The gradient of a field in device memory. One definition with CUDA (device/gradient.cu), one without (absent).
#pragma once

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

}  // namespace poisson3d
