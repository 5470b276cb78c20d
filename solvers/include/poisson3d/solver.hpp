// The solver: (∇² − λ) u = f on a box, planned once, solved many times.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "poisson3d/boundary_data.hpp"
#include "poisson3d/export.hpp"
#include "poisson3d/field.hpp"
#include "poisson3d/grid.hpp"
#include "poisson3d/stream.hpp"

namespace poisson3d {

/// second_order: the 7-point stencil, its discrete eigenvalues −(4/h²) sin²(θ/2); the solution satisfies the
/// difference equations to rounding. spectral: −(θ/h)², the eigenvalues of the differential operator itself.
enum class Discretization { second_order, spectral };
/// host: FFTs of our own on threads of this process. The other two are engines of a GPU. cufft: cuFFT and sweeps of
/// our own.
/// fused: FFTs of our own inside the sweeps, one kernel for each pass; it does the whole solve as cufft does where
/// it has no kernels (an FFT length has prime factors above 7 or does not fit shared memory; memory mode standard)
/// or cuFFT is faster (boxes periodic in all axes, very long axes); Solver::description() tells. automatic: the
/// fastest there is on this machine, so fused where a GPU is. All take fields in host memory; in device memory only
/// the engines of a GPU do.
enum class Engine { automatic, host, cufft, fused };
/// On a GPU, fast: two internal fields. standard: one; a dense u serves as the other. low: none; the passes work
/// inside u, and the work areas beside are 64 MiB at most, or 2 % of the field where that is more. automatic: the
/// first of these three that fits, the last if none does.
///
/// On the host there is no internal field in any mode: the passes work inside u, which is fastest there, and a plan
/// holds line buffers, a few hundred bytes a thread for each point of the longest axis. low: fewer threads work
/// where they would be more than 64 MiB or 2 % of the field. automatic is fast.
enum class Memory { automatic, fast, standard, low };

POISSON3D_API const char* name(Discretization) noexcept;  ///< "second-order", "spectral"
POISSON3D_API const char* name(Engine) noexcept;
POISSON3D_API const char* name(Memory) noexcept;

/// How the constant of a singular problem is fixed: weighted mean zero (weights ½ at Neumann nodes), or the
/// value zero at the point (i, j, k). Ignored by problems that are not singular.
struct Gauge {
    std::optional<std::array<Index, 3>> point;  ///< empty: mean zero
};

struct Problem {
    Grid grid;
    Discretization discretization = Discretization::second_order;
    double helmholtz = 0.0;  ///< λ, in 1/length²
    Gauge gauge;
};

/// No Dirichlet face and λ == 0 as given: constants are in the null space.
POISSON3D_API bool singular(const Problem& problem) noexcept;

/// Checks grid, λ (finite), gauge point (stored, and an unknown). Throws Error{data} or Error{usage}.
POISSON3D_API void validate(const Problem& problem);

struct Options {
    Engine engine = Engine::automatic;
    Memory memory = Memory::automatic;
    int threads = 0;  ///< host threads; 0: all this process may use, below 0: Error{usage}
    int device = 0;   ///< GPU number for device engines
    Index batch = 1;  ///< the most right-hand sides that one solve will have; below 1: Error{usage}
    /// Memory for the plan, at least workspace_bytes(), which must outlive the solver: host memory aligned to 64
    /// bytes for engine host, memory of Options::device aligned to 256 for cufft and fused. Empty: the solver
    /// allocates it.
    std::span<std::byte> workspace;
};

/// What one solve did.
struct Result {
    bool singular = false;
    double mean_removed = 0.0;  ///< weighted mean of scale · f that was subtracted (0 unless singular)
};

/// How large max|scale · f| (boundary data included) and max|u| may be for a solve to be as accurate as ever.
/// Beyond `largest` transforms may overflow, below `smallest` digits are lost, as they are in any number that
/// small.
struct Range {
    double smallest = 0.0, largest = 0.0;
};

/// Time and traffic of one sweep of the last solve, all its fields together: of one of the five passes, or, on the
/// host, of the two that go through a plane together.
struct PassReport {
    std::string name;      ///< "1 z forward", "1 z y forward", …
    double seconds = 0.0;  ///< 0 until a solve ran; of a batch on a GPU as its last fields took it
    double bytes = 0.0;    ///< read and written by all its movements and FFTs
};

/// A planned solver for fields of T (float or double).
///
/// Solves (∇² − λ) u = scale · f with homogeneous boundary values by five passes over memory. Real, separable
/// transforms diagonalise each axis (Swarztrauber 1977; Makhoul 1980 for the algorithms); all normalisation is
/// one factor in mode space. One solve at a time per Solver; any number of Solvers at once.
template <class T>
class POISSON3D_API Solver {
public:
    /// Plans: allocates all memory (or carves options.workspace), plans or tabulates FFTs, tabulates eigenvalues.
    /// Throws Error: data (grid), unsupported (engine not in this build), resonant (λ < 0 meets
    /// an eigenvalue to rounding; the modes are named), out_of_memory (bytes wanted and available), usage
    /// (workspace too small or misaligned).
    explicit Solver(const Problem& problem, const Options& options = {});
    ~Solver();
    Solver(Solver&&) noexcept;
    Solver& operator=(Solver&&) noexcept;

