// What problems with free faces are judged by beside the residual: how much there is, whether it ends before the
// faces, and whether the values that a solve found on them are those of a space without end.
#pragma once

#include <array>
#include <vector>

#include "poisson3d/boundary_data.hpp"
#include "poisson3d/export.hpp"
#include "poisson3d/field.hpp"
#include "poisson3d/solver.hpp"

namespace poisson3d {

/// Whether the lower (0) or upper (1) face of an axis is free.
inline bool is_free(const Axis& axis, int side) noexcept {
    return (side == 0 ? axis.lower : axis.upper) == Boundary::free;
}

/// What a right-hand side comes to.
struct Source {
    /// Q = Σ scale · f · cell volume, weight ½ at Neumann nodes, less what the data of Neumann faces lets through:
    /// ∮ ∂u/∂n over the faces but those. Without Dirichlet faces that is what is seen of it from far away.
    double net = 0.0;
    double mean = 0.0;  ///< Q over the volume of the box
    /// max|f| in the points next to free faces over max|f|: 0 where f has vanished there, at most 1. Spectral
    /// solutions are no more accurate than that.
    double edge = 0.0;
};

/// Sums up a right-hand side that comes in slabs of the slowest index. In double.
class POISSON3D_API SourceMeter {
public:
    /// `scale` and `boundary` are what solve() is given; face arrays in host memory.
    explicit SourceMeter(const Problem& problem, double scale = 1.0, const BoundaryData<double>& boundary = {});

    /// Adds planes first … first + rhs.extents[0] − 1; each plane exactly once, in any order.
    void add(Index first, FieldView<const double> rhs);
    void add(Index first, FieldView<const float> rhs);

    [[nodiscard]] Source result() const;

private:
    template <class F>
    POISSON3D_LOCAL void add_planes(Index first, FieldView<const F> rhs);

    Grid grid_;
    double scale_;
    std::array<std::vector<double>, 3> shares_;  ///< of the box, by stored point of each axis
    double volume_ = 1.0, through_walls_ = 0.0;  ///< ∮ of the data of Neumann faces, over the volume
    double mean_ = 0.0, largest_ = 0.0, edge_ = 0.0;
};

/// How far the values on free faces are from those that an empty space outside would have: 0 but for rounding if
/// they are right. The residual cannot see that, since any values on the faces have their solution.
///
/// By Green's identity outside of the box, for H that is a solution there and vanishes, or grows, as u does:
///
///     Σ_faces Σ (u_out H_in − u_in H_out) / h²  = 0,
///
/// over what the sum would be with max|u| for all |u| and nothing that cancels; u_in the last points before a free
/// face, u_out those one step on, which `faces` says. H is the Green's function of the lattice about a point in the
/// middle of the free axes and two others (where it decays within the box, about points near the faces), times low
/// modes of the other axes. The largest of these is returned: below 1e-15 for a right solution, in the order of an
/// error of a face over max|u| for a wrong one.
///
/// second_order alone (Error{unsupported}); `faces` is what Solver::faces() says, in host memory. Not a number
/// where an axis without free faces has positions, coefficients or Robin faces: its modes are not known here.
template <class T>
POISSON3D_API double freeness(const Problem& problem, FieldView<const T> u, const BoundaryData<T>& faces);

/// The same where no process has all of u: `inside` has an array of the last points before each free face,
/// `largest` is max|u|.
template <class T>
POISSON3D_API double freeness(const Problem& problem, const BoundaryData<T>& inside, double largest,
                              const BoundaryData<T>& faces);

}  // namespace poisson3d
