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
/// Who solves. All engines take fields in host memory; in device memory only those of a GPU do. What an engine
/// cannot have is refused (Error{unsupported}), and automatic takes the next one.
///  - automatic: the fastest on this machine: fused where there is a GPU, else host
///  - host: our own FFTs on threads of this process
///  - cufft: cuFFT in batches, our own kernels before and after, transposes between passes; eliminates no axis
///  - fused: one kernel for each pass, our own FFTs inside; several for lines that shared memory does not hold; as
///    cufft for lines of more than some 10⁸ points. It eliminates axes of up to 8192 unknowns, and multiplies those
///    without fast transform, and slow ones, with the matrices of their modes
/// Solver::description() says what a plan uses.
enum class Engine { automatic, host, cufft, fused };
/// What a plan holds beside f and u. On a GPU:
///  - automatic: the first of these three that fits, the last if none does
///  - fast: two internal fields; fused has one where lines go by a chirp (prime factors above 127) or one axis is
///    eliminated and none multiplied, and no axis has lines that shared memory does not hold
///  - standard: one; cufft takes u as the other
///  - low: none; passes work inside u. Work areas are 64 MiB at most, or 2 % of the field where that is more
///
/// On the host passes work inside u in every mode, which is fastest there. A plan holds line buffers, a few hundred
/// bytes a thread for each point of the longest axis; with low fewer threads work where these would be more than 64
/// MiB or 2 % of the field. automatic is fast.
enum class Memory { automatic, fast, standard, low };

/// What happens on the lines of the axis in the middle of the schedule: transformed and back, or eliminated, with
/// second_order differences only. Of axes without fast transform (grid.hpp) the one with most unknowns is
/// eliminated; the others are multiplied with the matrices of their eigenvectors, 2 n operations a point.
///  - automatic: eliminate where an axis demands it or it is faster
///  - transform: Error{unsupported} if an axis has no fast transform
///  - eliminate: also where all axes have one; then that whose FFTs are slowest, and its length does not matter.
///    Error{unsupported} with spectral, or where λ < 0 takes κ below 0 (problem.md)
enum class Middle { automatic, transform, eliminate };

POISSON3D_API const char* name(Discretization) noexcept;  ///< "second-order", "spectral"
POISSON3D_API const char* name(Engine) noexcept;
POISSON3D_API const char* name(Memory) noexcept;
POISSON3D_API const char* name(Middle) noexcept;

/// How a constant that the equations leave open is fixed (gauge_applies): weighted mean zero (weights ½ at Neumann
/// nodes), or the value zero at the point (i, j, k). Ignored by problems bounded on all sides that are not
/// singular.
///
/// With free faces, by itself, as it is far away: with two free axes u → (Q/ℓ) ln r / 2π, ℓ the length of the third
/// axis, with one u = Σ |x − x'| f(x')/2 of its lines' means; Q = Σ f · cell volume. Twice that where the other end
/// of a free axis is a Neumann face, by its image.
struct Gauge {
    std::optional<std::array<Index, 3>> point{};  ///< empty: mean zero, with free faces: far away
    bool mean = false;                            ///< with free faces: mean zero
};

struct Problem {
    Grid grid;
    Discretization discretization = Discretization::second_order;
    double helmholtz = 0.0;  ///< λ, in 1/length²
    Gauge gauge;
};

/// No Dirichlet face, no free one and λ == 0 as given: constants are in the null space.
POISSON3D_API bool singular(const Problem& problem) noexcept;

/// How many axes have a free face.
POISSON3D_API int unbounded_axes(const Grid& grid) noexcept;

/// λ == 0 as given, one or two axes are free, and no face holds u: u grows without bound far away, if the sum of f
/// is not 0, and every f has a solution.
POISSON3D_API bool grows_far_away(const Problem& problem) noexcept;

/// Equations that leave a constant open, which Problem::gauge chooses: singular(), or grows_far_away().
POISSON3D_API bool gauge_applies(const Problem& problem) noexcept;

/// Checks grid, λ (finite), gauge point (stored, and an unknown). Throws Error{data} or Error{usage}.
POISSON3D_API void validate(const Problem& problem);

struct Options {
    Engine engine = Engine::automatic;
    Memory memory = Memory::automatic;
    int threads = 0;  ///< host threads; 0: all this process may use, below 0: Error{usage}
    int device = 0;   ///< GPU number for device engines
    Index batch = 1;  ///< the most right-hand sides that one solve will have; below 1: Error{usage}
    Middle middle = Middle::automatic;
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
    /// Plans: allocates all memory (or takes options.workspace), makes all tables. Throws Error:
    ///  - data: the grid
    ///  - unsupported: an engine that is not in this build
    ///  - resonant: λ < 0 meets an eigenvalue to rounding; the modes are named
    ///  - out_of_memory: with the bytes wanted and available
    ///  - usage: a workspace that is too small or misaligned
    explicit Solver(const Problem& problem, const Options& options = {});
    ~Solver();
    Solver(Solver&&) noexcept;
    Solver& operator=(Solver&&) noexcept;

    /// Bytes of workspace a plan for this problem and these options takes, exactly; nothing is allocated.
    static std::size_t workspace_bytes(const Problem& problem, const Options& options = {});

