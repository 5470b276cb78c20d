#include "benchmarks/movement_rows.hpp"

#include <cstdio>
#include <utility>

#include "poisson3d/device.hpp"
#include "poisson3d/device_memory.hpp"
#include "process/machine.hpp"
#include "process/standard_output.hpp"
#include "process/version.hpp"

namespace poisson3d::app {

namespace {

std::string letters(const Permutation& permutation) {
    std::string text;
    for (const int axis : permutation) text += "xyz"[axis];
    return text;
}

std::string dimensions_text(const Extents& n) {
    return std::to_string(n[0]) + "x" + std::to_string(n[1]) + "x" + std::to_string(n[2]);
}

}  // namespace

MovementRows::MovementRows(const Reporting& reporting) : shown_(!reporting.quiet && reporting.json != "-") {}

void MovementRows::add(const MovementRow& row, Json more) {
    if (shown_ && std::exchange(first_, false))
        std::printf("%-18s %3s  %-4s %-12s %12s %14s %7s  %s\n", "points", "B", "to", "algorithm", "time",
                    "read+write", "of copy", "how");
    if (shown_) {
        std::printf("%-18s %3d  %-4s %-12s %9.4f ms %9.1f GB/s %7.3f  %s\n", dimensions_text(row.points).c_str(),
                    row.element, letters(row.permutation).c_str(), row.asked.c_str(), row.seconds * 1e3, row.rate(),
                    row.fraction(), row.description.c_str());
        flush_standard_output();
    }
    more.update({{"points", row.points},
                 {"element_bytes", row.element},
                 {"permutation", "xyz-" + letters(row.permutation)},
                 {"algorithm", row.asked},
                 {"used", row.used},
                 {"description", row.description},
                 {"seconds", row.seconds},
                 {"copy_seconds", row.copy_seconds},
                 {"gigabytes_per_second", row.rate()},
                 {"fraction_of_copy", row.fraction()}});
    cases_.push_back(std::move(more));
}

Json MovementRows::report(Backend backend, int device) {
    const Engine engine = backend == Backend::cuda ? Engine::cufft : Engine::host;
    return Json{{"status", 0},
                {"version", version()},
                {"revision", revision()},
                {"device", device_name(engine, device)},
                {"backend", backend == Backend::cuda ? "cuda" : "host"},
                {"cases", std::move(cases_)}};
}

RotatedFields fields_to_move(Backend backend, const Extents& points, int element, int threads) {
    const auto count = static_cast<std::size_t>(points[0] * points[1] * points[2]);
    RotatedFields fields(backend, {count, static_cast<std::size_t>(element)}, threads);
    fields.copy_seconds(1);
    return fields;
}

Backend chosen_backend(const BenchTransposeOptions& options) {
    const Backend backend = options.backend.value_or(!missing_device().empty() ? Backend::host : Backend::cuda);
    if (backend == Backend::cuda) {
        require_device(options.device);
        use_device(options.device);
    }
    return backend;
}

}  // namespace poisson3d::app
