// poisson3d bench solve: whole solves, in milliseconds and in copies of the field.
#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>

#include "benchmarks/measure_solve.hpp"
#include "poisson3d/mixed_solver.hpp"
#include "poisson3d/text.hpp"
#include "process/machine.hpp"
#include "process/standard_output.hpp"
#include "process/version.hpp"
#include "reporting/outcome.hpp"
#include "reporting/report.hpp"
#include "reporting/table.hpp"
#include "solving/member_options.hpp"

namespace poisson3d::app {

namespace {

void print_head() {
    std::printf("%-18s %-42s %-7s %10s %10s %10s %8s %10s\n", "points", "boundary", "type", "ms", "least", "most",
                "copies", "copy GB/s");
}

void print_row(const Measurement& row, bool verbose) {
    const Extents& n = row.problem.grid.points();
    const std::string size = (row.batch > 1 ? std::to_string(row.batch) + " of " : std::string{}) +
                             std::to_string(n[0]) + "x" + std::to_string(n[1]) + "x" + std::to_string(n[2]);
    const double copy = row.copy.median();
    std::printf("%-18s %-42s %-7s %10.3f %10.3f %10.3f %8.1f %10.1f\n", size.c_str(), row.boundary.c_str(),
                name(row.precision), row.solve.median() * 1e3, row.solve.min() * 1e3, row.solve.max() * 1e3,
                row.solve.median() / copy, 2e-9 * static_cast<double>(row.field_bytes) / copy);
    if (verbose) {
        std::printf("    %s, workspace %s, plan %s\n", row.plan.c_str(), format_bytes(row.workspace).c_str(),
                    duration(row.plan_seconds).c_str());
        for (const PassReport& pass : row.passes)
            std::printf("    pass %-16s %10.3f ms %8.1f GB/s\n", pass.name.c_str(), pass.seconds * 1e3, rate(pass));
    }
    flush_standard_output();
}

Json summary(const Samples& samples) {
    return Json{{"median", samples.median()},
                {"min", samples.min()},
                {"max", samples.max()},
                {"runs", samples.seconds.size()}};
}

Json summary(const Measurement& row) {
    const double copy = row.copy.median();
    Json json{
        {"problem", to_json(row.problem, name(row.precision))},
        {"engine", name(row.engine)},
        {"memory", name(row.memory)},
        {"plan", row.plan},
        {"threads", row.threads},
        {"batch", row.batch},
        {"bytes", Json{{"field", row.field_bytes}, {"workspace", row.workspace}}},
        {"seconds", Json{{"plan", row.plan_seconds}, {"solve", summary(row.solve)}, {"copy", summary(row.copy)}}},
        {"copies", row.solve.median() / copy},
        {"copy_gigabytes_per_second", 2e-9 * static_cast<double>(row.field_bytes) / copy},
        {"passes", to_json(row.passes)}};
    if (row.members.count > 0) json["members"] = to_json(row.members);
    return json;
}

/// One row of the table before it is measured.
struct Case {
    Problem problem;
    std::string boundary;
    Precision precision;
};

/// All of them are checked before the first is measured.
std::vector<Case> all_cases(const BenchSolveOptions& options) {
    std::vector<Case> cases;
    for (const Extents& points : options.points)
        for (const PerAxis<Centering>& centering : options.centerings)
            for (const std::string& boundary : options.boundaries)
                for (const Precision precision : options.precisions) {
                    ProblemOptions problem = options.problem;
                    problem.centering = centering;
                    cases.push_back({build_problem(points, boundary, 1.0, problem), boundary, precision});
                }
    return cases;
}

Measurement measure(Precision precision, const BenchSolveOptions& options, const Problem& problem) {
    if (!options.devices.empty())
        return precision == Precision::single_precision ? measure_members<float>(options, problem)
                                                        : measure_members<double>(options, problem);
    switch (precision) {
        case Precision::single_precision: return measure_solve<Solver<float>>(options, problem);
        case Precision::mixed: return measure_solve<MixedSolver>(options, problem);
        default: return measure_solve<Solver<double>>(options, problem);
    }
}

}  // namespace

Outcome run_bench_solve(const BenchSolveOptions& asked, const Reporting& reporting) {
    const bool rows = !reporting.quiet && reporting.json != "-";
    BenchSolveOptions options = asked;
    if (options.device) require_device(options.solver.device);
    if (!options.devices.empty()) {
        for (const Precision precision : options.precisions)
            require_member_options(options.solver, precision == Precision::mixed, true);
        require_devices(options.devices);
        options.solver.engine = Engine::fused;
    }
    options.solver.engine = choose_engine(options.solver.engine, options.solver.device);
    const std::vector<Case> cases = all_cases(options);
    Json measured = Json::array();
    if (rows) print_head();
    for (const Case& one : cases) {
        Measurement row = measure(one.precision, options, one.problem);
        row.boundary = one.boundary;
        if (rows) print_row(row, reporting.verbose);
        measured.push_back(summary(row));
    }
    return {.json = json_text(
                Json{{"status", 0},
                     {"version", version()},
                     {"revision", revision()},
                     {"device", options.devices.empty() ? device_name(options.solver.engine, options.solver.device)
                                                        : device_names(options.devices)},
                     {"cases", std::move(measured)}})};
}

}  // namespace poisson3d::app
