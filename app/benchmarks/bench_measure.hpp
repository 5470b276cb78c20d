// One case of `bench solve`, measured: on the host or on a GPU.
#pragma once

#include <algorithm>
#include <string>
#include <type_traits>
#include <vector>

#include "command_line/options.hpp"
#include "poisson3d/solver.hpp"
#include "solving/solver_kind.hpp"
#include "solving/timing.hpp"

namespace poisson3d::app {

struct Samples {
    std::vector<double> seconds;
    [[nodiscard]] double middle() const { return median(seconds); }
    [[nodiscard]] double least() const { return *std::min_element(seconds.begin(), seconds.end()); }
    [[nodiscard]] double most() const { return *std::max_element(seconds.begin(), seconds.end()); }
};

struct Measurement {
    Problem problem;
    std::string boundary;  ///< as the option wrote it
    Precision precision = Precision::double_precision;
    std::string plan;
    Engine engine = Engine::host;
    Memory memory = Memory::fast;
    int threads = 1;
    std::size_t workspace = 0;
    Index batch = 1;
    std::size_t field_bytes = 0;  ///< of all fields of a solve
    double plan_seconds = 0.0;
    Samples solve, copy;
    std::vector<PassReport> passes;
};

/// What the solver says of itself.
template <class S>
Measurement describe(const Problem& problem, const S& solver, Index batch) {
    Measurement result;
    result.problem = problem;
    result.precision = SolverKind<S>::precision;
    result.batch = batch;
    result.field_bytes = static_cast<std::size_t>(batch * problem.grid.size()) * sizeof(ValueOf<S>);
    result.plan = solver.description();
    result.engine = solver.engine();
    result.memory = solver.memory();
    result.threads = solver.threads();
    result.workspace = solver.workspace();
    return result;
}

/// Dense fields, one behind the other. Mixed precision has plans for one.
template <class S, class T>
void solve_batch(S& solver, const T* f, T* u, const Extents& points, Index batch, Stream stream) {
    if constexpr (std::is_same_v<S, MixedSolver>)
        solver.solve(FieldView<const T>(f, points), FieldView<T>(u, points), {}, T(1), stream);
    else
        solver.solve(FieldBatch<const T>(f, points, batch), FieldBatch<T>(u, points, batch), {}, T(1), stream);
}

constexpr std::size_t max_repeats = 1000;

/// Without --repeat: at least `least` runs, at most `max_repeats`, for a second.
inline bool enough(const BenchSolveOptions& options, std::size_t done, double seconds, std::size_t least) {
    if (options.repeat > 0) return done >= static_cast<std::size_t>(options.repeat);
    return done >= max_repeats || (done >= least && seconds >= 1.0);
}

/// Solve and copy in turn, so that what else happens on the machine happens to both.
template <class S>
Measurement measure_on_host(const BenchSolveOptions& options, const Problem& problem);
/// Solve and copy in turn on fields that stay on the device, in device time. Engine and device are there.
template <class S>
Measurement measure_on_device(const BenchSolveOptions& options, const Problem& problem);

}  // namespace poisson3d::app
