// Solvers that several members share: each has a box of the grid, and its part of f and u.
//
//     Communicator all = threads(4);
//     Decomposition parts = Decomposition::automatic(problem.grid.points(), all.size());
//     DistributedSolver<double> solver(problem, parts, all);
//     solver.solve(views_of_f, views_of_u);     // a view for each of my members
#pragma once

#include <array>
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

class Communicator;

/// Which member has which points: slabs of planes of the first axis, or pencils, which are slabs that are cut along
/// the second axis as well. Members form a grid: those in row r have range r of the first axis, those in column c
/// range c of the second. Or any boxes. Pure arithmetic.
class POISSON3D_API Decomposition {
public:
    /// Slabs as even as can be: the first (points[0] modulo members) members have a plane more. Members may be more
    /// than planes; the last ones then have none. Throws Error{usage} for members < 1.
    static Decomposition slabs(const Extents& points, int members);
    /// Member m has planes[m], in order; 0 is allowed. Throws Error{usage} unless they add up to points[0].
    static Decomposition slabs(const Extents& points, const std::vector<Index>& planes);
    /// members[0] × members[1] pencils, in both directions as even as can be. Member members[1] · r + c is in row r
    /// and column c, as in Cartesian communicators of MPI. Throws Error{usage} for fewer than 1 in a direction.
    static Decomposition pencils(const Extents& points, std::array<int, 2> members);
    /// Row r has first[r] points of the first axis, column c second[c] of the second one; 0 is allowed. Throws
    /// Error{usage} unless they add up to points[0] and points[1].
    static Decomposition pencils(const Extents& points, const std::vector<Index>& first,
                                 const std::vector<Index>& second);
    /// In the grid nearest to a square of those in which all have points, with at least as many rows as columns; if
    /// there is none, slabs. Throws Error{usage} for members < 1.
    static Decomposition pencils(const Extents& points, int members);
    /// Slabs while there are planes for all members; from then on pencils in the fewest columns with which there
    /// are, if members are such a product, else slabs. Throws Error{usage} for members < 1.
    static Decomposition automatic(const Extents& points, int members);

    /// Boxes that members have anyway: every point of the grid in one of them, in any order; some may have no
    /// points. If they are slabs or pencils, these are taken. Others are solved in those of automatic(): solvers
    /// move f and what faces have there before, and u back after (solved_in). Throws Error{usage} naming the
    /// members whose boxes overlap or leave the grid, or how many points none has.
    static Decomposition boxes(const Extents& points, const std::vector<Box>& boxes);

    /// The same where each process knows those of its members alone: a call of all members, before they plan.
    /// Throws RefusedElsewhere too.
    static Decomposition boxes(const Extents& points, const std::vector<Box>& mine, const Communicator& members);

    /// The same boxes for other members: that of member m is the one of members[m]. Throws Error{usage} unless
    /// these are all members, each once.
    [[nodiscard]] Decomposition in_order_of(const std::vector<int>& members) const;

