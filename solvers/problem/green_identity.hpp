// The terms of Green's identity outside of a box (freeness.cpp): u on both sides of a free face, and H, a low mode
// of the axes that are not free times the Green's function of the free ones.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "axis_kind.hpp"
#include "free_faces.hpp"
#include "heat_kernel.hpp"
#include "low_modes.hpp"
#include "poisson3d/boundary_data.hpp"
#include "time_nodes.hpp"

namespace poisson3d {

/// A sum, and what it would be if |u| were 1 everywhere and no terms cancelled.
struct Defect {
    double sum = 0.0, size = 0.0;
    void add(double u_out, double h_in, double u_in, double h_out) {
        sum += u_out * h_in - u_in * h_out;
        size += std::abs(h_in) + std::abs(h_out);
    }
    [[nodiscard]] double relative() const { return size == 0.0 ? 0.0 : std::abs(sum) / size; }
};

/// u at the last points before a free face: element (p, q) of the two other axes at p · row + q · column.
template <class T>
struct InnerPlane {
    const T* data = nullptr;
    Index row = 0, column = 0;
};
template <class T>
using InnerPlanes = std::array<std::array<InnerPlane<T>, 2>, 3>;

template <class T>
InnerPlanes<T> inner_planes(const Grid& grid, FieldView<const T> u) {
    InnerPlanes<T> planes;
    for (int axis = 0; axis < 3; ++axis)
        for (int side = 0; side < 2; ++side) {
            const Index at = side == 0 ? 0 : grid.axes[axis].points - 1;
            const auto [b, c] = across(axis);
            planes[axis][side] = {u.data + at * u.strides[axis], u.strides[b], u.strides[c]};
        }
    return planes;
}

/// u at the last points before a free face and one step beyond it, times `unit`.
template <class T>
class FacePair {
public:
    FacePair(const Grid& grid, const InnerPlanes<T>& planes, const BoundaryData<T>& faces, int axis, int side,
             double unit)
        : plane_(planes[axis][side]),
          face_(faces.faces[axis][side]),
          cells_(grid.axes[axis].centering == Centering::cell),
          unit_(unit) {}

    /// Point (p, q) of the two other axes.
    [[nodiscard]] double in(Index p, Index q) const {
        return unit_ * static_cast<double>(plane_.data[p * plane_.row + q * plane_.column]);
    }
    [[nodiscard]] double out(Index p, Index q) const {
        const T* const data = face_.data;
        const double value =
            unit_ * static_cast<double>(data == nullptr ? face_.constant : data[p * face_.stride + q]);
        return cells_ ? 2.0 * value - in(p, q) : value;
    }

private:
    InnerPlane<T> plane_;
    FaceValues<T> face_;
    bool cells_;
    double unit_;
};

/// A mode of the axes that are not free: nothing along a free one.
struct Mode {
    std::array<const LowMode*, 3> along{};
    double square = 0.0;  ///< λ + μ
};

/// All products of the low modes of the axes that are not free; `none` stands for a free one.
inline std::vector<Mode> products_of(const std::array<std::vector<LowMode>, 3>& modes, double helmholtz) {
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

/// Two or three free axes: H about a point of them, for each time and axis what stands at its points, and one step
/// beyond its ends.
class GreenTables {
public:
    GreenTables(const Grid& grid, const Mode& mode, const std::array<Index, 3>& from) : grid_(grid), mode_(mode) {
        const TimeNodes nodes = all_times(grid, mode.square, std::numeric_limits<double>::epsilon());
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

}  // namespace poisson3d
