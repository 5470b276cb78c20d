#include "reporting/outlook.hpp"

#include <array>
#include <utility>

#include "poisson3d/axis_method.hpp"
#include "poisson3d/error.hpp"
#include "process/machine.hpp"
#include "reporting/json.hpp"
#include "solving/estimate.hpp"

namespace poisson3d::app {

namespace {

constexpr Index fast_prime = 13;  // FFTs have steps for these in registers
constexpr Index good_prime = 7;
constexpr Index short_line = 32;                    // below that all are fast
constexpr Index smallest_counted = Index{1} << 19;  // a smaller field is in the caches, where a copy is no measure

bool is_slow(const AxisMethod& method) {
    return method.largest_prime > fast_prime && method.length >= short_line;
}

/// The same problem with other points along an axis, which has a transform and so equal steps.
Problem with_points(const Problem& problem, int axis, Index points) {
    Problem other = problem;
    Axis& changed = other.grid.axes[axis];
    changed.spacing = changed.step();
    changed.positions.clear();
    changed.widths.clear();
    changed.points = points;
    other.gauge = {};
    return other;
}

std::string describe(const AxisMethod& method) {
    const std::string length = std::to_string(method.length);
    std::string text;
    switch (method.way) {
        case AxisWay::eliminated: return "eliminated, " + length + " unknowns";
        case AxisWay::multiplied: return "a matrix of " + length + " × " + length;
        case AxisWay::transformed: text = method.transform + " of " + length; break;
        case AxisWay::padded: text = method.transform + " of " + length + ", padded with zeros"; break;
        case AxisWay::closed: text = method.transform + " of " + length + ", twice, for free faces"; break;
    }
    return is_slow(method) ? text + ", slow: prime factor " + std::to_string(method.largest_prime) : text;
}

std::string describe(const std::array<Index, 2>& good) {
    if (good[0] == 0) return std::to_string(good[1]);
    return std::to_string(good[0]) + " or " + std::to_string(good[1]);
}

std::string describe(const SolveEstimate& estimate, double copies, const Told& told) {
    std::string text = "about " + duration(estimate.seconds);
    if (told.coefficient)
        text += " for the solve in an iteration";
    else if (told.steps > 1)
        text += " for each of " + std::to_string(told.steps);
    if (copies > 0.0) text += ", " + brief(copies) + " copies at " + brief(estimate.copy_bytes / 1e9) + " GB/s";
    return text + (estimate.whole ? ": an estimate, from solving noise of this size now"
                                  : ": an estimate, from solving smaller boxes now");
}

}  // namespace

std::array<Index, 2> good_points(const Problem& problem, int axis) {
    const Index points = problem.grid.axes[axis].points;
    const auto good = [&](Index n) {
        const AxisMethod method = axis_methods(with_points(problem, axis, n))[axis];
        return method.way != AxisWay::eliminated && method.largest_prime <= good_prime;
    };
    std::array<Index, 2> found{};
    for (Index n = points - 1; n >= fewest_points(problem.grid.axes[axis]) && found[0] == 0; --n)
        if (good(n)) found[0] = n;
    for (Index n = points + 1; found[1] == 0; ++n)
        if (good(n)) found[1] = n;
    return found;
}

void add_outlook(Table& table, Json& json, const Problem& problem, const Told& told) {
    Json axes = Json::object();
    json["solve"] = nullptr;
    try {
        const std::array<AxisMethod, 3> methods = axis_methods(problem);
        std::string slow;
        for (int a = 0; a < 3; ++a) {
            const AxisMethod& method = methods[a];
            const std::string letter(1, problem.grid.labels[a]);
            table.line((a == 0 ? "along " : "      ") + letter, describe(method));
            Json good;
            if (is_slow(method)) {
                const std::array<Index, 2> points = good_points(problem, a);
                slow += (slow.empty() ? "" : "; ") + describe(points) + " along " + letter;
                good = Json::array();
                for (const Index n : points)
                    if (n > 0) good.push_back(n);
            }
            axes[letter] = {{"way", name(method.way)},
                            {"transform", method.transform.empty() ? Json() : Json(method.transform)},
                            {"length", method.length},
                            {"largest_prime", method.largest_prime},
                            {"faster_points", std::move(good)}};
        }
        if (!slow.empty()) table.line("faster points", slow);
    } catch (const Error& error) {
        return table.line("cannot be", std::string("solved: ") + error.what());
    }
    const SolveEstimate estimate = told.type_bytes > static_cast<int>(sizeof(float))
                                       ? estimate_solve<double>(problem)
                                       : estimate_solve<float>(problem);
    const double field = static_cast<double>(problem.grid.size()) * (told.type_bytes > 4 ? 8.0 : 4.0);
    const bool timed = estimate.refusal.empty();
    const double copies = timed && problem.grid.size() >= smallest_counted && estimate.copy_bytes > 0.0
                              ? estimate.seconds / (2.0 * field / estimate.copy_bytes)
                              : 0.0;
    table.line("engine", std::string(name(estimate.engine)) + ", " + estimate.device +
                             (on_gpu(estimate.engine) ? "" : ", " + std::to_string(estimate.threads) + " threads"));
    table.line("time", timed ? describe(estimate, copies, told) : "not estimated: " + estimate.refusal);
    json["solve"] = {{"axes", std::move(axes)},
                     {"engine", name(estimate.engine)},
                     {"device", estimate.device},
                     {"threads", estimate.threads},
                     {"seconds", timed ? Json(estimate.seconds) : Json()},
                     {"copies", copies > 0.0 ? Json(copies) : Json()},
                     {"from", !timed ? Json() : Json(estimate.whole ? "this size" : "smaller boxes")},
                     {"not_estimated", timed ? Json() : Json(estimate.refusal)}};
}

}  // namespace poisson3d::app
