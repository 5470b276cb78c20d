// When the passes of a solve begin and end on the device: events on the solve's own stream.
//
// Six events take a tenth of the time of a solve of 128³ points. So a solve is timed if it is the first one, or if
// somebody has read the times since the last one that was.
#pragma once

#include <array>
#include <vector>

#include "poisson3d/device_stream.hpp"
#include "poisson3d/solver.hpp"

namespace poisson3d::device {

class PassClock {
public:
    /// Before the first mark. Nothing is measured while the stream is being captured, or if nobody has read the
    /// last times. The solve takes `share` times as long as what is marked.
    void start(Stream stream, double share);
    /// What is marked from here on does not matter, until the next start.
    void stop() { running_ = false; }
    /// The end of pass `number` (1 … 5, or fewer where some are reported together).
    void mark(int number, Stream stream) const;
    /// Waits for the last mark, of as many as there are reports, and writes the seconds; leaves them alone if
    /// nothing was measured.
    void read(std::vector<PassReport>& reports);

private:
    mutable std::array<TimedEvent, 6> events_;
    bool wanted_ = true;     ///< by whoever reads times
    bool running_ = false;   ///< marks are recorded
    bool measured_ = false;  ///< the events hold times not yet read
    double share_ = 1.0;
};

}  // namespace poisson3d::device
