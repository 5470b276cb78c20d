// A solve is passes along three axes, and what a pass takes for a point depends on its axis and hardly on the
// others:
//
//     t(n0, n1, n2) / points = c0(n0) + c1(n1) + c2(n2)
//
// So a box too large to be tried is estimated from three that are cut in one or both of the slower axes,
//
//     (m0, n1, n2) + (n0, m1, n2) − (m0, m1, n2)        seconds for each of their points
//
// in which every unknown c is once. Lines along z keep their length, since planes are passed as a whole.
#include "solving/estimate.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <optional>

#include "poisson3d/axis_method.hpp"
#include "poisson3d/device_memory.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/memory.hpp"
#include "process/interrupt.hpp"
#include "process/machine.hpp"
#include "solving/copy_time.hpp"
#include "solving/timing.hpp"

namespace poisson3d::app {

namespace {

constexpr Index box_points = Index{1} << 22;  // 32 MiB of doubles: more than most caches
constexpr Index longest_axis = Index{1} << 20;
constexpr Index largest_matrix = 1024;
constexpr Index fewest_planes = 8;  // as many keep threads at work
constexpr std::size_t largest_copy = std::size_t{256} << 20;

void shorten(std::vector<double>& numbers, Index by) {
    if (!numbers.empty()) numbers.resize(numbers.size() - static_cast<std::size_t>(by));
}

/// The first points of an axis, as an axis of the same kind.
Axis cut(Axis axis, Index points) {
    const Index less = axis.points - std::max(points, fewest_points(axis));
    if (less <= 0) return axis;
    axis.points -= less;
    for (std::vector<double>* numbers :
         {&axis.positions, &axis.widths, &axis.custom.conductances, &axis.custom.weights})
        shorten(*numbers, less);
    if (axis.periodic() && !axis.custom.conductances.empty() && axis.centering == Centering::cell)
        axis.custom.conductances.back() = axis.custom.conductances.front();
    return axis;
}

/// A power of two, of nodes between walls one more: so many points of an axis that the box has box_points.
Index fitting(const Axis& axis, Index others) {
    const auto room = static_cast<std::uint64_t>(std::max(box_points / others, fewest_planes));
    const auto power = static_cast<Index>(std::bit_floor(room));
    return std::min(axis.points, power + (axis.centering == Centering::node && !axis.periodic() ? 1 : 0));
}

/// Seconds of a solve, in place, like the program. On a GPU the field is copied there and back, which is not
/// counted.
template <class T>
double time_box(const Problem& problem, const Options& options) {
    Solver<T> solver(problem, options);
    Field<T> field(problem.grid.points());
    std::vector<double> runs;
    const Stopwatch whole;
    for (int run = 0; run < 4 && (run < 2 || whole.seconds() < 0.5); ++run) {
        stop_if_interrupted();
        for (Index i = 0; i < field.size(); ++i) field.data()[i] = static_cast<T>((i * 7919) % 1009 - 504);
        const Stopwatch watch;
        solver.solve(field.view(), field.view());
        solver.result();
        const double seconds = watch.seconds();
        if (run == 0) continue;  // touches the memory
        runs.push_back(on_gpu(solver.engine())
                           ? std::accumulate(solver.passes().begin(), solver.passes().end(), 0.0,
                                             [](double sum, const PassReport& pass) { return sum + pass.seconds; })
                           : seconds);
    }
    return median(runs);
}

/// Bytes a second, read and written, of copies of a field, or of the first part of a large one.
double copy_rate(std::size_t bytes, const Options& options) {
    bytes = std::min(bytes, largest_copy);
    double seconds = 0.0;
    if (on_gpu(options.engine)) {
        const DeviceBuffer source(bytes);
        seconds = device_copy_seconds(source.data(), bytes, {});
    } else {
        const HostBuffer source(bytes);
        std::memset(source.data(), 1, bytes);  // memory that was never written is one page of zeros
        seconds = copy_seconds(source.data(), bytes, options.threads);
    }
    return seconds > 0.0 ? 2.0 * static_cast<double>(bytes) / seconds : 0.0;
}

std::string why_too_large(const Problem& problem) {
    const Extents n = problem.grid.points();
    if (*std::max_element(n.begin(), n.end()) > longest_axis)
        return "an axis has more than " + std::to_string(longest_axis) + " points";
    if (std::max(n[0], n[1]) * n[2] > box_points && problem.grid.size() > box_points)
        return std::string("a plane along ") + problem.grid.labels[2] + " has more than " +
               std::to_string(box_points) + " points";
    for (const AxisMethod& method : axis_methods(problem))
        if (method.way == AxisWay::multiplied && method.length > largest_matrix)
            return "an axis without fast transform has more than " + std::to_string(largest_matrix) + " points";
    return {};
}

template <class T>
Options options_here(const Problem& problem) {
    Options options;
    options.engine = Engine::host;
    if (!on_gpu(automatic_engine(problem))) return options;
    const DeviceScope scope(options.device);
    Options least;
    least.memory = Memory::low;
    const std::size_t field = static_cast<std::size_t>(problem.grid.size()) * sizeof(T);
    if (field + Solver<T>::workspace_bytes(problem, least) <= free_device_memory())
        options.engine = automatic_engine(problem);
    return options;
}

template <class T>
void time_boxes(const Problem& problem, const Options& options, SolveEstimate& estimate) {
    std::optional<DeviceScope> scope;
    if (on_gpu(options.engine)) scope.emplace(options.device);
    const auto points = static_cast<double>(problem.grid.size());
    const Extents n = problem.grid.points();
    const Axis &x = problem.grid.axes[0], &y = problem.grid.axes[1];
    const Axis short_x = cut(x, fitting(x, n[1] * n[2])), short_y = cut(y, fitting(y, n[0] * n[2]));
    estimate.copy_bytes = copy_rate(static_cast<std::size_t>(problem.grid.size()) * sizeof(T), options);
    estimate.whole = problem.grid.size() <= box_points || short_x == x || short_y == y;
    const auto run = [&](const Axis& first, const Axis& second) {
        Problem box = problem;
        box.gauge = {};
        box.grid.axes[0] = first;
        box.grid.axes[1] = second;
        return time_box<T>(box, options) / static_cast<double>(box.grid.size()) * points;
    };
    if (estimate.whole) {
        estimate.seconds = run(x, y);
        return;
    }
    const double along_y = run(short_x, y);
    const double along_x = run(x, short_y);
    // Noise can make the last of three larger than the others together.
    estimate.seconds = std::max({along_y, along_x, along_y + along_x - run(short_x, short_y)});
}

}  // namespace

template <class T>
SolveEstimate estimate_solve(const Problem& problem) {
    SolveEstimate estimate;
    try {
        const Options options = options_here<T>(problem);
        estimate.engine = options.engine;
        estimate.device = device_name(options.engine, options.device);
        estimate.threads = available_threads();
        estimate.refusal = why_too_large(problem);
        if (estimate.refusal.empty()) time_boxes<T>(problem, options, estimate);
    } catch (const Error& error) {
        estimate.refusal = error.what();
    }
    return estimate;
}

template SolveEstimate estimate_solve<float>(const Problem&);
template SolveEstimate estimate_solve<double>(const Problem&);

}  // namespace poisson3d::app
