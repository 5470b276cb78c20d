#include "pass_clock.hpp"

namespace poisson3d::device {

void PassClock::start(Stream stream, double share) {
    running_ = wanted_ && !capturing(stream);
    if (!running_) return;
    wanted_ = false;
    measured_ = true;
    share_ = share;
    mark(0, stream);
}

void PassClock::mark(int number, Stream stream) const {
    if (running_) events_[number].record(stream);
}

void PassClock::read(std::vector<PassReport>& reports) {
    wanted_ = true;
    if (!measured_) return;
    measured_ = false;
    events_[reports.size()].wait();
    for (std::size_t p = 0; p < reports.size(); ++p)
        reports[p].seconds = share_ * events_[p + 1].seconds_since(events_[p]);
}

}  // namespace poisson3d::device
