// Solver: checks what it is given, chooses an engine, hands over.
#include "poisson3d/solver.hpp"

#include <array>
#include <cmath>
#include <limits>

#include "axis_kind.hpp"
#include "boundary_terms.hpp"
#include "engine.hpp"
#include "field_checks.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/home_process.hpp"
#include "poisson3d/text.hpp"
#include "range.hpp"
#include "spectrum.hpp"

namespace poisson3d {

namespace {

template <class T>
std::array<EngineEntry<T>, 3> engines() {
    return {fused_engine<T>(), cufft_engine<T>(), host_engine<T>()};  // the fastest first
}

/// The engine asked for, or the first that can be used for the problem.
template <class T>
EngineEntry<T> choose_engine(const Problem& problem, const Options& options) {
    for (const EngineEntry<T>& entry : engines<T>()) {
        const bool automatic = options.engine == Engine::automatic;
        if (automatic ? !entry.unavailable().empty() : entry.kind != options.engine) continue;
        const std::string refusal = entry.refuses(problem, options);
        if (refusal.empty()) return entry;
        if (!automatic) throw Error(ErrorCode::unsupported, refusal);
    }
    throw Error(ErrorCode::unsupported, "no engine can be used: " + host_engine<T>().unavailable());
}

void validate(const Options& options) {
    require_threads(options.threads);
    require_batch(options.batch);
}

}  // namespace

template <class T>
struct Solver<T>::Plan {
    Problem problem;
    std::unique_ptr<EngineBase<T>> engine;
    Index batch;   ///< the most fields of a call
    int halvings;  ///< of numbers before they are transformed (range.hpp)
    BoundaryTerms<T> terms;
    Index fields = 1;  ///< of the last call
    HomeProcess home{};

    void run(ModeOperation operation, const FieldBatch<const T>& f, const FieldBatch<T>& u,
             const BoundaryData<T>& boundary, T scale, Stream stream) {
        home.require_here("this solver");
        const Extents points = problem.grid.points();
        require_view(points, f.first, "f");
        require_view(points, u.first, "u");
        require_fields(f.count, u.count, batch);
        require_possible(problem, boundary);
        require_no_free_data(problem, boundary);
        fields = f.count;
        const auto factor = static_cast<double>(scale);
        const int s = halving<T>(halvings, factor);
        engine->run({operation, f.first, u.first, std::ldexp(factor, -s), terms.with_data(boundary).halved(s),
                     f.count, f.stride, u.stride, std::ldexp(1.0, s)},
                    stream);
    }
    void run(ModeOperation operation, const FieldView<const T>& f, const FieldView<T>& u,
             const BoundaryData<T>& boundary, T scale, Stream stream) {
        run(operation, {f, 1, 0}, {u, 1, 0}, boundary, scale, stream);
    }
};

template <class T>
Solver<T>::Solver(const Problem& problem, const Options& options) {
    validate(problem);
    validate(options);
    validate_range<T>(problem);
    require_no_resonance(problem, std::numeric_limits<T>::epsilon());
    plan_ = std::make_unique<Plan>(Plan{problem, choose_engine<T>(problem, options).make(problem, options),
                                        options.batch, halving<T>(problem), make_boundary_terms<T>(problem.grid)});
}

template <class T>
Solver<T>::~Solver() = default;
template <class T>
Solver<T>::Solver(Solver&&) noexcept = default;
template <class T>
Solver<T>& Solver<T>::operator=(Solver&&) noexcept = default;

template <class T>
std::size_t Solver<T>::workspace_bytes(const Problem& problem, const Options& options) {
    validate(problem);
    validate(options);
    return choose_engine<T>(problem, options).workspace_bytes(problem, options);
}

template <class T>
void Solver<T>::solve(FieldView<const T> f, FieldView<T> u, T scale, Stream stream) {
    plan_->run(ModeOperation::divide, f, u, {}, scale, stream);
}

template <class T>
void Solver<T>::solve(FieldView<const T> f, FieldView<T> u, const BoundaryData<T>& boundary, T scale,
                      Stream stream) {
    plan_->run(ModeOperation::divide, f, u, boundary, scale, stream);
}

template <class T>
void Solver<T>::solve(FieldBatch<const T> f, FieldBatch<T> u, const BoundaryData<T>& boundary, T scale,
                      Stream stream) {
    plan_->run(ModeOperation::divide, f, u, boundary, scale, stream);
}

template <class T>
void Solver<T>::apply(FieldView<const T> f, FieldView<T> u, T scale, Stream stream) {
    plan_->run(ModeOperation::multiply, f, u, {}, scale, stream);
}

template <class T>
BoundaryData<T> Solver<T>::faces(const BoundaryData<T>& walls, Stream stream) {
    plan_->home.require_here("this solver");
    const Problem& problem = plan_->problem;
    if (unbounded_axes(problem.grid) == 0) return walls;
    if (problem.discretization == Discretization::spectral)
        throw Error(
            ErrorCode::unsupported,
            "the spectral discretization knows u at the points alone: found free faces, whose values are asked "
            "for, wanted second-order");
    return plan_->engine->faces(walls, stream);
}

template <class T>
Result Solver<T>::result(Stream stream) {
    plan_->home.require_here("this solver");
    Result result;
    plan_->engine->results({&result, 1}, stream);
    return result;
}

template <class T>
std::vector<Result> Solver<T>::results(Stream stream) {
    plan_->home.require_here("this solver");
    std::vector<Result> all(static_cast<std::size_t>(plan_->fields));
    plan_->engine->results(all, stream);
    return all;
}

template <class T>
Engine Solver<T>::engine() const noexcept {
    return plan_->engine->kind();
}
template <class T>
Memory Solver<T>::memory() const noexcept {
    return plan_->engine->memory();
}
template <class T>
int Solver<T>::threads() const noexcept {
    return plan_->engine->threads();
}
template <class T>
std::size_t Solver<T>::workspace() const noexcept {
    return plan_->engine->workspace();
}
template <class T>
const std::vector<PassReport>& Solver<T>::passes() const noexcept {
    return plan_->engine->passes();
}
template <class T>
std::string Solver<T>::description() const {
    return plan_->engine->description() + ", " + name(plan_->engine->memory()) + " memory";
}

template <class T>
Range Solver<T>::range() const {
    return range_of<T>(plan_->problem);
}

template class Solver<float>;
template class Solver<double>;

Engine automatic_engine() {
    for (const EngineEntry<double>& entry : engines<double>())
        if (entry.unavailable().empty()) return entry.kind;
    return Engine::host;
}

Engine automatic_engine(const Problem& problem) {
    return choose_engine<double>(problem, {}).kind;
}

std::string engine_unavailable(Engine engine) {
    for (const EngineEntry<double>& entry : engines<double>())
        if (entry.kind == engine) return entry.unavailable();
    return {};
}

}  // namespace poisson3d