    [[nodiscard]] int members() const noexcept { return static_cast<int>(place_.size()); }
    [[nodiscard]] const Extents& points() const noexcept { return points_; }  ///< of the whole grid
    /// Are the boxes neither slabs nor pencils?
    [[nodiscard]] bool redistributed() const noexcept { return redistributed_; }
    /// The slabs or pencils in which the same members solve: these, or if redistributed() others.
    [[nodiscard]] Decomposition solved_in() const;
    /// Rows and columns of members, of those solved in, as are the next two; slabs are one column.
    [[nodiscard]] std::array<int, 2> shape() const noexcept {
        return {static_cast<int>(cuts_[0].size()) - 1, static_cast<int>(cuts_[1].size()) - 1};
    }
    [[nodiscard]] int member(int row, int column) const;
    [[nodiscard]] std::array<int, 2> place(int member) const;  ///< its row and column
    /// Member is 0 … members() − 1.
    [[nodiscard]] Box box(int member) const;
    [[nodiscard]] Index first(int member) const { return box(member).first[0]; }    ///< its first plane
    [[nodiscard]] Index planes(int member) const { return box(member).points[0]; }  ///< how many it has
    /// Who has point (i, j, k); in slabs and pencils whatever k is.
    [[nodiscard]] int owner(Index i, Index j = 0, Index k = 0) const;

private:
    Decomposition(const Extents& points, std::array<std::vector<Index>, 2> cuts);
    Extents points_;
    std::array<std::vector<Index>, 2> cuts_;  ///< first points of rows and columns, and the ends
    std::vector<int> place_;                  ///< of each member, counted row by row
    std::vector<Box> own_;                    ///< of each member, if they were given
    bool redistributed_ = false;
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
    [[nodiscard]] std::string description() const;  ///< "4 members on threads"
    /// In the place of a call of all members (planning, solve, apply) that this process cannot make, since what it
    /// was given makes no sense: the others, which make it, get RefusedElsewhere of this code.
    void refuse(ErrorCode code) const;
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

/// How members solve together along the first axis.
///  - eliminate: each reduces its planes to one, these are solved for, and put back; two planes of numbers travel.
///    second_order only, and no κ below 0 (problem.md).
///  - transpose: blocks are exchanged, so that each member has whole lines, and again back; the field travels
///    twice. The first axis must have a fast transform.
///
/// Between pencils the second axis is always transposed, within rows: the field travels twice more.
///
///  - automatic: eliminate where that is possible.
///
/// Free faces, second_order: with eliminate, and the first axis alone free, its ends have ground. Otherwise all
/// free faces are closed by walls, by either method: what the solution between these is next to them gives the
/// values that the faces have in empty space, with which u is right. On hosts, and in slabs of GPUs that eliminate,
/// f is transformed once, and of the rest only an eliminated axis goes twice; other GPUs solve twice.
///
/// Free faces, spectral: lines along free axes are padded with zeros to twice their length, in slabs of the first
/// axis; those of other decompositions are moved to slabs before, and back after. The method is transpose. Blocks
/// of modes of the last axis travel there and back: twice the field each way if that axis is free, else once.
enum class Method { automatic, eliminate, transpose };
POISSON3D_API const char* name(Method) noexcept;

/// How what members on devices send goes from one to another.
///  - copies: by copy engines of the receiver; between ranks of MPI, as stores and passes, within one host, whose
///    devices read each other's memory
///  - stores: by a kernel of the sender, which stores into the memory of the receiver; needs access to it
///  - nccl: by groups of NCCL's sends and receives; its library is opened when the solver is planned, and each
///    member must be on a device of its own
///  - staged: through pinned memory of the host
///  - passes: those before an exchange store what others need into their memory, all of it or a part
///    (DistributedOptions::stored), and copy engines take the rest; of at most 16 members that transpose, needs
///    access as stores do, slabs, and FFTs with outer steps along all axes
///  - mpi: between ranks of MPI, by its messages from and to memory of devices, where MPI says that it reads this
///    and a trial proves it
///  - automatic: passes where there are such, between devices of a fast link, which store as much as took least on
///    H100s (of more than two members in parts of less than 1 GiB); else, of copies, and stores or, where devices
///    have no access to each other, staged, the one that moved most bytes a second between these devices while the
///    solver was planned. Between ranks, too, passes where there are such; else copies, else nccl, else so of mpi
///    and staged
///
/// All give the same bits. Devices of one process have all but mpi; ranks of several hosts have nccl, mpi and
/// staged.
enum class Way { automatic, copies, stores, nccl, staged, passes, mpi };
POISSON3D_API const char* name(Way) noexcept;

struct DistributedOptions {
    Method method = Method::automatic;
    /// Host threads of all my members together, each of which has at least one. 0: all this process may use; ranks
    /// of MPI that may use the same processors of a host share them evenly.
    int threads = 0;
    Index batch = 1;  ///< the most right-hand sides that one solve will have
    /// Members on devices that transpose: in how many chunks a part is exchanged, beside the passes over others. 0:
    /// chosen by its size.
    int chunks = 0;
    Way way = Way::automatic;  ///< of members on devices; others have automatic alone
    /// With chunks: in how many pieces lines along the split axis are transformed, while the last chunk is
    /// exchanged piece by piece beside them. 0: chosen.
    int pieces = 0;
    double stored = 1.0;  ///< where Way::passes is asked for: the part that they store, above 0, at most 1
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

/// Messages between members, and the bytes in them.
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
    ///  - unsupported: a way that is not there, or of members that are not on devices
    ///  - unsupported: free faces that are closed by walls beside positions, coefficients and Robin faces
    DistributedSolver(const Problem& problem, const Decomposition& parts, const Communicator& members,
                      const DistributedOptions& options = {});
    ~DistributedSolver();
    DistributedSolver(DistributedSolver&&) noexcept;
    DistributedSolver& operator=(DistributedSolver&&) noexcept;

