// Arrays of structures ↔ structures of arrays, out of place and in place, and kernels that load and store whole
// structures: in GB/s and as a fraction of a plain copy of the same size, measured in the same run.
//
//     structures --fields 3,7,32 --in-place --json structures.json; plot_structures.py structures.json
//     structures.png
#include "poisson3d/structures.hpp"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "poisson3d/device.hpp"
#include "poisson3d/device_memory.hpp"
#include "poisson3d/error.hpp"
#include "process/machine.hpp"
#include "process/version.hpp"
#include "solving/rotated_fields.hpp"
#include "structure_access.hpp"

namespace poisson3d::app {
void stop_if_interrupted() {}  // Ctrl-C ends this program at once
}  // namespace poisson3d::app

namespace poisson3d::test {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
    std::vector<int> fields;              ///< structures ↔ arrays
    std::vector<int> words;               ///< kernels that load and store structures; cuda only
    std::vector<int> elements{4, 8, 16};  ///< bytes of a word
    Index count = 0;                      ///< structures; 0: as many as fill 1 GiB on a device, 64 MiB on a host
    bool in_place = false;
    std::string backend;
    int device = 0, threads = 0, repeat = 9;
    std::string json;
};

Backend chosen(const Options& options) {
    const bool cuda = options.backend.empty() ? missing_device().empty() : options.backend == "cuda";
    if (cuda) {
        app::require_device(options.device);
        use_device(options.device);
    } else if (!options.words.empty()) {
        throw Error(ErrorCode::unsupported,
                    "--words measures kernels on a GPU and the backend is host: give --fields alone");
    }
    for (const int words : options.words)
        if (!copies_structures_of(words))
            throw Error(ErrorCode::unsupported, "--words: found " + std::to_string(words) +
                                                    ", a size that no measured kernel was compiled for");
    return cuda ? Backend::cuda : Backend::host;
}

/// Structures of one size, everything that is asked of them.
class Case {
public:
    Case(const Options& options, Backend backend, int words, int element, Json& rows)
        : options_(options),
          backend_(backend),
          words_(words),
          element_(element),
          count_(options.count > 0 ? options.count
                                   : (Index{1} << (backend == Backend::cuda ? 30 : 26)) / (words * element)),
          fields_(backend, {static_cast<std::size_t>(count_ * words), static_cast<std::size_t>(element)},
                  options.threads),
          rows_(rows) {
        fields_.copy_seconds(1);  // wakes the machine
        copy_ = fields_.copy_seconds(options.repeat);
    }

    void moves() {
        for (const StructureMove move : {StructureMove::aos_to_soa, StructureMove::soa_to_aos}) {
            const std::string name = move == StructureMove::aos_to_soa ? "to-arrays" : "to-structures";
            const StructureProblem problem{count_, words_, element_, move};
            const StructureTranspose plan(problem, {backend_, options_.threads});
            tell(name, plan.description(),
                 fields_.measure(options_.repeat, [&](const void* in, void* out) { plan.execute(in, out); }));
            if (!options_.in_place) continue;
            const StructureTransposeInPlace in_place(problem, {backend_, options_.threads});
            tell(name + "-in-place", in_place.description(),
                 fields_.measure_in_place(options_.repeat, [&](void* data) { in_place.execute(data); }));
        }
    }

    void accesses() {
        static constexpr const char* names[] = {"direct", "cooperative", "gathered"};
        for (const StructureAccess access :
             {StructureAccess::direct, StructureAccess::cooperative, StructureAccess::gathered})
            tell(names[static_cast<int>(access)], "one structure a thread, loaded and stored",
                 fields_.measure(options_.repeat, [&](const void* in, void* out) {
                     copy_structures(in, out, count_, words_, element_, access);
                 }));
    }

private:
    void tell(const std::string& what, const std::string& how, double seconds) {
        const double rate = 2e-9 * static_cast<double>(count_ * words_ * element_) / seconds;
        if (options_.json != "-")
            std::printf("%12lld %5d %3d  %-22s %9.4f ms %9.1f GB/s %7.3f  %s\n", static_cast<long long>(count_),
                        words_, element_, what.c_str(), seconds * 1e3, rate, copy_ / seconds, how.c_str());
        rows_.push_back({{"count", count_},
                         {"words", words_},
                         {"word_bytes", element_},
                         {"what", what},
                         {"description", how},
                         {"seconds", seconds},
                         {"copy_seconds", copy_},
                         {"gigabytes_per_second", rate},
                         {"fraction_of_copy", copy_ / seconds}});
    }

    const Options& options_;
    Backend backend_;
    int words_, element_;
    Index count_;
    app::RotatedFields fields_;
    Json& rows_;
    double copy_ = 0.0;
};

void run(const Options& options) {
    const Backend backend = chosen(options);
    Json rows = Json::array();
    if (options.json != "-")
        std::printf("%12s %5s %3s  %-22s %12s %14s %7s  %s\n", "structures", "words", "B", "what", "time",
                    "read+write", "of copy", "how");
    for (const int element : options.elements) {
        for (const int fields : options.fields) Case(options, backend, fields, element, rows).moves();
        for (const int words : options.words) Case(options, backend, words, element, rows).accesses();
    }
    if (options.json.empty()) return;
    const Engine engine = backend == Backend::cuda ? Engine::fused : Engine::host;
    const Json report{{"version", app::version()},
                      {"revision", app::revision()},
                      {"device", app::device_name(engine, options.device)},
                      {"backend", backend == Backend::cuda ? "cuda" : "host"},
                      {"cases", rows}};
    std::ofstream file;
    if (options.json != "-") file.open(options.json);
    std::ostream& out = options.json == "-" ? std::cout : file;
    if (!(out << report.dump(2) << std::endl)) throw Error(ErrorCode::output, "cannot write " + options.json);
}

}  // namespace
}  // namespace poisson3d::test

int main(int argc, char** argv) {
    poisson3d::test::Options options;
    CLI::App app("Times arrays of structures against a plain copy.");
    const auto words = CLI::Range(1, poisson3d::max_fields);
    app.add_option("--fields", options.fields,
                   "words of a structure: structures to arrays of one word each, and back")
        ->delimiter(',')
        ->check(words);
    app.add_option("--words", options.words,
                   "words of a structure: kernels on a GPU that load and store one a thread")
        ->delimiter(',')
        ->check(words);
    app.add_option("--element", options.elements, "bytes of a word [4,8,16]")
        ->delimiter(',')
        ->check(CLI::IsMember({4, 8, 16}));
    app.add_option("--count", options.count, "structures [1 GiB on a GPU, 64 MiB on a host]")
        ->check(CLI::Range(1LL, 1LL << 50));
    app.add_flag("--in-place", options.in_place, "structures to arrays in place as well");
    app.add_option("--backend", options.backend, "host or cuda [cuda if there is a device]")
        ->check(CLI::IsMember({"host", "cuda"}));
    app.add_option("--device", options.device, "number of the GPU")->check(CLI::NonNegativeNumber);
    app.add_option("--threads", options.threads, "host threads; 0: all there are")->check(CLI::NonNegativeNumber);
    app.add_option("--repeat", options.repeat, "measured runs [9]")->check(CLI::PositiveNumber);
    app.add_option("--json", options.json, "the report, a file, or - for stdout");
    CLI11_PARSE(app, argc, argv);
    if (options.fields.empty() && options.words.empty()) options.fields = {2, 3, 4, 8, 16, 32, 64};
    try {
        poisson3d::test::run(options);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "structures: %s\n", error.what());
        return 1;
    }
    return 0;
}
