// A coefficient on the faces between points, and an axis as the variable operator sees it:
//
//     −(A u)_j = lower_j ε_j (u_j − u_{j−1}) + upper_j ε_{j+1} (u_j − u_{j+1}) + …      ε_j: between j − 1 and j
//
// lower = g_j/D_j and upper = g_{j+1}/D_j of the axis' chain (chain.hpp); at a wall G/D_j, u there being 0.
#pragma once

#include <array>
#include <vector>

#include "poisson3d/field.hpp"
#include "poisson3d/grid.hpp"

namespace poisson3d {

/// All arrays are by stored point.
struct VariableAxis {
    Index points = 0, first = 0, last = 0;  ///< unknowns, inclusive
    bool ring = false;
    std::vector<double> lower, upper;
    std::vector<double> weight;  ///< in means (axis_kind.hpp)
    std::vector<double>
        share;  ///< of cells their widths: resistances of a face are shared in proportion; of nodes 1

    explicit VariableAxis(const Axis& axis);
    /// The neighbour of unknown j on one side is an unknown, too.
    [[nodiscard]] bool linked(Index j, int side) const noexcept {
        return ring ? last > first : side == 0 ? j > first : j < last;
    }
    [[nodiscard]] Index beside(Index j, int side) const noexcept {
        return side == 0 ? (j > 0 ? j - 1 : ring ? last : -1) : (j + 1 < points ? j + 1 : ring ? first : -1);
    }
};

/// ε as the caller has it: at points, or on faces; and λ, if it varies, at points.
template <class T>
struct Coefficient {
    FieldView<const T> at_points;
    std::array<FieldView<const T>, 3> on_faces{};
    FieldView<const T> helmholtz{};

    [[nodiscard]] double helmholtz_at(Index i, Index j, Index k, double otherwise) const {
        return helmholtz.data != nullptr ? static_cast<double>(helmholtz(i, j, k)) : otherwise;
    }

    /// On the face of point p on one side along `axis`.
    [[nodiscard]] double face(const std::array<VariableAxis, 3>& axes, int axis, Index i, Index j, Index k,
                              int side) const {
        std::array<Index, 3> at{i, j, k};
        const auto a = static_cast<std::size_t>(axis);
        const VariableAxis& along = axes[a];
        if (at_points.data == nullptr) {
            at[a] += side;
            if (along.ring && at[a] == along.points) at[a] = 0;
            return static_cast<double>(on_faces[a](at[0], at[1], at[2]));
        }
        const auto here = static_cast<double>(at_points(i, j, k));
        const Index j_here = at[a];
        const Index j_there = along.beside(j_here, side);
        if (j_there < 0) return here;
        at[a] = j_there;
        const auto there = static_cast<double>(at_points(at[0], at[1], at[2]));
        const double s = along.share[static_cast<std::size_t>(j_here)];
        const double t = along.share[static_cast<std::size_t>(j_there)];
        return here * there * (s + t) / (s * there + t * here);
    }
};

/// Of numbers: least and greatest.
struct Bounds {
    double least, greatest;
};
struct CoefficientBounds {
    Bounds coefficient, helmholtz;
};

/// Throws Error{usage} for shapes, Error{data} for the first ε that is not positive and finite, for the first λ
/// that is negative or not finite, and for the two ends of a periodic axis that differ. `helmholtz`: λ if the
/// coefficient has none.
template <class T>
CoefficientBounds validate(const Grid& grid, const Coefficient<T>& coefficient, double helmholtz);

}  // namespace poisson3d
