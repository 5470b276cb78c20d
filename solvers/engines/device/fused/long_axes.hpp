// Axes whose lines do not fit a block's shared memory. A pass along one takes its lines through global memory, in
// ranges of blocks that a bounded area holds,
//
//     load     field → area
//     FFT      in two sweeps (long_fft.hpp)
//     modes    and FFT (middle pass only)
//     store    area → field
//
// which is 4 times what the field takes to be read and written, 7 times in the middle pass. In the field lines stay
// where they are: rows along z, else columns, of which a block takes as many as lie in 128 bytes.
#pragma once

#include <optional>
#include <string>

#include "launch_phase.hpp"
#include "long_fft.hpp"
#include "pipelines.hpp"

namespace poisson3d::fused {

using namespace device;

template <class T>
class LongAxes {
public:
    /// Whether long FFTs serve its lines.
    static bool possible(const Axis& axis);

    /// Those that are `long_ones`, in a field that nothing moves.
    LongAxes(const Problem& problem, const std::array<bool, 3>& long_ones);
    /// Before anything else: the area is in the `spare` bytes, if these are more than `room`, or else has the
    /// latter for itself; or as much as a line takes, if that is more.
    void set_room(std::size_t spare, std::size_t room);

    [[nodiscard]] bool has(int axis) const { return axes_[axis].has_value(); }
    [[nodiscard]] bool any() const { return has(0) || has(1) || has(2); }
    /// ", x in two steps" for each.
    [[nodiscard]] std::string description() const;
    /// By how much modes and the way back multiply samples.
    [[nodiscard]] double round_trip() const;
    [[nodiscard]] const T* eigenvalues(int axis) const { return axes_[axis]->axis.eigenvalues(); }  ///< by slot
    /// How often a pass reads and writes what the field has.
    [[nodiscard]] static double sweeps(Direction direction) { return direction == Direction::both ? 7 : 4; }

    /// Reserves the bytes; then, with the workspace there, copies the tables to the device. Synchronises.
    void reserve(WorkspaceLayout& layout);
    void upload(std::byte* workspace, std::byte* spare);

    static Layout layout(int axis) { return axis == 2 ? Layout::rows : Layout::columns; }
    /// The pass that `pass` is of an axis without tables.
    [[nodiscard]] PhaseTask<T> task(int axis, Direction direction, const PassTask<T, Compact>& pass) const;
    /// Asynchronous on `stream`; throws Error{device} when refused.
    void run(int axis, Role role, const PhaseTask<T>& task, Stream stream) const;

private:
    struct LongAxis {
        LongAxis(const Axis& of, Discretization discretization);
        /// Elements of the area that so many blocks want: their lines, and what FFTs want besides.
        [[nodiscard]] Index line_elements(Index number) const;
        [[nodiscard]] Index elements(Index number) const;
        /// As many blocks a range as `most` elements hold, one at least, of fewer lines if need be.
        void fill(Index most);

        DeviceAxis<T, Plain> axis;
        LongFft<T> fft;
        Index slow = 0, lines = 0;  ///< of a pass
        int count = 1;              ///< complex lines of a block
        Index blocks = 1;           ///< of a range
    };
    /// Returns the bytes of the area.
    std::size_t fill(std::size_t bytes);

    std::array<char, 3> labels_;
    std::array<std::optional<LongAxis>, 3> axes_;
    bool in_spare_ = false;
    std::size_t bytes_ = 0, offset_ = 0;
    Complex<T>* area_ = nullptr;
};

}  // namespace poisson3d::fused
