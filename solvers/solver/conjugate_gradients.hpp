// Conjugate gradients for a variable coefficient. Solver<N> is the preconditioner, a VariableSweeps does the rest:
//
//     z := (−∇² + λ₀)⁻¹ r      p := z + β p      q := B p      w := w + α p      r := r − α q
//
// Where constants are in the null space of ∇² (singular problems), z gets the mean of r over the mean of B 1: the
// preconditioner is then positive on all fields, though the null space of B is that of S 1.
//
// With N = float beside T = double r is evaluated anew from u, in double, whenever it has fallen by four digits;
// directions go on (van der Vorst and Ye, SIAM J. Sci. Comput. 22 (2000)).
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>

#include "engine.hpp"
#include "poisson3d/threads.hpp"
#include "poisson3d/variable_solver.hpp"
#include "spectrum.hpp"
#include "variable_sweeps.hpp"

namespace poisson3d {

/// Of ∇² with λ₀ and no gauge of its own.
inline Problem inner_problem(const Problem& problem, double shift) {
    Problem inner = problem;
    inner.helmholtz = shift;
    inner.gauge = {};
    return inner;
}

/// Whichever numbers it iterates in.
template <class T>
class VariableMethod {
public:
    virtual ~VariableMethod() = default;
    VariableMethod() = default;
    VariableMethod(const VariableMethod&) = delete;
    VariableMethod& operator=(const VariableMethod&) = delete;

    virtual double set(const Coefficient<T>& coefficient, std::optional<double> scaling) = 0;  ///< returns θ
    virtual VariableResult solve(const VariableCall<T>& call, const VariableControl& control) = 0;
    virtual void apply(FieldView<const T> u, FieldView<T> f) = 0;
    [[nodiscard]] virtual int threads() const = 0;
    [[nodiscard]] virtual std::size_t workspace() const = 0;
    [[nodiscard]] virtual std::string description() const = 0;
};

template <class T, class N>
class ConjugateGradients final : public VariableMethod<T> {
public:
    ConjugateGradients(const Problem& problem, const Options& options)
        : problem_(problem),
          options_(options),
          shift_(problem.helmholtz),
          inner_(std::make_unique<Solver<N>>(inner_problem(problem, shift_), options)),
          threads_(inner_->threads()),
          sweeps_(options.engine == Engine::host ? make_host_variable_sweeps<T, N>(problem, threads_)
                                                 : make_device_variable_sweeps<T, N>(problem, options.device)) {}

    /// What one holds, where its engine works.
    static std::size_t workspace_bytes(const Problem& problem, const Options& options) {
        const std::size_t sweeps = options.engine == Engine::host
                                       ? host_variable_sweeps_bytes<T, N>(
                                             problem, options.threads > 0 ? options.threads : available_threads())
                                       : device_variable_sweeps_bytes<T, N>(problem);
        return Solver<N>::workspace_bytes(inner_problem(problem, problem.helmholtz), options) + sweeps;
    }

    /// With λ₀ = 0 nothing is planned anew.
    double set(const Coefficient<T>& coefficient, std::optional<double> scaling) override {
        const double theta = sweeps_->set(coefficient, scaling);
        const double wanted = sweeps_->shift();
        if (wanted > 2.0 * shift_ || 2.0 * wanted < shift_ || inner_ == nullptr) {
            shift_ = wanted;
            inner_.reset();  // first, so that there is room
            inner_ = std::make_unique<Solver<N>>(inner_problem(problem_, shift_), options_);
        }
        if (sweeps_->singular()) {
            const double least = smallest_eigenvalue(inner_problem(problem_, 0.0));
            of_constant_ = std::max(sweeps_->mean_of_operator(), std::isfinite(least) ? least : 1.0);
        }
        return theta;
    }

