#include "benchmarks/bench_measure.hpp"
#include "poisson3d/threads.hpp"
#include "process/interrupt.hpp"
#include "solving/copy_time.hpp"
#include "solving/field_ring.hpp"

namespace poisson3d::app {

namespace {

constexpr std::size_t least_repeats = 5;

template <class Work>
void time(Samples& samples, const Work& work) {
    const Stopwatch watch;
    work();
    samples.seconds.push_back(watch.seconds());
}

}  // namespace

template <class S>
Measurement measure_on_host(const BenchSolveOptions& options, const Problem& problem) {
    using T = ValueOf<S>;
    const Extents points = problem.grid.points();
    const Stopwatch planning;
    S solver(problem, options.solver);
    const double plan_seconds = planning.seconds();
    const Index batch = options.solver.batch;
    Measurement result = describe(problem, solver, batch);
    result.plan_seconds = plan_seconds;

    ThreadTeam team(solver.threads());
    const std::size_t max_runs = 1 + (options.repeat > 0 ? static_cast<std::size_t>(options.repeat) : max_repeats);
    const FieldRing<T> ring(static_cast<std::size_t>(batch * problem.grid.size()), 2 * max_runs, team);

    std::size_t field = 0;
    const auto solve = [&] {
        solve_batch(solver, ring.in(field), ring.out(field), points, batch, {});
        solver.result();
    };
    // What warms up: memory is touched, threads are awake.
    solve();
    copy(team, ring.in(field), ring.out(field), result.field_bytes);

    const auto run = [&] {
        stop_if_interrupted();
        ++field;
        time(result.solve, solve);
        ++field;
        time(result.copy, [&] { copy(team, ring.in(field), ring.out(field), result.field_bytes); });
    };
    const Stopwatch whole;
    for (std::size_t done = 0; !enough(options, done, whole.seconds(), least_repeats); ++done) run();
    result.passes = solver.passes();
    return result;
}

template Measurement measure_on_host<Solver<float>>(const BenchSolveOptions&, const Problem&);
template Measurement measure_on_host<Solver<double>>(const BenchSolveOptions&, const Problem&);
template Measurement measure_on_host<MixedSolver>(const BenchSolveOptions&, const Problem&);

}  // namespace poisson3d::app
