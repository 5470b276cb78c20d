#include "solving/copy_time.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "poisson3d/device_memory.hpp"
#include "poisson3d/device_stream.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/memory.hpp"
#include "solving/rotated_fields.hpp"
#include "solving/timing.hpp"

namespace poisson3d::app {

namespace {

constexpr std::size_t largest_target = std::size_t{1} << 30;
constexpr std::size_t smallest_target = std::size_t{64} << 20;
constexpr Index page = 4096;

/// As large as the source, but no more than half of what is free: the measurement must not cost the run.
std::size_t target_size(std::size_t bytes) {
    const std::size_t available = available_host_memory();
    const std::size_t wanted = std::min(bytes, largest_target);
    return available == 0 ? wanted : std::min(wanted, std::max(smallest_target, available / 2));
}

void copy_in_pieces(ThreadTeam& team, const std::byte* source, std::size_t bytes, const HostBuffer& target) {
    for (std::size_t done = 0; done < bytes; done += target.size())
        copy(team, source + done, target.data(), std::min(target.size(), bytes - done));
}

/// Device seconds of work(), the median of some runs after enough to reach the clock of a busy device.
template <class Work>
double device_seconds(Stream stream, const Work& work) {
    DeviceTimer timer;
    const auto run = [&] {
        timer.start(stream);
        work();
        timer.stop(stream);
        return timer.seconds();
    };
    double warm = 0.0;
    for (int i = 0; i < 1000 && warm < 0.02; ++i) warm += run();
    std::vector<double> seconds(9);
    for (double& one : seconds) one = run();
    return median(seconds);
}

}  // namespace

void copy(ThreadTeam& team, const void* source, void* target, std::size_t bytes) {
    const Index pages = (static_cast<Index>(bytes) + page - 1) / page;
    const Index share = (pages + team.size() - 1) / team.size();
    team.parallel_for(pages, share, [&](Index begin, Index end, int) {
        const auto from = static_cast<std::size_t>(begin * page);
        const std::size_t to = std::min(bytes, static_cast<std::size_t>(end * page));
        std::memcpy(static_cast<std::byte*>(target) + from, static_cast<const std::byte*>(source) + from,
                    to - from);
    });
}

double copy_seconds(const void* source, std::size_t bytes, int threads) {
    if (bytes == 0) return 0.0;
    try {
        const HostBuffer target(target_size(bytes));
        ThreadTeam team(threads);
        const auto* const first = static_cast<const std::byte*>(source);
        copy_in_pieces(team, first, bytes, target);
        std::vector<double> seconds;
        double total = 0.0;
        // Small fields are copied in microseconds: many runs; large ones are steady: three.
        while (seconds.size() < 3 || (total < 0.02 && seconds.size() < 1000)) {
            const Stopwatch watch;
            copy_in_pieces(team, first, bytes, target);
            seconds.push_back(watch.seconds());
            total += seconds.back();
        }
        return median(seconds);
    } catch (const Error&) {
        return 0.0;  // the run itself went well; it only cannot be told in copies
    }
}

double device_copy_seconds(const void* source, std::size_t bytes, Stream stream) {
    if (bytes == 0) return 0.0;
    try {
        const std::size_t free = free_device_memory() / 4 * 3;
        const std::size_t step = field_step(bytes);
        if (2 * step <= touched_bytes && touched_bytes <= free)
            return RotatedFields(Backend::cuda, {bytes, 1, 256}, 0).copy_seconds(9);
        if (free < std::min(step, smallest_target)) return 0.0;
        const DeviceBuffer target(std::min(step, free));
        const auto* const first = static_cast<const std::byte*>(source);
        return device_seconds(stream, [&] {
            for (std::size_t done = 0; done < bytes; done += target.size())
                copy_on_device(target.data(), first + done, std::min(target.size(), bytes - done), stream);
        });
    } catch (const Error&) {
        return 0.0;  // the run itself went well; it only cannot be told in copies
    }
}

}  // namespace poisson3d::app
