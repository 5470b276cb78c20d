// A LinePlan as plain data, for inner loops that are compiled once per instruction set.
#pragma once

#include "line_plan.hpp"
#include "line_tables.hpp"

namespace poisson3d::host {

/// A LinePlan as pointers, with one planned FFT per step.
template <class T>
struct LineView {
    Index points = 0;
    const RowRef<T>* load = nullptr;
    const RowRef<T>* store = nullptr;
    const Fold* folds = nullptr;
    Index fold_count = 0;
    const Extension* extensions = nullptr;
    Index extension_count = 0;
    const FftStep* ffts = nullptr;
    Index fft_count = 0;
    const Complex<T>* tables = nullptr;
    const RowFftCall<T>* calls = nullptr;
};

}  // namespace poisson3d::host
