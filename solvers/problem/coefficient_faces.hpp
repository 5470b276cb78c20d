// A coefficient on the faces between points, and an axis as the variable operator sees it:
//
//     −(A u)_j = lower_j ε_j (u_j − u_{j−1}) + upper_j ε_{j+1} (u_j − u_{j+1}) + …      ε_j: between j − 1 and j
//
// lower = g_j/D_j and upper = g_{j+1}/D_j of the axis' chain (chain.hpp); at a wall G/D_j, u there being 0.
#pragma once

#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "host_device.hpp"
#include "poisson3d/field.hpp"
#include "poisson3d/grid.hpp"

namespace poisson3d {

/// A VariableAxis as plain data, so that kernels can take it. Its arrays are somebody else's.
struct AxisNumbers {
    Index points = 0, first = 0, last = 0;
    bool ring = false;
    const double *lower = nullptr, *upper = nullptr, *weight = nullptr, *share = nullptr;
    const double* step_to[2] = {};  ///< step() of all points …
    const Index* next[2] = {};      ///< … and beside(), of those that have none the point itself

    [[nodiscard]] POISSON3D_HD bool linked(Index j, int side) const {
        return ring ? last > first : side == 0 ? j > first : j < last;
    }
    [[nodiscard]] POISSON3D_HD Index beside(Index j, int side) const {
        return side == 0 ? (j > 0 ? j - 1 : ring ? last : -1) : (j + 1 < points ? j + 1 : ring ? first : -1);
    }
    /// What the difference to the neighbour on one side is multiplied by, beside ε; 0 if that is no unknown.
    [[nodiscard]] POISSON3D_HD double step(Index j, int side) const {
        return !linked(j, side) ? 0.0 : side == 0 ? lower[j] : upper[j];
    }
    [[nodiscard]] POISSON3D_HD bool unknown(Index j) const { return j >= first && j <= last; }
};

/// All arrays are by stored point.
struct VariableAxis {
    Index points = 0, first = 0, last = 0;  ///< unknowns, inclusive
    bool ring = false;
    std::vector<double> lower, upper;
    std::vector<double> weight;  ///< in means (axis_kind.hpp)
    std::vector<double>
        share;  ///< of cells their widths: resistances of a face are shared in proportion; of nodes 1
    std::vector<double> step_to[2];
    std::vector<Index> next[2];

    explicit VariableAxis(const Axis& axis);
    /// The neighbour of unknown j on one side is an unknown, too.
    [[nodiscard]] bool linked(Index j, int side) const noexcept { return numbers().linked(j, side); }
    [[nodiscard]] Index beside(Index j, int side) const noexcept { return numbers().beside(j, side); }
    [[nodiscard]] AxisNumbers numbers() const noexcept {
        return {points,
                first,
                last,
                ring,
                lower.data(),
                upper.data(),
                weight.data(),
                share.data(),
                {step_to[0].data(), step_to[1].data()},
                {next[0].data(), next[1].data()}};
    }
};

/// Of a view, which may be of device memory.
template <class T>
POISSON3D_HD T& element(const FieldView<T>& view, Index i, Index j, Index k) {
    return view.data[i * view.strides[0] + j * view.strides[1] + k];
}

/// ε as the caller has it: at points, or on faces; and λ, if it varies, at points.
template <class T>
struct Coefficient {
    FieldView<const T> at_points;
    std::array<FieldView<const T>, 3> on_faces{};
    FieldView<const T> helmholtz{};

    [[nodiscard]] POISSON3D_HD double helmholtz_at(Index i, Index j, Index k, double otherwise) const {
        return helmholtz.data != nullptr ? static_cast<double>(element(helmholtz, i, j, k)) : otherwise;
    }

    /// On the face of a point on one side along axis a.
    [[nodiscard]] POISSON3D_HD double face(const AxisNumbers (&axes)[3], int a, Index i, Index j, Index k,
                                           int side) const {
        Index at[3] = {i, j, k};
        const AxisNumbers& along = axes[a];
        if (at_points.data == nullptr) {
            at[a] += side;
            if (along.ring && at[a] == along.points) at[a] = 0;
            return static_cast<double>(element(on_faces[a], at[0], at[1], at[2]));
        }
        const auto here = static_cast<double>(element(at_points, i, j, k));
        const Index j_here = at[a];
        const Index j_there = along.beside(j_here, side);
        if (j_there < 0) return here;
        at[a] = j_there;
        const auto there = static_cast<double>(element(at_points, at[0], at[1], at[2]));
        const double s = along.share[j_here], t = along.share[j_there];
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

/// What is asked of a field, by who can read it.
template <class T>
struct CoefficientChecks {
    /// Throws Error{data} for the first number that is not finite and above 0, or at it where that is allowed.
    std::function<Bounds(FieldView<const T> field, bool allow_zero, const std::string& who)> bounds;
    /// Throws Error{data} where the first and the last face along `axis` differ.
    std::function<void(FieldView<const T> faces, std::size_t axis, const std::string& who)> closed;
};
/// Of host memory.
template <class T>
CoefficientChecks<T> host_checks();

/// Whether two numbers are one face of a periodic axis.
template <class T>
POISSON3D_HD bool same_face(T first, T last) {
    const auto a = static_cast<double>(first), b = static_cast<double>(last);
    constexpr double eps = sizeof(T) == 4 ? 0x1p-23 : 0x1p-52;
    return !(std::abs(a - b) > 64.0 * eps * (a > b ? a : b));
}

/// Throws Error{usage} for shapes, Error{data} for the first ε that is not positive and finite, for the first λ
/// that is negative or not finite, and for the two ends of a periodic axis that differ. `helmholtz`: λ if the
/// coefficient has none.
template <class T>
CoefficientBounds validate(const Grid& grid, const Coefficient<T>& coefficient, double helmholtz,
                           const CoefficientChecks<T>& checks = host_checks<T>());

}  // namespace poisson3d
