// Fields on the host or on a device to measure movements with: rotated so that 1 GiB is touched before one is used
// again, and a plain copy of the same size to compare with.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "poisson3d/transpose.hpp"
#include "process/interrupt.hpp"
#include "solving/timing.hpp"

namespace poisson3d::app {

/// Where the fields are, how they are copied and how time is taken there.
class Place {
public:
    virtual ~Place() = default;
    Place() = default;
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

    virtual void copy(const void* from, void* to, std::size_t bytes) = 0;
    /// Seconds that `work` takes where the data is.
    virtual double time(const std::function<void()>& work) = 0;
    [[nodiscard]] virtual std::byte* memory() const = 0;
};

/// One field size, with as many input and output fields as make the measurement touch 1 GiB.
class MeasuringRing {
public:
    MeasuringRing(Backend backend, std::size_t field_bytes, int threads);

    /// Median seconds of one execution of work(in, out).
    template <class Work>
    double measure(int repeat, const Work& work) {
        return median_of_runs(repeat, pairs_, [&](std::size_t pair) {
            std::byte* const in = place_->memory() + 2 * pair * step_;
            work(in, in + step_);
        });
    }
    /// Median seconds of one execution of work(field), on inputs and outputs alike.
    template <class Work>
    double measure_in_place(int repeat, const Work& work) {
        return median_of_runs(repeat, 2 * pairs_, [&](std::size_t i) { work(place_->memory() + i * step_); });
    }
    double copy_seconds(int repeat) {
        return measure(repeat, [&](const void* in, void* out) { place_->copy(in, out, field_bytes_); });
    }

private:
    static constexpr double warm_up_seconds = 0.02;

    /// Runs are `count` executions one after the other, measured after they have run for a while: a processor that
    /// was idle needs some time to reach its clock.
    template <class Work>
    double median_of_runs(int repeat, std::size_t count, const Work& work) {
        const auto run = [&] {
            stop_if_interrupted();
            return place_->time([&] {
                for (std::size_t i = 0; i < count; ++i) work(i);
            });
        };
        for (double warm = 0.0; warm < warm_up_seconds;) warm += run();
        std::vector<double> seconds;
        for (int i = 0; i < repeat; ++i) seconds.push_back(run() / static_cast<double>(count));
        return median(seconds);
    }

    std::size_t field_bytes_, step_, pairs_;
    std::unique_ptr<Place> place_;
};

}  // namespace poisson3d::app
