// Where a solve happens: in host memory or in that of a GPU. The run asks for the same steps of both and does not
// know which it is.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "poisson3d/distributed.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/field.hpp"
#include "poisson3d/memory.hpp"
#include "poisson3d/solver.hpp"
#include "poisson3d/text.hpp"
#include "ranks/ranks.hpp"
#include "reporting/report.hpp"
#include "solving/rhs_numbers.hpp"
#include "solving/solver_kind.hpp"

namespace poisson3d::app {

/// What a backend is made for.
struct SolveTask {
    Problem problem;
    Options options;
    Index read_planes = 1;   ///< planes in a slab of the right-hand side, at most
    Index write_planes = 1;  ///< planes in a slab of the solution, at most
    bool keep = true;        ///< solution() will be asked for
    bool apply = false;      ///< apply_operator() will be asked for
    std::size_t extra_bytes =
        0;                       ///< bytes of host memory that the run takes between the solve and apply_operator()
    bool mixed = false;          ///< MixedSolver (fields of double only)
    bool faces = false;          ///< faces() will be asked for
    std::array<int, 2> shape{};  ///< of the members that share the box; 0: one solver has all of it
    Method method = Method::automatic;  ///< of members
    std::size_t max_memory = 0;         ///< of the host that may be taken; 0: what is available
    bool disk = false;                  ///< from slabs in a file, even if memory would do
    std::string output{};               ///< the file beside which that file lies
    double scale = 1.0;                 ///< of every solve
    std::vector<int> devices{};         ///< of members on GPUs; none: members are in host memory
};

/// Bytes of host memory that may still be taken; 0 if unknown.
inline std::size_t host_memory_for(const SolveTask& task) {
    const std::size_t available = available_host_memory();
    if (task.max_memory == 0) return available;
    return available == 0 ? task.max_memory : std::min(available, task.max_memory);
}

/// What a solver says of itself.
struct Planned {
    Engine engine = Engine::host;
    Memory memory = Memory::fast;
    std::size_t workspace = 0;
    std::string description;
    Range range;                     ///< of right-hand sides and solutions
    std::optional<int> refinements;  ///< mixed precision
    Members members;
    std::optional<OnDisk> disk{};
};

struct Solved {
    Result result;
    double seconds = 0.0;  ///< without copies between host and device
    std::vector<PassReport> passes;
    std::optional<VariableResult> variable{};  ///< with a variable coefficient
};

/// One field, in which the solution takes the place of the right-hand side (mixed precision: a field for each), and
/// the solver beside it, planned when the backend is made. The steps are taken in the order of the functions
/// here, and again from read() on for another right-hand side. Interrupts end a step between two slabs.
template <class T>
class SolveBackend {
public:
    SolveBackend() = default;
    virtual ~SolveBackend() = default;
    SolveBackend(const SolveBackend&) = delete;
    SolveBackend& operator=(const SolveBackend&) = delete;

    /// Host memory for planes first …, to be filled.
    using Fill = std::function<void(Index first, FieldView<T> planes)>;
    /// Planes first … of the solution in host memory, gone when the call returns.
    using Take = std::function<void(Index first, FieldView<const T> planes)>;

    [[nodiscard]] virtual Planned planned() const = 0;
    /// Fills the field with the right-hand side.
    virtual void read(const Fill& fill) = 0;
    virtual Solved solve(T scale) = 0;

    /// Whether all who have a part of the field read and write HDF5 files themselves, in the place of read() and
    /// write(). Boundary values and free faces are unknown to read_shared(), which reads a 3-D data set; it returns
    /// nothing where read() must be called after all, which then says why. A data set that write_shared() fills is
    /// in a file that nobody else has open.
    [[nodiscard]] virtual bool shares_files() const { return false; }
    virtual std::optional<RhsNumbers> read_shared(const std::string& /*file*/, const std::string& /*dataset*/,
                                                  double /*scale*/) {
        return std::nullopt;
    }
    virtual double largest() { return 0.0; }  ///< |u|; infinite if u has values that are not finite
    virtual void write_shared(const std::string& /*file*/, const std::string& /*dataset*/) {}

