// Copies, events and words of devices whose streams are threads of the host, which do at once what is launched
// (ranks_on_host.hpp).
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "device_words.hpp"
#include "poisson3d/device_stream.hpp"
#include "row_stores.hpp"

namespace poisson3d {

void store_rows(const Transfer& t, Stream) {
    copy_here(t);
}
void set_words(std::span<std::uint32_t* const> words, std::uint32_t value, Stream) {
    for (std::uint32_t* const word : words) std::atomic_ref(*word).store(value, std::memory_order_release);
}
/// A wait that does not end ends the test.
void wait_for_words(std::span<std::uint32_t* const> words, std::uint32_t value, Stream) {
    const auto start = std::chrono::steady_clock::now();
    for (std::uint32_t* const word : words)
        while (std::atomic_ref(*word).load(std::memory_order_acquire) < value) {
            if (std::chrono::steady_clock::now() - start > std::chrono::minutes(5)) std::abort();
            std::this_thread::yield();
        }
}
void DeviceEvent::record(Stream) {}
void DeviceEvent::wait() const {}
void DeviceEvent::make_wait(Stream) const {}

}  // namespace poisson3d
