#include "stream_order.hpp"

#include <utility>

namespace poisson3d::python {

void StreamOrder::before(Stream stream) {
    if (last_ && stream.handle != stream_.handle && !capturing(stream)) last_->make_wait(stream);
}

StreamOrder::Event StreamOrder::after(Stream stream) {
    if (capturing(stream)) return nullptr;
    stream_ = stream;
    // An event that is still waited for keeps its mark.
    if (!last_ || last_.use_count() > 1) last_ = std::make_shared<DeviceEvent>();
    last_->record(stream);
    return last_;
}

void StreamOrder::make_wait(Stream stream) const {
    if (last_) last_->make_wait(stream);
}

Stream StreamOrder::own_stream() {
    if (!own_) own_.emplace();
    return own_->get();
}

void StreamOrder::keep(Event event, std::vector<Array> arrays) {
    while (!kept_.empty() && kept_.front().event->reached()) kept_.pop_front();
    if (event && !arrays.empty()) kept_.push_back({std::move(event), std::move(arrays)});
}

StreamOrder::~StreamOrder() {
    try {
        for (const Kept& kept : kept_) kept.event->wait();
    } catch (...) {  // the device failed: its next call will say so
    }
}

}  // namespace poisson3d::python
