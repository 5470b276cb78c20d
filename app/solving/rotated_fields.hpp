// Fields to measure with, on the host or on a device: so many, used in turn, that no run finds in the cache what
// the run before it left in the cache; and a plain copy of the same size to compare with.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "poisson3d/transpose.hpp"
#include "process/interrupt.hpp"
#include "solving/timing.hpp"

namespace poisson3d::app {

/// What the fields of a measurement fill together: far beyond any cache.
constexpr std::size_t touched_bytes = std::size_t{1} << 30;

/// Bytes from one field to the next. Fields begin where an allocation of their own would: a copy is slower between
/// less aligned addresses, and a fraction of a slow copy would flatter.
constexpr std::size_t field_step(std::size_t field_bytes) {
    const std::size_t unit = field_bytes < (std::size_t{2} << 20) ? 256 : std::size_t{2} << 20;
    return (field_bytes + unit - 1) / unit * unit;
}

/// Memory of the host or of the current device: how it is filled and copied, and how time is taken there.
class TimedMemory {
public:
    virtual ~TimedMemory() = default;
    TimedMemory() = default;
    TimedMemory(const TimedMemory&) = delete;
    TimedMemory& operator=(const TimedMemory&) = delete;

    [[nodiscard]] virtual std::byte* data() const = 0;
    /// Fills all of it with copies of a pattern.
    virtual void fill(const std::vector<std::byte>& pattern) = 0;
    virtual void copy(const void* from, void* to, std::size_t bytes) = 0;
    /// Seconds that `work` takes; in device time on a device, where it comes into the default stream.
    virtual double time(const std::function<void()>& work) = 0;
};

/// Pairs of an input and an output field. They fill 1 GiB, on the host a quarter of the free memory if that is
/// less, but there is at least one pair. All hold noise between −1 and 1.
class RotatedFields {
public:
    struct Shape {
        std::size_t count;             ///< elements of a field
        std::size_t element;           ///< bytes of one; 4: the noise is in float, else in double
        std::size_t max_pairs = 4096;  ///< more of small fields would cost a run of the program, and tell nothing
        bool packed = false;           ///< one behind the other, as far as cache lines allow
    };
    /// `threads` of the host work on it. Throws Error{out_of_memory}.
    RotatedFields(Backend backend, const Shape& shape, int threads);

    [[nodiscard]] void* in(std::size_t run) const { return memory_->data() + 2 * (run % pairs_) * step_; }
    [[nodiscard]] void* out(std::size_t run) const { return memory_->data() + (2 * (run % pairs_) + 1) * step_; }

    void copy(std::size_t run) { memory_->copy(in(run), out(run), field_bytes_); }
    /// Seconds that one of `count` works takes, which follow each other.
    template <class Work>
    double time(std::size_t count, const Work& work) {
        return memory_->time([&] {
            for (std::size_t i = 0; i < count; ++i) work(i);
        }) / static_cast<double>(count);
    }

    /// Median seconds of one execution of work(in, out).
    template <class Work>
    double measure(int repeat, const Work& work) {
        return median_of_runs(repeat, pairs_, [&](std::size_t pair) { work(in(pair), out(pair)); });
    }
    /// Median seconds of one execution of work(field), on inputs and outputs alike.
    template <class Work>
    double measure_in_place(int repeat, const Work& work) {
        return median_of_runs(repeat, 2 * pairs_, [&](std::size_t i) { work(memory_->data() + i * step_); });
    }
    double copy_seconds(int repeat) {
        return median_of_runs(repeat, pairs_, [&](std::size_t pair) { copy(pair); });
    }

private:
    static constexpr double warm_up_seconds = 0.02;

    /// Runs are `count` executions one after the other, measured after they have run for a while: a processor that
    /// was idle needs some time to reach its clock.
    template <class Work>
    double median_of_runs(int repeat, std::size_t count, const Work& work) {
        const auto run = [&] {
            stop_if_interrupted();
            return time(count, work);
        };
        for (double warm = 0.0; warm < warm_up_seconds;) warm += run() * static_cast<double>(count);
        std::vector<double> seconds;
        for (int i = 0; i < repeat; ++i) seconds.push_back(run());
        return median(seconds);
    }

    std::size_t field_bytes_, step_, pairs_;
    std::unique_ptr<TimedMemory> memory_;
};

}  // namespace poisson3d::app
