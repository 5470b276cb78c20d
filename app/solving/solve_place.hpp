// Where a solve happens: in host memory or in that of a GPU. The run asks for the same steps of both and does not
// know which it is.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "poisson3d/field.hpp"
#include "poisson3d/solver.hpp"

namespace poisson3d::app {

/// What a place is made for.
struct SolveTask {
    Problem problem;
    Options options;         ///< the engine decided
    Index read_planes = 1;   ///< planes in a slab of the right-hand side, at most
    Index write_planes = 1;  ///< planes in a slab of the solution, at most
    bool keep = true;        ///< solution() will be asked for
    bool apply = false;      ///< apply_operator() will be asked for
    std::size_t beside = 0;  ///< bytes of host memory that the run takes between the solve and apply_operator()
    bool mixed = false;      ///< MixedSolver (fields of double only)
};

/// What a solver says of itself.
struct Planned {
    Engine engine = Engine::host;
    Memory memory = Memory::fast;
    std::size_t workspace = 0;
    std::string description;
    Range range;                     ///< of right-hand sides and solutions
    std::optional<int> refinements;  ///< mixed precision
};

template <class S>
Planned planned(const S& solver) {
    Planned plan{solver.engine(),      solver.memory(), solver.workspace(),
                 solver.description(), solver.range(),  std::nullopt};
    if constexpr (requires { solver.refinements(); }) plan.refinements = solver.refinements();
    return plan;
}

struct Solved {
    Result result;
    double seconds = 0.0;  ///< without copies between host and device
    std::vector<PassReport> passes;
};

/// One field, in which the solution takes the place of the right-hand side (mixed precision: a field for each), and
/// the solver beside it. The steps are taken once each, in the order of the functions here. Interrupts end a step
/// between two slabs.
template <class T>
class SolvePlace {
public:
    SolvePlace() = default;
    virtual ~SolvePlace() = default;
    SolvePlace(const SolvePlace&) = delete;
    SolvePlace& operator=(const SolvePlace&) = delete;

    /// Host memory for planes first …, to be filled.
    using Fill = std::function<void(Index first, FieldView<T> planes)>;
    /// Planes first … of the solution in host memory, gone when the call returns.
    using Take = std::function<void(Index first, FieldView<const T> planes)>;

    /// Fills the field with the right-hand side.
    virtual void read(const Fill& fill) = 0;
    /// Plans, unless making the place did so already.
    virtual Planned plan() = 0;
    virtual Solved solve(T scale) = 0;
    /// Seconds to copy a field of this size once where it is; 0 if there is no memory to try.
    virtual double copy_seconds() = 0;
    /// Hands out the solution.
    virtual void write(const Take& take) = 0;
    /// The solution in host memory, with SolveTask::keep only.
    [[nodiscard]] virtual FieldView<const T> solution() const = 0;
    /// L u of the solution through the transforms, in double precision. The last step: it may use the memory of the
    /// solution and of the solver.
    virtual Field<double> apply_operator() = 0;
};

/// `boundary` is in host memory and outlives the place, which makes its own copy of it where it needs one.
/// Both throw Error{out_of_memory} before they take much if the memory cannot suffice, naming the bytes wanted and
/// available; the one on a device asks for both memories, plans at once, and throws what the solver throws.
template <class T>
std::unique_ptr<SolvePlace<T>> solve_on_host(const SolveTask& task, const BoundaryData<T>& boundary);
template <class T>
std::unique_ptr<SolvePlace<T>> solve_on_device(const SolveTask& task, const BoundaryData<T>& boundary);

}  // namespace poisson3d::app
