// When the passes of a solve begin and end on the device: events on the solve's own stream.
#pragma once

#include <array>
#include <vector>

#include "poisson3d/device_stream.hpp"
#include "poisson3d/solver.hpp"

namespace poisson3d::device {

class PassClock {
public:
    /// Before the first mark: notices whether the stream is being captured, when there is nothing to measure, as
    /// there is if this run does not matter.
    void start(Stream stream, bool matters);
    /// The end of pass `number` (1 … 5).
    void mark(int number, Stream stream) const;
    /// Waits for the last mark and writes the seconds, `share` times those measured; leaves them alone if nothing
    /// was measured.
    void read(std::vector<PassReport>& reports, double share = 1.0) const;

private:
    mutable std::array<TimedEvent, 6> events_;
    bool measuring_ = false;
};

}  // namespace poisson3d::device
