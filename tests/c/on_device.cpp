#include "on_device.h"

#include <cstdio>
#include <map>
#include <memory>

#include "poisson3d/device.hpp"
#include "poisson3d/device_memory.hpp"
#include "poisson3d/device_stream.hpp"

using namespace poisson3d;

namespace {

std::map<void*, DeviceBuffer> buffers;
std::map<void*, std::unique_ptr<DeviceStream>> streams;

}  // namespace

int device_missing() {
    const std::string why = missing_device();
    if (!why.empty()) std::printf("skipped: %s\n", why.c_str());
    return why.empty() ? 0 : 1;
}

int device_count() {
    return count_devices();
}

void device_use(int number) {
    use_device(number);
}

int device_current() {
    const DeviceBuffer here(1);
    return device_of(here.data());
}

void* device_take(size_t bytes, const void* values) {
    DeviceBuffer buffer(bytes);
    void* const place = buffer.data();
    copy_to_device(place, values, bytes);
    buffers.emplace(place, std::move(buffer));
    return place;
}

void device_write(void* device, const void* values, size_t bytes, void* stream) {
    copy_to_device(device, values, bytes, Stream{stream});
}

void device_read(void* values, const void* device, size_t bytes, void* stream) {
    copy_to_host(values, device, bytes, Stream{stream});
}

void device_give_back(void* device) {
    buffers.erase(device);
}

void* device_stream_make() {
    auto stream = std::make_unique<DeviceStream>();
    void* const handle = stream->get().handle;
    streams.emplace(handle, std::move(stream));
    return handle;
}

void device_stream_end(void* stream) {
    streams.erase(stream);
}
