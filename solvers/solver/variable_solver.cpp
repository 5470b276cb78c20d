// VariableSolver: conjugate gradients. Solver<T> is the preconditioner, a VariableSweeps does the rest:
//
//     z := (−∇² + λ₀)⁻¹ r      p := z + β p      q := B p      w := w + α p      r := r − α q
//
// Where constants are in the null space of ∇² (singular problems), z gets the mean of r over the mean of B 1: the
// preconditioner is then positive on all fields, though the null space of B is that of S 1.
#include "poisson3d/variable_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine.hpp"
#include "field_checks.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/home_process.hpp"
#include "poisson3d/text.hpp"
#include "spectrum.hpp"
#include "variable_sweeps.hpp"

namespace poisson3d {

namespace {

void require_possible(const Problem& problem, const Options& options, std::optional<double> scaling) {
    const auto refuse = [](const std::string& found) {
        throw Error(ErrorCode::unsupported, "variable coefficient: found " + found);
    };
    if (options.engine != Engine::host && options.engine != Engine::automatic)
        refuse(std::string("engine ") + name(options.engine) + ", wanted host, the only one that has them");
    if (problem.discretization == Discretization::spectral)
        refuse("discretization spectral, wanted second-order, since modes are not eigenfunctions");
    if (unbounded_axes(problem.grid) > 0) refuse("free faces, wanted walls or periodic axes");
    if (problem.helmholtz < 0.0)
        refuse("λ = " + format_number(problem.helmholtz) +
               ", wanted 0 or more, since conjugate gradients need a positive operator");
    if (options.batch != 1) refuse("a batch of " + std::to_string(options.batch) + " right-hand sides, wanted 1");
    if (!options.workspace.empty()) refuse("a workspace, wanted none: the solver allocates its own");
    if (scaling && !(*scaling >= 0.0 && *scaling <= 1.0))
        throw Error(ErrorCode::usage,
                    "variable coefficient: found scaling " + format_number(*scaling) + ", wanted 0 to 1");
}

/// Of ∇² with λ₀ and no gauge of its own.
Problem inner_problem(const Problem& problem, double shift) {
    Problem inner = problem;
    inner.helmholtz = shift;
    inner.gauge = {};
    return inner;
}

template <class T>
VariableControl checked(VariableControl control) {
    if (control.tolerance == 0.0) control.tolerance = sizeof(T) == 4 ? 1e-5 : 1e-8;
    if (!(control.tolerance > 0.0))
        throw Error(ErrorCode::usage,
                    "found tolerance " + format_number(control.tolerance) + ", wanted a number above 0");
    if (control.max_iterations < 1)
        throw Error(ErrorCode::usage,
                    "found at most " + std::to_string(control.max_iterations) + " iterations, wanted 1 or more");
    return control;
}

}  // namespace

template <class T>
struct VariableSolver<T>::Plan {
    Problem problem;
    Options options;
    std::optional<double> scaling;
    double shift;  ///< λ₀
    std::unique_ptr<Solver<T>> inner;
    std::unique_ptr<VariableSweeps<T>> sweeps;
    bool ready = false;  ///< there is a coefficient
    double theta = 0.0;
    double of_constant = 0.0;  ///< eigenvalue that the preconditioner gives to constants, where ∇² gives 0
    HomeProcess home{};

    void set(const Coefficient<T>& coefficient) {
        home.require_here("this solver");
        ready = false;
        validate(problem.grid, coefficient);
        theta = sweeps->set(coefficient, scaling);
        const double wanted = sweeps->shift();
        if (wanted > 2.0 * shift || 2.0 * wanted < shift) {
            shift = wanted;
            inner.reset();
            inner = std::make_unique<Solver<T>>(inner_problem(problem, shift), options);
        }
        if (singular(problem)) {
            const double least = smallest_eigenvalue(inner_problem(problem, 0.0));
            of_constant = std::max(sweeps->mean_of_operator(), std::isfinite(least) ? least : 1.0);
        }
        ready = true;
    }

    /// Solves with the preconditioner; returns the constant that z lacks.
    double precondition() {
        inner->solve(sweeps->residual_field(), sweeps->correction_field(), T(-1));
        return singular(problem) ? -inner->result().mean_removed / of_constant : 0.0;
    }

    /// Iterates from the residual at hand until its norm is `target`, w advanced. `ratio`: the squared norm of the
    /// residual over that of the scaled one. Returns the iterations done.
    int iterate(const VariableCall<T>& call, double target, double ratio, int most) {
        double rho = 0.0, alpha = 0.0;
        int done = 0;
        while (done < most) {
            const double constant = precondition();
            const double before = rho;
            rho = sweeps->residual_with(constant);
            const bool first = done == 0;
            const double curvature = sweeps->direction(call, first, alpha, first ? 0.0 : rho / before, constant);
            alpha = 0.0;  // direction() has advanced w by the step before
            ++done;
            if (!(rho > 0.0) || !(curvature > 0.0) || !std::isfinite(rho / curvature)) break;
            alpha = rho / curvature;
            const double scaled = sweeps->reduce(alpha);
            if (ratio * scaled > target * target) continue;
            const double norm = sweeps->unscaled();
            if (norm <= target * target) break;
            ratio = norm / scaled;
        }
        sweeps->advance(call, alpha);
        return done;
    }