    VariableResult solve(const VariableCall<T>& call, const VariableControl& control) override {
        using Start = typename VariableSweeps<T, N>::Start;
        VariableResult result;
        result.singular = sweeps_->singular();
        fresh_ = true;
        double previous = std::numeric_limits<double>::infinity();
        for (Start start = control.start_from_u ? Start::from_u : Start::from_zero;; start = Start::again) {
            const ResidualNorms norms = sweeps_->residual(call, start);
            const double size = std::sqrt(norms.rhs), residual = std::sqrt(norms.residual);
            const double rounding = 4.0 * std::numeric_limits<T>::epsilon() * std::sqrt(norms.diagonal);
            const double target = std::max(control.tolerance * size, rounding);
            result.mean_removed = norms.mean;
            result.residual = residual == 0.0 ? 0.0 : residual / size;
            result.converged = residual <= target;
            // Once more from the residual of u itself, if iterations left another one than they believed.
            if (result.converged || result.iterations >= control.max_iterations || !(residual < 0.5 * previous))
                break;
            if (!mixed || residual > 2.0 * believed_) fresh_ = true;
            previous = residual;
            result.iterations += iterate(call, 0.9 * target, norms, control.max_iterations - result.iterations);
        }
        sweeps_->finish(call);
        return result;
    }

    void apply(FieldView<const T> u, FieldView<T> f) override { sweeps_->apply(u, f); }

    [[nodiscard]] int threads() const override { return threads_; }
    [[nodiscard]] std::size_t workspace() const override {
        return sweeps_->bytes() + (inner_ != nullptr ? inner_->workspace() : 0);
    }
    [[nodiscard]] std::string description() const override {
        return (inner_ != nullptr ? inner_->description() + ", " : std::string()) + "conjugate gradients" +
               (mixed ? " in single precision" : "");
    }

private:
    static constexpr bool mixed = !std::is_same_v<T, N>;

    /// Solves with the preconditioner; returns the constant that z lacks.
    double precondition() {
        inner_->solve(sweeps_->residual_field(), sweeps_->correction_field(), N(-1));
        return sweeps_->singular() ? -inner_->result().mean_removed / of_constant_ : 0.0;
    }

    /// Iterates from the residual at hand, w advanced, until its norm is `target`, or, if numbers are mixed, has
    /// fallen so far that rounding may show. Returns the iterations done.
    int iterate(const VariableCall<T>& call, double target, const ResidualNorms& norms, int most) {
        constexpr double digits = 1e-4;
        double ratio = norms.residual / norms.scaled, peak = norms.scaled, alpha = 0.0;
        int done = 0;
        const bool anew = !fresh_;
        if (anew) sweeps_->reduce(alpha = sweeps_->residual_along() / curvature_);
        while (done < most) {
            const double constant = precondition();
            const double before = rho_;
            rho_ = sweeps_->residual_with(constant);
            const double beta = fresh_              ? 0.0
                                : anew && done == 0 ? -sweeps_->correction_along(constant) / curvature_
                                                    : rho_ / before;
            curvature_ = sweeps_->direction(call, fresh_, alpha, beta, constant);
            alpha = 0.0;  // direction() has advanced w by the step before
            fresh_ = false;
            ++done;
            if (!(rho_ > 0.0) || !(curvature_ > 0.0) || !std::isfinite(rho_ / curvature_)) {
                fresh_ = true;
                break;
            }
            alpha = rho_ / curvature_;
            const double scaled = sweeps_->reduce(alpha);
            believed_ = std::sqrt(ratio * scaled);
            if (ratio * scaled <= target * target) {
                const double norm = sweeps_->unscaled();
                believed_ = std::sqrt(norm);
                if (norm <= target * target) break;
                ratio = norm / scaled;
            }
            peak = std::max(peak, scaled);
            if (mixed && scaled <= digits * digits * peak) break;
        }
        sweeps_->advance(call, alpha);
        return done;
    }

    Problem problem_;
    Options options_;
    double shift_;                      ///< λ₀
    std::unique_ptr<Solver<N>> inner_;  ///< null only after memory ran out
    int threads_;
    std::unique_ptr<VariableSweeps<T, N>> sweeps_;
    double of_constant_ = 0.0;  ///< eigenvalue that the preconditioner gives to constants, where ∇² gives 0
    double rho_ = 0.0;          ///< ⟨r, z⟩ of the last iteration
    double curvature_ = 0.0;    ///< ⟨p, B p⟩ of its direction
    double believed_ = 0.0;     ///< norm of the residual after it
    bool fresh_ = true;         ///< the next direction is z
};

}  // namespace poisson3d
