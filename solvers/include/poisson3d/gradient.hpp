// The gradient of a solution, by the rules the solution was computed with.
#pragma once

#include <array>
#include <cstddef>
#include <memory>

#include "poisson3d/boundary_data.hpp"
#include "poisson3d/export.hpp"
#include "poisson3d/field.hpp"
#include "poisson3d/solver.hpp"
#include "poisson3d/stream.hpp"

namespace poisson3d {

/// +∇u at the points of u: three fields of the shape of u, in units of u over those of the spacing. Planned once,
/// evaluated many times, one evaluation at a time. Gauge and λ of the problem do not matter.
///
/// With second_order, (u_{j+1} − u_{j−1}) / 2h:
///  - Beyond a face: the ghost values of the operator. Cell Dirichlet 2g − u, cell Neumann u + h g, node Neumann
///    u_inner + 2h g: at a Neumann node the derivative is −g (lower face) or +g (upper face) itself.
///  - On a Dirichlet node: (−3u_0 + 4u_1 − u_2) / 2h and its mirror image; where the axis has two points only, u_2
///  is
///    the ghost value of its Neumann face.
///  - Exact for linear u, on node axes for quadratic u.
///  - Order 2 for solutions of the difference equations, up to the walls: next to a Dirichlet face of cells the
///    solution's own error, h²/8 times the second normal derivative, cancels that of the ghost value. Other fields
///    have order 1 there; so have solutions in the few points next to an edge where such a face meets another
///    Dirichlet face, unless the data of both is zero.
///
/// With spectral, the derivative of the trigonometric polynomial that u is, at the points of u; without boundary
/// data. A transform along each axis and its partner back, no second solve. The mode n/2 of a periodic axis with an
/// even number of points, whose derivative is 0 at all points, drops out. Along a free axis u in the box does not
/// say what its derivatives are: there evaluate_with_source() solves for ∂f/∂x, and is as good as the solution
/// where f is smooth and has vanished at the free faces. By engine host, or fused if it is asked for by name.
template <class T>
class POISSON3D_API Gradient {
public:
    /// Plans, and takes all memory: none with second_order. With spectral a few lines per thread, on a GPU
    /// four areas of at most 64 MiB or 2 % of a field (but at least of a plane); with spectral and free faces also
    /// what Solver takes for the problem; from options.workspace if that is
    /// given, which is memory of the side where the engine works. Memory modes do not matter. Engines:
    ///  - host: fields in host memory
    ///  - cufft, fused (the same here): fields in memory of Options::device or, on the threads, in host memory
    ///  - automatic: one of a GPU where there is one. With spectral it takes memory of the device when it meets the
    ///    first fields there, unless it is given a workspace: that call synchronises and cannot be captured
    ///
    /// Throws Error: data (grid), unsupported or device (engine not in this build or on this machine),
    /// out_of_memory, usage (threads below 0, workspace too small, misaligned or on the other side).
    explicit Gradient(const Problem& problem, const Options& options = {});
    ~Gradient();
    Gradient(Gradient&&) noexcept;
    Gradient& operator=(Gradient&&) noexcept;

    /// Bytes a plan takes, exactly, of the memory where its engine works; nothing is allocated.
    static std::size_t workspace_bytes(const Problem& problem, const Options& options = {});

    /// gradient[a] := ∂u/∂x_a.
    ///  - Shapes: extents of all views equal the grid's points, any strides with the last 1; elements between are
    ///    neither read nor written. A component whose data is null is left out.
    ///  - Aliasing: u is only read and must not overlap a component.
    ///  - `boundary`: the data u was solved with, in the same memory as the fields. It is not checked
    ///    (validate(Grid, BoundaryData) does that). Nodes on Dirichlet faces are taken as they stand in u: g.
    ///  - In host memory: blocks, ignores the stream. In device memory: asynchronous on `stream`, synchronises
    ///    nothing, may be captured in a CUDA graph.
    ///  - Allocates nothing, with two exceptions. A plan for a GPU starts its host threads with the first fields in
    ///    host memory. With spectral, a GPU's plan is made for dense views; others take a little host memory when
    ///    their strides are not those of the call before.
    ///  - Throws Error{usage} for shapes, null u, fields on both sides, data on a periodic axis; Error{unsupported}
    ///    for data with spectral, and for spectral with free faces.
    void evaluate(FieldView<const T> u, const std::array<FieldView<T>, 3>& gradient,
                  const BoundaryData<T>& boundary = {}, Stream stream = {});

    /// The same for u that solves (∇² − λ) u = scale · f, of which f is known, too. With spectral and free faces
    /// the components along free axes are made from f, one more solve each, and the others from u. Everywhere else
    /// f and scale are not looked at. f is only read, and may be the component of the highest axis that is asked
    /// for. Throws Error{usage} for the shape of f, and what evaluate() and Solver::solve() throw.
    void evaluate_with_source(FieldView<const T> u, FieldView<const T> f, T scale,
                              const std::array<FieldView<T>, 3>& gradient, const BoundaryData<T>& boundary = {},
                              Stream stream = {});

    /// The same at planes first … first + count − 1 of the slowest index only: components have extents {count, n1,
    /// n2}. For those who write a gradient out and have no memory for it. second_order; Error{unsupported} with
    /// spectral.
    void evaluate_planes(FieldView<const T> u, Index first, const std::array<FieldView<T>, 3>& gradient,
                         const BoundaryData<T>& boundary = {}, Stream stream = {});

    [[nodiscard]] Engine engine() const noexcept;          ///< the one chosen, never automatic
    [[nodiscard]] int threads() const noexcept;            ///< host threads at work; none on a GPU until
                                                           ///< fields in host memory are met
    [[nodiscard]] std::size_t workspace() const noexcept;  ///< bytes held by the plan, on both sides

private:
    struct POISSON3D_LOCAL Plan;
    std::unique_ptr<Plan> plan_;
};

extern template class Gradient<float>;
extern template class Gradient<double>;

}  // namespace poisson3d
