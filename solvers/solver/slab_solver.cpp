// SlabSolver: checks what it is given, hands over.
#include "poisson3d/slab_solver.hpp"

#include <cmath>
#include <limits>

#include "boundary_terms.hpp"
#include "field_checks.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/home_process.hpp"
#include "range.hpp"
#include "slab_engine.hpp"
#include "spectrum.hpp"

namespace poisson3d {

namespace {

template <class T>
void require_sound(const Problem& problem, const SlabOptions& options) {
    validate(problem);
    require_threads(options.threads);
    validate_range<T>(problem);
    require_no_resonance(problem, std::numeric_limits<T>::epsilon());
    for (int axis = 0; axis < 3; ++axis)
        if (problem.grid.axes[axis].unbounded())
            throw Error(ErrorCode::unsupported, std::string("a solve from slabs in a file cannot have free faces: "
                                                            "found some on axis ") +
                                                    problem.grid.labels[axis]);
}

}  // namespace

SlabStore::~SlabStore() = default;

template <class T>
struct SlabSolver<T>::Plan {
    Problem problem;
    std::unique_ptr<SlabEngine<T>> engine;
    int halvings;
    BoundaryTerms<T> terms;
    HomeProcess home{};

    void forward(ModeOperation operation, SlabStore& store, const Fill& fill, const BoundaryData<T>& boundary,
                 T scale) {
        home.require_here("this solver");
        require_possible(problem, boundary);
        const auto factor = static_cast<double>(scale);
        const int s = halving<T>(halvings, factor);
        Call<T> call;
        call.operation = operation;
        call.scale = std::ldexp(factor, -s);
        call.boundary = terms.with_data(boundary).halved(s);
        call.restore = std::ldexp(1.0, s);
        engine->forward(call, store, fill);
    }
};

template <class T>
SlabSolver<T>::SlabSolver(const Problem& problem, const SlabOptions& options) {
    require_sound<T>(problem, options);
    plan_ = std::make_unique<Plan>(Plan{problem, make_host_slabs<T>(problem, options), halving<T>(problem),
                                        make_boundary_terms<T>(problem.grid)});
}

template <class T>
SlabSolver<T>::~SlabSolver() = default;
template <class T>
SlabSolver<T>::SlabSolver(SlabSolver&&) noexcept = default;
template <class T>
SlabSolver<T>& SlabSolver<T>::operator=(SlabSolver&&) noexcept = default;

template <class T>
SlabPlan SlabSolver<T>::plan(const Problem& problem, const SlabOptions& options) {
    require_sound<T>(problem, options);
    return host_slab_plan<T>(problem, options);
}

template <class T>
void SlabSolver<T>::forward(SlabStore& store, const Fill& fill, const BoundaryData<T>& boundary, T scale) {
    plan_->forward(ModeOperation::divide, store, fill, boundary, scale);
}

template <class T>
void SlabSolver<T>::forward_product(SlabStore& store, const Fill& fill, T scale) {
    plan_->forward(ModeOperation::multiply, store, fill, {}, scale);
}

template <class T>
void SlabSolver<T>::middle(SlabStore& store) {
    plan_->home.require_here("this solver");
    plan_->engine->middle(store);
}

template <class T>
void SlabSolver<T>::backward(SlabStore& store, const Take& take) {
    plan_->home.require_here("this solver");
    plan_->engine->backward(store, take);
}

template <class T>
Result SlabSolver<T>::result() const {
    return plan_->engine->result();
}
template <class T>
SlabPlan SlabSolver<T>::plan() const noexcept {
    return plan_->engine->plan();
}
template <class T>
int SlabSolver<T>::threads() const noexcept {
    return plan_->engine->threads();
}
template <class T>
Range SlabSolver<T>::range() const {
    return range_of<T>(plan_->problem);
}
template <class T>
std::string SlabSolver<T>::description() const {
    return plan_->engine->description();
}

template class SlabSolver<float>;
template class SlabSolver<double>;

}  // namespace poisson3d
