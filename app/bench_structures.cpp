// poisson3d bench structures: structures ↔ arrays, out of place and in place, and kernels that load and store whole
// structures, in GB/s and as a fraction of a plain copy of the same size, measured in the same run.
#include <cstdio>
#include <string>
#include <utility>

#include "machine.hpp"
#include "measuring_ring.hpp"
#include "outcome.hpp"
#include "poisson3d/device.hpp"
#include "poisson3d/device_memory.hpp"
#include "standard_output.hpp"
#include "version.hpp"

namespace poisson3d::app {

namespace {

constexpr int default_repeat = 9;
constexpr Index device_bytes = Index{1} << 30;
constexpr Index host_bytes = Index{64} << 20;

const char* name(StructureMove move) {
    return move == StructureMove::to_arrays ? "to-arrays" : "to-structures";
}
const char* name(StructureAccess access) {
    static constexpr const char* names[] = {"direct", "cooperative", "gathered"};
    return names[static_cast<int>(access)];
}

struct Row {
    Index count;
    int words, element;
    std::string what, description;
    double seconds, copy_seconds;

    [[nodiscard]] double rate() const { return 2e-9 * static_cast<double>(count * words * element) / seconds; }
    [[nodiscard]] double fraction() const { return copy_seconds / seconds; }
};

void print_head() {
    std::printf("%12s %5s %3s  %-22s %12s %14s %7s  %s\n", "structures", "words", "B", "what", "time", "read+write",
                "of copy", "how");
}

void print_row(const Row& row) {
    std::printf("%12lld %5d %3d  %-22s %9.4f ms %9.1f GB/s %7.3f  %s\n", static_cast<long long>(row.count),
                row.words, row.element, row.what.c_str(), row.seconds * 1e3, row.rate(), row.fraction(),
                row.description.c_str());
    flush_standard_output();
}

Json to_json(const Row& row) {
    return Json::object()
        .set("count", row.count)
        .set("words", row.words)
        .set("word_bytes", row.element)
        .set("what", row.what)
        .set("description", row.description)
        .set("seconds", row.seconds)
        .set("copy_seconds", row.copy_seconds)
        .set("gigabytes_per_second", row.rate())
        .set("fraction_of_copy", row.fraction());
}

/// Structures of one size, everything that is asked of them.
class Case {
public:
    Case(const BenchStructuresOptions& options, Backend backend, int words, int element)
        : options_(options),
          backend_(backend),
          repeat_(options.repeat > 0 ? options.repeat : default_repeat),
          words_(words),
          element_(element),
          count_(options.count > 0 ? options.count
                                   : (backend == Backend::cuda ? device_bytes : host_bytes) / (words * element)),
          ring_(backend, static_cast<std::size_t>(count_ * words * element), options.threads) {
        ring_.copy_seconds(1);  // wakes the machine
        copy_ = ring_.copy_seconds(repeat_);
    }

    template <class Take>
    void moves(const Take& take) {
        for (const StructureMove move : {StructureMove::to_arrays, StructureMove::to_structures}) {
            const StructureProblem problem{count_, words_, element_, move};
            const StructureTranspose plan(problem, {backend_, options_.threads});
            const double seconds =
                ring_.measure(repeat_, [&](const void* in, void* out) { plan.execute(in, out); });
            take(row(name(move), plan.description(), seconds));
            if (!options_.in_place) continue;
            const StructureTransposeInPlace in_place(problem, {backend_, options_.threads});
            const double there = ring_.measure_in_place(repeat_, [&](void* data) { in_place.execute(data); });
            take(row(std::string(name(move)) + "-in-place", in_place.description(), there));
        }
    }

    template <class Take>
    void accesses(const Take& take) {
        for (const StructureAccess access :
             {StructureAccess::direct, StructureAccess::cooperative, StructureAccess::gathered}) {
            const double seconds = ring_.measure(repeat_, [&](const void* in, void* out) {
                copy_structures(in, out, count_, words_, element_, access);
            });
            take(row(name(access), "one structure a thread, loaded and stored", seconds));
        }
    }

private:
    [[nodiscard]] Row row(std::string what, std::string description, double seconds) const {
        return {count_, words_, element_, std::move(what), std::move(description), seconds, copy_};
    }

    const BenchStructuresOptions& options_;
    Backend backend_;
    int repeat_, words_, element_;
    Index count_;
    MeasuringRing ring_;
    double copy_ = 0.0;
};

Backend chosen(const BenchStructuresOptions& options) {
    const Backend backend = options.backend.value_or(!missing_device().empty() ? Backend::host : Backend::cuda);
    if (backend == Backend::cuda) {
        require_device(options.device);
        use_device(options.device);
    } else if (!options.words.empty()) {
        throw Error(ErrorCode::unsupported,
                    "--words measures kernels on a GPU and the backend is host: give --fields alone");
    }
    for (const int words : options.words)
        if (!copies_structures_of(words))
            throw Error(ErrorCode::unsupported, "--words: found " + std::to_string(words) +
                                                    ", a size that no measured kernel was compiled for");
    return backend;
}

}  // namespace

Outcome run_bench_structures(const BenchStructuresOptions& options, const Reporting& reporting) {
    const bool shown = !reporting.quiet && reporting.json != "-";
    const Backend backend = chosen(options);
    Json cases = Json::array();
    const auto take = [&](const Row& row) {
        if (shown) print_row(row);
        cases.push(to_json(row));
    };
    if (shown) print_head();
    for (const int element : options.elements) {
        for (const int fields : options.fields) Case(options, backend, fields, element).moves(take);
        for (const int words : options.words) Case(options, backend, words, element).accesses(take);
    }
    const Engine engine = backend == Backend::cuda ? Engine::cufft : Engine::host;
    return {0, "", "",
            Json::object()
                .set("status", 0)
                .set("version", version())
                .set("revision", revision())
                .set("device", device_name(engine, options.device))
                .set("backend", backend == Backend::cuda ? "cuda" : "host")
                .set("cases", std::move(cases))};
}

}  // namespace poisson3d::app