    /// Seconds to copy a field of this size once where it is; 0 if there is no memory to try.
    virtual double copy_seconds() = 0;
    /// Hands out the solution.
    virtual void write(const Take& take) = 0;
    /// The solution in host memory, with SolveTask::keep only. Its planes are there after bring().
    [[nodiscard]] virtual FieldView<const T> solution() const = 0;
    /// Of solution(), planes first … first + count − 1 and those next to them; may take others away. Mostly all are
    /// there, and always are where all_there().
    virtual void bring(Index /*first*/, Index /*count*/) {}
    [[nodiscard]] virtual bool all_there() const { return true; }
    /// read_back(first, planes) fills planes with what write() has handed out of them: where no solution is kept,
    /// it comes from the output. To be called before write().
    virtual void use_output(const Fill& /*read_back*/) {}
    /// `walls` and what the last solve found on free faces, in host memory, with SolveTask::faces only. Not in
    /// mixed precision, nor spectral.
    [[nodiscard]] virtual BoundaryData<T> faces(const BoundaryData<T>& walls) = 0;
    /// Planes first … first + count − 1 of `whole` are there, and others perhaps not.
    using Applied = std::function<void(FieldView<const double> whole, Index first, Index count)>;
    /// L u of the solution through the transforms, in double precision, handed out in order of planes. The last
    /// step: it may use the memory of the solution and of the solver. Not in mixed precision.
    virtual void apply_operator(const Applied& applied) = 0;
};

template <class T>
struct ChosenBackend {
    std::unique_ptr<SolveBackend<T>> backend;
    std::string fallback;  ///< why `automatic` had to do without a GPU; else empty
};

/// Makes the backend that the engine of `task.options` asks for: `automatic` is a GPU if it can take the problem,
/// else the host. Members are on GPUs where some are named, else threads, or all the ranks where there are several.
/// `boundary` is in host memory and outlives the backend, which makes its own copy of it where it needs one. Throws
/// Error{out_of_memory} before much is taken if the memory cannot suffice, naming the bytes wanted and available (a
/// backend on a device asks for both memories), and what the solver throws.
template <class T>
ChosenBackend<T> choose_backend(Ranks& ranks, SolveTask task, const BoundaryData<T>& boundary);

// What both backends use.

template <class S>
Planned describe(const S& solver) {
    Planned plan{solver.engine(),
                 solver.memory(),
                 solver.workspace(),
                 solver.description(),
                 solver.range(),
                 std::nullopt,
                 {}};
    if constexpr (requires { solver.refinements(); }) plan.refinements = solver.refinements();
    return plan;
}

inline std::size_t field_bytes(const Problem& problem, std::size_t size) {
    return static_cast<std::size_t>(problem.grid.size()) * size;
}

/// Throws Error{out_of_memory} unless `wanted` bytes are among those that are `free` (0: unknown) in a memory,
/// "host" or "device". A sum that is found missing now costs nothing; the same found after reading costs the
/// reading.
template <class S>
void require_memory(const std::string& memory, const Problem& problem, std::size_t wanted, std::size_t free,
                    const std::string& told) {
    if (free == 0 || wanted <= free) return;
    throw Error(ErrorCode::out_of_memory,
                "out of " + memory + " memory: this problem needs " + format_bytes(wanted) +
                    (keeps_rhs<S> ? " (two fields of " : " (the field ") +
                    format_bytes(field_bytes(problem, sizeof(ValueOf<S>))) + "), " + told +
                    (sizeof(ValueOf<S>) == 8 ? "; --precision single takes half of it" : ""));
}

/// Mixed precision is second-order only, whose operator needs no transforms.
[[noreturn]] inline void refuse_operator() {
    throw Error(ErrorCode::internal, "mixed precision was asked for the operator through its transforms");
}

}  // namespace poisson3d::app
