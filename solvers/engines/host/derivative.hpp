// What the inner loop of a spectral derivative is told, as kernels.hpp does for those of a solve.
#pragma once

#include "line_view.hpp"

namespace poisson3d::host {

/// For every slow index and every block of V lines: read, transform, modes to slots of the partner, transform,
/// write. Samples of a line are neighbours in memory (sample distances 1, lines apart), or lines are (line
/// distances 1, samples apart).
template <class T>
struct DerivativeTask {
    const LineView<T>* there = nullptr;
    const LineView<T>* back = nullptr;  ///< null: no sample comes back, there are only zeros
    const Index* source = nullptr;      ///< per slot of `back`
    const T* factor = nullptr;
    const T* in = nullptr;  ///< the first sample read
    T* out = nullptr;       ///< the first sample written by `back`
    Index slow = 0, lines = 0;
    Index in_slow = 0, in_line = 0, in_sample = 0;
    Index out_slow = 0, out_line = 0, out_sample = 0;
    Index points_out = 0;
    bool zero_below = false;  ///< also write 0 one sample before …
    bool zero_above = false;  ///< … and after the line
};

/// Lines line … line + V − 1 (as far as they exist; V: Kernels::lines) at one slow index. `x` and `y` are row
/// arrays of the size that the line plans ask for, and hold a line's samples; 64-byte aligned.
template <class T>
using DerivativeKernel = void (*)(const DerivativeTask<T>& task, Index slow, Index line, T* x, T* y);

struct DerivativeKernels {
    DerivativeKernel<float> single;
    DerivativeKernel<double> twice;
};

/// Of the best instruction set this processor has.
template <class T>
DerivativeKernel<T> derivative_kernel() noexcept;

}  // namespace poisson3d::host
