// A LinePlan as plain data, for inner loops that are compiled once per instruction set.
#pragma once

#include "line_plan.hpp"

namespace poisson3d::host {

/// FFTs of rows in place, planned elsewhere: `re` and `im` are the parts of the first element of all lanes; their
/// next elements lie a row further.
template <class T>
struct RowFftCall {
    void (*execute)(const void* plan, T* re, T* im) = nullptr;
    const void* plan = nullptr;
};

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
