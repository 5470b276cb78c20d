// A case of `bench solve` by members on GPUs: solves in the time of the first stream, which ends when all have;
// copies by all GPUs at once, each of its part, in the time of the slowest.
#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "benchmarks/in_turn.hpp"
#include "benchmarks/measure_solve.hpp"
#include "poisson3d/device_memory.hpp"
#include "poisson3d/device_stream.hpp"
#include "poisson3d/distributed.hpp"
#include "solving/rotated_fields.hpp"
#include "solving/solver_kind.hpp"

namespace poisson3d::app {

namespace {

/// Right-hand sides and solutions of a member, several to be used in turn.
template <class T>
class MemberFields {
public:
    MemberFields(int device, const Extents& points, Index batch)
        : device_(device),
          scope_(device),
          points_(points),
          batch_(batch),
          bytes_(static_cast<std::size_t>(batch * points[0] * points[1] * points[2]) * sizeof(T)),
          fields_(Backend::cuda, {std::max<std::size_t>(1, bytes_ / sizeof(T)), sizeof(T), 256}, 0) {
        scope_.reset();
    }

    [[nodiscard]] FieldBatch<const T> in(std::size_t run) const {
        return {static_cast<const T*>(fields_.in(run)), points_, batch_};
    }
    [[nodiscard]] FieldBatch<T> out(std::size_t run) const {
        return {static_cast<T*>(fields_.out(run)), points_, batch_};
    }
    [[nodiscard]] Stream stream() const { return stream_.get(); }

    void start() { timer_.start(stream()); }
    void stop() { timer_.stop(stream()); }
    [[nodiscard]] double seconds() const { return timer_.seconds(); }
    void copy(std::size_t run) {
        const DeviceScope scope(device_);
        copy_on_device(fields_.out(run), fields_.in(run), bytes_, stream());
    }

private:
    int device_;
    std::optional<DeviceScope> scope_;  ///< while memory is taken
    Extents points_;
    Index batch_;
    std::size_t bytes_;
    RotatedFields fields_;
    DeviceTimer timer_;
    DeviceStream stream_;
};

template <class T>
using AllFields = std::vector<std::unique_ptr<MemberFields<T>>>;

/// Seconds of one of `count` copies by all members, those of the slowest.
template <class T>
double copy_seconds(AllFields<T>& fields, std::size_t& run, std::size_t count) {
    for (auto& one : fields) one->start();
    for (std::size_t i = 0; i < count; ++i) {
        ++run;
        for (auto& one : fields) one->copy(run);
    }
    for (auto& one : fields) one->stop();
    double most = 0.0;
    for (auto& one : fields) most = std::max(most, one->seconds());
    return most / static_cast<double>(count);
}

}  // namespace

template <class T>
Measurement measure_members(const BenchSolveOptions& options, const Problem& problem) {
    const Communicator members = devices(options.devices);
    const Decomposition parts = Decomposition::slabs(problem.grid.points(), members.size());
    const Index batch = options.solver.batch;
    AllFields<T> fields;
    std::vector<Stream> streams;
    for (int m = 0; m < members.size(); ++m) {
        const int device = options.devices[static_cast<std::size_t>(m)];
        fields.push_back(std::make_unique<MemberFields<T>>(device, parts.box(m).points, batch));
        streams.push_back(fields.back()->stream());
    }
    const Stopwatch planning;
    DistributedSolver<T> solver(
        problem, parts, members,
        {options.method.value_or(Method::automatic), options.solver.threads, options.solver.batch});
    const double plan_seconds = planning.seconds();
    Measurement result{.problem = problem,
                       .precision = SolverKind<Solver<T>>::precision,
                       .plan = solver.description(),
                       .engine = Engine::fused,
                       .threads = solver.threads(),
                       .workspace = solver.workspace(),
                       .batch = batch,
                       .field_bytes = static_cast<std::size_t>(batch * problem.grid.size()) * sizeof(T),
                       .plan_seconds = plan_seconds,
                       .members = {members.size(), parts.shape(), solver.method(), solver.traffic(),
                                   most_sent(solver, members.size()), options.devices}};

    std::size_t run = 0;
    std::vector<FieldBatch<const T>> from;
    std::vector<FieldBatch<T>> to;
    const auto solve = [&](std::size_t count) {
        fields.front()->start();
        for (std::size_t i = 0; i < count; ++i) {
            ++run;
            from.clear();
            to.clear();
            for (const auto& one : fields) from.push_back(one->in(run)), to.push_back(one->out(run));
            solver.solve(std::span<const FieldBatch<const T>>(from), std::span<const FieldBatch<T>>(to), {}, T(1),
                         streams);
        }
        fields.front()->stop();
        return fields.front()->seconds() / static_cast<double>(count);
    };
    const auto copy = [&](std::size_t count) { return copy_seconds(fields, run, count); };
    measure_in_turn(
        options, true, solve, copy, [] {}, result);
    return result;
}

template Measurement measure_members<float>(const BenchSolveOptions&, const Problem&);
template Measurement measure_members<double>(const BenchSolveOptions&, const Problem&);

}  // namespace poisson3d::app
