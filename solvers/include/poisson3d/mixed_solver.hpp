// Mixed precision: the transforms in single, residuals and the solution in double.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "poisson3d/export.hpp"
#include "poisson3d/solver.hpp"

namespace poisson3d {

/// A planned solver for fields of double whose transforms work in float: less memory than a plan in double, and the
/// arithmetic of float for nearly all of the work.
///
///     u := S(f̃);    `refinements` times:  r := f̃ − mean − L u in double,  u := u + S(r)
///
/// with S the Solver<float> of the same problem and f̃ = scale · f with the boundary data added (Wilkinson 1963;
/// Higham, "Accuracy and Stability", ch. 12). The constant of a box without Dirichlet faces is solved for in
/// double. Second-order only: the residual of Discretization::spectral would need the transforms in double that
/// this saves.
class POISSON3D_API MixedSolver {
public:
    /// Plans: allocates all memory, or takes options.workspace. Options as for Solver. Without `refinements` it
    /// does as many as take the error to that of a solve in double: 2, or 3 and 4 for boxes like needles and for λ
    /// < 0 near an eigenvalue (docs/accuracy.md). Throws:
    ///  - what Solver<float> does, also where lengths leave the range of float or λ < 0 meets an eigenvalue to its
    ///    rounding
    ///  - Error{usage}: refinements outside 0 … 8
    ///  - Error{unsupported}: spectral, a batch, a least eigenvalue too small for refinement to converge
    explicit MixedSolver(const Problem& problem, const Options& options = {},
                         std::optional<int> refinements = std::nullopt);
    ~MixedSolver();
    MixedSolver(MixedSolver&&) noexcept;
    MixedSolver& operator=(MixedSolver&&) noexcept;

    /// Bytes a plan takes, exactly: a plan in float, one dense field of float, a few KiB. Nothing is allocated.
    static std::size_t workspace_bytes(const Problem& problem, const Options& options = {});

    /// u := solution of (∇² − λ) u = scale · f with boundary data, by the rules of Solver::solve, but for these:
    ///  - Views may have any strides with the last 1 in every memory mode.
    ///  - f is needed to the end: the memory from its first to its last element must not overlap that of u
    ///    (Error{usage}).
    ///  - Any finite scale of f is fine as long as scale · f, the data and u stay ordinary numbers.
    ///  - On a GPU all fields and data lie in memory of Options::device (Error{usage} otherwise).
    void solve(FieldView<const double> f, FieldView<double> u, const BoundaryData<double>& boundary = {},
               double scale = 1.0, Stream stream = {});

    /// Waits for the stream's solve and says what was removed, a mean taken in double.
    Result result(Stream stream = {});

    [[nodiscard]] int refinements() const noexcept;
    [[nodiscard]] Engine engine() const noexcept;          ///< the one chosen, never automatic
    [[nodiscard]] Memory memory() const noexcept;          ///< of the plan in float, never automatic
    [[nodiscard]] int threads() const noexcept;            ///< host threads at work
    [[nodiscard]] std::size_t workspace() const noexcept;  ///< bytes held by the plan (on a GPU: there)
    /// The passes of the last of the solves in float.
    [[nodiscard]] const std::vector<PassReport>& passes() const noexcept;
    [[nodiscard]] Range range() const noexcept;     ///< 1e-290 to 1e300, whatever the box
    [[nodiscard]] std::string description() const;  ///< "host, 2 threads, AVX-512, fast memory, 2 refinements"

private:
    struct POISSON3D_LOCAL Plan;
    std::unique_ptr<Plan> plan_;
};

}  // namespace poisson3d