    VariableResult solve(const VariableCall<T>& call, const VariableControl& control) {
        sweeps->begin(call, control.start_from_u);
        VariableResult result;
        result.singular = singular(problem);
        for (double previous = std::numeric_limits<double>::infinity();;) {
            const ResidualNorms norms = sweeps->residual(call);
            const double size = std::sqrt(norms.rhs), residual = std::sqrt(norms.residual);
            const double rounding = 4.0 * std::numeric_limits<T>::epsilon() * std::sqrt(norms.diagonal);
            const double target = std::max(control.tolerance * size, rounding);
            result.mean_removed = norms.mean;
            result.residual = residual == 0.0 ? 0.0 : residual / size;
            result.converged = residual <= target;
            // Once more from the residual of u itself, if iterations left another one than they believed.
            if (result.converged || result.iterations >= control.max_iterations || !(residual < 0.5 * previous))
                break;
            previous = residual;
            result.iterations += iterate(call, 0.9 * target, norms.residual / norms.scaled,
                                         control.max_iterations - result.iterations);
        }
        sweeps->finish(call);
        return result;
    }

    void require_ready() const {
        home.require_here("this solver");
        if (!ready)
            throw Error(ErrorCode::usage,
                        "variable coefficient: found none, wanted a call of set_coefficient() before solve()");
    }
};

template <class T>
VariableSolver<T>::VariableSolver(const Problem& problem, const Options& options, std::optional<double> scaling) {
    validate(problem);
    require_possible(problem, options, scaling);
    Options host = options;
    host.engine = Engine::host;
    auto inner = std::make_unique<Solver<T>>(inner_problem(problem, problem.helmholtz), host);
    auto sweeps = make_host_variable_sweeps<T>(problem, inner->threads());
    plan_ = std::make_unique<Plan>(
        Plan{problem, host, scaling, problem.helmholtz, std::move(inner), std::move(sweeps)});
}

template <class T>
VariableSolver<T>::~VariableSolver() = default;
template <class T>
VariableSolver<T>::VariableSolver(VariableSolver&&) noexcept = default;
template <class T>
VariableSolver<T>& VariableSolver<T>::operator=(VariableSolver&&) noexcept = default;

template <class T>
void VariableSolver<T>::set_coefficient(FieldView<const T> points) {
    require_view(plan_->problem.grid.points(), points, "coefficient");
    plan_->set({points, {}});
}

template <class T>
void VariableSolver<T>::set_coefficient(const std::array<FieldView<const T>, 3>& faces) {
    plan_->set({{}, faces});
}

template <class T>
VariableResult VariableSolver<T>::solve(FieldView<const T> f, FieldView<T> u, const BoundaryData<T>& boundary,
                                        T scale, const VariableControl& control) {
    plan_->require_ready();
    require_view(plan_->problem.grid.points(), f, "f");
    require_view(plan_->problem.grid.points(), u, "u");
    if (overlap<T>(f, u))
        throw Error(ErrorCode::usage,
                    "fields f and u overlap in memory: a variable coefficient needs f to the end; give u memory of "
                    "its own");
    poisson3d::require_possible(plan_->problem, boundary);
    return plan_->solve({f, u, static_cast<double>(scale), boundary}, checked<T>(control));
}

template <class T>
void VariableSolver<T>::apply(FieldView<const T> u, FieldView<T> f) {
    plan_->require_ready();
    require_view(plan_->problem.grid.points(), u, "u");
    require_view(plan_->problem.grid.points(), f, "f");
    if (overlap<T>(u, f))
        throw Error(ErrorCode::usage, "fields u and f overlap in memory: give f memory of its own");
    plan_->sweeps->apply(u, f);
}

template <class T>
double VariableSolver<T>::scaling() const noexcept {
    return plan_->theta;
}
template <class T>
Engine VariableSolver<T>::engine() const noexcept {
    return plan_->inner->engine();
}
template <class T>
int VariableSolver<T>::threads() const noexcept {
    return plan_->inner->threads();
}
template <class T>
std::size_t VariableSolver<T>::workspace() const noexcept {
    return plan_->inner->workspace() + plan_->sweeps->bytes();
}
template <class T>
std::string VariableSolver<T>::description() const {
    return plan_->inner->description() + ", conjugate gradients, scaling " + format_number(plan_->theta);
}

template <class T>
Range VariableSolver<T>::range() const {
    const Range range = plan_->inner->range();
    return {std::max(range.smallest, 1e-140), std::min(range.largest, 1e140)};
}

template class VariableSolver<float>;
template class VariableSolver<double>;

}  // namespace poisson3d
