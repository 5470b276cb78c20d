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

#include "axis_kind.hpp"
#include "heat_kernel.hpp"
#include "low_modes.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/free_space.hpp"
#include "time_nodes.hpp"

namespace poisson3d {

namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr Index modes_of_an_axis = 2;

/// A sum, and what it would be if |u| were 1 everywhere and no terms cancelled.
struct Defect {
    double sum = 0.0, size = 0.0;
    void add(double u_out, double h_in, double u_in, double h_out) {
        sum += u_out * h_in - u_in * h_out;
        size += std::abs(h_in) + std::abs(h_out);
    }
    [[nodiscard]] double relative() const { return size == 0.0 ? 0.0 : std::abs(sum) / size; }
};

bool is_free(const Axis& axis, int side) {
    return (side == 0 ? axis.lower : axis.upper) == Boundary::free;
}

/// u at the last points before a free face and one step beyond it, times `unit`.
template <class T>
class FacePair {
public:
    FacePair(const Grid& grid, FieldView<const T> u, const BoundaryData<T>& faces, int axis, int side, double unit)
        : u_(u),
          face_(faces.faces[axis][side]),
          axis_(axis),
          plane_(side == 0 ? 0 : grid.axes[axis].points - 1),
          cells_(grid.axes[axis].centering == Centering::cell),
          unit_(unit) {}

    /// Point (p, q) of the two other axes.
    [[nodiscard]] double in(Index p, Index q) const {
        std::array<Index, 3> at{};
        at[axis_] = plane_;
        at[across(axis_)[0]] = p;
        at[across(axis_)[1]] = q;
        return unit_ * static_cast<double>(u_(at[0], at[1], at[2]));
    }
    [[nodiscard]] double out(Index p, Index q) const {
        const T* const data = face_.data;
        const double value =
            unit_ * static_cast<double>(data == nullptr ? face_.constant : data[p * face_.stride + q]);
        return cells_ ? 2.0 * value - in(p, q) : value;
    }

private:
    FieldView<const T> u_;
    FaceValues<T> face_;
    int axis_;
    Index plane_;
    bool cells_;
    double unit_;
};

/// A mode of the axes that are not free: nothing along a free one.
struct Mode {
    std::array<const LowMode*, 3> along{};
    double square = 0.0;  ///< λ + μ
};

/// All products of the low modes of the axes that are not free; `none` stands for a free one.
std::vector<Mode> products_of(const std::array<std::vector<LowMode>, 3>& modes, double helmholtz) {
    std::vector<Mode> all{{{}, helmholtz}};
    for (std::size_t a = 0; a < 3; ++a) {
        if (modes[a].empty()) continue;
        std::vector<Mode> longer;
        for (const Mode& before : all)
            for (const LowMode& mode : modes[a]) {
                longer.push_back(before);
                longer.back().along[a] = &mode;
                longer.back().square += mode.square;
            }
        all = std::move(longer);
    }
    return all;
}

// ---- Two or three free axes
// --------------------------------------------------------------------------------------

/// H about a point of the free axes: for each time and axis what stands at its points, and one step beyond its
/// ends.
class GreenTables {
public:
    GreenTables(const Grid& grid, const Mode& mode, const std::array<Index, 3>& from) : grid_(grid), mode_(mode) {
        const TimeNodes nodes = all_times(grid, mode.square, eps);
        count_ = nodes.size();
        for (Index q = 0; q < count_; ++q)
            weights_.push_back(static_cast<double>(
                nodes.weights[q] * std::exp(-static_cast<long double>(mode.square) * nodes.times[q])));
        for (std::size_t a = 0; a < 3; ++a) {
            const Axis& axis = grid.axes[a];
            if (!axis.unbounded()) continue;
            for (const long double time : nodes.times) {
                const std::vector<long double> kernel =
                    heat_kernel(Discretization::second_order, axis.step(), time, window(axis) + 3);
                for (Index j = -1; j <= axis.points; ++j) {
                    const bool beyond = (j < 0 && !is_free(axis, 0)) || (j == axis.points && !is_free(axis, 1));
                    tables_[a].push_back(beyond ? 0.0
                                                : static_cast<double>(heat_between(kernel, axis, j, from[a])));
                }
            }
        }
    }

