// MixedSolver: the order of the steps. Solver<float> does the transforms, a Refiner the sweeps in double.
#include "poisson3d/mixed_solver.hpp"

#include <algorithm>
#include <cmath>

#include "device_arrays.hpp"
#include "engine.hpp"
#include "field_checks.hpp"
#include "poisson3d/device_memory.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/memory.hpp"
#include "poisson3d/text.hpp"
#include "range.hpp"
#include "refiner.hpp"
#include "stencil.hpp"

namespace poisson3d {

namespace {

void require_local_residual(const Problem& problem) {
    if (unbounded_axes(problem.grid) > 0)
        throw Error(ErrorCode::unsupported,
                    "mixed precision with free faces is not possible: refinement repairs u in the box, never what "
                    "stands on the faces; use double precision");
    if (problem.discretization == Discretization::second_order) return;
    throw Error(
        ErrorCode::unsupported,
        "mixed precision with discretization spectral is not possible: its residual needs the transforms in "
        "double, which is what mixed saves; use second-order, or double precision");
}

int choose_refinements(const Problem& problem, std::optional<int> wanted, bool on_device) {
    if (wanted && (*wanted < 0 || *wanted > max_refinements))
        throw Error(ErrorCode::usage, "found " + std::to_string(*wanted) + " refinements, wanted 0 to " +
                                          std::to_string(max_refinements));
    const int needed = refinements_needed(problem, on_device);
    if (needed > max_refinements)
        throw Error(ErrorCode::unsupported,
                    "mixed precision does not converge for this problem: its least eigenvalue is too near 0 for "
                    "single precision to improve on; use double precision");
    return wanted.value_or(needed);
}

/// The refiner's part comes first. Never empty where the caller gave memory: empty would mean none was given.
Options options_in_single(const Problem& problem, const Options& options) {
    Options single = options;
    if (single.engine == Engine::automatic) single.engine = automatic_engine(problem);
    const std::size_t own = refiner_bytes(problem.grid.points());
    if (!options.workspace.empty())
        single.workspace = options.workspace.subspan(std::min(own, options.workspace.size() - 1));
    if (options.memory != Memory::automatic) return single;
    const bool host = single.engine == Engine::host;
    const auto room = [&]() -> std::size_t {
        if (!options.workspace.empty()) return options.workspace.size();
        if (host) return available_host_memory();
        const DeviceScope scope(single.device);
        return free_device_memory();
    };
    for (const Memory memory : {Memory::fast, Memory::standard, Memory::low}) {
        single.memory = memory;
        const std::size_t bytes =
            own + Solver<float>::workspace_bytes(problem, single);  // says what cannot be used
        if (const std::size_t there = room(); there == 0 || bytes <= there) break;
    }
    return single;
}

std::size_t whole_bytes(const Problem& problem, const Options& single) {
    return refiner_bytes(problem.grid.points()) + Solver<float>::workspace_bytes(problem, single);
}

void check_apart(FieldView<const double> f, FieldView<double> u) {
    if (overlap<double>(f, u))
        throw Error(
            ErrorCode::usage,
            "fields f and u overlap in memory: mixed precision needs f to the end; give u memory of its own");
}

void check_on_device(Engine engine, FieldView<const double> f, FieldView<double> u,
                     const BoundaryData<double>& boundary) {
    const auto check = [engine](const void* memory, const char* what) {
        if (memory != nullptr && !on_device(memory))
            throw Error(ErrorCode::usage, std::string(what) + " is in host memory: mixed precision with engine " +
                                              name(engine) + " needs fields and boundary data in device memory");
    };
    check(f.data, "field f");
    check(u.data, "field u");
    for (const auto& axis : boundary.faces)
        for (const FaceValues<double>& face : axis) check(face.data, "an array of boundary data");
}

}  // namespace

struct MixedSolver::Plan {
    Problem problem;
    int device;
    int refinements;
    std::size_t bytes;
    UnevenStepArrays steps;
    DeviceArrays<double> steps_there;
    Refinement refinement;
    Solver<float> single;
    std::unique_ptr<Refiner> refiner;

