// Two devices that are host memory, in the place of a CUDA runtime: the program with members on GPUs, on a machine
// without one. Members solve on threads. What streams are given to copy is copied when somebody waits for it, so
// that whoever does not wait finds other numbers; an event of one device in a stream of another is an error, as it
// is to CUDA.
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <utility>

#include "poisson3d/device.hpp"
#include "poisson3d/device_graph.hpp"
#include "poisson3d/device_links.hpp"
#include "poisson3d/device_memory.hpp"
#include "poisson3d/device_stream.hpp"
#include "poisson3d/distributed.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/pinned_memory.hpp"

namespace poisson3d {

namespace {

constexpr int devices_there = 2;
constexpr std::size_t bytes_there = std::size_t{16} << 30;
int current = 0;

/// Work of a stream, counted from its begin.
struct Queue {
    int device = 0;
    std::deque<std::function<void()>> work{};
    std::size_t given = 0, done = 0;

    void give(std::function<void()> one) {
        work.push_back(std::move(one));
        ++given;
    }
    void run(std::size_t until) {
        for (; done < until; ++done) {
            work.front()();
            work.pop_front();
        }
    }
};

/// A point in a stream.
struct Mark {
    int device;
    Queue* queue = nullptr;
    std::size_t until = 0;
    std::chrono::steady_clock::time_point time{};
};

Queue& queue_of(Stream stream) {
    static Queue default_stream{0};
    return stream.handle == nullptr ? default_stream : *static_cast<Queue*>(stream.handle);
}

void copy_later(void* to, const void* from, std::size_t bytes, Stream stream) {
    queue_of(stream).give([=] { std::memcpy(to, from, bytes); });
}
void copy_now(void* to, const void* from, std::size_t bytes, Stream stream) {
    copy_later(to, from, bytes, stream);
    synchronize(stream);
}

}  // namespace

std::string missing_driver() {
    return {};
}
std::string missing_device() {
    return {};
}
int count_devices() {
    return devices_there;
}
std::string device_name(int number) {
    return number < devices_there ? "host memory" : "";
}
DeviceList find_devices() {
    DeviceList list;
    for (int number = 0; number < devices_there; ++number)
        list.devices.push_back({number, device_name(number), 9, 0, bytes_there, bytes_there, {1 - number}});
    return list;
}
std::vector<DeviceLink> find_links() {
    return {{0, 1, true, true, 0}, {1, 0, true, true, 0}};
}
std::string cuda_build() {
    return "built with CUDA in host memory";
}

/// Filled with what is no number.
DeviceBuffer::DeviceBuffer(std::size_t bytes) : OwnedMemory(bytes) {
    if (bytes == 0) return;
    data_ = std::malloc(bytes);
    if (data_ == nullptr) throw Error(ErrorCode::out_of_memory, "out of device memory");
    std::memset(data_, 0xff, bytes);
}
void DeviceBuffer::release(void* data) noexcept {
    std::free(data);
}
PinnedBuffer::PinnedBuffer(std::size_t bytes) : OwnedMemory(bytes) {
    if (bytes > 0) data_ = std::malloc(bytes);
}
void PinnedBuffer::release(void* data) noexcept {
    std::free(data);
}

void copy_to_device(void* device, const void* host, std::size_t bytes, Stream stream) {
    copy_now(device, host, bytes, stream);
}
void copy_to_host(void* host, const void* device, std::size_t bytes, Stream stream) {
    copy_now(host, device, bytes, stream);
}
void copy_on_device(void* to, const void* from, std::size_t bytes, Stream stream) {
    copy_now(to, from, bytes, stream);
}
void start_copy_to_device(void* device, const void* host, std::size_t bytes, Stream stream) {
    copy_later(device, host, bytes, stream);
}
void start_copy_to_host(void* host, const void* device, std::size_t bytes, Stream stream) {
    copy_later(host, device, bytes, stream);
}
void start_copy_of_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t bytes,
                        std::size_t rows, Stream stream) {
    for (std::size_t r = 0; r < rows; ++r)
        copy_later(static_cast<std::byte*>(to) + r * to_pitch, static_cast<const std::byte*>(from) + r * from_pitch,
                   bytes, stream);
}
void fill_on_device(void* to, unsigned char byte, std::size_t bytes, Stream stream) {
    synchronize(stream);
    std::memset(to, byte, bytes);
}
void synchronize(Stream stream) {
    queue_of(stream).run(queue_of(stream).given);
}

void use_device(int number) {
    current = number;
}
DeviceScope::DeviceScope(int number) : before_(std::exchange(current, number)) {}
DeviceScope::~DeviceScope() {
    current = before_;
}
bool on_device(const void*) {
    return false;
}
int device_of(const void*) {
    return -1;
}
std::size_t free_device_memory() {
    return bytes_there;
}

DeviceStream::DeviceStream() : handle_(new Queue{current}) {}
DeviceStream::~DeviceStream() {
    synchronize(get());
    delete static_cast<Queue*>(handle_);
}

DeviceEvent::DeviceEvent(bool) : handle_(new Mark{current}) {}
DeviceEvent::~DeviceEvent() {
    delete static_cast<Mark*>(handle_);
}
void DeviceEvent::record(Stream stream) {
    Mark& mark = *static_cast<Mark*>(handle_);
    Queue& queue = queue_of(stream);
    if (stream.handle != nullptr && queue.device != mark.device)
        throw Error(ErrorCode::device, "an event of one device in a stream of another");
    mark = {mark.device, &queue, queue.given, std::chrono::steady_clock::now()};
}
void DeviceEvent::wait() const {
    const Mark& mark = *static_cast<Mark*>(handle_);
    if (mark.queue != nullptr) mark.queue->run(mark.until);
}
bool DeviceEvent::reached() const {
    const Mark& mark = *static_cast<Mark*>(handle_);
    return mark.queue == nullptr || mark.queue->done >= mark.until;
}
double DeviceEvent::seconds_since(const DeviceEvent& earlier) const {
    return std::chrono::duration<double>(static_cast<Mark*>(handle_)->time -
                                         static_cast<Mark*>(earlier.handle_)->time)
        .count();
}
void DeviceEvent::make_wait(Stream) const {
    wait();
}
bool capturing(Stream) {
    return false;
}
DeviceGraph::DeviceGraph(const std::function<void(Stream)>&) {
    throw Error(ErrorCode::device, "nothing can be recorded here");
}
DeviceGraph::~DeviceGraph() = default;
void DeviceGraph::launch(Stream) const {}

Communicator devices(const std::vector<int>& numbers) {
    return threads(static_cast<int>(numbers.size()));
}

}  // namespace poisson3d