    /// The identity's terms of one face.
    template <class T>
    void add_face(const FacePair<T>& face, int axis, int side, Defect& defect) const {
        const auto b = static_cast<std::size_t>(across(axis)[0]);
        const auto c = static_cast<std::size_t>(across(axis)[1]);
        const Index last = grid_.axes[axis].points - 1;
        const Index in = side == 0 ? 0 : last;
        const Index out = side == 0 ? -1 : last + 1;
        const double flux = 1.0 / grid_.axes[axis].step();  // 1/h², the weights being steps of free axes
        const std::vector<double> along_b = weights_along(b);
        const std::vector<double> along_c = weights_along(c);
        const Index length = grid_.axes[c].points;
        std::vector<double> near(static_cast<std::size_t>(length));
        std::vector<double> far(near.size());
        for (Index p = 0; p < grid_.axes[b].points; ++p) {
            if (along_b[p] == 0.0) continue;
            std::ranges::fill(near, 0.0);
            std::ranges::fill(far, 0.0);
            for (Index q = 0; q < count_; ++q) {
                const double across_p = weights_[q] * value(b, q, p);
                const double at_in = across_p * value(axis, q, in);
                const double at_out = across_p * value(axis, q, out);
                if (mode_.along[c] != nullptr) {
                    near[0] += at_in;
                    far[0] += at_out;
                    continue;
                }
                const double* const line = &tables_[c][static_cast<std::size_t>(q * (length + 2) + 1)];
                for (Index k = 0; k < length; ++k) {
                    near[k] += at_in * line[k];
                    far[k] += at_out * line[k];
                }
            }
            for (Index k = 0; k < length; ++k) {
                const double weight = flux * along_b[p] * along_c[k];
                if (weight == 0.0) continue;
                const Index at = mode_.along[c] != nullptr ? 0 : k;
                defect.add(face.out(p, k), weight * near[at], face.in(p, k), weight * far[at]);
            }
        }
    }

private:
    [[nodiscard]] double value(std::size_t axis, Index q, Index j) const {
        if (mode_.along[axis] != nullptr) return 1.0;  // in weights_along()
        return tables_[axis][static_cast<std::size_t>(q * (grid_.axes[axis].points + 2) + 1 + j)];
    }
    [[nodiscard]] double value(int axis, Index q, Index j) const {
        return value(static_cast<std::size_t>(axis), q, j);
    }
    [[nodiscard]] std::vector<double> weights_along(std::size_t axis) const {
        return mode_.along[axis] != nullptr ? mode_.along[axis]->weighted : mean_weights(grid_.axes[axis]);
    }

    const Grid& grid_;
    const Mode& mode_;
    Index count_ = 0;
    std::vector<double> weights_;
    std::array<std::vector<double>, 3> tables_;
};

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
double of_several_axes(const Problem& problem, const Mode& mode, FieldView<const T> u, double unit,
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
    const bool shifted =
        mode.square == 0.0 && grows_far_away(problem) && (problem.gauge.point || problem.gauge.mean);
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
double of_one_axis(const Problem& problem, const Mode& mode, FieldView<const T> u, double unit,
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

template <class T>
double freeness(const Problem& problem, FieldView<const T> u, const BoundaryData<T>& faces) {
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
    double largest_u = 0.0;
    for (Index i = 0; i < u.extents[0]; ++i)
        for (Index j = 0; j < u.extents[1]; ++j)
            for (Index k = 0; k < u.extents[2]; ++k)
                largest_u = std::max(largest_u, std::abs(static_cast<double>(u(i, j, k))));
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

template double freeness(const Problem&, FieldView<const float>, const BoundaryData<float>&);
template double freeness(const Problem&, FieldView<const double>, const BoundaryData<double>&);

}  // namespace poisson3d
