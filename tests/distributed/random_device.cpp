#include "random_device.hpp"

#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>

#include "poisson3d/device.hpp"
#include "poisson3d/device_graph.hpp"
#include "poisson3d/device_memory.hpp"
#include "poisson3d/device_stream.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/pinned_memory.hpp"

namespace poisson3d {

namespace {

/// What an event was recorded behind.
using Mark = std::shared_ptr<bool>;

struct Step {
    std::function<void()> work;  ///< or
    Mark wait;                   ///< until this is set
};
struct Queue {
    std::deque<Step> steps;
    bool asleep = false;
    int device = 0;  ///< that was the current one
};
int current_device = 0;

std::set<Queue*>& queues() {
    static Queue standard;
    static std::set<Queue*> all{&standard};
    return all;
}
Queue& standard_queue() {
    static Queue* const first = *queues().begin();
    return *first;
}
Queue& queue_of(Stream stream) {
    return stream.handle == nullptr ? standard_queue() : *static_cast<Queue*>(stream.handle);
}

std::mt19937_64& chance() {
    static std::mt19937_64 numbers(1);
    return numbers;
}

/// The next step of a stream; false if it cannot be done yet, or there is none.
bool step(Queue& queue) {
    if (queue.steps.empty()) return false;
    if (const Mark& wait = queue.steps.front().wait; wait && !*wait) return false;
    const Step next = queue.steps.front();
    queue.steps.pop_front();
    if (next.work) next.work();
    return true;
}

/// Streams fall asleep for long times, and wake up.
void change_sleep() {
    for (Queue* queue : queues())
        if (chance()() % 32 == 0) queue->asleep = chance()() % 4 != 0;
}

/// Some steps of those that are awake.
void go_on() {
    change_sleep();
    for (Queue* queue : queues())
        for (auto steps = chance()() % 3; steps > 0 && !queue->asleep && step(*queue); --steps) {}
}
/// Those that sleep go on where nothing else can.
template <class Done>
void go_on_until(const Done& done) {
    while (!done()) {
        bool moved = false;
        for (Queue* queue : queues()) moved = (!queue->asleep && !done() && step(*queue)) || moved;
        for (Queue* queue : queues()) moved = moved || step(*queue);
        if (!moved) std::abort();  // a wait for what never comes
    }
}

void put(Stream stream, Step one) {
    queue_of(stream).steps.push_back(std::move(one));
    go_on();
}

struct Event {
    Mark mark = std::make_shared<bool>(true);
    int device = current_device;
};

void* memory_of(std::size_t bytes) {
    return bytes == 0 ? nullptr : std::malloc(bytes);
}

}  // namespace

namespace test {

void reseed_device(std::uint64_t seed) {
    chance().seed(seed);
}
void launch(Stream stream, std::function<void()> work) {
    put(stream, {std::move(work), nullptr});
}

}  // namespace test

std::string missing_driver() {
    return {};
}
std::string missing_device() {
    return {};
}
int count_devices() {
    return 1;
}
std::string device_name(int) {
    return "a device of chance";
}
DeviceList find_devices() {
    return {};
}
std::string cuda_build() {
    return "built without CUDA";
}

DeviceBuffer::DeviceBuffer(std::size_t bytes) : OwnedMemory(bytes) {
    data_ = memory_of(bytes);
}
void DeviceBuffer::release(void* data) noexcept {
    std::free(data);
}
PinnedBuffer::PinnedBuffer(std::size_t bytes) : OwnedMemory(bytes) {
    data_ = memory_of(bytes);
}
void PinnedBuffer::release(void* data) noexcept {
    std::free(data);
}

void start_copy_of_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t bytes,
                        std::size_t rows, Stream stream) {
    test::launch(stream, [=] {
        for (std::size_t r = 0; r < rows; ++r)
            std::memcpy(static_cast<std::byte*>(to) + r * to_pitch,
                        static_cast<const std::byte*>(from) + r * from_pitch, bytes);
    });
}
void start_copy_to_device(void* device, const void* host, std::size_t bytes, Stream stream) {
    start_copy_of_rows(device, bytes, host, bytes, bytes, 1, stream);
}
void start_copy_to_host(void* host, const void* device, std::size_t bytes, Stream stream) {
    start_copy_of_rows(host, bytes, device, bytes, bytes, 1, stream);
}
void copy_to_device(void* device, const void* host, std::size_t bytes, Stream stream) {
    start_copy_to_device(device, host, bytes, stream);
    synchronize(stream);
}
void copy_to_host(void* host, const void* device, std::size_t bytes, Stream stream) {
    start_copy_to_host(host, device, bytes, stream);
    synchronize(stream);
}
void copy_on_device(void* to, const void* from, std::size_t bytes, Stream stream) {
    start_copy_of_rows(to, bytes, from, bytes, bytes, 1, stream);
}
void fill_on_device(void* to, unsigned char byte, std::size_t bytes, Stream stream) {
    test::launch(stream, [=] { std::memset(to, byte, bytes); });
}
void synchronize(Stream stream) {
    go_on_until([&] { return queue_of(stream).steps.empty(); });
}

void use_device(int number) {
    current_device = number;
}
DeviceScope::DeviceScope(int number) : before_(std::exchange(current_device, number)) {}
DeviceScope::~DeviceScope() {
    current_device = before_;
}
bool on_device(const void*) {
    return true;
}
int device_of(const void*) {
    return 0;
}
std::size_t free_device_memory() {
    return 0;
}

DeviceStream::DeviceStream() : handle_(new Queue) {
    standard_queue();
    queues().insert(static_cast<Queue*>(handle_));
    static_cast<Queue*>(handle_)->device = current_device;
}
DeviceStream::~DeviceStream() {
    synchronize(get());
    queues().erase(static_cast<Queue*>(handle_));
    delete static_cast<Queue*>(handle_);
}

DeviceEvent::DeviceEvent(bool) : handle_(new Event) {}
DeviceEvent::~DeviceEvent() {
    delete static_cast<Event*>(handle_);
}
void DeviceEvent::record(Stream stream) {
    const int device = stream.handle == nullptr ? current_device : queue_of(stream).device;
    if (static_cast<Event*>(handle_)->device != device)
        throw Error(ErrorCode::device, "an event of one device recorded in a stream of another");
    const Mark mark = std::make_shared<bool>(false);
    static_cast<Event*>(handle_)->mark = mark;
    test::launch(stream, [mark] { *mark = true; });
}
void DeviceEvent::wait() const {
    const Mark mark = static_cast<Event*>(handle_)->mark;
    go_on_until([&] { return *mark; });
}
bool DeviceEvent::reached() const {
    return *static_cast<Event*>(handle_)->mark;
}
double DeviceEvent::seconds_since(const DeviceEvent&) const {
    return 0.0;
}
void DeviceEvent::make_wait(Stream stream) const {
    put(stream, {nullptr, static_cast<Event*>(handle_)->mark});
}
bool capturing(Stream) {
    return false;
}
DeviceGraph::DeviceGraph(const std::function<void(Stream)>&) {
    throw Error(ErrorCode::device, "nothing can be recorded here");
}
DeviceGraph::~DeviceGraph() = default;
void DeviceGraph::launch(Stream) const {}

}  // namespace poisson3d
