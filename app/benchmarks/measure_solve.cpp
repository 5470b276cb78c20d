#include "benchmarks/measure_solve.hpp"

#include <optional>
#include <type_traits>

#include "benchmarks/in_turn.hpp"
#include "poisson3d/device_memory.hpp"
#include "process/machine.hpp"
#include "solving/rotated_fields.hpp"
#include "solving/solver_kind.hpp"

namespace poisson3d::app {

namespace {

/// Dense fields, one behind the other. Mixed precision has plans for one.
template <class S>
void solve_batch(S& solver, const void* from, void* to, const Extents& points, Index batch) {
    using T = ValueOf<S>;
    const T* const f = static_cast<const T*>(from);
    T* const u = static_cast<T*>(to);
    if constexpr (std::is_same_v<S, MixedSolver>)
        solver.solve(FieldView<const T>(f, points), FieldView<T>(u, points));
    else
        solver.solve(FieldBatch<const T>(f, points, batch), FieldBatch<T>(u, points, batch));
}

}  // namespace

template <class S>
Measurement measure_solve(const BenchSolveOptions& options, const Problem& problem) {
    const bool gpu = on_gpu(options.solver.engine);
    const Index batch = options.solver.batch;
    RotatedFields::Shape shape{static_cast<std::size_t>(batch * problem.grid.size()), sizeof(ValueOf<S>)};
    std::optional<DeviceScope> scope;
    std::optional<RotatedFields> fields;
    if (gpu) {  // fields before the plan, so that `automatic` memory sees what is left
        shape.max_pairs = 256;
        scope.emplace(options.solver.device);
        fields.emplace(Backend::cuda, shape, 0);
    }
    const Stopwatch planning;
    S solver(problem, options.solver);
    const double plan_seconds = planning.seconds();
    Measurement result{.problem = problem,
                       .precision = SolverKind<S>::precision,
                       .plan = solver.description(),
                       .engine = solver.engine(),
                       .memory = solver.memory(),
                       .threads = solver.threads(),
                       .workspace = solver.workspace(),
                       .batch = batch,
                       .field_bytes = shape.count * shape.element,
                       .plan_seconds = plan_seconds};
    if (!gpu) {  // after it, for as many threads
        shape.max_pairs = 2 + 2 * (options.repeat > 0 ? static_cast<std::size_t>(options.repeat) : max_repeats);
        shape.packed = true;
        fields.emplace(Backend::host, shape, solver.threads());
    }

    std::size_t run = 0;
    const auto solve = [&](std::size_t) {
        ++run;
        solve_batch(solver, fields->in(run), fields->out(run), problem.grid.points(), batch);
        if (!gpu) solver.result();
    };
    const auto copy = [&](std::size_t) { fields->copy(++run); };
    measure_in_turn(
        options, gpu, [&](std::size_t count) { return fields->time(count, solve); },
        [&](std::size_t count) { return fields->time(count, copy); },
        [&] { solver.result(); },  // passes are timed once the last times were read
        result);
    solver.result();
    result.passes = solver.passes();
    return result;
}

template Measurement measure_solve<Solver<float>>(const BenchSolveOptions&, const Problem&);
template Measurement measure_solve<Solver<double>>(const BenchSolveOptions&, const Problem&);
template Measurement measure_solve<MixedSolver>(const BenchSolveOptions&, const Problem&);

}  // namespace poisson3d::app
