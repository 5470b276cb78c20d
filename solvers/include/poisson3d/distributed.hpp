// Solvers that several members share: each has some planes of the first axis, and its part of f and u.
//
//     Communicator all = threads(4);
//     Decomposition parts = Decomposition::slabs(problem.grid.points(), all.size());
//     DistributedSolver<double> solver(problem, parts, all);
//     solver.solve(views_of_f, views_of_u);     // a view for each of my members
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "poisson3d/error.hpp"
#include "poisson3d/solver.hpp"

namespace poisson3d {

/// A part of a grid: stored points first … first + points − 1 of each axis.
struct Box {
    Extents first{}, points{};
    friend bool operator==(const Box&, const Box&) = default;
};

/// Which member has which points: slabs along the first axis, of any number of planes. Pure arithmetic.
class POISSON3D_API Decomposition {
public:
    /// As even as can be: the first (points[0] modulo members) members have a plane more. Members may be more than
    /// planes; the last ones then have none. Throws Error{usage} for members < 1.
    static Decomposition slabs(const Extents& points, int members);
    /// Member m has planes[m], in order; 0 is allowed. Throws Error{usage} unless they add up to points[0].
    static Decomposition slabs(const Extents& points, const std::vector<Index>& planes);

    [[nodiscard]] int members() const noexcept { return static_cast<int>(first_.size()) - 1; }
    [[nodiscard]] const Extents& points() const noexcept { return points_; }  ///< of the whole grid
    /// First plane of a member, and how many it has. Member is 0 … members() − 1.
    [[nodiscard]] Index first(int member) const { return first_[static_cast<std::size_t>(member)]; }
    [[nodiscard]] Index planes(int member) const { return first(member + 1) - first(member); }
    [[nodiscard]] Box box(int member) const;
    /// Who has plane i.
    [[nodiscard]] int owner(Index i) const;

private:
    Decomposition(const Extents& points, std::vector<Index> first) : points_(points), first_(std::move(first)) {}
    Extents points_;
    std::vector<Index> first_;  ///< of each member, and the end
};

class Transport;

/// Members that solve together, some or all of them in this process. Copies are the same communicator.
class POISSON3D_API Communicator {
public:
    /// By threads() or devices() below, or mpi() of mpi.hpp.
    explicit Communicator(std::shared_ptr<Transport> transport);
    [[nodiscard]] int size() const noexcept;
    /// Those of this process, in order.
    [[nodiscard]] const std::vector<int>& mine() const noexcept;
    [[nodiscard]] std::string description() const;                               ///< "4 members on threads"
    [[nodiscard]] Transport& transport() const noexcept { return *transport_; }  ///< for the library itself

private:
    std::shared_ptr<Transport> transport_;
};

/// Members on threads of this process, all of them mine, with fields in host memory. Throws Error{usage} for
/// members < 1.
POISSON3D_API Communicator threads(int members);

/// A member on each of these GPUs of this process, all of them mine, with fields in the memory of its device; a
/// number may stand several times. What they exchange goes from device to device, by links where there are some.
/// Throws Error{usage} for no member, more than 16 and devices that are not there, Error{device} without a GPU,
/// Error{unsupported} in a build without CUDA.
POISSON3D_API Communicator devices(const std::vector<int>& numbers);

/// How members solve together along the axis that is split.
///  - eliminate: each reduces its planes to one, these are solved for, and put back; two planes of numbers travel.
///    second_order only, and no κ below 0 (problem.md).
///  - transpose: blocks are exchanged, so that each member has whole lines, and again back; the field travels
///  twice.
///    The first axis must have a fast transform.
///  - automatic: eliminate where that is possible.
///
/// Only the first axis may have free faces, with eliminate; u is then as it is far away (Gauge), and no other gauge
/// is taken.
enum class Method { automatic, eliminate, transpose };
POISSON3D_API const char* name(Method) noexcept;

struct DistributedOptions {
    Method method = Method::automatic;
    /// Host threads of all my members together, each of which has at least one. 0: all this process may use; ranks
    /// of MPI that may use the same processors of a host share them evenly.
    int threads = 0;
    Index batch = 1;  ///< the most right-hand sides that one solve will have
};

/// The method that members take for a problem where this one is wanted. Throws Error{unsupported} where there is
/// none.
POISSON3D_API Method possible_method(const Problem& problem, Method wanted = Method::automatic);

/// Thrown where another member refused a call that all of them share: the code is that member's, and so are the
/// words that say why.
class POISSON3D_API RefusedElsewhere : public Error {
public:
    explicit RefusedElsewhere(ErrorCode code);
};

/// What travels in one solve, in all.
struct Traffic {
    Index messages = 0;
    double bytes = 0.0;
};

/// A planned solver of members: (∇² − λ) u = scale · f, as Solver has it. One solve at a time.
template <class T>
class POISSON3D_API DistributedSolver {
public:
    /// Plans on all members; a call of all of them, with the same arguments. Throws what Solver does, on all
    /// members if on one, and Error
    ///  - usage: the decomposition is not of this grid, or not of as many members as the communicator
    ///  - unsupported: a method that the problem cannot have; says which it can
    DistributedSolver(const Problem& problem, const Decomposition& parts, const Communicator& members,
                      const DistributedOptions& options = {});
    ~DistributedSolver();
    DistributedSolver(DistributedSolver&&) noexcept;
    DistributedSolver& operator=(DistributedSolver&&) noexcept;

