#include "plotting/convergence.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>

#include "poisson3d/error.hpp"

namespace poisson3d::app {

namespace {

struct Solve {
    double spacing, max, l2;
};

[[noreturn]] void refuse(const std::string& file, const std::string& what) {
    throw Error(ErrorCode::data,
                file + ": found " + what +
                    ", wanted a report with an error above 0 (poisson3d --exact /exact --json FILE)");
}

Solve read_report(const std::string& file) {
    std::ifstream stream(file);
    if (!stream) throw Error(ErrorCode::file, file + ": cannot be opened");
    const auto json = nlohmann::json::parse(stream, nullptr, false);
    if (json.is_discarded()) throw Error(ErrorCode::file, file + ": found no JSON, wanted a report of a solve");
    try {
        const auto spacing = json.at("problem").at("spacing").get<std::vector<double>>();
        const Solve solve{spacing.empty() ? 0.0 : *std::ranges::max_element(spacing),
                          json.at("error").at("max").get<double>(), json.at("error").at("l2").get<double>()};
        if (solve.spacing > 0.0 && solve.max > 0.0 && solve.l2 > 0.0) return solve;
    } catch (const nlohmann::json::exception&) {
        refuse(file, "no error or no spacing");
    }
    refuse(file, "an error or a spacing of 0");
}

/// The slope of the least-squares line through log y over log x.
double slope(const std::vector<Point>& points) {
    double x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
    for (const Point& point : points) {
        x += std::log(point.x) / static_cast<double>(points.size());
        y += std::log(point.y) / static_cast<double>(points.size());
    }
    for (const Point& point : points) {
        xx += (std::log(point.x) - x) * (std::log(point.x) - x);
        xy += (std::log(point.x) - x) * (std::log(point.y) - y);
    }
    return xy / xx;
}

}  // namespace

Chart convergence_chart(const std::vector<std::string>& reports, nlohmann::ordered_json& orders) {
    std::vector<Solve> solves;
    for (const std::string& file : reports) solves.push_back(read_report(file));
    std::ranges::sort(solves, {}, &Solve::spacing);
    if (!(solves.front().spacing < solves.back().spacing))
        throw Error(ErrorCode::data, "--convergence: found one spacing, wanted reports of two or more");
    Chart chart{.title = "Convergence",
                .subtitle = "",
                .names = {"spacing h", "error"},
                .logarithmic = true,
                .discs = true};
    for (const auto& [name, key, error] :
         {std::tuple{"largest", "max", &Solve::max}, {"root mean square", "l2", &Solve::l2}}) {
        Curve curve{name, {}};
        for (const Solve& solve : solves) curve.points.push_back({solve.spacing, solve.*error});
        const double order = slope(curve.points);
        orders[key] = order;
        char text[32];
        std::snprintf(text, sizeof text, ", order %.2f", order);
        curve.name += text;
        chart.curves.push_back(curve);
    }
    chart.subtitle = std::to_string(reports.size()) + " solves";
    return chart;
}

}  // namespace poisson3d::app
