// VariableSolver: checks, and the choice of the numbers that it iterates in.
#include "poisson3d/variable_solver.hpp"

#include <algorithm>

#include "conjugate_gradients.hpp"
#include "field_checks.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/home_process.hpp"
#include "poisson3d/text.hpp"
#include "range.hpp"
#include "staged_fields.hpp"

namespace poisson3d {

namespace {

void require_possible(const Problem& problem, const Options& options, std::optional<double> scaling) {
    const auto refuse = [](const std::string& found) {
        throw Error(ErrorCode::unsupported, "variable coefficient: found " + found);
    };
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

/// Eigenvalues and their inverses are so far inside the range of float that 13 digits less are, too.
bool ordinary_in_float(const Problem& problem) {
    constexpr double most = 1e22;
    const Problem inner = inner_problem(problem, 0.0);
    for (const Axis& axis : problem.grid.axes) {
        const double length = axis.uniform() ? axis.step() * static_cast<double>(axis.points) : axis.length();
        if (!(length * length < most)) return false;
    }
    return largest_eigenvalue(inner) < most &&
           (problem.helmholtz == 0.0 || (problem.helmholtz > 1.0 / most && problem.helmholtz < most));
}

/// A GPU by name alone.
Options with_engine(Options options) {
    if (options.engine == Engine::automatic) options.engine = Engine::host;
    return options;
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
    bool mixed;                                 ///< iterates in float
    std::unique_ptr<VariableMethod<T>> method;  ///< null only after memory ran out
    bool ready = false;                         ///< there is a coefficient
    double theta = 0.0;
    StagedFields<T> staged{options.device};  ///< of calls with fields in host memory, where the engine is a GPU's
    HomeProcess home{};

    [[nodiscard]] bool on_gpu() const { return options.engine != Engine::host; }

    void plan(bool in_float) {
        mixed = in_float;
        method.reset();  // first, so that there is room
        if (mixed)
            method = std::make_unique<ConjugateGradients<T, float>>(problem, options);
        else
            method = std::make_unique<ConjugateGradients<T, T>>(problem, options);
    }

    void set(const Coefficient<T>& coefficient) {
        home.require_here("this solver");
        ready = false;
        if (on_gpu()) return set_on_device(coefficient);
        choose_numbers(validate(problem.grid, coefficient, problem.helmholtz));
        theta = method->set(coefficient, scaling);
        ready = true;
    }

    void choose_numbers(const CoefficientBounds& found) {
        if (const bool wanted = iterates_in_float(found); wanted != mixed || method == nullptr) plan(wanted);
    }

    /// Fields in host memory are checked there and brought to the device.
    void set_on_device(Coefficient<T> coefficient) {
        const CoefficientChecks<T> here = host_checks<T>(), there = device_checks<T>(options.device);
        const auto side = [&](const T* data) { return on_device(data) ? &there : &here; };
        choose_numbers(validate<T>(problem.grid, coefficient, problem.helmholtz,
                                   {[&](const auto& field, bool zero, const auto& who) {
                                        return side(field.data)->bounds(field, zero, who);
                                    },
                                    [&](const auto& faces, std::size_t axis, const auto& who) {
                                        side(faces.data)->closed(faces, axis, who);
                                    }}));
        StagedFields<T> brought(options.device);
        std::size_t slot = 0;
        for (FieldView<const T>* const field :
             {&coefficient.at_points, &coefficient.on_faces[0], &coefficient.on_faces[1], &coefficient.on_faces[2],
              &coefficient.helmholtz})
            if (field->data != nullptr && !on_device(field->data)) *field = brought.bring(slot++, *field);
        theta = method->set(coefficient, scaling);
        ready = true;
    }

    VariableResult solve(const VariableCall<T>& call, const VariableControl& control) {
        if (!on_gpu() || one_side_on_device<T>(call.f, call.u, call.boundary)) return method->solve(call, control);
        VariableCall<T> there = call;
        there.f = staged.bring(0, call.f);
        there.u = staged.bring(1, call.u);
        there.boundary = staged.bring_faces(2, call.boundary, problem.grid.points());
        const VariableResult result = method->solve(there, control);
        staged.take(there.u, call.u);
        return result;
    }

    void apply(FieldView<const T> u, FieldView<T> f) {
        if (!on_gpu() || one_side_on_device<T>(u, f)) return method->apply(u, f);
        const FieldView<T> there = staged.bring(0, f);
        method->apply(staged.bring(1, u), there);
        staged.take(there, f);
    }

    /// Of double: not where one iteration does it all, and not where float may overflow.
    [[nodiscard]] bool iterates_in_float(const CoefficientBounds& found) const {
        if (sizeof(T) == sizeof(float)) return true;
        const auto& [epsilon, lambda] = found;
        const bool constant =
            epsilon.greatest <= (1.0 + 1e-8) * epsilon.least && lambda.greatest <= (1.0 + 1e-8) * lambda.least;
        return !constant && epsilon.greatest <= 1e5 * epsilon.least && lambda.greatest < 1e12 * epsilon.least &&
               ordinary_in_float(problem);
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
    plan_ = std::make_unique<Plan>(Plan{problem, with_engine(options), scaling, true, nullptr});
    plan_->plan(sizeof(T) == sizeof(float) || ordinary_in_float(problem));
}

template <class T>
VariableSolver<T>::~VariableSolver() = default;
template <class T>
VariableSolver<T>::VariableSolver(VariableSolver&&) noexcept = default;
template <class T>
VariableSolver<T>& VariableSolver<T>::operator=(VariableSolver&&) noexcept = default;

template <class T>
void VariableSolver<T>::set_coefficient(FieldView<const T> points, FieldView<const T> helmholtz) {
    require_view(plan_->problem.grid.points(), points, "coefficient");
    plan_->set({points, {}, helmholtz});
}

template <class T>
void VariableSolver<T>::set_coefficient(const std::array<FieldView<const T>, 3>& faces,
                                        FieldView<const T> helmholtz) {
    plan_->set({{}, faces, helmholtz});
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
    plan_->apply(u, f);
}

template <class T>
double VariableSolver<T>::scaling() const noexcept {
    return plan_->theta;
}
template <class T>
Engine VariableSolver<T>::engine() const noexcept {
    return plan_->options.engine;
}
template <class T>
int VariableSolver<T>::threads() const noexcept {
    return plan_->method != nullptr ? plan_->method->threads() : 0;
}
template <class T>
std::size_t VariableSolver<T>::workspace() const noexcept {
    return (plan_->method != nullptr ? plan_->method->workspace() : 0) + plan_->staged.bytes();
}
template <class T>
std::size_t VariableSolver<T>::workspace_bytes(const Problem& problem, const Options& options) {
    validate(problem);
    require_possible(problem, options, std::nullopt);
    const Options chosen = with_engine(options);
    std::size_t most = ConjugateGradients<T, T>::workspace_bytes(problem, chosen);
    if (ordinary_in_float(problem))
        most = std::max(most, ConjugateGradients<T, float>::workspace_bytes(problem, chosen));
    // Of a GPU with fields in host memory f, u and their faces, too.
    Index staged = 0;
    if (chosen.engine != Engine::host) {
        staged = 2 * problem.grid.size();
        for (int a = 0; a < 3; ++a) {
            const auto [rows, columns] = extents_of_face(problem.grid.points(), a);
            staged += 2 * rows * columns;
        }
    }
    return most + static_cast<std::size_t>(staged) * sizeof(T);
}
template <class T>
std::string VariableSolver<T>::description() const {
    return (plan_->method != nullptr ? plan_->method->description() : std::string("host")) + ", scaling " +
           format_number(plan_->theta);
}

template <class T>
Range VariableSolver<T>::range() const {
    const Range range = range_of<T>(plan_->problem);
    return {std::max(range.smallest, 1e-140), std::min(range.largest, 1e140)};
}

template class VariableSolver<float>;
template class VariableSolver<double>;

}  // namespace poisson3d
