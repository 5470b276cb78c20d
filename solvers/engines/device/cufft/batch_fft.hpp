// Batches of FFTs on the device by cuFFT, with work areas the caller owns and bounds.
#pragma once

#include <cstddef>

#include "poisson3d/grid.hpp"
#include "poisson3d/stream.hpp"

namespace poisson3d::cufft {

/// A cuFFT handle that is destroyed.
class FftHandle {
public:
    FftHandle() = default;
    ~FftHandle();
    FftHandle(FftHandle&& other) noexcept;
    FftHandle& operator=(FftHandle&& other) noexcept;
    FftHandle(const FftHandle&) = delete;
    FftHandle& operator=(const FftHandle&) = delete;

    /// Makes the handle anew, without a work area of its own.
    void create();
    /// Asks cuFFT to compile kernels for the plan's sizes; false where it cannot.
    bool compile_kernels();
    [[nodiscard]] int get() const noexcept { return handle_; }
    [[nodiscard]] bool empty() const noexcept { return handle_ < 0; }

private:
    int handle_ = -1;
};

/// Complex FFTs Z_k = Σ z_j e^{−2πijk/N}, unnormalised, in place: FFT b of `length` works on the contiguous
/// elements from b · distance on, b < batch. Where cuFFT wants more than `max_work` bytes of work area the batch
/// is cut into equal parts. T: float or double.
template <class T>
class BatchFft {
public:
    BatchFft(Index length, Index distance, Index batch, std::size_t max_work);

    [[nodiscard]] std::size_t work_bytes() const noexcept { return work_bytes_; }
    /// At least work_bytes(), aligned to 256 bytes; must outlive all executions.
    void set_work(void* work);
    /// Asynchronous on the stream. `data` aligned to an element.
    void execute(void* data, Stream stream) const { execute(data, 0, batch_, stream); }
    /// Those parts of the batch that hold FFTs first … first + count − 1, whole: what else stands there is used up.
    void execute(void* data, Index first, Index count, Stream stream) const;

private:
    Index length_, distance_, batch_;
    Index part_ = 0;  ///< FFTs in one execution
    FftHandle main_, rest_;
    std::size_t work_bytes_ = 0;
};

}  // namespace poisson3d::cufft
