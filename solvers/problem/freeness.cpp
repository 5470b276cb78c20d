// Are the values on free faces those of a space without end? By Green's identity outside of the box,
//
//     Σ_faces Σ (u_out H_in − u_in H_out) / h² = 0
//
// for every H with (∇² − λ) H = 0 there that behaves far away as u does, and as the walls want. Here H is a low
// mode of the axes without free faces, times the Green's function of the free ones about a point inside, a sum of
// products of heat kernels (time_nodes.hpp). One free axis has the closed form H = r^j on either side, r = e^{−ℓ},
// ℓ = 2 asinh(κh/2), κ² = λ + μ; where κ = 0, u is linear outside, with half of what is inside seen on both sides.
//
// Source: Martinsson and Rodin, Proc. R. Soc. A 458 (2002), boundary equations of lattices.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "free_faces.hpp"
#include "green_identity.hpp"
#include "low_modes.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/free_space.hpp"

namespace poisson3d {

namespace {

constexpr Index modes_of_an_axis = 2;

/// Points to take H about: the middle and two beside it. Where H decays within the box it says nothing of faces
/// that are far: then one a little below the middle of each free face.
std::vector<std::array<Index, 3>> points_inside(const Grid& grid, double square) {
    constexpr std::array<std::array<double, 3>, 3> places{{{0.5, 0.5, 0.5}, {0.25, 0.6, 0.7}, {0.7, 0.35, 0.3}}};
    constexpr double farthest = 12.0;  ///< H has decayed by e⁻¹²
    std::vector<std::array<Index, 3>> points;
    const auto inside = [&](std::size_t a, double place) {
        const AxisKind kind = axis_kind(grid.axes[a]);
        return std::clamp(static_cast<Index>(place * static_cast<double>(grid.axes[a].points)), kind.first,
                          kind.first + kind.unknowns - 1);
    };
    for (const auto& place : places)
        points.push_back({inside(0, place[0]), inside(1, place[1]), inside(2, place[2])});
    bool decays = false;
    std::array<Index, 3> depth{};
    for (std::size_t a = 0; a < 3; ++a) {
        const double along_one = 2.0 * std::asinh(0.5 * std::sqrt(square) * grid.axes[a].step());
        const auto half = static_cast<double>(grid.axes[a].points / 2);
        decays = decays || (grid.axes[a].unbounded() && along_one * half > farthest);
        depth[a] = static_cast<Index>(std::min(half, 0.5 * farthest / std::max(along_one, 1e-300)));
    }
    if (!decays) return points;
    const std::array<Index, 3> middle = points.front();
    points.clear();
    for (std::size_t a = 0; a < 3; ++a)
        for (const int side : {0, 1}) {
            if (!is_free(grid.axes[a], side)) continue;
            points.push_back(middle);
            points.back()[a] = side == 0 ? depth[a] : grid.axes[a].points - 1 - depth[a];
        }
    return points;
}

template <class T>
double of_several_axes(const Problem& problem, const Mode& mode, const InnerPlanes<T>& u, double unit,
                       const BoundaryData<T>& faces) {
    const Grid& grid = problem.grid;
    std::vector<Defect> defects;
    for (const auto& point : points_inside(grid, mode.square)) {
        const GreenTables green(grid, mode, point);
        Defect& defect = defects.emplace_back();
        for (int axis = 0; axis < 3; ++axis)
            for (int side = 0; side < 2; ++side)
                if (is_free(grid.axes[axis], side))
                    green.add_face(FacePair<T>(grid, u, faces, axis, side, unit), axis, side, defect);
    }
    // A constant in u adds the same to all of them.
    const bool shifted = mode.square == 0.0 && takes_constant(problem);
    double largest = 0.0;
    for (const Defect& defect : defects)
        largest =
            std::max(largest, shifted ? std::abs(defect.sum - defects[0].sum) / (defect.size + defects[0].size)
                                      : defect.relative());
    return largest;
}

// ---- One free axis
// -----------------------------------------------------------------------------------------------

/// The share of a mode in u at the last points before a face and beyond it, and both if |u| were 1.
struct Share {
    double in = 0.0, out = 0.0, size = 0.0;
};

template <class T>
Share share_of(const Grid& grid, const Mode& mode, const FacePair<T>& face, int axis) {
    const auto [b, c] = across(axis);
    const std::vector<double>& along_b = mode.along[b]->weighted;
    const std::vector<double>& along_c = mode.along[c]->weighted;
    Share share;
    for (Index p = 0; p < grid.axes[b].points; ++p)
        for (Index q = 0; q < grid.axes[c].points; ++q) {
            const double weight = along_b[p] * along_c[q];
            if (weight == 0.0) continue;
            share.in += weight * face.in(p, q);
            share.out += weight * face.out(p, q);
            share.size += 2.0 * std::abs(weight);
        }
    return share;
}

template <class T>
double of_one_axis(const Problem& problem, const Mode& mode, const InnerPlanes<T>& u, double unit,
                   const BoundaryData<T>& faces, int a) {
    const Grid& grid = problem.grid;
    const Axis& axis = grid.axes[a];
    const std::vector<double> steps = steps_of(axis);
    std::array<Share, 2> shares;
    std::array<double, 2> step{};
    double largest = 0.0;
    for (const int side : {0, 1}) {
        step[side] = steps.empty() ? axis.step() : side == 0 ? steps.front() : steps.back();
        if (!is_free(axis, side)) continue;
        shares[side] = share_of(grid, mode, FacePair<T>(grid, u, faces, a, side, unit), a);
        const auto& [in, out, size] = shares[side];
        if (mode.square == 0.0 && !has_ground(axis)) continue;
        const double ratio = std::exp(-2.0 * std::asinh(0.5 * std::sqrt(mode.square) * step[side]));
        if (size != 0.0) largest = std::max(largest, std::abs(out - ratio * in) / size);
    }
    if (mode.square != 0.0 || has_ground(axis)) return largest;
    const bool far = !problem.gauge.point && !problem.gauge.mean && axis.custom == Coefficients{};
    const std::vector<double> x = coordinates(axis);
    const std::array<double, 2> outside{x.front() - step[0], x.back() + step[1]};
    const auto slope = [&](int side) { return (shares[side].out - shares[side].in) / step[side]; };
    // A slope is a difference: over a length its rounding is that of u times the steps in it.
    const auto rounded = [&](double size, double length, int side) { return size * (1.0 + length / step[side]); };
    if (is_free(axis, 0) && is_free(axis, 1)) {
        const double size = shares[0].size + shares[1].size;
        if (size == 0.0) return largest;
        const double length = outside[1] - outside[0];
        largest = std::abs(slope(0) - slope(1)) * std::min(step[0], step[1]) / size;
        const double sum = shares[0].out + shares[1].out;
        if (far)
            largest = std::max(largest, std::abs(sum - 0.5 * (slope(0) + slope(1)) * length) /
                                            rounded(size, length, step[0] < step[1] ? 0 : 1));
        return largest;
    }
    const int side = is_free(axis, 1) ? 1 : 0;  // and a Neumann wall: u = slope · distance from it
    const std::vector<double> ends = step_ends(axis);
    const double distance = std::abs(outside[side] - (side == 1 ? ends.front() : ends.back()));
    const double size = rounded(shares[side].size, distance, side);
    return far && size != 0.0 ? std::abs(shares[side].out - slope(side) * distance) / size : 0.0;
}

}  // namespace

namespace {

/// `largest_u`: max |u|.
template <class T>
double freeness_of(const Problem& problem, const InnerPlanes<T>& u, double largest_u,
                   const BoundaryData<T>& faces) {
    const Grid& grid = problem.grid;
    if (problem.discretization == Discretization::spectral)
        throw Error(ErrorCode::unsupported,
                    "found the spectral discretization, which knows nothing of u beyond free "
                    "faces, wanted second-order");
    std::array<std::vector<LowMode>, 3> modes;
    int last_free = -1;
    for (int a = 0; a < 3; ++a) {
        if (grid.axes[a].unbounded())
            last_free = a;
        else if (!has_fast_transform(grid.axes[a]))
            return std::numeric_limits<double>::quiet_NaN();
        else
            modes[a] = low_modes(grid.axes[a], modes_of_an_axis);
    }
    if (last_free < 0) return 0.0;
    // Of the largest u at most 1 is left, and no sum or product of small or large numbers is none.
    const double unit =
        largest_u > 0.0 ? std::ldexp(1.0, -std::clamp(std::ilogb(largest_u), -1000, 1000) - 1) : 1.0;
    double largest = 0.0;
    for (const Mode& mode : products_of(modes, problem.helmholtz)) {
        const double found = unbounded_axes(grid) == 1 ? of_one_axis(problem, mode, u, unit, faces, last_free)
                                                       : of_several_axes(problem, mode, u, unit, faces);
        if (!(found <= largest)) largest = found;  // keeps what is not a number
        if (std::isnan(largest)) break;
    }
    return largest;
}

}  // namespace

template <class T>
double freeness(const Problem& problem, FieldView<const T> u, const BoundaryData<T>& faces) {
    double largest = 0.0;
    for (Index i = 0; i < u.extents[0]; ++i)
        for (Index j = 0; j < u.extents[1]; ++j)
            for (Index k = 0; k < u.extents[2]; ++k)
                largest = std::max(largest, std::abs(static_cast<double>(u(i, j, k))));
    return freeness_of(problem, inner_planes(problem.grid, u), largest, faces);
}

template <class T>
double freeness(const Problem& problem, const BoundaryData<T>& inside, double largest,
                const BoundaryData<T>& faces) {
    InnerPlanes<T> planes;
    for (std::size_t axis = 0; axis < 3; ++axis)
        for (std::size_t side = 0; side < 2; ++side) {
            const FaceValues<T>& values = inside.faces[axis][side];
            planes[axis][side] = {values.data, values.stride, 1};
        }
    return freeness_of(problem, planes, largest, faces);
}

template double freeness(const Problem&, FieldView<const float>, const BoundaryData<float>&);
template double freeness(const Problem&, FieldView<const double>, const BoundaryData<double>&);
template double freeness(const Problem&, const BoundaryData<float>&, double, const BoundaryData<float>&);
template double freeness(const Problem&, const BoundaryData<double>&, double, const BoundaryData<double>&);

}  // namespace poisson3d
