// The report as a table for people.
#include <algorithm>
#include <cmath>

#include "command_line/problem.hpp"
#include "poisson3d/device.hpp"
#include "poisson3d/text.hpp"
#include "process/machine.hpp"
#include "process/version.hpp"
#include "reporting/report.hpp"
#include "reporting/table.hpp"

namespace poisson3d::app {

namespace {

/// How u is fixed, and what it does far away.
std::string far_field(const Problem& problem) {
    const auto holds = [](Boundary face) { return face == Boundary::dirichlet || face == Boundary::robin; };
    if (problem.gauge.point) return "u is 0 at " + spell_gauge(problem);
    if (problem.gauge.mean) return "u has mean 0 in the box";
    if (grows_far_away(problem))
        return unbounded_axes(problem.grid) == 2 ? "u → (Q/ℓ) ln r / 2π, r in units of length"
                                                 : "u = Σ |x − x'| f(x')/2";
    if (std::ranges::any_of(problem.grid.axes,
                            [&](const Axis& axis) { return holds(axis.lower) || holds(axis.upper); }))
        return "u is held by walls";
    return problem.helmholtz == 0.0 ? "u → −Q/4πr" : "u vanishes, as e^(−√λ r)";
}

/// "step 7" is a number of its data set; others are data sets.
std::string told_steps(const SolveReport& report) {
    const auto& steps = report.steps;
    return std::to_string(steps.size()) + ", " + steps.front().name +
           (steps.size() > 1 ? " to " + steps.back().name : "") + "; below is the worst of each number";
}

/// One row for each right-hand side.
void add_steps(Table& table, const SolveReport& report) {
    for (const StepReport& step : report.steps) {
        std::string told = duration(step.seconds.solve);
        if (step.residual) told += " · backward error " + brief(step.residual->backward);
        if (step.variable)
            told += " · " + std::to_string(step.variable->iterations) + " iterations, residual " +
                    brief(step.variable->residual);
        if (step.error) told += " · error max " + brief(step.error->max);
        if (step.result.singular) told += " · mean " + brief(step.result.mean_removed);
        table.row("", {{step.name, 12}, {told, 0}});
    }
}

void add_source(Table& table, const SolveReport& report) {
    const auto& [net, mean, edge] = *report.source;
    table.line("net", "Q = " + brief(net) + ", the sum of the right-hand side times cell volume");
    table.line("far away", far_field(report.problem));
    table.line("edge", brief(edge) + " of its largest value stands at free faces");
}

void add_mean(Table& table, const SolveReport& report) {
    if (!report.result.singular) return table.line("mean", "nothing removed");
    table.line("mean", brief(report.result.mean_removed) + " removed from the right-hand side, " +
                           brief(report.mean_relative) + " of its largest value");
    if (!report.warning.empty()) table.line("", report.warning);
    const Gauge& gauge = report.problem.gauge;
    table.line("", "solution fixed by " + (gauge.point ? "0 at " + spell_gauge(report.problem) : "mean 0"));
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

std::string told_disk(const OnDisk& disk) {
    return "slabs of " + std::to_string(disk.planes) + (disk.planes == 1 ? " plane, " : " planes, ") +
           std::to_string(disk.blocks) + (disk.blocks == 1 ? " block" : " blocks") + ", scratch file of " +
           format_bytes(disk.scratch) + ", " + format_bytes(disk.moved) + " moved";
}

/// "42 s", "about" is before it.
std::string told_time(double seconds) {
    const auto whole = [](double number) { return std::to_string(std::llround(number)); };
    if (seconds < 90.0) return whole(std::ceil(seconds)) + " s";
    if (seconds < 90.0 * 60.0) return whole(seconds / 60.0) + " min";
    return whole(seconds / 3600.0) + " h";
}

std::string told_members(const Members& members) {
    const std::string how = members.method == Method::eliminate ? "by elimination" : "by transposing";
    const auto [rows, columns] = members.shape;
    const std::string pencils =
        columns > 1 ? ", " + std::to_string(rows) + " x " + std::to_string(columns) + " pencils" : "";
    std::string gpus;
    for (const int number : members.devices) gpus += (gpus.empty() ? ", on GPUs " : ", ") + std::to_string(number);
    return std::to_string(members.count) + pencils + gpus + ", " + how + ", " +
           std::to_string(members.traffic.messages) + " messages of " +
           format_bytes(static_cast<std::size_t>(members.traffic.bytes)) + " between them, at most " +
           std::to_string(members.most.messages) + " of " +
           format_bytes(static_cast<std::size_t>(members.most.bytes)) + " by one";
}

void add_times(Table& table, const SolveReport& report, bool verbose) {
    const Seconds& seconds = report.seconds;
    const bool measured = report.copies == report.copies;  // not a number: not measured
    const std::string each = report.steps.empty() ? "" : " each";
    // A field in the caches is copied in no time; how often says nothing of the solve.
    const bool comparable = measured && report.problem.grid.size() >= Index{1} << 19;
    table.line("solve",
               duration(seconds.solve) + (comparable ? " = " + brief(report.copies) + " copies" + each : ""));
    table.line("other times", "read " + duration(seconds.read) + " · plan " + duration(seconds.plan) + " · write " +
                                  duration(seconds.write) +
                                  (report.residual ? " · verify " + duration(seconds.verify) : ""));
    if (!verbose) return;
    for (const PassReport& pass : report.passes)
        table.row("pass", {{pass.name, 18}, {duration(pass.seconds), 12}, {brief(rate(pass)) + " GB/s", 0}});
}

}  // namespace

std::string told_units(const Units& units) {
    std::string text;
    for (const auto& [what, unit] : {std::pair<const char*, const std::string&>{"length", units.length},
                                     {"right-hand side", units.field},
                                     {"solution", units.solution}})
        if (!unit.empty()) text.append(text.empty() ? "" : " · ").append(what).append(" ").append(printable(unit));
    return text;
}

double moved_bytes(const std::vector<PassReport>& passes) {
    double bytes = 0.0;
    for (const PassReport& pass : passes) bytes += pass.bytes;
    return bytes;
}

std::string warning_of(const OnDisk& disk, Index right_hand_sides) {
    std::string text = "warning: the field is solved from disk, in " + std::to_string(disk.slabs) +
                       (disk.slabs == 1 ? " slab, " : " slabs, ") + "through a scratch file of " +
                       format_bytes(disk.scratch) + " beside the output; " + format_bytes(disk.moved) +
                       " go between files and memory";
    const std::string each = right_hand_sides > 1 ? " for each right-hand side" : "";
    if (disk.rate > 0.0)
        text += each + ", which takes about " + told_time(static_cast<double>(disk.moved) / disk.rate) +
                " at the " + format_bytes(static_cast<std::size_t>(disk.rate)) +
                " a second that this disk took just now";
    return text;
}

double rate(const PassReport& pass) {
    return pass.seconds > 0.0 ? pass.bytes / pass.seconds * 1e-9 : 0.0;
}

std::string to_table(const SolveReport& report, bool verbose) {
    const Problem& problem = report.problem;
    Table table;
    table.title("poisson3d " + version() + " · " + report.input);
    table.line("equation", equation(problem.helmholtz, report.scale, report.fields) + ", " +
                               name(problem.discretization) + ", " + report.precision + " precision");
    table.line("points", dimensions(problem.grid.points()) + " = " + std::to_string(problem.grid.size()));
    add_box(table, problem.grid);
    if (!report.boundary_values.empty()) table.line("boundary values", listed(report.boundary_values));
    if (const std::string units = told_units(report.units); !units.empty()) table.line("units", units);
    for (const std::string& note : report.notes) table.line("note", note);
    table.line("engine", report.plan + " · " + format_bytes(report.workspace) + " workspace");
    if (report.members.count > 0) table.line("members", told_members(report.members));
    if (report.disk) table.line("on disk", told_disk(*report.disk));
    // A machine without a GPU or its driver is a matter of `poisson3d devices`.
    if (!report.fallback.empty() && (verbose || missing_device().empty()))
        table.line("", "no GPU at work: " + report.fallback);
    if (verbose || on_gpu(report.engine)) table.line("device", report.device);
    if (verbose) {
        table.line("version", version_text());
        table.line("moved", format_bytes(static_cast<std::size_t>(moved_bytes(report.passes))) + " by the passes");
    }
    add_times(table, report, verbose);
    constexpr std::size_t few = 12;
    if (!report.steps.empty()) {
        table.line("fields", told_steps(report));
        if (verbose || report.steps.size() <= few) add_steps(table, report);
    }
    if (report.source)
        add_source(table, report);
    else
        add_mean(table, report);
    if (report.variable) {
        table.line("coefficient",
                   told_fields(report.fields) + ", " + std::to_string(report.variable->iterations) + " iterations");
        table.line("residual", "relative " + brief(report.variable->residual) + ", " +
                                   (report.variable->converged ? "converged" : "not converged") + " (tolerance " +
                                   brief(report.tolerance) + ")");
    } else if (report.residual) {
        table.line("residual", "max " + brief(report.residual->max) + " · rms " + brief(report.residual->l2) +
                                   " · relative " + brief(report.residual->relative));
        table.line("backward error", told_backward(report));
    } else {
        table.line("residual",
                   report.verified ? "none: spectral does not know u beyond free faces" : "not measured");
    }
    if (report.freeness)
        table.line("freeness",
                   brief(*report.freeness) + " (0 if free faces are as in empty space, but for rounding)");
    if (report.error) {
        table.line("error", "max " + brief(report.error->max) + " · rms " + brief(report.error->l2) + " against " +
                                report.error->dataset);
        if (report.result.singular || report.error->constant != 0.0)
            table.line("", "after the constant " + brief(report.error->constant) + ", which the gauge decides");
    }
    table.line("solution", report.output);
    if (!report.preview.empty()) table.line("picture", report.preview);
    if (!report.vtk.empty()) table.line("for VTK", report.vtk);
    return table.text();
}

}  // namespace poisson3d::app
