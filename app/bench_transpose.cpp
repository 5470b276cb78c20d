// poisson3d bench transpose: every rung of the ladder, in GB/s and as a fraction of a plain copy of the same size,
// measured in the same run. Buffers are rotated so that 1 GiB is touched before one is used again.
#include <cstdio>
#include <functional>
#include <memory>

#include "copy_time.hpp"
#include "field_ring.hpp"
#include "interrupt.hpp"
#include "machine.hpp"
#include "outcome.hpp"
#include "poisson3d/device.hpp"
#include "poisson3d/device_memory.hpp"
#include "poisson3d/memory.hpp"
#include "timing.hpp"
#include "version.hpp"

namespace poisson3d::app {

namespace {

constexpr int default_repeat = 9;
constexpr double warm_up_seconds = 0.02;

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

class HostPlace final : public Place {
public:
    HostPlace(std::size_t bytes, int threads) : team_(threads), buffer_(bytes) {
        // Touched by those who will use it, with values that are no two alike.
        auto* const words = static_cast<std::uint64_t*>(buffer_.data());
        team_.parallel_for(static_cast<Index>(bytes / 8), Index{1} << 18, [&](Index begin, Index end, int) {
            for (Index i = begin; i < end; ++i) words[i] = static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15ULL;
        });
    }
    void copy(const void* from, void* to, std::size_t bytes) override { app::copy(team_, from, to, bytes); }
    double time(const std::function<void()>& work) override {
        const Stopwatch watch;
        work();
        return watch.seconds();
    }
    [[nodiscard]] std::byte* memory() const override { return static_cast<std::byte*>(buffer_.data()); }

private:
    ThreadTeam team_;
    HostBuffer buffer_;
};

class DevicePlace final : public Place {
public:
    explicit DevicePlace(std::size_t bytes) : buffer_(bytes) {
        // A copy of ones is as fast as any here, but bits that vary cost what real data costs.
        std::vector<std::uint64_t> pattern(std::size_t{1} << 17);
        for (std::size_t i = 0; i < pattern.size(); ++i) pattern[i] = i * 0x9e3779b97f4a7c15ULL;
        const std::size_t piece = pattern.size() * 8;
        copy_to_device(buffer_.data(), pattern.data(), std::min(piece, bytes));
        for (std::size_t at = piece; at < bytes; at += piece)
            copy_on_device(memory() + at, buffer_.data(), std::min(piece, bytes - at));
        synchronize();
    }
    void copy(const void* from, void* to, std::size_t bytes) override { copy_on_device(to, from, bytes); }
    double time(const std::function<void()>& work) override {
        timer_.start();
        work();
        timer_.stop();
        return timer_.seconds();
    }
    [[nodiscard]] std::byte* memory() const override { return static_cast<std::byte*>(buffer_.data()); }

private:
    DeviceBuffer buffer_;
    DeviceTimer timer_;
};

/// One field size, with as many input and output fields as make the measurement touch 1 GiB.
class Ring {
public:
    Ring(Backend backend, std::size_t field_bytes, int threads)
        : field_bytes_(field_bytes),
          step_(field_step(field_bytes)),
          pairs_(std::max<std::size_t>(1, touched_bytes / (2 * step_))) {
        const std::size_t bytes = 2 * pairs_ * step_;
        if (backend == Backend::cuda)
            place_ = std::make_unique<DevicePlace>(bytes);
        else
            place_ = std::make_unique<HostPlace>(bytes, threads);
    }

