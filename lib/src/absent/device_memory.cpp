#include "poisson3d/device_memory.hpp"

#include "refuse.hpp"

namespace poisson3d {

DeviceBuffer::DeviceBuffer(std::size_t bytes) : bytes_(bytes) {
    if (bytes > 0) refuse();
}
DeviceBuffer::~DeviceBuffer() = default;
DeviceBuffer::DeviceBuffer(DeviceBuffer&&) noexcept = default;
DeviceBuffer& DeviceBuffer::operator=(DeviceBuffer&&) noexcept = default;

void copy_to_device(void*, const void*, std::size_t, Stream) {
    refuse();
}
void copy_to_host(void*, const void*, std::size_t, Stream) {
    refuse();
}
void copy_on_device(void*, const void*, std::size_t, Stream) {
    refuse();
}
void fill_on_device(void*, unsigned char, std::size_t, Stream) {
    refuse();
}
void synchronize(Stream) {
    refuse();
}

void use_device(int) {
    refuse();
}

DeviceScope::DeviceScope(int) {
    refuse();
}
DeviceScope::~DeviceScope() = default;

bool on_device(const void*) {
    return false;
}
std::size_t free_device_memory() {
    refuse();
}

DeviceTimer::DeviceTimer() {
    refuse();
}
DeviceTimer::~DeviceTimer() = default;
void DeviceTimer::start(Stream) {
    refuse();
}
void DeviceTimer::stop(Stream) {
    refuse();
}
double DeviceTimer::seconds() const {
    return 0.0 * static_cast<double>(start_ == stop_);
}

}  // namespace poisson3d
