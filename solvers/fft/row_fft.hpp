// Batched 1-D complex FFTs along the rows of a small array, forward (e^{−2πi jk/n}), unnormalised, out of place.
//
// Element j of transform p is complex number p of row j·sets + set: stride and batch are `width`, the batch is
// contiguous. One definition per library: fft/host (FFTW3), fft/absent (none).
#pragma once

#include <memory>

#include "kernels.hpp"
#include "poisson3d/solver.hpp"

namespace poisson3d::host {

template <class T>
class RowFft {
public:
    /// `length` ≥ 1 points, `width` transforms side by side. Planning takes a process-wide lock (FFTW's planner
    /// is not thread-safe); executing does not. Throws Error{internal} when the library refuses.
    RowFft(Index length, int width, PlanEffort effort);
    ~RowFft();
    RowFft(RowFft&&) noexcept;
    RowFft& operator=(RowFft&&) noexcept;

    /// What the kernels call: arrays are 64-byte aligned, different, and of length·width complex numbers.
    [[nodiscard]] RowFftCall<T> call() const noexcept;

private:
    void* plan_ = nullptr;
};

/// "FFTW 3.3.10", or why there are no FFTs on the host.
const char* row_fft_library() noexcept;
bool row_fft_available() noexcept;

}  // namespace poisson3d::host
