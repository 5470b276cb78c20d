// poisson3d info: what a field file says, what it leaves open, and what solving it would take.
#include <algorithm>
#include <exception>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "command_line/problem.hpp"
#include "poisson3d/distributed.hpp"
#include "poisson3d/field_file.hpp"
#include "poisson3d/text.hpp"
#include "process/version.hpp"
#include "reporting/memory_needs.hpp"
#include "reporting/outcome.hpp"
#include "reporting/outlook.hpp"
#include "reporting/report.hpp"
#include "reporting/table.hpp"
#include "solving/slabs.hpp"

namespace poisson3d::app {

namespace {

std::string triple(const std::array<double, 3>& values) {
    return format_number(values[0]) + ", " + format_number(values[1]) + ", " + format_number(values[2]);
}

/// What is known of each axis, when not everything is.
void add_open_axes(Table& table, const FieldHeader& header) {
    table.line("spacing", header.spacing ? triple(*header.spacing) : "not in the file: give --spacing to solve");
    for (std::size_t a = 0; a < 3; ++a)
        if (const std::vector<double>& x = header.positions[a]; !x.empty())
            table.line(
                std::string("positions ") + header.labels[a],
                std::to_string(x.size()) + " from " + format_number(x.front()) + " to " + format_number(x.back()));
    for (std::size_t a = 0; a < 3; ++a)
        if (const auto& [g, d] = header.coefficients[a]; !g.empty())
            table.line(std::string("coefficients ") + header.labels[a],
                       std::to_string(g.size()) + " conductances, " + std::to_string(d.size()) + " weights");
    table.line(header.origin_is_point ? "first point" : "origin", triple(header.origin));
    std::string boundary;
    std::string centering;
    for (std::size_t a = 0; a < 3; ++a) {
        const std::string axis = (a == 0 ? "" : ", ") + std::string(1, header.labels[a]) + "=";
        if (header.boundary) boundary += axis + spell((*header.boundary)[a]);
        centering += axis + name(header.centering[a]);
    }
    table.line("boundary", header.boundary ? boundary : "not in the file: give --boundary to solve");
    table.line("centering", centering);
}

/// The lower faces; files that name the first point instead have it half a step further on axes of cells.
std::array<double, 3> lower_faces(const FieldHeader& header) {
    std::array<double, 3> origin = header.origin;
    for (std::size_t a = 0; a < 3; ++a)
        if (header.origin_is_point && header.spacing && header.centering[a] == Centering::cell)
            origin[a] -= 0.5 * (*header.spacing)[a];
    return origin;
}

Json count_and_range(const std::vector<double>& numbers) {
    const auto [least, greatest] = std::minmax_element(numbers.begin(), numbers.end());
    return {{"count", numbers.size()}, {"min", *least}, {"max", *greatest}};
}

Json to_json(const FieldHeader& header) {
    Json centering = Json::array();
    Json labels = Json::array();
    Json boundary;
    Json positions = Json::object();
    Json coefficients = Json::object();
    Json robin = Json::object();
    if (header.boundary) boundary = Json::array();
    for (std::size_t a = 0; a < 3; ++a) {
        centering.push_back(name(header.centering[a]));
        const std::string label(1, header.labels[a]);
        labels.push_back(label);
        if (const std::vector<double>& x = header.positions[a]; !x.empty())
            positions[label] = {{"count", x.size()}, {"first", x.front()}, {"last", x.back()}};
        if (const auto& [g, d] = header.coefficients[a]; !g.empty())
            coefficients[label] = {{"conductances", count_and_range(g)}, {"weights", count_and_range(d)}};
        for (const std::size_t side : {0U, 1U})
            if (const auto& numbers = header.robin[a][side])
                robin[label + (side == 0 ? "_lower" : "_upper")] = {numbers->alpha, numbers->beta};
        if (header.boundary)
            for (const Boundary face : (*header.boundary)[a]) boundary.push_back(name(face));
    }
    return Json{
        {"status", 0},
        {"version", version()},
        {"revision", revision()},
        {"input", header.path},
        {"dataset", header.dataset},
        {"type", header.type_name},
        {"format", header.format},
        {"storage", header.storage},
        {"notes", header.notes},
        {"units", poisson3d::app::to_json(header.units)},
        {"points", Json(header.points)},
        {"steps", header.leading.empty() ? Json() : Json(header.leading)},
        {"spacing", header.spacing ? Json(*header.spacing) : Json()},
        {"origin", Json(lower_faces(header))},
        {"first_point", header.origin_is_point ? Json(header.origin) : Json()},
        {"positions", std::move(positions)},
        {"coefficients", std::move(coefficients)},
        {"robin", std::move(robin)},
        {"boundary", std::move(boundary)},
        {"centering", std::move(centering)},
        {"axis_labels", std::move(labels)},
        {"helmholtz", header.helmholtz},
        {"exact", header.has_exact},
        {"exact_problem", header.exact_problem.empty() ? Json() : Json(header.exact_problem)},
        {"coefficient", header.variable.at_points || header.variable.on_faces ? Json("/coefficient") : Json()},
        {"lambda", header.variable.helmholtz ? Json("/lambda") : Json()},
        {"boundary_values", Json(header.boundary_values)}};
}

/// Each face with values: the number, or shape and range of the array.
void add_boundary_values(Table& table, Json& json, const FieldReader& reader) {
    Json ranges = Json::object();
    bool named = false;
    for (const std::string& face : reader.header().boundary_values) {
        const FaceData found = reader.boundary_values(face);
        const auto [least, greatest] = std::minmax_element(found.values.begin(), found.values.end());
        const std::string told = found.array ? "array " + std::to_string(found.extents[0]) + " × " +
                                                   std::to_string(found.extents[1]) + ", " + brief(*least) + " … " +
                                                   brief(*greatest)
                                             : format_number(*least);
        table.line(named ? "" : "boundary values", std::string(face).append(": ").append(told));
        named = true;
        ranges[face] = {{"array", found.array ? Json(found.extents) : Json()}, {"min", *least}, {"max", *greatest}};
    }
    json["boundary_value_ranges"] = std::move(ranges);
}

/// How members can share the box along its first axis.
void add_members(Table& table, Json& json, const Problem& problem) {
    Json methods = Json::array();
    std::string told;
    for (const Method method : {Method::eliminate, Method::transpose}) {
        try {
            methods.push_back(name(possible_method(problem, method)));
            told += (told.empty() ? "" : " or ") + std::string(name(method));
        } catch (const Error&) {
            continue;  // it is not listed
        }
    }
    table.line("members", told.empty() ? "cannot share it"
                                       : std::string("can share it along ") + problem.grid.labels[0] + ": " + told);
    json["methods"] = std::move(methods);
}

constexpr std::size_t largest_read = std::size_t{1} << 30;  // seconds, from a disk

/// Least and greatest value and mean of the field, or of all its steps, if it is not too large to be read for that.
void add_values(Table& table, Json& json, FieldReader& reader) {
    const FieldHeader& header = reader.header();
    json["values"] = nullptr;
    json["values_problem"] = nullptr;
    const auto refuse = [&](const std::string& told, const std::string& why) {
        json["values_problem"] = why;
        table.line("values", told + why);
    };
    const double count = static_cast<double>(header.points[0]) * static_cast<double>(header.points[1]) *
                         static_cast<double>(header.points[2]) * static_cast<double>(header.steps());
    if (count * header.type_bytes > static_cast<double>(largest_read))
        return refuse("not read: ", "more than " + format_bytes(largest_read));
    double least = std::numeric_limits<double>::infinity(), greatest = -least, mean = 0.0;
    try {
        const auto add = [&](Index, const FieldView<const double>& slab) {
            double sum = 0.0;
            for (const double value : std::span(slab.data, static_cast<std::size_t>(slab.size()))) {
                least = std::min(least, value);
                greatest = std::max(greatest, value);
                sum += value;
            }
            mean += sum / count;
        };
        for (Index step = 0; step < header.steps(); ++step) {
            reader.select(step);
            for_each_slab_of(reader, header.dataset, add);
        }
    } catch (const Error& error) {
        return refuse("none: ", error.what());
    }
    table.line("values", brief(least) + " … " + brief(greatest) + ", mean " + brief(mean));
    json["values"] = {{"min", least}, {"max", greatest}, {"mean", mean}};
}

}  // namespace

Outcome run_info(const InfoOptions& options, const Reporting& reporting) {
    FieldReader reader(options.file, {.dataset = options.dataset,
                                      .look_for_exact = true,
                                      .allow_fill = options.allow_fill,
                                      .steps = true,
                                      .outputs = {{"--json", reporting.json}}});
    const FieldHeader& header = reader.header();
    Json json = to_json(header);
    Table table;
    table.title("poisson3d " + version() + " · " + header.path);
    table.line("data set", header.dataset + ", " + header.type_name + ", " + header.storage);
    for (const std::string& note : header.notes) table.line("note", note);
    if (const std::string units = told_units(header.units); !units.empty()) table.line("units", units);
    table.line("points", dimensions(header.points));
    if (!header.leading.empty())
        table.line("steps", std::to_string(header.steps()) + ", 0 to " + std::to_string(header.steps() - 1) +
                                ": --step chooses");
    table.line("equation", equation(header.helmholtz, 1.0, header.variable));
    if (header.variable.any())
        table.line("coefficient",
                   told_fields(header.variable) + ": solved by conjugate gradients on the host, which take " +
                       std::to_string(10 + header.variable.fields()) + " fields more than what stands below");
    const bool placed =
        std::ranges::none_of(header.positions, [](const std::vector<double>& x) { return x.empty(); });
    if ((header.spacing || placed) && header.boundary) {
        const Problem problem = build_problem(header, {});
        add_box(table, problem.grid);
        table.line("solvable", singular(problem) ? "up to a constant, if the mean of the right-hand side is 0"
                               : grows_far_away(problem)
                                   ? "for every right-hand side; far away u grows, unless its mean is 0"
                                   : "for every right-hand side");
        add_outlook(table, json, problem, {header.type_bytes, header.variable.any(), header.steps()});
        add_memory(table, json, problem, header.type_bytes, header.variable.any());
        add_members(table, json, problem);
    } else {
        add_open_axes(table, header);
    }
    add_values(table, json, reader);
    add_boundary_values(table, json, reader);
    if (header.has_exact) table.line("also there", "/exact");
    if (!header.exact_problem.empty()) table.line("of no use", header.exact_problem);
    reader.require_unchanged();
    return {.text = table.text(), .json = json_text(json)};
}

}  // namespace poisson3d::app