    /// u := solution of (∇² − λ) u = scale · f.
    ///  - Shapes: extents of both views equal the grid's points, any strides with the last 1; elements between are
    ///    not touched. On a GPU in memory modes standard and low u must be dense, since it may be scratch
    ///    (Error{usage}).
    ///  - Dirichlet nodes: f there is ignored, u there is 0.
    ///  - Aliasing: f and u may be the same memory or overlap; else f is only read. On the host one thread first
    ///  moves
    ///    an f that overlaps u in part to u, which takes time (Error{usage} for the rare layouts where that is
    ///    impossible: some rows of f lie wider than those of u and others closer). On a GPU in mode low such an f
    ///    is refused (Error{usage}): it must be the same view or lie apart.
    ///  - Engine host: fields in host memory; blocks, ignores the stream, allocates nothing.
    ///  - On a GPU, fields in memory of Options::device: asynchronous on `stream`; allocates and synchronises
    ///    nothing; may be captured in a CUDA graph.
    ///  - On a GPU, fields in host memory: copied to the device and back; blocks; wants memory mode fast, where the
    ///    copies have room in the internal fields (Error{usage} in other modes).
    ///  - One field on either side: Error{usage}.
    void solve(FieldView<const T> f, FieldView<T> u, T scale = T(1), Stream stream = {});

    /// The same with boundary data g: u = g on Dirichlet faces, ∂u/∂n = g on Neumann faces.
    ///  - `scale` does not apply to g. It is added while the first pass reads f: no further sweep over the field.
    ///  - Nodes on Dirichlet faces hold g in the end; where two such faces meet, that of the earlier axis.
    ///  - Face arrays lie where the fields lie, are only read, and must not overlap u. They are not checked here;
    ///    validate(Grid, BoundaryData) does that.
    ///  - Throws Error{usage} for data on a periodic axis, Error{unsupported} with Discretization::spectral: what
    ///  the
    ///    data adds to f is no function that the modes represent to more than second order.
    void solve(FieldView<const T> f, FieldView<T> u, const BoundaryData<T>& boundary, T scale = T(1),
               Stream stream = {});

    /// Many right-hand sides at once: u[b] := solution for f[b], bit for bit what the same plan gives for f[b]
    /// alone.
    ///  - At most Options::batch fields, as many f as u (Error{usage}); the rules above hold for each of them.
    ///  - f[b] may be u[b], but must not overlap any other u, nor may fields of u overlap each other.
    ///  - Boundary data is one for all, or an array for each (FaceValues::field_stride).
    ///  - Engine fused does a pass for all fields, or 1 GiB of them, in one launch, and has internal fields for as
    ///    many: small boxes cost no more than one large box of as many points. The other engines, and fields in
    ///    host memory, go one after the other.
    void solve(FieldBatch<const T> f, FieldBatch<T> u, const BoundaryData<T>& boundary = {}, T scale = T(1),
               Stream stream = {});

    /// u := scale · (∇² − λ) f through the transforms: the inverse of solve() up to rounding and the null
    /// space. Same shapes, same rules.
    void apply(FieldView<const T> f, FieldView<T> u, T scale = T(1), Stream stream = {});

    /// `walls`, and on free faces what the last solve found there: what residuals and gradients take as boundary
    /// data. Waits for the stream. Arrays are the solver's, in host memory, until its next solve; of a batch they
    /// are those of each field. Error{unsupported} with spectral, which knows u at points alone.
    [[nodiscard]] BoundaryData<T> faces(const BoundaryData<T>& walls = {}, Stream stream = {});

    /// Waits for the stream's solve and says what was removed; passes() then holds times: on a GPU those
    /// of the first solve since the last call of result().
    Result result(Stream stream = {});
    /// The same for each field of a batch, in order.
    std::vector<Result> results(Stream stream = {});

    [[nodiscard]] Engine engine() const noexcept;          ///< the one chosen, never automatic
    [[nodiscard]] Memory memory() const noexcept;          ///< the one chosen, never automatic
    [[nodiscard]] int threads() const noexcept;            ///< host threads at work
    [[nodiscard]] std::size_t workspace() const noexcept;  ///< bytes held by the plan (on a GPU: there)
    /// Of the last solve or apply; which of them was timed, see result().
    [[nodiscard]] const std::vector<PassReport>& passes() const noexcept;
    [[nodiscard]] std::string description() const;  ///< "fused (a kernel a pass) on NVIDIA H200, fast memory"
    /// Of double at least 1e-290 to 1e300 for every box of up to 2^41 points, of float 1e-31 to 1e31 up to 2^36;
    /// with two or three free axes from 1e-270, of float from 1e-20 on.
    [[nodiscard]] Range range() const;

private:
    struct POISSON3D_LOCAL Plan;
    std::unique_ptr<Plan> plan_;
};

extern template class Solver<float>;
extern template class Solver<double>;

/// What Engine::automatic stands for on this machine; host if nothing can be used.
POISSON3D_API Engine automatic_engine();
/// The same for this problem: host if an engine of a GPU cannot have it.
POISSON3D_API Engine automatic_engine(const Problem& problem);

/// Why an engine cannot be used here; empty when it can.
POISSON3D_API std::string engine_unavailable(Engine engine);

}  // namespace poisson3d
