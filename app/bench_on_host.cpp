#include <cmath>
#include <limits>

#include "bench_measure.hpp"
#include "copy_time.hpp"
#include "field_ring.hpp"
#include "interrupt.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/text.hpp"

namespace poisson3d::app {

namespace {

constexpr std::size_t least_repeats = 5;

template <class Work>
void time(Samples& samples, const Work& work) {
    const Stopwatch watch;
    work();
    samples.seconds.push_back(watch.seconds());
}

/// Largest distance of two fields over the largest value of the first; of singular problems, whose constant is
/// everybody's own choice, half the range of the distances.
template <class T>
double difference(const T* ours, const T* theirs, Index size, bool up_to_a_constant) {
    double largest = 0.0;
    double least = up_to_a_constant ? HUGE_VAL : 0.0;
    double most = -least;
    for (Index i = 0; i < size; ++i) {
        const double value = static_cast<double>(ours[i]);
        const double distance = static_cast<double>(theirs[i]) - value;
        if (!std::isfinite(distance)) return HUGE_VAL;
        largest = std::max(largest, std::fabs(value));
        least = std::min(least, distance);
        most = std::max(most, distance);
    }
    const double distance = up_to_a_constant ? (most - least) / 2 : std::max(most, -least);
    return largest > 0.0 ? distance / largest : distance;
}

/// Far below what the solution of another problem would be, above what rounding makes of either solution.
/// Elimination along an axis, which is oneMKL's way, loses as many digits of a singular problem as the field has
/// points.
template <class T>
double alike(Index points) {
    return std::numeric_limits<T>::epsilon() * static_cast<double>(std::max<Index>(points, 65536));
}

/// A peer that solves something else is no peer: its solution must be ours.
template <class T>
void check(PeerMeasurement& told, Peer<T>& peer, const Problem& problem, const T* f, const T* ours) {
    Field<T> theirs(problem.grid.points());
    peer.run(f, theirs.data());
    if (!told.about->solves) return;
    told.difference = difference(ours, theirs.data(), problem.grid.size(), singular(problem));
    if (*told.difference <= alike<T>(problem.grid.size())) return;
    throw Error(ErrorCode::inaccurate, std::string("--compare ") + told.kind.name + ": its solution is " +
                                           format_number(*told.difference) +
                                           " of the largest value away from ours, so one of them is wrong");
}

}  // namespace

template <class S>
Measurement measure_on_host(const BenchSolveOptions& options, const Problem& problem,
                            const std::vector<PeerKind>& peer_kinds) {
    using T = ValueOf<S>;
    const Extents points = problem.grid.points();
    const Stopwatch planning;
    S solver(problem, options.solver);
    const double plan_seconds = planning.seconds();
    const Index batch = options.solver.batch;
    Measurement result = describe(problem, solver, batch);
    result.plan_seconds = plan_seconds;

    ThreadTeam team(solver.threads());
    std::vector<std::unique_ptr<Peer<T>>> peers;
    for (const PeerKind& kind : peer_kinds) {
        peers.push_back(kind.plan<T>(problem, solver.threads()));
        result.peers.push_back({kind, {}, {}, {}});
        if (peers.back()) result.peers.back().about = peers.back()->about();
    }
    const std::size_t most_runs =
        1 + (options.repeat > 0 ? static_cast<std::size_t>(options.repeat) : most_repeats);
    const FieldRing<T> ring(static_cast<std::size_t>(batch * problem.grid.size()), (2 + peers.size()) * most_runs,
                            team);

    std::size_t field = 0;
    const auto solve = [&] {
        solve_batch(solver, ring.in(field), ring.out(field), points, batch, {});
        solver.result();
    };
    // What warms up: memory is touched, threads are awake.
    solve();
    for (std::size_t p = 0; p < peers.size(); ++p)
        if (peers[p]) check(result.peers[p], *peers[p], problem, ring.in(field), ring.out(field));
    copy(team, ring.in(field), ring.out(field), result.field_bytes);

    const auto run = [&] {
        stop_if_interrupted();
        ++field;
        time(result.solve, solve);
        ++field;
        time(result.copy, [&] { copy(team, ring.in(field), ring.out(field), result.field_bytes); });
        for (std::size_t p = 0; p < peers.size(); ++p) {
            if (!peers[p]) continue;
            ++field;
            result.peers[p].run.seconds.push_back(peers[p]->run(ring.in(field), ring.out(field)));
        }
    };
    const Stopwatch whole;
    for (std::size_t done = 0; !enough(options, done, whole.seconds(), least_repeats); ++done) run();
    result.passes = solver.passes();
    return result;
}

template Measurement measure_on_host<Solver<float>>(const BenchSolveOptions&, const Problem&,
                                                    const std::vector<PeerKind>&);
template Measurement measure_on_host<Solver<double>>(const BenchSolveOptions&, const Problem&,
                                                     const std::vector<PeerKind>&);
template Measurement measure_on_host<MixedSolver>(const BenchSolveOptions&, const Problem&,
                                                  const std::vector<PeerKind>&);

}  // namespace poisson3d::app
