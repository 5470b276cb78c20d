// The gradient of a solution that several members share (distributed.hpp), by the rules it was computed with.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "poisson3d/distributed.hpp"
#include "poisson3d/gradient.hpp"

namespace poisson3d {

/// +∇u at the points of u, as Gradient has it: each member computes the three components in its box. Planned once,
/// evaluated many times, one evaluation at a time.
///
///  - second_order: members tell each other the planes beside their boxes, at most two on each side. The bits are
///    those of Gradient on the host, and on devices those of a Gradient there.
///  - spectral: along axes that are not cut each member has whole lines; along one that is cut, u travels to where
///    its lines are whole, and the derivative back. Within rounding of Gradient. Along free axes it is made from
///    the right-hand side: evaluate_with_source().
template <class T>
class POISSON3D_API DistributedGradient {
public:
    /// Plans on all members; a call of all of them, with the same arguments: those of a DistributedSolver, of whose
    /// options threads and, with spectral, way matter. Memory of a member: with second_order some planes for each
    /// cut axis; with spectral three parts as large as its box for each cut axis, what Gradient takes, and beside
    /// free faces what DistributedSolver takes, once, and once more for each free axis with a wall on its other
    /// side.
    ///
    /// Throws what Gradient and DistributedSolver do, and Error{unsupported} where an axis of two points with a
    /// Dirichlet node at one end is cut between them, since each of the two needs what the other one has on its
    /// face.
    DistributedGradient(const Problem& problem, const Decomposition& parts, const Communicator& members,
                        const DistributedOptions& options = {});
    ~DistributedGradient();
    DistributedGradient(DistributedGradient&&) noexcept;
    DistributedGradient& operator=(DistributedGradient&&) noexcept;

    /// gradient[m][a] := ∂u/∂x_a in the box of my member number m, in the order of mine().
    ///  - Shapes: extents of all views are those of the member's box, any strides with the last 1. A component
    ///  whose
    ///    data is null is left out; with spectral, one along a cut axis is left out by all members or by none. A
    ///    member without points may have null pointers.
    ///  - Aliasing: u is only read and must not overlap a component.
    ///  - `boundary`: what u was solved with, for each of my members the part of each face that its box touches, or
    ///    nothing; not checked. With free faces those of DistributedSolver::member_faces().
    ///  - A call of all members, from one thread of each process; allocates nothing, but as Gradient does for
    ///    spectral on a GPU. Members on hosts: blocks. On devices: fields and arrays of boundary data are in the
    ///    memory of each member's device, it works in `streams` or the default ones, what they held before is done
    ///    first, and the call returns when all is launched; it may be captured in the first stream, unless members
    ///    are ranks. An evaluation in other streams than the one before must come after it.
    ///  - What a member refuses all refuse: its process gets the sentence, the others RefusedElsewhere.
    void evaluate(std::span<const FieldView<const T>> u, std::span<const std::array<FieldView<T>, 3>> gradient,
                  std::span<const BoundaryData<T>> boundary = {}, std::span<const Stream> streams = {});

    /// The same for u that solves (∇² − λ) u = scale · f, of which f is known, too, as Gradient has it: with
    /// spectral and free faces the components along free axes are made from f, one more solve of all members each,
    /// and left out by all of them or by none; everywhere else f and scale are not looked at. f is only read, and
    /// may be the component of the highest axis that is asked for. Throws Error{usage} for the shape of f, and what
    /// evaluate() and DistributedSolver::solve() throw.
    void evaluate_with_source(std::span<const FieldView<const T>> u, std::span<const FieldView<const T>> f, T scale,
                              std::span<const std::array<FieldView<T>, 3>> gradient,
                              std::span<const BoundaryData<T>> boundary = {}, std::span<const Stream> streams = {});

    /// Of an evaluation of all components, between members.
    [[nodiscard]] Traffic traffic() const noexcept;
    [[nodiscard]] std::size_t workspace() const noexcept;  ///< bytes that the plan holds for my members
    [[nodiscard]] int threads() const noexcept;            ///< host threads of all my members together

private:
    struct POISSON3D_LOCAL Plan;
    std::unique_ptr<Plan> plan_;
};

extern template class DistributedGradient<float>;
extern template class DistributedGradient<double>;

}  // namespace poisson3d
