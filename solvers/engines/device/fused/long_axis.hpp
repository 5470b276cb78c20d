// An axis whose lines do not fit a block's shared memory, in the middle pass: its lines are rows of the field, and
// go through global memory in ranges that bounded areas hold,
//
//     load     field → first area
//     FFT      → second area (long_fft.hpp)
//     modes    where they are
//     FFT      → first area
//     store    → field
//
// which is 7 times what the field takes to be read and written.
#pragma once

#include "launch_phase.hpp"
#include "long_fft.hpp"
#include "pipelines.hpp"

namespace poisson3d::fused {

using namespace device;

template <class T>
class LongAxis {
public:
    /// Whether long FFTs serve its lines.
    static bool possible(const Axis& axis);
    /// `across`: so many slow indices with so many lines each. Areas are in the `spare` bytes, if these hold more
    /// than `room`, or else have the latter for themselves, if that is enough for a block of lines.
    LongAxis(const Problem& problem, int axis, std::array<Index, 2> across, std::size_t spare, std::size_t room);

    /// Reserves the bytes; then, with the workspace there, copies the tables to the device. Synchronises.
    void reserve(WorkspaceLayout& layout);
    void upload(std::byte* workspace, std::byte* spare);

    /// The middle pass, without the field.
    [[nodiscard]] PhaseTask<T> task(const BoxPasses<T, Compact>& passes, const Pass& pass, const Call<T>& call,
                                    typename Pipeline<T>::Removed* removed) const;
    /// Asynchronous on `stream`; throws Error{device} when refused.
    void run(const PhaseTask<T>& task, Stream stream) const;

private:
    [[nodiscard]] std::size_t area_bytes() const {
        return static_cast<std::size_t>(blocks_ * block_) * 2 * sizeof(T);
    }
    DeviceAxis<T, Plain> axis_;
    LongFft<T> fft_;
    bool in_spare_ = false;
    Index block_ = 0;   ///< elements of a block of lines
    Index blocks_ = 1;  ///< of a range
    std::array<std::size_t, 2> offsets_{};
    std::array<Complex<T>*, 2> areas_{};
};

}  // namespace poisson3d::fused