    /// u := solution of (∇² − λ) u = scale · f, on all members; a view for each of mine, in the order of mine(),
    /// whose extents are those of the member's box. Pitches, ghosts and aliasing of f and u as Solver::solve says;
    /// a member without planes may have null pointers. A call of all members, from one thread of each process;
    /// blocks, allocates nothing. What a member refuses all refuse: its process gets the sentence, the others
    /// RefusedElsewhere.
    ///
    /// Members on devices: f, u and arrays of boundary data are in the memory of the member's device; where x is
    /// eliminated, f and u are apart or the same view. Every member works in a stream of its device, that of
    /// `streams` or the default one: what the streams held before is done first, and the call returns when all is
    /// launched. It may be captured in the first stream. result() waits; a solve in other streams than the one
    /// before must come after it, which is the caller's to see to.
    ///
    ///  - Method::transpose: the bits of one member's solve, where z has 32 unknowns or more, or as many as x;
    ///    else within rounding.
    ///  - Method::eliminate: within the tolerance of a solve; the same bits for the same parts.
    void solve(std::span<const FieldView<const T>> f, std::span<const FieldView<T>> u, T scale = T(1),
               std::span<const Stream> streams = {});
    /// With boundary data: for each of my members the part of each face that its box touches, in arrays of that
    /// part's extents; faces of the first axis are those of the members at its ends, others' are ignored.
    void solve(std::span<const FieldView<const T>> f, std::span<const FieldView<T>> u,
               std::span<const BoundaryData<T>> boundary, T scale = T(1), std::span<const Stream> streams = {});
    /// Many right-hand sides, one after the other: a batch for each of my members, all of as many fields.
    void solve(std::span<const FieldBatch<const T>> f, std::span<const FieldBatch<T>> u,
               std::span<const BoundaryData<T>> boundary = {}, T scale = T(1),
               std::span<const Stream> streams = {});
    /// u := scale · (∇² − λ) f, as Solver::apply has it.
    void apply(std::span<const FieldView<const T>> f, std::span<const FieldView<T>> u, T scale = T(1),
               std::span<const Stream> streams = {});

    [[nodiscard]] Result result() const;  ///< of the last solve (of its first field); the same on all members
    [[nodiscard]] std::vector<Result> results() const;     ///< of each field of the last solve
    [[nodiscard]] Method method() const noexcept;          ///< the one chosen, never automatic
    [[nodiscard]] Traffic traffic() const noexcept;        ///< of a solve of one field, between members
    [[nodiscard]] std::size_t workspace() const noexcept;  ///< bytes that the plan holds for my members
    [[nodiscard]] int threads() const noexcept;            ///< host threads of all my members together
    [[nodiscard]] Range range() const;                     ///< of right-hand sides and solutions
    /// "x eliminated over 4 members on threads, host, 1 thread, avx2"
    [[nodiscard]] std::string description() const;

private:
    struct POISSON3D_LOCAL Plan;
    std::unique_ptr<Plan> plan_;
};

extern template class DistributedSolver<float>;
extern template class DistributedSolver<double>;

}  // namespace poisson3d
