#include "pass_clock.hpp"

namespace poisson3d::device {

void PassClock::start(Stream stream, bool matters) {
    measuring_ = matters && !capturing(stream);
    mark(0, stream);
}

void PassClock::mark(int number, Stream stream) const {
    if (measuring_) events_[number].record(stream);
}

void PassClock::read(std::vector<PassReport>& reports, double share) const {
    if (!measuring_) return;
    events_[5].wait();
    for (std::size_t p = 0; p < reports.size(); ++p)
        reports[p].seconds = share * events_[p + 1].seconds_since(events_[p]);
}

}  // namespace poisson3d::device
