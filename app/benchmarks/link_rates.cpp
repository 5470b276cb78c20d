#include "benchmarks/link_rates.hpp"

#include <algorithm>
#include <vector>

#include "poisson3d/device_memory.hpp"
#include "poisson3d/device_stream.hpp"
#include "poisson3d/distributed.hpp"
#include "process/interrupt.hpp"
#include "solving/timing.hpp"

namespace poisson3d::app {

namespace {

constexpr std::size_t most_bytes = std::size_t{256} << 20;

std::size_t room_on(int device) {
    const DeviceScope scope(device);
    return free_device_memory() / 4;
}

DeviceBuffer memory_on(int device, std::size_t bytes) {
    const DeviceScope scope(device);
    DeviceBuffer memory(bytes);
    fill_on_device(memory.data(), 1, bytes);
    synchronize();
    return memory;
}

}  // namespace

double link_rate(int from, int to) {
    stop_if_interrupted();
    const Communicator opens_the_link = devices({from, to});
    const std::size_t bytes = std::min({most_bytes, room_on(from), room_on(to)});
    if (bytes < (std::size_t{1} << 20)) return 0.0;
    const DeviceBuffer source = memory_on(from, bytes), target = memory_on(to, bytes);
    const DeviceScope scope(to);
    const DeviceStream stream;
    DeviceTimer timer;
    std::vector<double> seconds;
    for (int run = 0; run < 7; ++run) {
        timer.start(stream.get());
        copy_on_device(target.data(), source.data(), bytes, stream.get());
        timer.stop(stream.get());
        if (const double one = timer.seconds(); run > 1) seconds.push_back(one);
    }
    return static_cast<double>(bytes) / median(seconds);
}

}  // namespace poisson3d::app
