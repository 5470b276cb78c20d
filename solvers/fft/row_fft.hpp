// 1-D complex FFTs of some lines side by side, forward (e^{−2πi jk/n}), unnormalised, in place.
//
// Real and imaginary parts are arrays of their own: element j of lane l is re[j · pitch + l], im[j · pitch + l].
// One definition per library: fft/host (FFTW3), fft/absent (none).
#pragma once

#include <memory>

#include "line_view.hpp"
#include "poisson3d/solver.hpp"

namespace poisson3d::host {

template <class T>
class RowFft {
public:
    /// `length` ≥ 1 points, `lanes` transforms side by side, im = re + lanes. Planning takes a process-wide lock
    /// (FFTW's planner is not thread-safe); executing does not. Throws Error{internal} when the library refuses.
    RowFft(Index length, int lanes, Index pitch, PlanEffort effort);
    ~RowFft();
    RowFft(RowFft&&) noexcept;
    RowFft& operator=(RowFft&&) noexcept;

    /// What the kernels call, with arrays aligned for vectors of `lanes` numbers.
    [[nodiscard]] RowFftCall<T> call() const noexcept;

private:
    void* plan_ = nullptr;
};

/// "FFTW 3.3.10", or why there are no FFTs on the host.
const char* row_fft_library() noexcept;
bool row_fft_available() noexcept;

}  // namespace poisson3d::host
