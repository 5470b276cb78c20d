// DistributedSolver: checks what it is given, hands over to the plan.
#include <limits>

#include "distributed_plan.hpp"
#include "engine.hpp"
#include "range.hpp"
#include "require_members.hpp"
#include "spectrum.hpp"

namespace poisson3d {

template <class T>
struct DistributedSolver<T>::Plan {
    Plan(const Problem& problem, const Decomposition& parts, const Communicator& members,
         const DistributedOptions& options)
        : plan(problem, parts, members, options) {}
    DistributedPlan<T> plan;
};

namespace {

template <class T>
void require_sound(const Problem& problem, const Decomposition& parts, const Communicator& members,
                   const DistributedOptions& options) {
    validate(problem);
    require_threads(options.threads);
    require_batch(options.batch);
    if (options.chunks < 0)
        throw Error(ErrorCode::usage,
                    "found " + std::to_string(options.chunks) + " chunks of a part, wanted 0 (chosen) or more");
    if (!(options.stored > 0.0 && options.stored <= 1.0))
        throw Error(ErrorCode::usage, "found a part of " + std::to_string(options.stored) +
                                          " that passes store, wanted one above 0 and at most 1");
    if (options.pieces < 0)
        throw Error(ErrorCode::usage,
                    "found " + std::to_string(options.pieces) + " pieces of a share, wanted 0 (chosen) or more");
    validate_range<T>(problem);
    require_fitting(problem, parts, members, options.way);
    require_closed_faces(problem, options.method);
    require_no_resonance(problem, std::numeric_limits<T>::epsilon());
}

}  // namespace

Method possible_method(const Problem& problem, Method wanted) {
    validate(problem);
    return choose_method(problem, wanted);
}

template <class T>
DistributedSolver<T>::DistributedSolver(const Problem& problem, const Decomposition& parts,
                                        const Communicator& members, const DistributedOptions& options) {
    Agreement(members.transport()).all([&] { require_sound<T>(problem, parts, members, options); });
    plan_ = std::make_unique<Plan>(problem, parts, members, options);
}

template <class T>
DistributedSolver<T>::~DistributedSolver() = default;
template <class T>
DistributedSolver<T>::DistributedSolver(DistributedSolver&&) noexcept = default;
template <class T>
DistributedSolver<T>& DistributedSolver<T>::operator=(DistributedSolver&&) noexcept = default;

template <class T>
void DistributedSolver<T>::solve(std::span<const FieldView<const T>> f, std::span<const FieldView<T>> u, T scale,
                                 std::span<const Stream> streams) {
    solve(f, u, {}, scale, streams);
}

template <class T>
void DistributedSolver<T>::solve(std::span<const FieldView<const T>> f, std::span<const FieldView<T>> u,
                                 std::span<const BoundaryData<T>> boundary, T scale,
                                 std::span<const Stream> streams) {
    plan_->plan.run(ModeOperation::divide, f, u, boundary, scale, streams);
}

template <class T>
void DistributedSolver<T>::solve(std::span<const FieldBatch<const T>> f, std::span<const FieldBatch<T>> u,
                                 std::span<const BoundaryData<T>> boundary, T scale,
                                 std::span<const Stream> streams) {
    plan_->plan.run(ModeOperation::divide, f, u, boundary, scale, streams);
}

template <class T>
void DistributedSolver<T>::apply(std::span<const FieldView<const T>> f, std::span<const FieldView<T>> u, T scale,
                                 std::span<const Stream> streams) {
    plan_->plan.run(ModeOperation::multiply, f, u, {}, scale, streams);
}

template <class T>
BoundaryData<T> DistributedSolver<T>::faces(const BoundaryData<T>& walls) const {
    return plan_->plan.faces(walls);
}

template <class T>
std::vector<BoundaryData<T>> DistributedSolver<T>::member_faces(std::span<const BoundaryData<T>> walls) const {
    return plan_->plan.member_faces(walls);
}

template <class T>
Result DistributedSolver<T>::result() const {
    return plan_->plan.results().front();
}

template <class T>
std::vector<Result> DistributedSolver<T>::results() const {
    return plan_->plan.results();
}

template <class T>
Method DistributedSolver<T>::method() const noexcept {
    return plan_->plan.method();
}

template <class T>
Traffic DistributedSolver<T>::traffic() const noexcept {
    return plan_->plan.traffic();
}

template <class T>
Traffic DistributedSolver<T>::sent_by(int member) const {
    return plan_->plan.sent_by(member);
}

template <class T>
std::size_t DistributedSolver<T>::workspace() const noexcept {
    return plan_->plan.workspace();
}

template <class T>
int DistributedSolver<T>::threads() const noexcept {
    return plan_->plan.threads();
}

template <class T>
Range DistributedSolver<T>::range() const {
    return plan_->plan.range();
}

template <class T>
std::string DistributedSolver<T>::description() const {
    return plan_->plan.description();
}

template class DistributedSolver<float>;
template class DistributedSolver<double>;

}  // namespace poisson3d
