// The modes of a derivative from those of a field.
#pragma once

#include <cstdint>

#include "poisson3d/grid.hpp"
#include "poisson3d/stream.hpp"

namespace poisson3d::cufft {

/// Lines of modes, one behind the other, `pitch` elements apart. Slot s < count of the derivative is factor[s]
/// times slot source[s] (gradient_modes.hpp).
template <class T>
struct DerivativeTask {
    const T* in = nullptr;
    T* out = nullptr;
    Index lines = 0, pitch = 0, count = 0;
    const std::int32_t* source = nullptr;
    const T* factor = nullptr;
};

/// Asynchronous on `stream`; throws Error{device} when refused.
template <class T>
void launch_derivative(const DerivativeTask<T>& task, Stream stream);

}  // namespace poisson3d::cufft
