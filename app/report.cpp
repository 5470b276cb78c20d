#include "report.hpp"

#include "machine.hpp"
#include "poisson3d/text.hpp"
#include "problem.hpp"
#include "table.hpp"
#include "version.hpp"

namespace poisson3d::app {

namespace {

double moved_bytes(const std::vector<PassReport>& passes) {
    double bytes = 0.0;
    for (const PassReport& pass : passes) bytes += pass.bytes;
    return bytes;
}

std::string spell(const Gauge& gauge) {
    if (!gauge.point) return "mean";
    const auto& [i, j, k] = *gauge.point;
    return std::to_string(i) + "," + std::to_string(j) + "," + std::to_string(k);
}

void add_mean(Table& table, const SolveReport& report) {
    if (!report.result.singular) return table.line("mean", "nothing removed");
    table.line("mean", brief(report.result.mean_removed) + " removed from the right-hand side, " +
                           brief(report.mean_relative) + " of its largest value");
    if (!report.warning.empty()) table.line("", report.warning);
    const Gauge& gauge = report.problem.gauge;
    table.line("", "solution fixed by " + (gauge.point ? "0 at " + spell(gauge) : "mean 0"));
}

std::string listed(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

std::string told_backward(const SolveReport& report) {
    const double backward = report.residual->backward;
    const bool kept = backward <= report.tolerance;
    return brief(backward) + (kept ? " ≤ " : " is above the tolerance ") + brief(report.tolerance) +
           (kept ? " (tolerance)" : "");
}

void add_times(Table& table, const SolveReport& report, bool verbose) {
    const Seconds& seconds = report.seconds;
    const bool measured = report.copies == report.copies;  // not a number: not measured
    table.line("solve", duration(seconds.solve) + (measured ? " = " + brief(report.copies) + " copies" : ""));
    table.line("other times", "read " + duration(seconds.read) + " · plan " + duration(seconds.plan) + " · write " +
                                  duration(seconds.write) +
                                  (report.residual ? " · verify " + duration(seconds.verify) : ""));
    if (!verbose) return;
    for (const PassReport& pass : report.passes)
        table.row("pass", {{pass.name, 18}, {duration(pass.seconds), 12}, {brief(rate(pass)) + " GB/s", 0}});
}

}  // namespace

double rate(const PassReport& pass) {
    return pass.seconds > 0.0 ? pass.bytes / pass.seconds * 1e-9 : 0.0;
}

std::string to_table(const SolveReport& report, bool verbose) {
    const Problem& problem = report.problem;
    Table table;
    table.title("poisson3d " + version() + " · " + report.input);
    table.line("equation", equation(problem.helmholtz, report.scale) + ", " + name(problem.discretization) + ", " +
                               report.precision + " precision");
    table.line("points", dimensions(problem.grid.points()) + " = " + std::to_string(problem.grid.size()));
    add_box(table, problem.grid);
    if (!report.boundary_values.empty()) table.line("boundary values", listed(report.boundary_values));
    table.line("engine", report.plan + " · " + format_bytes(report.workspace) + " workspace");
    if (!report.fallback.empty()) table.line("", "no GPU at work: " + report.fallback);
    if (verbose || on_gpu(report.engine)) table.line("device", report.device);
    if (verbose) {
        table.line("version", version_text());
        table.line("moved", format_bytes(static_cast<std::size_t>(moved_bytes(report.passes))) + " by the passes");
    }
    add_times(table, report, verbose);
    add_mean(table, report);
    if (report.residual) {
        table.line("residual", "max " + brief(report.residual->max) + " · rms " + brief(report.residual->l2) +
                                   " · relative " + brief(report.residual->relative));
        table.line("backward error", told_backward(report));
    } else {
        table.line("residual", "not measured");
    }
    if (report.error) {
        table.line("error", "max " + brief(report.error->max) + " · rms " + brief(report.error->l2) + " against " +
                                report.error->dataset);
        if (report.result.singular)
            table.line("", "after the constant " + brief(report.error->constant) + ", which the gauge decides");
    }
    table.line("solution", report.output);
    if (!report.preview.empty()) table.line("picture", report.preview);
    if (!report.vtk.empty()) table.line("for VTK", report.vtk);
    return table.text();
}

Json to_json(const Problem& problem, const std::string& precision) {
    Json spacing = Json::array();
    Json origin = Json::array();
    Json boundary = Json::array();
    Json centering = Json::array();
    Json labels = Json::array();
    for (std::size_t a = 0; a < 3; ++a) {
        const Axis& axis = problem.grid.axes[a];
        spacing.push(axis.spacing);
        origin.push(axis.origin);
        boundary.push(name(axis.lower)).push(name(axis.upper));
        centering.push(name(axis.centering));
        labels.push(std::string(1, problem.grid.labels[a]));
    }
    return Json::object()
        .set("points", Json::list(problem.grid.points()))
        .set("spacing", std::move(spacing))
        .set("origin", std::move(origin))
        .set("boundary", std::move(boundary))
        .set("centering", std::move(centering))
        .set("axis_labels", std::move(labels))
        .set("discretization", name(problem.discretization))
        .set("helmholtz", problem.helmholtz)
        .set("gauge", spell(problem.gauge))
        .set("precision", precision);
}

Json to_json(const std::vector<PassReport>& passes) {
    Json json = Json::array();
    for (const PassReport& pass : passes)
        json.push(Json::object()
                      .set("name", pass.name)
                      .set("seconds", pass.seconds)
                      .set("gigabytes_per_second", rate(pass)));
    return json;
}

Json to_json(const SolveReport& report) {
    Json json = Json::object();
    json.set("status", report.status);
    if (!report.message.empty()) json.set("message", report.message);
    json.set("version", version()).set("revision", revision());
    json.set("input", report.input).set("dataset", report.dataset).set("output", report.output);
    if (!report.preview.empty()) json.set("preview", report.preview);
    if (!report.vtk.empty()) json.set("vtk", report.vtk);
    json.set("boundary_values", Json::list(report.boundary_values));
    json.set("engine", name(report.engine)).set("device", report.device).set("plan", report.plan);
    if (!report.fallback.empty()) json.set("fallback", report.fallback);
    json.set("problem", to_json(report.problem, report.precision).set("scale", report.scale));
    if (report.refinements) json.set("refinements", *report.refinements);
    json.set("memory", name(report.memory));
    json.set("singular", report.result.singular).set("mean_removed", report.result.mean_removed);
    json.set("mean_removed_relative", report.mean_relative);
    if (!report.warning.empty()) json.set("warning", report.warning);
    Json residual;
    if (report.residual)
        residual = Json::object()
                       .set("max", report.residual->max)
                       .set("l2", report.residual->l2)
                       .set("relative", report.residual->relative)
                       .set("backward", report.residual->backward);
    json.set("residual", std::move(residual)).set("tolerance", report.tolerance);
    if (report.error)
        json.set("error", Json::object()
                              .set("max", report.error->max)
                              .set("l2", report.error->l2)
                              .set("constant", report.error->constant));
    const Seconds& seconds = report.seconds;
    json.set("seconds", Json::object()
                            .set("read", seconds.read)
                            .set("plan", seconds.plan)
                            .set("solve", seconds.solve)
                            .set("verify", seconds.verify)
                            .set("write", seconds.write));
    json.set("bytes", Json::object().set("workspace", report.workspace).set("moved", moved_bytes(report.passes)));
    json.set("passes", to_json(report.passes)).set("copies", report.copies);
    return json;
}

std::vector<Attribute> to_attributes(const SolveReport& report) {
    std::vector<Attribute> list{
        Attribute::of("scale", report.scale),
        Attribute::of("discretization", std::string(name(report.problem.discretization))),
        Attribute::of("gauge", spell(report.problem.gauge)),
        Attribute::of("precision", report.precision),
        Attribute::of("input", report.input),
        Attribute::of("input_dataset", report.dataset),
        Attribute::of("program", version_text()),
        Attribute::of("engine", std::string(name(report.engine))),
        Attribute::of("memory", std::string(name(report.memory))),
        Attribute::of("mean_removed", report.result.mean_removed),
        Attribute::of("mean_removed_relative", report.mean_relative),
    };
    if (report.refinements) list.push_back(Attribute::of("refinements", *report.refinements));
    if (!report.boundary_values.empty()) list.push_back(Attribute::of("boundary_values", report.boundary_values));
    if (report.residual) {
        list.push_back(Attribute::of("residual_max", report.residual->max));
        list.push_back(Attribute::of("residual_l2", report.residual->l2));
        list.push_back(Attribute::of("residual_relative", report.residual->relative));
        list.push_back(Attribute::of("residual_backward", report.residual->backward));
        list.push_back(Attribute::of("tolerance", report.tolerance));
    }
    if (report.error) {
        list.push_back(Attribute::of("error_max", report.error->max));
        list.push_back(Attribute::of("error_l2", report.error->l2));
    }
    return list;
}

}  // namespace poisson3d::app
