#include "reporting/report.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "command_line/problem.hpp"
#include "poisson3d/device.hpp"
#include "poisson3d/text.hpp"
#include "process/machine.hpp"
#include "process/version.hpp"
#include "reporting/table.hpp"

namespace poisson3d::app {

namespace {

double moved_bytes(const std::vector<PassReport>& passes) {
    double bytes = 0.0;
    for (const PassReport& pass : passes) bytes += pass.bytes;
    return bytes;
}

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

std::string told_members(const Members& members) {
    const std::string how = members.method == Method::eliminate ? "by elimination" : "by transposing";
    const auto [rows, columns] = members.shape;
    const std::string pencils =
        columns > 1 ? ", " + std::to_string(rows) + " x " + std::to_string(columns) + " pencils" : "";
    return std::to_string(members.count) + pencils + ", " + how + ", " + std::to_string(members.traffic.messages) +
           " messages of " + format_bytes(static_cast<std::size_t>(members.traffic.bytes)) + " between them";
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
        table.line("right-hand sides", told_steps(report));
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

Json to_json(const Units& units) {
    Json json = Json::object();
    if (!units.length.empty()) json["length"] = units.length;
    if (!units.field.empty()) json["rhs"] = units.field;
    if (!units.solution.empty()) json["solution"] = units.solution;
    return json;
}

Json range_of(const std::vector<double>& numbers) {
    const auto [least, greatest] = std::minmax_element(numbers.begin(), numbers.end());
    return {{"min", *least}, {"max", *greatest}};
}

Json to_json(const Problem& problem, const std::string& precision) {
    Json spacing = Json::array(), origin = Json::array(), boundary = Json::array();
    Json centering = Json::array(), labels = Json::array(), steps = Json::object(), robin = Json::object();
    Json coefficients = Json::object();
    for (std::size_t a = 0; a < 3; ++a) {
        const Axis& axis = problem.grid.axes[a];
        spacing.push_back(axis.step());
        origin.push_back(axis.origin);
        for (const Boundary face : {axis.lower, axis.upper}) boundary.push_back(name(face));
        centering.push_back(name(axis.centering));
        const std::string label(1, problem.grid.labels[a]);
        labels.push_back(label);
        if (!axis.uniform()) steps[label] = range_of(steps_of(axis));
        if (axis.custom != Coefficients{})
            coefficients[label] = {{"conductances", range_of(axis.custom.conductances)},
                                   {"weights", range_of(axis.custom.weights)}};
        for (const int side : {0, 1})
            if ((side == 0 ? axis.lower : axis.upper) == Boundary::robin) {
                const auto [alpha, beta] = axis.robin[static_cast<std::size_t>(side)];
                robin[face_name(problem.grid, static_cast<int>(a), side)] = {alpha, beta};
            }
    }
    return Json{{"points", Json(problem.grid.points())},
                {"spacing", std::move(spacing)},
                {"origin", std::move(origin)},
                {"boundary", std::move(boundary)},
                {"steps", std::move(steps)},
                {"coefficients", std::move(coefficients)},
                {"robin", std::move(robin)},
                {"centering", std::move(centering)},
                {"axis_labels", std::move(labels)},
                {"discretization", name(problem.discretization)},
                {"helmholtz", problem.helmholtz},
                {"gauge", spell_gauge(problem)},
                {"precision", precision}};
}

Json to_json(const std::vector<PassReport>& passes) {
    Json json = Json::array();
    for (const PassReport& pass : passes)
        json.push_back(Json{{"name", pass.name}, {"seconds", pass.seconds}, {"gigabytes_per_second", rate(pass)}});
    return json;
}

namespace {

void set_if_any(Json& json, const char* key, const std::string& text) {
    if (!text.empty()) json[key] = text;
}

Json to_json(const Seconds& seconds) {
    return {{"read", seconds.read},
            {"plan", seconds.plan},
            {"solve", seconds.solve},
            {"verify", seconds.verify},
            {"write", seconds.write}};
}

/// What was found out about a right-hand side and its solution.
void add_findings(Json& json, const StepReport& report) {
    json.update({{"singular", report.result.singular},
                 {"mean_removed", report.result.mean_removed},
                 {"mean_removed_relative", report.mean_relative}});
    set_if_any(json, "warning", report.warning);
    json["residual"] = nullptr;
    if (report.residual)
        json["residual"] = {{"max", report.residual->max},
                            {"l2", report.residual->l2},
                            {"relative", report.residual->relative},
                            {"backward", report.residual->backward}};
    if (report.variable)
        json["coefficient"] = {
            {"dataset", report.fields.at_points || report.fields.on_faces ? Json("/coefficient") : Json()},
            {"helmholtz", report.fields.helmholtz ? Json("/lambda") : Json()},
            {"iterations", report.variable->iterations},
            {"residual", report.variable->residual},
            {"converged", report.variable->converged}};
    if (report.source) {
        json["net"] = report.source->net;
        json["edge"] = report.source->edge;
        json["freeness"] = nullptr;
        if (report.freeness) json["freeness"] = *report.freeness;
    }
    if (report.error)
        json["error"] = {
            {"max", report.error->max}, {"l2", report.error->l2}, {"constant", report.error->constant}};
}

Json to_json(const StepReport& report) {
    Json json{{"status", report.status}};
    set_if_any(json, "message", report.message);
    if (report.step) json["step"] = *report.step;
    json.update({{"dataset", report.dataset}, {"solution", report.solution}});
    add_findings(json, report);
    json["seconds"] = to_json(report.seconds);
    return json;
}

}  // namespace

std::string json_text(const SolveReport& report) {
    Json json{{"status", report.status}};
    const auto if_any = [&json](const char* key, const std::string& text) { set_if_any(json, key, text); };
    if_any("message", report.message);
    json.update({{"version", version()},
                 {"revision", revision()},
                 {"input", report.input},
                 {"dataset", report.dataset},
                 {"output", report.output}});
    if (report.step && report.steps.empty()) json["step"] = *report.step;
    if_any("preview", report.preview);
    if_any("vtk", report.vtk);
    json.update({{"boundary_values", report.boundary_values},
                 {"engine", name(report.engine)},
                 {"device", report.device},
                 {"plan", report.plan}});
    if_any("fallback", report.fallback);
    Json problem = to_json(report.problem, report.precision);
    problem["scale"] = report.scale;
    json["problem"] = std::move(problem);
    if (report.refinements) json["refinements"] = *report.refinements;
    if (const auto& [count, shape, method, traffic] = report.members; count > 0)
        json["members"] = {{"count", count},
                           {"decomposition", shape},
                           {"method", name(method)},
                           {"messages", traffic.messages},
                           {"bytes", traffic.bytes}};
    json["memory"] = name(report.memory);
    if (!report.notes.empty()) json["notes"] = report.notes;
    if (!told_units(report.units).empty()) json["units"] = to_json(report.units);
    add_findings(json, report);
    json["tolerance"] = report.tolerance;
    json.update({{"seconds", to_json(report.seconds)},
                 {"bytes", {{"workspace", report.workspace}, {"moved", moved_bytes(report.passes)}}},
                 {"passes", to_json(report.passes)},
                 {"copies", report.copies}});
    if (!report.steps.empty()) {
        json["steps"] = Json::array();
        for (const StepReport& step : report.steps) json["steps"].push_back(to_json(step));
    }
    return json_text(json);
}

std::vector<Attribute> to_attributes(const SolveReport& report) {
    std::vector<Attribute> list = attribute_list(
        Attribute{"scale", report.scale}, Attribute{"discretization", name(report.problem.discretization)},
        Attribute{"gauge", spell_gauge(report.problem)}, Attribute{"precision", report.precision},
        Attribute{"input", report.input}, Attribute{"input_dataset", report.dataset},
        Attribute{"program", version_text()}, Attribute{"engine", name(report.engine)},
        Attribute{"memory", name(report.memory)}, Attribute{"mean_removed", report.result.mean_removed},
        Attribute{"mean_removed_relative", report.mean_relative});
    if (report.step && report.steps.empty()) list.push_back({"input_step", static_cast<long long>(*report.step)});
    if (!report.steps_chosen.empty()) list.push_back({"input_steps", report.steps_chosen});
    if (!report.units.solution.empty()) list.push_back({"units", report.units.solution});
    if (!report.units.length.empty()) list.push_back({"length_units", report.units.length});
    if (!report.units.field.empty()) list.push_back({"rhs_units", report.units.field});
    if (report.refinements) list.push_back({"refinements", *report.refinements});
    if (!report.boundary_values.empty()) list.push_back({"boundary_values", report.boundary_values});
    if (report.residual) {
        list.push_back({"residual_max", report.residual->max});
        list.push_back({"residual_l2", report.residual->l2});
        list.push_back({"residual_relative", report.residual->relative});
        list.push_back({"residual_backward", report.residual->backward});
        list.push_back({"tolerance", report.tolerance});
    }
    if (report.variable) {
        if (report.fields.at_points || report.fields.on_faces)
            list.push_back({"coefficient", std::string("/coefficient")});
        if (report.fields.helmholtz) list.push_back({"lambda", std::string("/lambda")});
        list.push_back({"iterations", static_cast<long long>(report.variable->iterations)});
        list.push_back({"residual_relative", report.variable->residual});
        list.push_back({"tolerance", report.tolerance});
    }
    if (report.source) {
        list.push_back({"net", report.source->net});
        list.push_back({"edge", report.source->edge});
    }
    if (report.freeness) list.push_back({"freeness", *report.freeness});
    if (report.error) {
        list.push_back({"error_max", report.error->max});
        list.push_back({"error_l2", report.error->l2});
    }
    return list;
}

}  // namespace poisson3d::app
