// The report as JSON and as attributes of the solution.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "command_line/problem.hpp"
#include "process/version.hpp"
#include "reporting/report.hpp"

namespace poisson3d::app {

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

Json to_json(const Members& members) {
    Json json{{"count", members.count},
              {"decomposition", members.shape},
              {"method", name(members.method)},
              {"messages", members.traffic.messages},
              {"bytes", members.traffic.bytes},
              {"most", {{"messages", members.most.messages}, {"bytes", members.most.bytes}}}};
    if (!members.devices.empty()) json["devices"] = members.devices;
    return json;
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

/// Which memory mode it was, or none.
std::string memory_of(const SolveReport& report) {
    return report.disk ? "disk" : name(report.memory);
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
    if (report.members.count > 0) json["members"] = to_json(report.members);
    json["memory"] = memory_of(report);
    if (report.disk)
        json["disk"] = {{"slabs", report.disk->slabs},   {"planes", report.disk->planes},
                        {"blocks", report.disk->blocks}, {"scratch", report.disk->scratch},
                        {"moved", report.disk->moved},   {"rate", report.disk->rate}};
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
        Attribute{"memory", memory_of(report)}, Attribute{"mean_removed", report.result.mean_removed},
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
