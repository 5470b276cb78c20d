// Variable coefficients: ∇·(ε∇u) − λu = f by conjugate gradients, a fast solve as preconditioner.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "poisson3d/export.hpp"
#include "poisson3d/solver.hpp"

namespace poisson3d {

/// When a solve ends, and where it begins.
struct VariableControl {
    double tolerance = 0.0;     ///< of VariableResult::residual; 0: 1e-8 in double, 1e-5 in float
    int max_iterations = 1000;  ///< at least 1
    bool start_from_u = false;  ///< u holds a guess, as in time steps; else the solve begins with 0
};

/// What one solve did.
struct VariableResult {
    bool converged = false;
    int iterations = 0;     ///< solves of the constant-coefficient problem
    double residual = 0.0;  ///< ‖f̃ − mean − A u‖ / ‖f̃ − mean‖, evaluated from u in double
    bool singular = false;
    double mean_removed = 0.0;  ///< weighted mean of f̃ that was subtracted (0 unless singular)
};

/// A planned solver for (A u)(x) = ∇·(ε∇u) − λu = f̃ with ε > 0 that varies, fields of T (float or double).
///
/// Discretization: the 7-point stencil, each difference across a face times ε there. With ε = 1 it is that of
/// Solver; it is of second order for smooth ε, and symmetric in the inner product whose weights are those of the
/// mean (½ at Neumann nodes, lengths on axes of any spacing).
///
/// Method: conjugate gradients for the scaled operator S⁻¹ (−A) S⁻¹, preconditioned with −∇² + λ₀ by one fast solve
/// an iteration. S = ε̄^{θ/2}, ε̄ the coefficient at a point: the diagonal of A over that of ∇².
///  - θ = 1 (Concus and Golub, SIAM J. Numer. Anal. 10 (1973)): with w = √ε u the operator is −∇² + q,
///    q = ∇²√ε / √ε. Iterations depend on how smooth ε is and hardly on its contrast.
///  - θ = ½: for coefficients that jump from one point to the next, where q is as large as 1/h².
///  - θ = 0: no scaling; iterations grow with the square root of the contrast.
///
/// Without a value for θ set_coefficient() chooses 1 or ½: ½ where differences of ln ε between neighbours, averaged
/// with their own size as weight, exceed ⅖ of its whole range.
///
/// Numbers: of double, too, iterations are in single precision, while u and its residual are double: an iteration
/// takes about half the time, and as a rule one in fifteen more are needed. All is double where ε and λ are
/// constant (one iteration then does it), where ε has a contrast above 1e5, and in units of length so odd that
/// eigenvalues of ∇² leave 1e-22 to 1e22. set_coefficient() sees to that, and plans anew if it changes.
template <class T>
class POISSON3D_API VariableSolver {
public:
    /// Plans and allocates all memory, where the engine works. Throws what Solver does, and
    ///  - Error{unsupported}: spectral, free faces, λ < 0, a batch, a workspace, axes that the engine cannot solve
    ///  - Error{usage}: scaling outside 0 … 1
    explicit VariableSolver(const Problem& problem, const Options& options = {},
                            std::optional<double> scaling = std::nullopt);
    ~VariableSolver();
    VariableSolver(VariableSolver&&) noexcept;
    VariableSolver& operator=(VariableSolver&&) noexcept;

    /// ε at the stored points. On faces between two points it is the harmonic mean, of cells with their widths as
    /// weights; at a wall it is that of the cell, or of the node on the wall.
    ///  - `helmholtz`: λ at the stored points, in the place of Problem::helmholtz; 0 or above. Values at Dirichlet
    ///    nodes do not matter. 0 everywhere is as singular as λ = 0.
    ///  - Copied: the fields are not needed afterwards. For an engine of a GPU they are in its memory or the
    ///  host's. May be called before every solve; the inner solver is
    ///    planned anew where λ₀ changes by more than a factor of two, or the numbers that are iterated in change.
    ///  - Dirichlet nodes count: they are one end of a face.
    ///  - Throws Error{data} naming the first ε that is not positive and finite, or the first λ that is negative or
    ///    not finite; there is no coefficient then.
    void set_coefficient(FieldView<const T> points, FieldView<const T> helmholtz = {});

    /// ε on the faces themselves, a field for each axis, one longer along it: entry j is the face between points
    /// j − 1 and j. The first and the last are walls: of cells the faces of the box, of nodes the points that lie
    /// on it, used where ∂u/∂n is given there. On a periodic axis both are the face that closes the ring, and must
    /// agree to 64 eps.
    void set_coefficient(const std::array<FieldView<const T>, 3>& faces, FieldView<const T> helmholtz = {});

    /// u := solution of A u = scale · f with boundary data: u on Dirichlet faces, ∂u/∂n (not ε ∂u/∂n) on Neumann
    /// faces, α u + β ∂u/∂n on Robin faces. Blocks.
    ///  - Engine host (automatic, too): fields in host memory; allocates nothing.
    ///  - Engine of a GPU: f, u and boundary data in the memory of Options::device, or all in host memory, from
    ///    where they are copied into memory that the first such call takes. In the default stream.
    ///  - Shapes and strides as for Solver::solve; f and u must not overlap (Error{usage}).
    ///  - Ends when the residual, a root mean square with the weights of the mean, is `tolerance` times that of the
    ///    right-hand side, or what rounding u to T leaves: 4 eps of the root mean square of (diagonal of A) · u.
    ///  - Not converged: u is the last iterate, its residual is told, nothing is thrown.
    ///  - Throws Error{usage} without a coefficient.
    VariableResult solve(FieldView<const T> f, FieldView<T> u, const BoundaryData<T>& boundary = {}, T scale = T(1),
                         const VariableControl& control = {});

    /// f := A u with homogeneous boundary values; 0 at Dirichlet nodes. Fields as for solve().
    void apply(FieldView<const T> u, FieldView<T> f);

    [[nodiscard]] double scaling() const noexcept;  ///< θ, the one chosen by set_coefficient()
    [[nodiscard]] Engine engine() const noexcept;
    [[nodiscard]] int threads() const noexcept;
    [[nodiscard]] std::size_t workspace() const noexcept;  ///< bytes held by the plan
    /// The most it takes with any coefficient. Allocates nothing; throws what the constructor does.
    [[nodiscard]] static std::size_t workspace_bytes(const Problem& problem, const Options& options = {});
    [[nodiscard]] std::string description() const;
    /// As Solver::range(), and so that squares are ordinary numbers: 1e-140 to 1e140 of double.
    [[nodiscard]] Range range() const;

private:
    struct POISSON3D_LOCAL Plan;
    std::unique_ptr<Plan> plan_;
};

extern template class VariableSolver<float>;
extern template class VariableSolver<double>;

}  // namespace poisson3d
