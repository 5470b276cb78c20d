// The sweeps over the field that conjugate gradients for a variable coefficient make beside solves
// (solver/variable_solver.cpp has the method). With B = S⁻¹ (−A) S⁻¹, A from coefficient_faces.hpp,
//
//     (B w)_i = d_i w_i − Σ faces  step_f a_f w_neighbour,      a_f = ε_f / (s_i s_neighbour),   d_i = (−A)_ii /
//     s_i²
//
// Fields read and written in an iteration: residual_with 2 (r, z); direction 9 (z, p, u, a, d; p, u, q), 10 with
// the line fills of q; reduce 3 (r, q; r).
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
template <class T>
class VariableSweeps {
public:
    virtual ~VariableSweeps() = default;
    VariableSweeps() = default;
    VariableSweeps(const VariableSweeps&) = delete;
    VariableSweeps& operator=(const VariableSweeps&) = delete;

    /// Makes s, d and a; chooses θ where none is given. Returns θ.
    virtual double set(const Coefficient<T>& coefficient, std::optional<double> scaling) = 0;
    /// λ₀: mean of λ/s² over the mean of d without λ, in units of the diagonal of −∇².
    [[nodiscard]] virtual double shift() = 0;
    /// Mean of B 1.
    [[nodiscard]] virtual double mean_of_operator() = 0;

    /// w := s u, or 0.
    virtual void begin(const VariableCall<T>& call, bool from_u) = 0;
    /// r := −(f̃ − mean)/s − B w
    virtual ResidualNorms residual(const VariableCall<T>& call) = 0;
    /// ⟨r, z + constant⟩
    virtual double residual_with(double constant) = 0;
    /// w := w + α p;  p := z + constant + β p;  q := B p.  Returns ⟨p, q⟩. `first`: p is not read.
    virtual double direction(const VariableCall<T>& call, bool first, double alpha, double beta,
                             double constant) = 0;
    /// r := r − α q.  Returns ⟨r, r⟩.
    virtual double reduce(double alpha) = 0;
    /// ⟨s r, s r⟩
    virtual double unscaled() = 0;
    /// w := w + α p
    virtual void advance(const VariableCall<T>& call, double alpha) = 0;
    /// u := w / s, of singular problems with the gauge; nodes on Dirichlet faces get what they hold.
    virtual void finish(const VariableCall<T>& call) = 0;
    /// f := A u
    virtual void apply(FieldView<const T> u, FieldView<T> f) = 0;

    [[nodiscard]] virtual FieldView<const T> residual_field() const = 0;
    [[nodiscard]] virtual FieldView<T> correction_field() = 0;
    [[nodiscard]] virtual std::size_t bytes() const noexcept = 0;
};

template <class T>
std::unique_ptr<VariableSweeps<T>> make_host_variable_sweeps(const Problem& problem, int threads);

}  // namespace poisson3d
