// The second-order operator: L u = Σ (u_{j−1} − 2 u_j + u_{j+1}) / h² − λ u, in double, whatever u is stored as.
//
// Neighbours beyond the last unknown follow from the boundary:
//   periodic   the other end
//   cell       Dirichlet: −u of the same cell (the face value is 0);  Neumann: u of the same cell
//   node       Dirichlet: 0;                                          Neumann: u of the mirrored node
#pragma once

#include <array>
#include <vector>

#include "poisson3d/field.hpp"
#include "poisson3d/solver.hpp"

namespace poisson3d {

/// A value next to a point: weight · u[index].
struct Neighbour {
    Index index;
    double weight;
};

/// Neighbours of unknown j of an axis.
Neighbour lower_neighbour(const Axis& axis, Index j) noexcept;
Neighbour upper_neighbour(const Axis& axis, Index j) noexcept;

class Stencil {
public:
    explicit Stencil(const Problem& problem);

    /// Unknowns of each axis: first and count.
    [[nodiscard]] Index first(int axis) const noexcept { return first_[axis]; }
    [[nodiscard]] Index count(int axis) const noexcept { return count_[axis]; }
    [[nodiscard]] bool unknown(int axis, Index j) const noexcept {
        return j >= first_[axis] && j < first_[axis] + count_[axis];
    }

    /// out[k] = (L u)(i, j, k) for all unknowns k of row (i, j), itself a row of unknowns; `out` is a full row.
    template <class T>
    void row(FieldView<const T> u, Index i, Index j, double* out) const;

private:
    Grid grid_;
    std::array<double, 3> inverse_square_{};  ///< 1/h²
    double diagonal_ = 0.0;
    std::array<Index, 3> first_{}, count_{};
};

}  // namespace poisson3d
