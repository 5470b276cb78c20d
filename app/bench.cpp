// poisson3d bench solve: whole solves, in milliseconds, in copies of the field, and against FFTW's transforms.
#include <algorithm>
#include <cstdio>
#include <optional>

#include "copy_time.hpp"
#include "fftw_pair.hpp"
#include "field_ring.hpp"
#include "interrupt.hpp"
#include "machine.hpp"
#include "outcome.hpp"
#include "poisson3d/text.hpp"
#include "report.hpp"
#include "table.hpp"
#include "timing.hpp"
#include "version.hpp"

namespace poisson3d::app {

namespace {

struct Samples {
    std::vector<double> seconds;
    [[nodiscard]] double middle() const { return median(seconds); }
    [[nodiscard]] double least() const { return *std::min_element(seconds.begin(), seconds.end()); }
    [[nodiscard]] double most() const { return *std::max_element(seconds.begin(), seconds.end()); }
};

struct Measurement {
    Problem problem;
    std::string boundary;  ///< as the option wrote it
    std::string plan;
    Engine engine = Engine::host;
    Memory memory = Memory::fast;
    int threads = 1;
    std::size_t workspace = 0;
    std::size_t field_bytes = 0;
    double plan_seconds = 0.0;
    Samples solve, copy;
    std::vector<PassReport> passes;
    std::optional<Samples> fftw;
    double fftw_plan_seconds = 0.0;
};

/// Without --repeat: at least 5 runs, at most this many, for a second.
constexpr std::size_t most_repeats = 1000;

bool enough(const BenchSolveOptions& options, std::size_t done, double seconds) {
    if (options.repeat > 0) return done >= static_cast<std::size_t>(options.repeat);
    return done >= most_repeats || (done >= 5 && seconds >= 1.0);
}

template <class Work>
void time(Samples& samples, const Work& work) {
    const Stopwatch watch;
    work();
    samples.seconds.push_back(watch.seconds());
}

/// Solve, copy and FFTW in turn, so that what else happens on the machine happens to all of them.
template <class T>
Measurement measure(const BenchSolveOptions& options, const Problem& problem) {
    Measurement result;
    result.problem = problem;
    const Extents points = problem.grid.points();
    const auto elements = static_cast<std::size_t>(problem.grid.size());
    result.field_bytes = elements * sizeof(T);
    const Stopwatch planning;
    Solver<T> solver(problem, options.solver);
    result.plan_seconds = planning.seconds();
    result.plan = solver.description();
    result.engine = solver.engine();
    result.memory = solver.memory();
    result.threads = solver.threads();
    result.workspace = solver.workspace();

    ThreadTeam team(solver.threads());
    std::optional<FftwPair<T>> pair;
    Field<T> middle;
    if (options.compare_fftw) {
        middle = Field<T>(points);
        Field<T> in(points);
        Field<T> out(points);
        pair.emplace(problem.grid, solver.threads(), in.data(), middle.data(), out.data());
        result.fftw.emplace();
        result.fftw_plan_seconds = pair->plan_seconds();
    }
    const std::size_t most_runs =
        1 + (options.repeat > 0 ? static_cast<std::size_t>(options.repeat) : most_repeats);
    const FieldRing<T> ring(elements, 3 * most_runs, team);

    std::size_t field = 0;
    const auto run = [&] {
        stop_if_interrupted();
        ++field;
        time(result.solve, [&] {
            solver.solve(FieldView<const T>(ring.in(field), points), FieldView<T>(ring.out(field), points));
            solver.result();
        });
        ++field;
        time(result.copy, [&] { copy(team, ring.in(field), ring.out(field), result.field_bytes); });
        if (!pair) return;
        ++field;
        time(*result.fftw, [&] { pair->run(ring.in(field), middle.data(), ring.out(field)); });
    };
    run();  // warms up: memory touched, threads awake
    result.solve.seconds.clear();
    result.copy.seconds.clear();
    if (pair) result.fftw->seconds.clear();
    const Stopwatch whole;
    for (std::size_t done = 0; !enough(options, done, whole.seconds()); ++done) run();
    result.passes = solver.passes();
    return result;
}

void print_head(bool with_fftw) {
    std::printf("%-18s %-42s %-7s %10s %10s %10s %8s %10s%s\n", "points", "boundary", "type", "ms", "least", "most",
                "copies", "copy GB/s", with_fftw ? "  FFTW ms   ratio" : "");
}

void print_row(const Measurement& row, const BenchSolveOptions& options, bool verbose) {
    const Extents& n = row.problem.grid.points();
    const std::string size = std::to_string(n[0]) + "x" + std::to_string(n[1]) + "x" + std::to_string(n[2]);
    const double copy = row.copy.middle();
    std::printf("%-18s %-42s %-7s %10.3f %10.3f %10.3f %8.1f %10.1f", size.c_str(), row.boundary.c_str(),
                name(options.precision), row.solve.middle() * 1e3, row.solve.least() * 1e3, row.solve.most() * 1e3,
                row.solve.middle() / copy, 2e-9 * static_cast<double>(row.field_bytes) / copy);
    if (row.fftw) std::printf(" %9.3f %7.3f", row.fftw->middle() * 1e3, row.solve.middle() / row.fftw->middle());
    std::printf("\n");
    if (verbose) {
        std::printf("    %s, workspace %s, plan %s\n", row.plan.c_str(), format_bytes(row.workspace).c_str(),
                    duration(row.plan_seconds).c_str());
        for (const PassReport& pass : row.passes)
            std::printf("    pass %-16s %10.3f ms %8.1f GB/s\n", pass.name.c_str(), pass.seconds * 1e3, rate(pass));
    }
    std::fflush(stdout);
}

Json summary(const Samples& samples) {
    return Json::object()
        .set("median", samples.middle())
        .set("min", samples.least())
        .set("max", samples.most())
        .set("runs", samples.seconds.size());
}

Json summary(const Measurement& row, Precision precision) {
    const double copy = row.copy.middle();
    Json json = Json::object()
                    .set("problem", to_json(row.problem, name(precision)))
                    .set("engine", name(row.engine))
                    .set("memory", name(row.memory))
                    .set("plan", row.plan)
                    .set("threads", row.threads)
                    .set("bytes", Json::object().set("field", row.field_bytes).set("workspace", row.workspace))
                    .set("seconds", Json::object()
                                        .set("plan", row.plan_seconds)
                                        .set("solve", summary(row.solve))
                                        .set("copy", summary(row.copy)))
                    .set("copies", row.solve.middle() / copy)
                    .set("copy_gigabytes_per_second", 2e-9 * static_cast<double>(row.field_bytes) / copy)
                    .set("passes", to_json(row.passes));
    if (row.fftw)
        json.set("fftw", Json::object()
                             .set("plan", row.fftw_plan_seconds)
                             .set("pair", summary(*row.fftw))
                             .set("ratio", row.solve.middle() / row.fftw->middle()));
    return json;
}

}  // namespace

Outcome run_bench_solve(const BenchSolveOptions& options, const Reporting& reporting) {
    const bool rows = !reporting.quiet && reporting.json != "-";
    std::vector<Problem> problems;
    std::vector<std::string> boundaries;
    for (const Extents& points : options.points)
        for (const std::string& boundary : options.boundaries) {
            problems.push_back(build_problem(points, boundary, 1.0, options.problem));
            boundaries.push_back(boundary);
        }
    Json cases = Json::array();
    std::string device;
    if (rows) print_head(options.compare_fftw);
    for (std::size_t i = 0; i < problems.size(); ++i) {
        Measurement row = options.precision == Precision::double_precision ? measure<double>(options, problems[i])
                                                                           : measure<float>(options, problems[i]);
        row.boundary = boundaries[i];
        device = device_name(row.engine, options.solver.device);
        if (rows) print_row(row, options, reporting.verbose);
        cases.push(summary(row, options.precision));
    }
    return {0, "", "",
            Json::object()
                .set("status", 0)
                .set("version", version())
                .set("revision", revision())
                .set("device", device)
                .set("cases", cases)};
}

}  // namespace poisson3d::app
