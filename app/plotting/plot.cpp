// poisson3d plot: planes of fields, profiles along a line, convergence.
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "pictures/chart.hpp"
#include "pictures/plane_values.hpp"
#include "pictures/slices.hpp"
#include "plotting/convergence.hpp"
#include "poisson3d/field_file.hpp"
#include "poisson3d/text.hpp"
#include "process/version.hpp"
#include "reporting/json.hpp"
#include "reporting/outcome.hpp"
#include "reporting/progress.hpp"
#include "reporting/table.hpp"
#include "solving/slabs.hpp"

namespace poisson3d::app {

namespace {

/// /solution where the file has one, else /rhs.
FieldReader open_default(const std::string& file) {
    try {
        return FieldReader(file, {.dataset = "/solution"});
    } catch (const Error& error) {
        if (error.code() != ErrorCode::data && error.code() != ErrorCode::file) throw;
    }
    return FieldReader(file, {});
}

std::vector<FieldReader> open_all(const PlotOptions& options) {
    std::vector<FieldReader> readers;
    const std::size_t count = std::max(options.files.size(), options.datasets.size());
    for (std::size_t i = 0; i < count; ++i) {
        const std::string& file = options.files[options.files.size() == 1 ? 0 : i];
        if (options.datasets.empty())
            readers.push_back(open_default(file));
        else
            readers.emplace_back(file,
                                 ReadOptions{.dataset = options.datasets[options.datasets.size() == 1 ? 0 : i]});
    }
    return readers;
}

/// Where the points are. A data set without spacing of its own takes that of /rhs in its file; where there is none,
/// points are one apart.
Grid grid_of(const FieldReader& reader) {
    const FieldHeader& own = reader.header();
    const auto placed = [](const FieldHeader& header) {
        return header.spacing ||
               std::ranges::none_of(header.positions, [](const std::vector<double>& x) { return x.empty(); });
    };
    FieldHeader header = own;
    if (!placed(own) && own.dataset != "/rhs") {
        try {
            const FieldHeader other = FieldReader(own.path, {}).header();
            if (other.points == own.points) header = other;
        } catch (const Error& error) {
            if (error.code() != ErrorCode::data && error.code() != ErrorCode::file) throw;
        }
    }
    Grid grid;
    grid.labels = header.labels;
    for (std::size_t a = 0; a < 3; ++a) {
        Axis& axis = grid.axes[a];
        axis.points = header.points[a];
        axis.origin = header.origin[a];
        axis.centering = header.centering[a];
        axis.spacing = header.spacing ? (*header.spacing)[a] : 1.0;
        if (header.origin_is_point && axis.centering == Centering::cell) axis.origin -= 0.5 * axis.spacing;
        axis.positions = header.positions[a];
        const bool periodic = header.boundary && (*header.boundary)[a][0] == Boundary::periodic;
        axis.lower = axis.upper = periodic ? Boundary::periodic : Boundary::dirichlet;
    }
    return grid;
}

/// The index of the point that is nearest. Throws Error{usage} outside of the box.
Index index_of(const Grid& grid, std::size_t a, const PlotPlace& place) {
    const Axis& axis = grid.axes[a];
    const auto refuse = [&](const std::string& found, const std::string& from, const std::string& to) {
        throw Error(ErrorCode::usage, place.option + ": found " + grid.labels[a] + "=" + found + ", wanted " +
                                          grid.labels[a] + " from " + from + " to " + to);
    };
    if (place.index) {
        if (*place.index >= axis.points) refuse(std::to_string(*place.index), "0", std::to_string(axis.points - 1));
        return *place.index;
    }
    const double at = *place.position;
    const auto [low, high] = ends_of(axis);
    const double slack = 1e-9 * (high - low);
    if (at < low - slack || at > high + slack) refuse(format_number(at), format_number(low), format_number(high));
    const std::vector<double> points = coordinates(axis);
    const auto nearest = std::ranges::min_element(points, {}, [at](double x) { return std::fabs(x - at); });
    return nearest - points.begin();
}

/// Planes, or one line.
Sections sections_of(const Grid& grid, const PlotOptions& options) {
    const Extents points = grid.points();
    std::vector<Section> list;
    if (options.line) {
        const std::size_t along = axis_of("--line", *options.line, grid.labels);
        std::array<std::optional<Index>, 3> fixed{points[0] / 2, points[1] / 2, points[2] / 2};
        fixed[along].reset();
        for (const PlotPlace& place : options.places) {
            const std::size_t a = axis_of(place.option, place.axis, grid.labels);
            if (a == along)
                throw Error(ErrorCode::usage, place.option + ": found " + place.axis +
                                                  ", along which --line draws, wanted the other axes");
            fixed[a] = index_of(grid, a, place);
        }
        list.emplace_back(points, fixed);
        return Sections(std::move(list));
    }
    for (const PlotPlace& place : options.places) {
        const std::size_t a = axis_of(place.option, place.axis, grid.labels);
        std::array<std::optional<Index>, 3> fixed{};
        fixed[a] = index_of(grid, a, place);
        list.emplace_back(points, fixed);
    }
    return list.empty() ? mid_planes(points) : Sections(std::move(list));
}

/// Reads the slabs that the sections meet.
void gather(const FieldReader& reader, Sections& sections, ShowProgress progress) {
    const Extents points = reader.header().points;
    const Index step = reader.planes_per_slab();
    ProgressBar bar(progress, "reading");
    Field<double> memory({std::min(step, points[0]), points[1], points[2]});
    for_each_slab(points[0], step, [&](Index first, Index count) {
        if (!sections.meet(first, count)) return;
        const FieldView<double> slab = memory.view().slab(0, count);
        reader.read_from(reader.header().dataset, first, slab);
        sections.add(first, count, [&](Index i, Index j, Index k) { return slab(i, j, k); });
        bar.update(first + count, points[0]);
    });
    reader.require_unchanged();
}

std::string file_name(const std::string& path) {
    return printable(std::filesystem::path(path).filename().string());
}

/// "y = 0.5, z = 0.2", with units where they are given and known.
std::string place_of(const Section& section, const Grid& grid, const std::array<std::string, 3>& units = {}) {
    std::string text;
    for (std::size_t a = 0; a < 3; ++a)
        if (section.fixes(a))
            text += (text.empty() ? "" : ", ") + std::string(1, grid.labels[a]) + " = " +
                    short_number(grid.axes[a].position(section.index(a)), 6) +
                    (units[a].empty() ? "" : " " + units[a]);
    return text;
}

Curve curve_of(const FieldSlices& field, char axis) {
    const std::size_t along = axis_of("--line", axis, field.grid.labels);
    const Section& line = field.planes.list().front();
    const std::vector<double> positions = sample_positions(line, along, field.grid.axes[along]);
    Curve curve{field.title, {}};
    for (std::size_t s = 0; s < positions.size(); ++s) curve.points.push_back({positions[s], line.values()[s]});
    return curve;
}

/// That of the values, if it is the same of all.
std::string unit_of_all(const std::vector<FieldSlices>& fields) {
    const bool same =
        std::ranges::all_of(fields, [&](const FieldSlices& field) { return field.unit == fields.front().unit; });
    return same ? fields.front().unit : "";
}

Chart profiles(const std::vector<FieldSlices>& fields, char axis) {
    const FieldSlices& first = fields.front();
    const std::string place = place_of(first.planes.list().front(), first.grid, first.axis_units);
    Chart chart{.title = fields.size() == 1 ? first.title : std::string("Profiles along ") + axis,
                .subtitle = std::string("along ") + axis + " at " + place,
                .names = {std::string(1, axis), fields.size() == 1 ? first.name : "value"},
                .units = {first.axis_units[axis_of("--line", axis, first.grid.labels)], unit_of_all(fields)}};
    for (const FieldSlices& field : fields) chart.curves.push_back(curve_of(field, axis));
    chart.discs = chart.curves.front().points.size() <= 32 && fields.size() == 1;
    return chart;
}

/// Index and position of each plane, and the range of the values.
Json to_json(const FieldSlices& field, const FieldHeader& header) {
    Json sections = Json::array();
    for (const Section& section : field.planes.list()) {
        Json one = Json::object();
        for (std::size_t a = 0; a < 3; ++a)
            if (section.fixes(a))
                one[std::string(1, field.grid.labels[a])] = {
                    {"index", section.index(a)}, {"position", field.grid.axes[a].position(section.index(a))}};
        sections.push_back(std::move(one));
    }
    return {{"input", header.path},
            {"dataset", header.dataset},
            {"sections", std::move(sections)},
            {"min", field.planes.min()},
            {"max", field.planes.max()}};
}

}  // namespace

Outcome run_plot(const PlotOptions& options, const Reporting& reporting) {
    const PictureFormat format = picture_format("--output", options.output);
    OutputFile output(options.output);
    Json json{{"status", 0}, {"version", version()}, {"revision", revision()}, {"output", options.output}};
    Table table;
    table.title("poisson3d " + version() + " · " + options.output);
    std::string bytes;
    if (options.convergence) {
        Json orders = Json::object();
        bytes = draw_chart(convergence_chart(options.files, orders), format);
        for (const auto& [key, order] : orders.items()) table.line("order, " + key, brief(order.get<double>()));
        json["order"] = std::move(orders);
    } else {
        std::vector<FieldSlices> fields;
        Json drawn = Json::array();
        for (const FieldReader& reader : open_all(options)) {
            const FieldHeader& header = reader.header();
            const Grid grid = grid_of(reader);
            Sections sections = sections_of(grid, options);
            gather(reader, sections, reporting.progress);
            // A format that holds one field has no names for it.
            const std::string name =
                header.data_sets ? header.dataset.substr(header.dataset.find_first_not_of('/')) : "values";
            fields.push_back({.title = name + " · " + file_name(header.path),
                              .name = name,
                              .unit = header.units.field,
                              .axis_units = {header.units.length, header.units.length, header.units.length},
                              .grid = grid,
                              .planes = std::move(sections)});
            drawn.push_back(to_json(fields.back(), header));
            for (const Section& section : fields.back().planes.list()) table.line(name, place_of(section, grid));
        }
        json["fields"] = std::move(drawn);
        bytes = options.line ? draw_chart(profiles(fields, *options.line), format)
                             : draw_slices(fields, options.colours, format);
    }
    output.write(bytes);
    output.finish();
    table.line("picture", options.output);
    std::vector<OutputFile> outputs;
    outputs.push_back(std::move(output));
    return {.text = table.text(), .json = json_text(json), .outputs = std::move(outputs)};
}

}  // namespace poisson3d::app
