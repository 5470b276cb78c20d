// What a build without CUDA has in the place of src/cuda: the same symbols, and the reason why there is no device.
#include "poisson3d/device.hpp"
#include "poisson3d/device_graph.hpp"
#include "poisson3d/device_links.hpp"
#include "poisson3d/device_memory.hpp"
#include "poisson3d/device_stream.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/pinned_memory.hpp"

namespace poisson3d {

std::string missing_driver() {
    return "this build has no CUDA support";
}

std::string missing_device() {
    return missing_driver();
}

int count_devices() {
    return 0;
}

std::string device_name(int) {
    return {};
}

DeviceList find_devices() {
    return {{}, missing_driver()};
}

std::vector<DeviceLink> find_links() {
    return {};
}

std::string cuda_build() {
    return "built without CUDA";
}

namespace {

[[noreturn]] void refuse() {
    throw Error(ErrorCode::device, "no CUDA device: " + missing_device());
}

}  // namespace

DeviceBuffer::DeviceBuffer(std::size_t bytes) : OwnedMemory(bytes) {
    if (bytes > 0) refuse();
}
void DeviceBuffer::release(void*) noexcept {}

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
int device_of(const void*) {
    return -1;
}
std::size_t free_device_memory() {
    refuse();
}

PinnedBuffer::PinnedBuffer(std::size_t bytes) : OwnedMemory(bytes) {
    if (bytes > 0) refuse();
}
void PinnedBuffer::release(void*) noexcept {}

void start_copy_to_device(void*, const void*, std::size_t, Stream) {
    refuse();
}
void start_copy_to_host(void*, const void*, std::size_t, Stream) {
    refuse();
}
void start_copy_of_rows(void*, std::size_t, const void*, std::size_t, std::size_t, std::size_t, Stream) {
    refuse();
}

DeviceStream::DeviceStream() {
    refuse();
}
DeviceStream::~DeviceStream() = default;

DeviceEvent::DeviceEvent(bool) {
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
double DeviceEvent::seconds_since(const DeviceEvent&) const {
    refuse();
}
void DeviceEvent::make_wait(Stream) const {
    refuse();
}
bool capturing(Stream) {
    refuse();
}

DeviceGraph::DeviceGraph(const std::function<void(Stream)>&) {
    refuse();
}
DeviceGraph::~DeviceGraph() = default;
void DeviceGraph::launch(Stream) const {
    refuse();
}

}  // namespace poisson3d
