// A solver for fields that are larger than memory: some planes of it are there at a time, and what lies between the
// sweeps lies in a store of the caller, a file, say.
//
//     SlabSolver<double> solver(problem, {.bytes = std::size_t{1} << 30});
//     solver.forward(store, read_planes, boundary, scale);      // f, slab after slab
//     solver.middle(store);
//     solver.backward(store, write_planes);                     // u, slab after slab
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "poisson3d/boundary_data.hpp"
#include "poisson3d/solver.hpp"

namespace poisson3d {

/// Where numbers are kept. Places and sizes are in bytes; every read is of what was written before. Both block, are
/// called by one thread, and may throw anything, which ends the solve.
class POISSON3D_API SlabStore {
public:
    virtual ~SlabStore();
    virtual void write(std::uint64_t place, const void* from, std::size_t bytes) = 0;
    virtual void read(std::uint64_t place, void* to, std::size_t bytes) = 0;
};

struct SlabOptions {
    std::size_t bytes = std::size_t{1} << 30;  ///< of buffers, at most; more than is of use is not taken
    int threads = 0;                           ///< 0: all this process may use
    Middle middle = Middle::automatic;
    Index planes = 1;  ///< slabs have a multiple of so many planes, where `bytes` allow it: those of a chunk of a file
};

/// What it takes, in bytes, and how a field is cut.
struct SlabPlan {
    Index slabs = 0, planes = 0;  ///< how many slabs, of how many planes at most
    Index blocks = 0;             ///< of lines along the first axis
    std::size_t buffers = 0;      ///< for a slab or a block
    std::size_t workspace = 0;    ///< beside them: scratch of threads
    std::uint64_t store = 0;      ///< of the store: the unknowns of the field once
    std::uint64_t moved = 0;      ///< into the store and out of it, in a solve: twice each way
};

/// (∇² − λ) u = scale · f, as Solver has it, on the host. Slabs of planes of the first axis are transformed along
/// the axes within them and stored; blocks of lines along the first axis are read, solved and stored in their place;
/// slabs are read again and transformed back. The result has the bits of a Solver with the same Options::middle and
/// engine host.
///
/// The three steps of a solve are taken in order, on one thread, for one right-hand side after the other; a step
/// that threw is begun again with forward().
template <class T>
class POISSON3D_API SlabSolver {
public:
    /// Fills planes first … first + planes.extents[0] − 1 of f.
    using Fill = std::function<void(Index first, FieldView<T> planes)>;
    /// Planes first … of u, all of them in order; gone when the call returns.
    using Take = std::function<void(Index first, FieldView<const T> planes)>;

    /// Plans: takes all memory, makes all tables. Throws what Solver does, and Error
    ///  - unsupported: the problem has free faces
    ///  - out_of_memory: options.bytes hold no slab or no block, naming what is wanted
    explicit SlabSolver(const Problem& problem, const SlabOptions& options = {});
    ~SlabSolver();
    SlabSolver(SlabSolver&&) noexcept;
    SlabSolver& operator=(SlabSolver&&) noexcept;

    /// What a solver of these arguments is; makes no tables. Throws as the constructor.
    static SlabPlan plan(const Problem& problem, const SlabOptions& options = {});

    /// Reads f, slab after slab, dense, and fills the store. Where problems are singular, fill() is called for some
    /// planes before that, too: the constant that is taken from f (docs/notes.md) is known from samples of all of
    /// it. `boundary` is as of Solver::solve(), and not looked at after backward(). Throws Error{usage},
    /// Error{unsupported} for boundary data that the problem cannot have.
    void forward(SlabStore& store, const Fill& fill, const BoundaryData<T>& boundary = {}, T scale = T(1));
    /// The same for u := scale · (∇² − λ) f, as Solver::apply() has it.
    void forward_product(SlabStore& store, const Fill& fill, T scale = T(1));
    void middle(SlabStore& store);
    void backward(SlabStore& store, const Take& take);

    [[nodiscard]] Result result() const;  ///< after middle()
    [[nodiscard]] SlabPlan plan() const noexcept;
    [[nodiscard]] int threads() const noexcept;
    [[nodiscard]] Range range() const;
    /// "in 12 slabs, host, 2 threads, avx2"
    [[nodiscard]] std::string description() const;

private:
    struct POISSON3D_LOCAL Plan;
    std::unique_ptr<Plan> plan_;
};

extern template class SlabSolver<float>;
extern template class SlabSolver<double>;

}  // namespace poisson3d
