// Solves and copies measured in turn, so that what else happens on the machine happens to both.
#pragma once

#include <algorithm>
#include <cmath>

#include "benchmarks/measure_solve.hpp"
#include "process/interrupt.hpp"
#include "solving/timing.hpp"

namespace poisson3d::app {

constexpr std::size_t max_repeats = 1000;

/// Without --repeat: at least `least` runs, at most `max_repeats`, for a second.
inline bool enough(const BenchSolveOptions& options, std::size_t done, double seconds, std::size_t least) {
    if (options.repeat > 0) return done >= static_cast<std::size_t>(options.repeat);
    return done >= max_repeats || (done >= least && seconds >= 1.0);
}

/// So many works of these seconds that one run of them is long enough to be timed by a device, whose marks in a
/// stream tell time in steps of half a microsecond.
inline std::size_t works_per_run(double seconds) {
    constexpr double shortest_run = 1e-3, most = 64.0;
    return static_cast<std::size_t>(std::clamp(std::ceil(shortest_run / std::max(seconds, 1e-9)), 1.0, most));
}

/// solve(count) and copy(count): seconds of one of so many that follow each other. settle() is called once all is
/// warm: an idle device copies and computes slower for some milliseconds.
template <class Solve, class Copy, class Settle>
void measure_in_turn(const BenchSolveOptions& options, bool gpu, const Solve& solve, const Copy& copy,
                     const Settle& settle, Measurement& result) {
    constexpr double warm_up_seconds = 0.05;
    double solve_seconds = 0.0, copy_seconds = 0.0;
    const Stopwatch warming;  // memory is touched, threads are awake
    do {
        stop_if_interrupted();
        solve_seconds = solve(1);
        copy_seconds = copy(1);
    } while (gpu && warming.seconds() < warm_up_seconds);
    settle();
    const std::size_t solves = gpu ? works_per_run(solve_seconds) : 1;
    const std::size_t copies = gpu ? works_per_run(copy_seconds) : 1;
    const Stopwatch whole;
    for (std::size_t done = 0; !enough(options, done, whole.seconds(), gpu ? 20 : 5); ++done) {
        stop_if_interrupted();
        result.solve.seconds.push_back(solve(solves));
        result.copy.seconds.push_back(copy(copies));
    }
}

}  // namespace poisson3d::app