    /// The arrays of uneven axes.
    void point_to_device() {
        UnevenSteps& uneven = refinement.op.uneven;
        if (!uneven.any) return;
        const DeviceScope scope(device);
        steps_there = {&steps.lower[0], &steps.lower[1],  &steps.lower[2],  &steps.upper[0], &steps.upper[1],
                       &steps.upper[2], &steps.weight[0], &steps.weight[1], &steps.weight[2]};
        for (std::size_t a = 0; a < 3; ++a) {
            uneven.lower[a] = steps_there[a];
            uneven.upper[a] = steps_there[3 + a];
            uneven.weight[a] = steps_there[6 + a];
        }
    }
};

MixedSolver::MixedSolver(const Problem& problem, const Options& options, std::optional<int> refinements) {
    validate(problem);
    require_local_residual(problem);
    if (options.batch != 1)
        throw Error(ErrorCode::unsupported, "mixed precision: found a batch of " + std::to_string(options.batch) +
                                                " right-hand sides, wanted 1");
    const Problem inner = problem_in_single(problem);
    const Options single = options_in_single(inner, options);
    const std::size_t bytes = whole_bytes(inner, single);
    const bool host = single.engine == Engine::host;
    if (!options.workspace.empty())
        require_workspace(options.workspace, bytes, host ? HostBuffer::alignment : std::size_t{256});
    Solver<float> solver(inner, single);  // first: it has its own words for resonance
    const int steps = choose_refinements(problem, refinements, !host);
    const Extents points = problem.grid.points();
    const std::span<std::byte> own =
        options.workspace.empty() ? options.workspace : options.workspace.first(refiner_bytes(points));
    plan_ = std::make_unique<Plan>(Plan{
        problem, options.device, steps, bytes, UnevenStepArrays(problem.grid), {}, {}, std::move(solver), nullptr});
    plan_->refinement = make_refinement(problem, plan_->steps);
    if (!host) plan_->point_to_device();
    plan_->refiner = host ? make_host_refiner(points, plan_->single.threads(), own)
                          : make_device_refiner(points, options.device, own);
}

MixedSolver::~MixedSolver() = default;
MixedSolver::MixedSolver(MixedSolver&&) noexcept = default;
MixedSolver& MixedSolver::operator=(MixedSolver&&) noexcept = default;

std::size_t MixedSolver::workspace_bytes(const Problem& problem, const Options& options) {
    validate(problem);
    require_local_residual(problem);
    const Problem inner = problem_in_single(problem);
    return whole_bytes(inner, options_in_single(inner, options));
}

void MixedSolver::solve(FieldView<const double> f, FieldView<double> u, const BoundaryData<double>& boundary,
                        double scale, Stream stream) {
    Plan& plan = *plan_;
    require_view(plan.refinement.points, f, "f");
    require_view(plan.refinement.points, u, "u");
    check_apart(f, u);
    require_possible(plan.problem, boundary);
    if (engine() != Engine::host) check_on_device(engine(), f, u, boundary);

    Refinement& r = plan.refinement;
    r.terms = r.terms.with_data(boundary);
    r.f = f.data, r.f_x = f.strides[0], r.f_y = f.strides[1];
    r.u = u.data, r.u_x = u.strides[0], r.u_y = u.strides[1];
    r.single = plan.refiner->field();
    r.scale = scale;
    const FieldView<float> single(r.single, r.points);
    Refinement small = r;  // the sum of all f̃ may be no number where each is one
    small.shrunk = std::ilogb(r.total);
    small.scale = std::ldexp(r.scale, -small.shrunk);
    small.terms = r.terms.halved(small.shrunk);
    plan.refiner->measure(small, stream);
    for (int step = 0; step <= plan.refinements; ++step) {
        plan.refiner->residual(r, step == 0, stream);
        plan.single.solve(single, single, 1.0F, stream);
        if (r.centred) plan.refiner->centre(r, stream);
        plan.refiner->correct(r, step == 0, stream);
    }
}

Result MixedSolver::result(Stream stream) {
    static_cast<void>(plan_->single.result(stream));  // reads the clocks of the passes
    if (!plan_->refinement.singular) return {};
    return {true, plan_->refiner->mean(stream)};
}

int MixedSolver::refinements() const noexcept {
    return plan_->refinements;
}
Engine MixedSolver::engine() const noexcept {
    return plan_->single.engine();
}
Memory MixedSolver::memory() const noexcept {
    return plan_->single.memory();
}
int MixedSolver::threads() const noexcept {
    return plan_->single.threads();
}
std::size_t MixedSolver::workspace() const noexcept {
    return plan_->bytes;
}
const std::vector<PassReport>& MixedSolver::passes() const noexcept {
    return plan_->single.passes();
}
Range MixedSolver::range() const noexcept {
    return {1e-290, 1e300};
}
std::string MixedSolver::description() const {
    return plan_->single.description() + ", " + std::to_string(plan_->refinements) +
           (plan_->refinements == 1 ? " refinement" : " refinements");
}

}  // namespace poisson3d
