// A pass over lines by cuFFT, in ranges of blocks that a bounded piece of memory holds:
//
//     load   field → lines in global memory
//     cuFFT
//     (middle pass: modes, cuFFT)
//     store  lines → field
//
// All of a range is read before any of it is written, so lines may stay where they are. The larger the ranges the
// better (docs/notes.md): one that fits the second-level cache gains nothing.
#pragma once

#include <optional>

#include "batch_fft.hpp"
#include "launch_phase.hpp"

namespace poisson3d::cufft {

using namespace device;

template <class T>
using Task = PhaseTask<T>;

/// Bytes that batches may have: for the lines of a range, and for cuFFT.
struct BatchRoom {
    std::size_t lines = 0, fft = 0;
};

template <class T>
class LineBatches {
public:
    /// Lines of the axis, of passes whose other axes have `across` unknowns.
    LineBatches(const DeviceAxis<T, Plain>& axis, std::array<Index, 2> across, const BatchRoom& room);

    /// Memory for a range of lines and for cuFFT, which all axes may share.
    [[nodiscard]] std::size_t lines_bytes() const {
        return static_cast<std::size_t>(blocks_ * block_) * 2 * sizeof(T);
    }
    [[nodiscard]] std::size_t fft_bytes() const { return fft_->work_bytes(); }
    void bind(std::byte* lines, std::byte* fft);

    /// All blocks of a pass, or the one that holds `line` at `slow`. Asynchronous on `stream`; throws Error{device}
    /// when refused.
    void run(Role role, const Task<T>& task, Stream stream) const;
    void run_block(Role role, const Task<T>& task, Index slow, Index line, Stream stream) const;

private:
    void run(Role role, const Task<T>& task, const BlockRange& range, Stream stream) const;

    Index blocks_ = 0;  ///< of a range
    Index block_ = 0;   ///< elements
    Index ffts_ = 0;    ///< of a block
    std::optional<BatchFft<T>> fft_;
    Complex<T>* lines_ = nullptr;
};

}  // namespace poisson3d::cufft
