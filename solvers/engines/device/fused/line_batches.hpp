// Passes over lines of lengths that have no kernels: cuFFT transforms them, in batches.
//
//     for every range of blocks:   load   field → lines in global memory
//                                  cuFFT
//                                  (middle pass: modes, cuFFT)
//                                  store  lines → field
//
// The phases are those of whole passes (pass.hpp), with nothing of the FFTs in them. All of a range is read before
// any of it is written: lines may stay where they are, and a field that is one range may be overwritten by itself,
// rotated. The larger the ranges the better (docs/notes.md): one that fits the second-level cache gains nothing.
#pragma once

#include <cstddef>
#include <optional>

#include "batch_fft.hpp"
#include "fft_plan.hpp"
#include "launch_pass.hpp"

namespace poisson3d::fused {

/// What a pass loads, and how it stores: two roles that share no kernel.
struct Phases {
    Role load, store;
    bool modes = false;
};
constexpr Phases phases_of(Role role) {
    return {role, role, role == Role::middle};
}

/// Bytes that batches may have: for the lines of a range, and for cuFFT.
struct BatchRoom {
    std::size_t lines = 0, fft = 0;
};

template <class T>
class LineBatches {
public:
    LineBatches() = default;
    /// Lines as `plan` has them (whole_lines), at most `blocks` blocks of `count` of them a pass.
    LineBatches(const FftPlan<T>& plan, int count, Index blocks, const BatchRoom& room);

    /// Memory for a range of lines and for cuFFT, which all axes may share.
    [[nodiscard]] std::size_t lines_bytes() const {
        return static_cast<std::size_t>(blocks_ * block_) * 2 * sizeof(T);
    }
    [[nodiscard]] std::size_t fft_bytes() const { return fft_ ? fft_->work_bytes() : 0; }
    void bind(std::byte* fft);

    /// Blocks `range` of a pass, with lines_bytes() at `lines`. Asynchronous on `stream`; throws Error{device} when
    /// refused.
    void run(const Phases& phases, const PassTask<T>& task, int threads, const BlockRange& range, Complex<T>* lines,
             Stream stream) const;

private:
    Index blocks_ = 0;  ///< of a range
    Index block_ = 0;   ///< elements
    Index ffts_ = 0;    ///< of a block
    std::optional<device::BatchFft<T>> fft_;
};

}  // namespace poisson3d::fused