    /// u := solution of (∇² − λ) u = scale · f, on all members; a view for each of mine, in the order of mine(),
    /// whose extents are those of the member's box. Pitches, ghosts and aliasing of f and u as Solver::solve says;
    /// a member without points may have null pointers. A call of all members, from one thread of each process;
    /// blocks, allocates nothing, but what comes for the second time on devices. What a member refuses all refuse:
    /// its process gets the sentence, the others RefusedElsewhere.
    ///
    /// Members on devices: f, u and arrays of boundary data are in the memory of the member's device; where x is
    /// eliminated, f and u are apart or the same view. Every member works in a stream of its device, that of
    /// `streams` or the default one: what the streams held before is done first, and the call returns when all is
    /// launched. It may be captured in the first stream. A call that comes for the second time with the same views,
    /// data and scale is recorded as a CUDA graph over all devices, which takes memory for it, and launched as one
    /// from then on (the last eight are kept; not with Way::nccl). result() waits; a solve in other streams than
    /// the one before must come after it, which is the caller's to see to.
    ///
    ///  - Method::transpose: the bits of one member's solve, where z has 32 unknowns or more, or as many as x;
    ///    else within rounding. With pencils, where z has 32 for each column and the second axis is cut before
    ///    unknowns 32, 64 and so on.
    ///  - Method::eliminate: within the tolerance of a solve; the same bits for the same parts.
    void solve(std::span<const FieldView<const T>> f, std::span<const FieldView<T>> u, T scale = T(1),
               std::span<const Stream> streams = {});
    /// With boundary data: for each of my members the part of each face that its box touches, in arrays of that
    /// part's extents; faces of axes that are cut are those of the members at their ends, others' are ignored.
    void solve(std::span<const FieldView<const T>> f, std::span<const FieldView<T>> u,
               std::span<const BoundaryData<T>> boundary, T scale = T(1), std::span<const Stream> streams = {});
    /// Many right-hand sides, one after the other: a batch for each of my members, all of as many fields.
    void solve(std::span<const FieldBatch<const T>> f, std::span<const FieldBatch<T>> u,
               std::span<const BoundaryData<T>> boundary = {}, T scale = T(1),
               std::span<const Stream> streams = {});
    /// u := scale · (∇² − λ) f, as Solver::apply has it.
    void apply(std::span<const FieldView<const T>> f, std::span<const FieldView<T>> u, T scale = T(1),
               std::span<const Stream> streams = {});

    /// `walls`, and on free faces what the last solve found there, as Solver::faces has it:
    /// on every process whole faces of the whole box, whatever its members have. A call of all members, which
    /// gathers the last planes of u, and waits for members on devices. Arrays are the solver's, in host memory,
    /// until its next solve; of a batch they are those of each field.
    [[nodiscard]] BoundaryData<T> faces(const BoundaryData<T>& walls = {}) const;
    /// The same for each of my members (`walls`: of each, or nothing): its part of faces, in the memory of its
    /// fields, as DistributedGradient takes it. A call of all members.
    [[nodiscard]] std::vector<BoundaryData<T>> member_faces(std::span<const BoundaryData<T>> walls = {}) const;

    [[nodiscard]] Result result() const;  ///< of the last solve (of its first field); the same on all members
    [[nodiscard]] std::vector<Result> results() const;  ///< of each field of the last solve
    [[nodiscard]] Method method() const noexcept;       ///< the one chosen, never automatic
    /// Of a solve of one field, between members; to slabs or pencils and back included, but for boundary data.
    [[nodiscard]] Traffic traffic() const noexcept;
    /// The part of it that one member sends, 0 <= member < members; what each receives is as much where boxes are
    /// even.
    [[nodiscard]] Traffic sent_by(int member) const;
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
