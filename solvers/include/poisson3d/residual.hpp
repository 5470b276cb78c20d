// The residual of a solution, measured in double precision, one slab at a time.
#pragma once

#include <cstddef>
#include <vector>

#include "poisson3d/boundary_data.hpp"
#include "poisson3d/export.hpp"
#include "poisson3d/field.hpp"
#include "poisson3d/solver.hpp"
#include "poisson3d/square_sum.hpp"

namespace poisson3d {

/// r = f̃ − mean − L u over all unknowns, f̃ the right-hand side after scaling and boundary data.
struct Residual {
    double max = 0.0;       ///< max |r|
    double l2 = 0.0;        ///< root mean square of r
    double relative = 0.0;  ///< max|r| / max|f̃|, 0 if both are 0
    /// max|r| / (A·max|u| + max|f̃|), A = Σ 4/h² + |λ| (spectral: largest |eigenvalue|). Where an axis has steps
    /// that differ, or Robin faces, twice the diagonal of its row stands for 4/h² and the worst row counts: beside
    /// the A of the finest cells all others would be hidden.
    double backward = 0.0;
    double max_rhs = 0.0;  ///< max |f̃|
    double max_solution = 0.0;
    double max_rest = 0.0;  ///< max |f̃ − mean|: what is solved for
};

/// L u by the 7-point stencil with the ghost rules of the boundary kinds (second_order), evaluated in double.
/// The right-hand side comes in slabs of the slowest index, so that it need not stay in memory; the solution is
/// there as a whole. For `spectral`, L u cannot be had locally: give `operator_field`, L u computed by
/// Solver<double>::apply, instead of u's stencil.
template <class T>
class POISSON3D_API ResidualMeter {
public:
    /// `mean` is Result::mean_removed, `scale` and `boundary` what solve() was given; face arrays in host memory.
    ResidualMeter(const Problem& problem, FieldView<const T> solution, double scale, double mean,
                  const BoundaryData<double>& boundary = {});
    /// As above with L u given as a field (spectral); `solution_max` is max |u|.
    ResidualMeter(const Problem& problem, FieldView<const double> operator_field, double solution_max, double scale,
                  double mean);

    /// Adds planes first … first + rhs.extents[0] − 1; each plane exactly once, in any order.
    void add(Index first, FieldView<const double> rhs);
    void add(Index first, FieldView<const float> rhs);

    [[nodiscard]] Residual result() const;

private:
    template <class F>
    POISSON3D_LOCAL void add_planes(Index first, FieldView<const F> rhs);

    Problem problem_;
    BoundaryData<double> boundary_;
    FieldView<const T> solution_;
    FieldView<const double> operator_field_;
    double scale_, mean_;
    int unit_ = 0;  ///< residuals are measured in units of 2^unit
    /// Where an axis is uneven: of each of them what stands for 4/h², by stored point …
    std::array<std::vector<double>, 3> norms_;
    Index first_bin_ = 0;
    std::vector<double> max_of_norm_;  ///< … and |r| of the rows whose sums of these are nearly the same
    double max_residual_ = 0, max_rhs_ = 0, max_solution_ = 0, max_rest_ = 0;
    SquareSum squares_;
};

extern template class ResidualMeter<float>;
extern template class ResidualMeter<double>;

/// The largest |eigenvalue| of L = ∇² − λ as the backward error uses it (see Residual::backward).
POISSON3D_API double operator_norm(const Problem& problem);

/// out := (∇² − λ) u by the second-order stencil, in T, homogeneous boundary values; out is 0 at Dirichlet nodes.
/// For making right-hand sides whose discrete solution is known. `u` and `out` must not overlap.
template <class T>
POISSON3D_API void apply_stencil(const Problem& problem, FieldView<const T> u, FieldView<T> out);

/// The mean of a field with weight ½ at Neumann nodes (product over axes), Dirichlet nodes left out; in double.
/// Along an axis with positions, widths or Robin faces weights are the lengths that points stand for.
template <class T>
POISSON3D_API double weighted_mean(const Grid& grid, FieldView<const T> field);

}  // namespace poisson3d
