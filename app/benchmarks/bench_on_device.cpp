#include <cmath>

#include "benchmarks/bench_measure.hpp"
#include "process/interrupt.hpp"
#include "solving/device_field.hpp"
#include "solving/field_ring.hpp"

namespace poisson3d::app {

namespace {

constexpr std::size_t least_repeats = 20;
constexpr double warm_up_seconds = 0.05;  ///< an idle device copies and computes slower for some milliseconds
constexpr double shortest_run = 1e-3;     ///< marks in a stream tell time in steps of half a microsecond

/// Noise made on the host for one field, and copied from there to all.
template <class T>
void fill_ring(DeviceRing& ring, const Extents& points, Stream stream) {
    const auto elements = static_cast<std::size_t>(points[0] * points[1] * points[2]);
    std::vector<T> noise(std::min(elements, std::size_t{1} << 22));
    fill_with_noise(noise.data(), noise.size(), 1);
    auto* const first = static_cast<T*>(ring.in(0));
    for (std::size_t done = 0; done < elements; done += noise.size())
        copy_to_device(first + done, noise.data(), std::min(noise.size(), elements - done) * sizeof(T), stream);
    ring.fill(first, stream);
    synchronize(stream);
}

/// So many of a work of these seconds that one run of them is long enough to be timed; one of a slow work.
std::size_t works_per_run(double seconds) {
    constexpr double most = 64.0;
    return static_cast<std::size_t>(std::clamp(std::ceil(shortest_run / std::max(seconds, 1e-9)), 1.0, most));
}

}  // namespace

template <class S>
Measurement measure_on_device(const BenchSolveOptions& options, const Problem& problem) {
    using T = ValueOf<S>;
    const DeviceScope scope(options.solver.device);
    const DeviceStream stream;
    const Extents points = problem.grid.points();
    const Index batch = options.solver.batch;
    const Extents all{batch * points[0], points[1], points[2]};
    const std::size_t bytes = static_cast<std::size_t>(batch * problem.grid.size()) * sizeof(T);
    DeviceRing ring(bytes);  // before the plan, so that `automatic` memory sees what is left
    fill_ring<T>(ring, all, stream.get());
    const Stopwatch planning;
    S solver(problem, options.solver);
    const double plan_seconds = planning.seconds();
    Measurement result = describe(problem, solver, batch);
    result.plan_seconds = plan_seconds;

    std::size_t field = 0;
    const auto solve = [&] {
        ++field;
        solve_batch(solver, static_cast<const T*>(ring.in(field)), static_cast<T*>(ring.out(field)), points, batch,
                    stream.get());
    };
    const auto copy = [&] {
        ++field;
        copy_on_device(ring.out(field), ring.in(field), bytes, stream.get());
    };
    DeviceTimer timer;
    const auto seconds_of = [&](std::size_t count, const auto& work) {
        timer.start(stream.get());
        for (std::size_t i = 0; i < count; ++i) work();
        timer.stop(stream.get());
        return timer.seconds() / static_cast<double>(count);
    };
    double solve_seconds = 0.0;
    double copy_seconds = 0.0;
    const Stopwatch warming;
    do {
        stop_if_interrupted();
        solve_seconds = seconds_of(1, solve);
        copy_seconds = seconds_of(1, copy);
    } while (warming.seconds() < warm_up_seconds);
    const std::size_t solves = works_per_run(solve_seconds);
    const std::size_t copies = works_per_run(copy_seconds);
    const Stopwatch whole;
    for (std::size_t done = 0; !enough(options, done, whole.seconds(), least_repeats); ++done) {
        stop_if_interrupted();
        result.solve.seconds.push_back(seconds_of(solves, solve));
        result.copy.seconds.push_back(seconds_of(copies, copy));
    }
    solver.result(stream.get());
    result.passes = solver.passes();
    return result;
}

template Measurement measure_on_device<Solver<float>>(const BenchSolveOptions&, const Problem&);
template Measurement measure_on_device<Solver<double>>(const BenchSolveOptions&, const Problem&);
template Measurement measure_on_device<MixedSolver>(const BenchSolveOptions&, const Problem&);

}  // namespace poisson3d::app
