#include "poisson3d/device_stream.hpp"

#include "refuse.hpp"

namespace poisson3d {

DeviceStream::DeviceStream() {
    refuse();
}
DeviceStream::~DeviceStream() = default;

DeviceEvent::DeviceEvent() {
    refuse();
}
DeviceEvent::~DeviceEvent() = default;
void DeviceEvent::record(Stream) {
    refuse();
}
void DeviceEvent::wait() const {
    if (handle_ == nullptr) refuse();
}
bool DeviceEvent::reached() const {
    refuse();
}
void DeviceEvent::make_wait(Stream) const {
    refuse();
}
bool capturing(Stream) {
    refuse();
}

}  // namespace poisson3d
