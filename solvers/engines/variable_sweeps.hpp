// The sweeps over the field that conjugate gradients for a variable coefficient make beside solves
// (solver/conjugate_gradients.hpp has the method). With B = S⁻¹ (−A) S⁻¹, A from coefficient_faces.hpp,
//
//     (B w)_i = c_i w_i + Σ faces  step_f a_f (w_i − w_neighbour),      a_f = ε_f / (s_i s_neighbour)
//
// c, which is 0 but for λ, walls and how s varies, keeps the digits that differences of w lose in a diagonal.
//
// Two types of numbers: T those of f, u and of B where residuals are evaluated, N those of the iteration: r, p, q,
// z and its B. With N = float beside T = double r is the residual over a number σ of its size, and u is still the
// sum of all steps in double, so that what float rounds makes residuals larger, never the solution wrong.
//
// Fields read and written in an iteration, in bytes of N but for u: residual_with 2 (r, z); direction 6 and u (z,
// p, c, a), 3 and u (p, q and its line fills, u); reduce 3 (r, q; r).
#pragma once

#include <memory>
#include <optional>

#include "boundary_terms.hpp"
#include "coefficient_faces.hpp"
#include "poisson3d/solver.hpp"

namespace poisson3d {

/// Weighted means of squares: norms of a residual.
struct ResidualNorms {
    double residual = 0.0;  ///< of f̃ − mean − A u
    double scaled = 0.0;    ///< of the same over s
    double rhs = 0.0;       ///< of f̃ − mean
    double diagonal = 0.0;  ///< of A_ii u_i
    double mean = 0.0;      ///< of f̃, not squared; 0 unless singular
};

/// What a solve is told.
template <class T>
struct VariableCall {
    FieldView<const T> f;
    FieldView<T> u;  ///< holds w = s u from begin() to finish()
    double scale = 1.0;
    BoundaryData<T> boundary;
};

/// Reductions are the same bits from any number of threads.
template <class T, class N>
class VariableSweeps {
public:
    virtual ~VariableSweeps() = default;
    VariableSweeps() = default;
    VariableSweeps(const VariableSweeps&) = delete;
    VariableSweeps& operator=(const VariableSweeps&) = delete;

    /// Makes s, c and a; chooses θ where none is given. Returns θ.
    virtual double set(const Coefficient<T>& coefficient, std::optional<double> scaling) = 0;
    /// λ₀: mean of λ/s² over that of ε̄/s².
    [[nodiscard]] virtual double shift() const = 0;
    /// Constants are in the null space of A.
    [[nodiscard]] virtual bool singular() const = 0;
    /// Mean of B 1, in the iteration's units: over a mean value of a, if N is another type.
    [[nodiscard]] virtual double mean_of_operator() = 0;

    /// r := −(f̃ − mean)/s − B w; w := s u before, or 0, if a solve begins there.
    enum class Start { from_zero, from_u, again };
    virtual ResidualNorms residual(const VariableCall<T>& call, Start start) = 0;
    /// ⟨r, z + constant⟩
    virtual double residual_with(double constant) = 0;
    /// ⟨r, p⟩ and ⟨q, z + constant⟩, of the last direction.
    virtual double residual_along() = 0;
    virtual double correction_along(double constant) = 0;
    /// w := w + α p;  p := z + constant + β p;  q := B p.  Returns ⟨p, q⟩. `first`: p is not read.
    virtual double direction(const VariableCall<T>& call, bool first, double alpha, double beta,
                             double constant) = 0;
    /// r := r − α q.  Returns ⟨r, r⟩, in units of norms.
    virtual double reduce(double alpha) = 0;
    /// ⟨s r, s r⟩, in units of norms.
    virtual double unscaled() = 0;
    /// w := w + α p
    virtual void advance(const VariableCall<T>& call, double alpha) = 0;
    /// u := w / s, of singular problems with the gauge; nodes on Dirichlet faces get what they hold.
    virtual void finish(const VariableCall<T>& call) = 0;
    /// f := A u
    virtual void apply(FieldView<const T> u, FieldView<T> f) = 0;

    [[nodiscard]] virtual FieldView<const N> residual_field() const = 0;
    [[nodiscard]] virtual FieldView<N> correction_field() = 0;
    [[nodiscard]] virtual std::size_t bytes() const noexcept = 0;
};

template <class T, class N>
std::unique_ptr<VariableSweeps<T, N>> make_host_variable_sweeps(const Problem& problem, int threads);

/// Of fields in the memory of a device; in its default stream. In a build without CUDA Error{unsupported}.
template <class T, class N>
std::unique_ptr<VariableSweeps<T, N>> make_device_variable_sweeps(const Problem& problem, int device);

/// Of fields in the memory of a device: those that fail are fetched, so that the words are those of the host.
template <class T>
CoefficientChecks<T> device_checks(int device);

/// What they hold beside a Solver<N>.
template <class T, class N>
std::size_t host_variable_sweeps_bytes(const Problem& problem, int threads);
template <class T, class N>
std::size_t device_variable_sweeps_bytes(const Problem& problem);

}  // namespace poisson3d