    /// Bytes of workspace a plan for this problem and these options takes, exactly; nothing is allocated.
    static std::size_t workspace_bytes(const Problem& problem, const Options& options = {});

    /// u := solution of (∇² − λ) u = scale · f. Shapes: extents of both views equal the grid's points, any
    /// strides with the last 1; elements between are not touched. `f` and `u` may be the same memory or
    /// overlap; else f is only read. f at Dirichlet nodes is ignored, u there is 0. On a GPU in memory modes
    /// `standard` and `low` u must be dense (it serves as scratch): Error{usage} otherwise. On the host, and in
    /// mode `low`, f and u are best the same view or apart: on the host an f that meets u in part is moved there
    /// first, by one thread (Error{usage} for the rare layouts where some rows of f lie wider than those of u and
    /// others closer). Host engine: blocks; host memory; ignores the stream; allocates nothing. On a GPU (cufft,
    /// fused): f and u both in device memory of Options::device: asynchronous on `stream`, allocates nothing,
    /// synchronises nothing, may be captured in a CUDA graph. Both in host memory: copied to the device and back,
    /// blocks, and wants memory mode fast (the copies stand in the internal fields; the others have no room:
    /// Error{usage}). One of each: Error{usage}.
    void solve(FieldView<const T> f, FieldView<T> u, T scale = T(1), Stream stream = {});

    /// The same with inhomogeneous boundary data: u is g on Dirichlet faces, ∂u/∂n is g on Neumann faces. The data
    /// is not scaled. It is added while the first pass reads f: no further sweep over the field. Nodes on Dirichlet
    /// faces hold g in the end, where two such faces meet that of the earlier axis. Face arrays lie where the
    /// fields lie, are only read, and must not overlap u; they are not checked here (validate(Grid, BoundaryData)
    /// does). Throws Error{usage} for data on a periodic axis, Error{unsupported} with Discretization::spectral:
    /// what the data would add there is no grid function that the modes can carry to more than second order.
    void solve(FieldView<const T> f, FieldView<T> u, const BoundaryData<T>& boundary, T scale = T(1),
               Stream stream = {});

    /// Many right-hand sides at once: u[b] := solution for f[b], bit for bit what a solve of f[b] alone gives with
    /// the same plan. At most Options::batch fields, as many f as u (Error{usage}); the rules above hold for each.
    /// f[b] may be u[b], but must not meet any other u, nor fields of u each other. Boundary data may be one for
    /// all or an array for each (FaceValues::field_stride). Engine fused does a pass for all fields, or 1 GiB of
    /// them, in one launch, so that small boxes cost no more than one large box of as many points, and has internal
    /// fields for as many; the others, and fields in host memory, go one after the other.
    void solve(FieldBatch<const T> f, FieldBatch<T> u, const BoundaryData<T>& boundary = {}, T scale = T(1),
               Stream stream = {});

    /// u := scale · (∇² − λ) f through the transforms: the inverse of solve() up to rounding and the null
    /// space. Same shapes, same rules.
    void apply(FieldView<const T> f, FieldView<T> u, T scale = T(1), Stream stream = {});

    /// Waits for the stream's solve and says what was removed; passes() then holds its times.
    Result result(Stream stream = {});
    /// The same for each field of a batch, in order.
    std::vector<Result> results(Stream stream = {});

    [[nodiscard]] Engine engine() const noexcept;          ///< the one chosen, never automatic
    [[nodiscard]] Memory memory() const noexcept;          ///< the one chosen, never automatic
    [[nodiscard]] int threads() const noexcept;            ///< host threads at work
    [[nodiscard]] std::size_t workspace() const noexcept;  ///< bytes held by the plan (on a GPU: there)
    [[nodiscard]] const std::vector<PassReport>& passes() const noexcept;  ///< of the last solve or apply
    [[nodiscard]] std::string description() const;  ///< "fused (a kernel a pass) on NVIDIA H200, fast memory"
    /// Of double at least 1e-290 to 1e300 for every box of up to 2^41 points, of float 1e-31 to 1e31 up to 2^36;
    /// where engine cufft takes an all-periodic box of N points by 3-D transforms it ends at max/64N.
    [[nodiscard]] Range range() const;

private:
    struct POISSON3D_LOCAL Plan;
    std::unique_ptr<Plan> plan_;
};

extern template class Solver<float>;
extern template class Solver<double>;

/// What Engine::automatic stands for on this machine; host if nothing can be used.
POISSON3D_API Engine automatic_engine();

/// Why an engine cannot be used here; empty when it can.
POISSON3D_API std::string engine_unavailable(Engine engine);

}  // namespace poisson3d