    /// Median seconds of one execution of work(in, out), after it has run for a while: a processor that was idle
    /// needs some time to reach its clock.
    template <class Work>
    double measure(int repeat, const Work& work) {
        const auto run = [&] {
            stop_if_interrupted();
            return place_->time([&] {
                for (std::size_t pair = 0; pair < pairs_; ++pair) {
                    std::byte* const in = place_->memory() + 2 * pair * step_;
                    work(in, in + step_);
                }
            });
        };
        for (double warm = 0.0; warm < warm_up_seconds;) warm += run();
        std::vector<double> seconds;
        for (int i = 0; i < repeat; ++i) seconds.push_back(run() / static_cast<double>(pairs_));
        return median(seconds);
    }
    double copy_seconds(int repeat) {
        return measure(repeat, [&](const void* in, void* out) { place_->copy(in, out, field_bytes_); });
    }

private:
    std::size_t field_bytes_, step_, pairs_;
    std::unique_ptr<Place> place_;
};

std::string letters(const Permutation& permutation) {
    std::string text;
    for (const int axis : permutation) text += "xyz"[axis];
    return text;
}

std::string dimensions_text(const Extents& n) {
    return std::to_string(n[0]) + "x" + std::to_string(n[1]) + "x" + std::to_string(n[2]);
}

struct Row {
    Extents points;
    int element;
    Permutation permutation;
    Algorithm asked, used;
    std::string description;
    double seconds, copy_seconds, bytes;
    [[nodiscard]] double rate() const { return 2e-9 * bytes / seconds; }
    [[nodiscard]] double fraction() const { return copy_seconds / seconds; }
};

void print_row(const Row& row) {
    std::printf("%-18s %3d  %-4s %-12s %9.4f ms %9.1f GB/s %7.3f  %s\n", dimensions_text(row.points).c_str(),
                row.element, letters(row.permutation).c_str(), name(row.asked), row.seconds * 1e3, row.rate(),
                row.fraction(), row.description.c_str());
    std::fflush(stdout);
}

Json to_json(const Row& row) {
    return Json::object()
        .set("points", Json::list(row.points))
        .set("element_bytes", row.element)
        .set("permutation", "xyz-" + letters(row.permutation))
        .set("algorithm", name(row.asked))
        .set("used", name(row.used))
        .set("description", row.description)
        .set("seconds", row.seconds)
        .set("copy_seconds", row.copy_seconds)
        .set("gigabytes_per_second", row.rate())
        .set("fraction_of_copy", row.fraction());
}

/// The orders and bands that make a difference to an algorithm.
std::vector<TransposeOptions> variants(const BenchTransposeOptions& options, Backend backend, Algorithm algorithm) {
    std::vector<TransposeOptions> all;
    const bool banded = algorithm == Algorithm::banded;
    const bool has_band = banded || algorithm == Algorithm::super_grid || algorithm == Algorithm::aligned;
    for (const BlockOrder order : options.orders)
        for (const Index band : options.bands) {
            if (!banded && order != options.orders.front()) continue;
            if (!has_band && band != options.bands.front()) continue;
            if (banded && order != BlockOrder::v1bf && order != BlockOrder::automatic &&
                band != options.bands.front())
                continue;
            all.push_back(
                {backend, algorithm, banded ? order : BlockOrder::automatic, has_band ? band : 0, options.threads});
        }
    return all;
}

}  // namespace

Outcome run_bench_transpose(const BenchTransposeOptions& options, const Reporting& reporting) {
    const bool rows = !reporting.quiet && reporting.json != "-";
    const Backend backend = options.backend.value_or(!missing_device().empty() ? Backend::host : Backend::cuda);
    if (backend == Backend::cuda) {
        require_device(options.device);
        use_device(options.device);
    }
    const int repeat = options.repeat > 0 ? options.repeat : default_repeat;
    Json cases = Json::array();
    if (rows)
        std::printf("%-18s %3s  %-4s %-12s %12s %14s %7s  %s\n", "points", "B", "to", "algorithm", "time",
                    "read+write", "of copy", "how");
    for (const Extents& points : options.points)
        for (const int element : options.elements) {
            const auto count = static_cast<std::size_t>(points[0] * points[1] * points[2]);
            const std::size_t bytes = count * static_cast<std::size_t>(element);
            Ring ring(backend, bytes, options.threads);
            ring.copy_seconds(1);  // wakes the machine
            const double copy = ring.copy_seconds(repeat);
            for (const Permutation& permutation : options.permutations)
                for (const Algorithm algorithm : options.algorithms)
                    for (const TransposeOptions& variant : variants(options, backend, algorithm)) {
                        const Extents out = permute(points, permutation);
                        const Transpose transpose(
                            {points, dense_strides(points), dense_strides(out), permutation, element}, variant);
                        const double seconds =
                            ring.measure(repeat, [&](const void* from, void* to) { transpose.execute(from, to); });
                        const Row row{points,
                                      element,
                                      permutation,
                                      algorithm,
                                      transpose.algorithm(),
                                      transpose.description(),
                                      seconds,
                                      copy,
                                      static_cast<double>(bytes)};
                        if (rows) print_row(row);
                        cases.push(to_json(row));
                    }
        }
    const Engine engine = backend == Backend::cuda ? Engine::cufft : Engine::host;
    return {0, "", "",
            Json::object()
                .set("status", 0)
                .set("version", version())
                .set("revision", revision())
                .set("device", device_name(engine, options.device))
                .set("backend", backend == Backend::cuda ? "cuda" : "host")
                .set("cases", cases)};
}

}  // namespace poisson3d::app
