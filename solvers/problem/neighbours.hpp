// The neighbours of an unknown, and the second-order operator made of them: one definition for host and device.
//
//     L u = Σ ((u_{j−1} − u_j) + (u_{j+1} − u_j)) / h² − λ u      in double, whatever u is stored as
//
// Along an axis without fast transform (chain.hpp) the row of unknown j is
//
//     (g_j (u_{j−1} − u_j) + g_{j+1} (u_{j+1} − u_j) − G_j u_j) / D_j
//
// Neighbours beyond the last unknown are those of ghost.hpp without data: what boundary data adds is on the right
// (boundary_terms.hpp).
//
// Differences first: neighbours within a factor of 2 of each other subtract without rounding (Sterbenz 1974), so
// that what is lost is a part of the second differences and not of u/h², which on fine grids is so much larger.
#pragma once

#include "host_device.hpp"
#include "poisson3d/grid.hpp"

namespace poisson3d {

/// A value next to a point: weight · u[index].
struct Neighbour {
    Index index = 0;
    double weight = 0.0;
};

/// The neighbours along one axis. Indices count stored points.
struct AxisNeighbours {
    Index first = 0, last = 0;  ///< unknowns, inclusive
    Neighbour below, above;     ///< of the first and of the last

    [[nodiscard]] POISSON3D_HD bool unknown(Index j) const { return j >= first && j <= last; }
    [[nodiscard]] POISSON3D_HD Neighbour lower(Index j) const { return j > first ? Neighbour{j - 1, 1.0} : below; }
    [[nodiscard]] POISSON3D_HD Neighbour upper(Index j) const { return j < last ? Neighbour{j + 1, 1.0} : above; }
};

/// What stands for 1/h², by stored point, if an axis has no fast transform; plain data, the arrays are somebody
/// else's.
struct UnevenSteps {
    bool any = false;              ///< else there are no arrays
    const double* lower[3] = {};   ///< g_j/D_j; at a wall G/D, the neighbour there being 0. 1/h² on other axes
    const double* upper[3] = {};   ///< g_{j+1}/D_j, likewise
    const double* weight[3] = {};  ///< D_j; on other axes as in means (axis_kind.hpp)
};

/// Of a valid axis.
AxisNeighbours make_neighbours(const Axis& axis) noexcept;

/// The five rows of u that the stencil reads along a row.
template <class T>
struct StencilRow {
    const T* centre;
    const T *x_lower, *x_upper, *y_lower, *y_upper;
    double w_x_lower, w_x_upper, w_y_lower, w_y_upper;
    double x_lower_step, x_upper_step, y_lower_step, y_upper_step;  ///< of UnevenSteps
};

/// The operator as plain data, so that kernels can take it.
struct SevenPoint {
    AxisNeighbours axis[3];
    double inverse_square[3] = {};  ///< 1/h², where no axis is uneven
    double helmholtz = 0.0;
    UnevenSteps uneven{};

    /// The rows around row (i, j), itself one of unknowns, of a field with these strides (the last is 1).
    template <class T>
    [[nodiscard]] POISSON3D_HD StencilRow<T> row(const T* u, Index stride_x, Index stride_y, Index i,
                                                 Index j) const {
        const Neighbour a = axis[0].lower(i);
        const Neighbour b = axis[0].upper(i);
        const Neighbour c = axis[1].lower(j);
        const Neighbour d = axis[1].upper(j);
        const T* const plane = u + i * stride_x;
        return {plane + j * stride_y,
                u + a.index * stride_x + j * stride_y,
                u + b.index * stride_x + j * stride_y,
                plane + c.index * stride_y,
                plane + d.index * stride_y,
                a.weight,
                b.weight,
                c.weight,
                d.weight,
                uneven.any ? uneven.lower[0][i] : inverse_square[0],
                uneven.any ? uneven.upper[0][i] : inverse_square[0],
                uneven.any ? uneven.lower[1][j] : inverse_square[1],
                uneven.any ? uneven.upper[1][j] : inverse_square[1]};
    }

    /// (L u)(i, j, k) with the neighbours along z given.
    template <bool uneven_steps, class T>
    [[nodiscard]] POISSON3D_HD double at(const StencilRow<T>& r, Index k, double lower, double upper) const {
        const auto u = static_cast<double>(r.centre[k]);
        const auto value = [k](double weight, const T* from) { return weight * static_cast<double>(from[k]); };
        const double x_lower = value(r.w_x_lower, r.x_lower) - u, x_upper = value(r.w_x_upper, r.x_upper) - u;
        const double y_lower = value(r.w_y_lower, r.y_lower) - u, y_upper = value(r.w_y_upper, r.y_upper) - u;
        const double z_lower = lower - u, z_upper = upper - u;
        if constexpr (uneven_steps)
            return (r.x_lower_step * x_lower + r.x_upper_step * x_upper) +
                   (r.y_lower_step * y_lower + r.y_upper_step * y_upper) +
                   (uneven.lower[2][k] * z_lower + uneven.upper[2][k] * z_upper) - helmholtz * u;
        return inverse_square[0] * (x_lower + x_upper) + inverse_square[1] * (y_lower + y_upper) +
               inverse_square[2] * (z_lower + z_upper) - helmholtz * u;
    }

    /// The same with the neighbours found.
    template <bool uneven_steps, class T>
    [[nodiscard]] POISSON3D_HD double at(const StencilRow<T>& r, Index k) const {
        const Neighbour a = axis[2].lower(k);
        const Neighbour b = axis[2].upper(k);
        return at<uneven_steps>(r, k, a.weight * static_cast<double>(r.centre[a.index]),
                                b.weight * static_cast<double>(r.centre[b.index]));
    }
    template <class T>
    [[nodiscard]] POISSON3D_HD double at(const StencilRow<T>& r, Index k) const {
        return uneven.any ? at<true>(r, k) : at<false>(r, k);
    }

    /// body(k, (L u)(i, j, k)) for all unknowns of the row; the loop between the ends has no branches.
    template <class T, class Body>
    void along(const StencilRow<T>& r, const Body& body) const {
        uneven.any ? along<true>(r, body) : along<false>(r, body);
    }

private:
    template <bool uneven_steps, class T, class Body>
    void along(const StencilRow<T>& r, const Body& body) const {
        const Index first = axis[2].first;
        const Index last = axis[2].last;
        body(first, at<uneven_steps>(r, first));
        for (Index k = first + 1; k < last; ++k)
            body(k, at<uneven_steps>(r, k, static_cast<double>(r.centre[k - 1]),
                                     static_cast<double>(r.centre[k + 1])));
        if (last > first) body(last, at<uneven_steps>(r, last));
    }
};

}  // namespace poisson3d
