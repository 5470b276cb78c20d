// B w by tiles (variable_sweeps.hpp): a block of threads has `rows` × `length` points of a plane y, z and goes up
// along x. Each thread keeps three values of its column, those beside them it reads from the tile that all have
// filled; so a value is made once for a tile, whatever it is made of, and read from memory once. Host and device
// share this file: fill() of all threads, then multiply() of all threads, plane by plane.
//
// A Task says of what, and what becomes of it:
//
//     Number                            that B w is computed in
//     static constexpr int sums         weighted sums of terms, at most 4
//     const ScaledPoints<T>& operator_  the grid's axes
//     coefficients                      c and a of the operator, dense
//     strides                           of w: of planes and rows
//     Raw, Raw read(place)              what w is made of there, a place in those strides
//     value(raw)                        w
//     take(i, j, k, n, w, product, diagonal, terms)     at a point, n its dense place
#pragma once

#include "scaled_points.hpp"

namespace poisson3d::points {

/// c, and a on lower faces.
template <class N>
struct Coefficients {
    const N *c = nullptr, *a[3] = {};
};

/// Where values of w lie.
struct PlaneStrides {
    Index plane = 0, row = 0;
};

struct TileShape {
    static constexpr int rows = 8, length = 32, threads = rows * length;
};

/// The tiles of the unknowns, a number of planes each. Along z they begin at multiples of their length.
struct TileGrid {
    Index first_row = 0, first_plane = 0, end_plane = 0, planes = 1;
    Index along = 0, across = 0, chunks = 0;

    TileGrid() = default;
    TileGrid(const Extents& first, const Extents& last)
        : first_row(first[1]),
          first_plane(first[0]),
          end_plane(last[0] + 1),
          along(last[2] / TileShape::length + 1),
          across((last[1] - first[1]) / TileShape::rows + 1) {
        // So many planes that what is read twice between tiles is little, so few that all of a device has work.
        constexpr Index most = 16, wanted = 4096;
        const Index all = end_plane - first_plane;
        planes = all * along * across / wanted;
        planes = planes < 4 ? 4 : planes > most ? most : planes;
        chunks = (all + planes - 1) / planes;
    }
    [[nodiscard]] POISSON3D_HD Index count() const { return along * across * chunks; }
};

template <class Task>
class StencilColumn {
public:
    using M = typename Task::Number;

    /// p of a plane: a tile and what is beside it.
    struct Plane {
        M at[TileShape::rows + 2][TileShape::length + 2];
    };

    POISSON3D_HD StencilColumn(const Task& task, const TileGrid& grid, Index tile, int thread)
        : task_(task), row_(thread / TileShape::length + 1), place_(thread % TileShape::length + 1) {
        const auto& axis = task.operator_.axis;
        const Index chunk = tile / (grid.along * grid.across), rest = tile - chunk * grid.along * grid.across;
        const Index first_j = grid.first_row + rest / grid.along * TileShape::rows - 1;
        const Index first_k = rest % grid.along * TileShape::length - 1;
        const Index j = held(axis[1], first_j + row_), k = held(axis[2], first_k + place_);
        unknown_ = j == first_j + row_ && k == first_k + place_;
        j_ = j, k_ = k;
        dense_ = j * task.operator_.points[2] + k;
        own_ = j * task.strides.row + k;
        // The borders of the tile: lines above and below by its first and last row, the others by half a row.
        Index beside_j = j, beside_k = k;
        int beside_row = row_, beside_place = place_;
        if (row_ == 1 || row_ == TileShape::rows) {
            beside_row += row_ == 1 ? -1 : 1;
            beside_j = held(axis[1], first_j + beside_row);
        } else if ((row_ == 3 || row_ == 4) && place_ <= TileShape::rows) {
            beside_row = place_;
            beside_place = row_ == 3 ? 0 : TileShape::length + 1;
            beside_j = held(axis[1], first_j + beside_row), beside_k = held(axis[2], first_k + beside_place);
        } else {
            beside_row = -1;
        }
        beside_ = beside_row < 0 ? -1 : beside_j * task.strides.row + beside_k;
        beside_at_ = beside_row * (TileShape::length + 2) + beside_place;
        right_ = dense_ + (axis[1].next[1][j] - j) * task.operator_.points[2];
        after_ = dense_ + (axis[2].next[1][k] - k);
        for (int side = 0; side < 2; ++side) {
            step_y_[side] = static_cast<M>(axis[1].step_to[side][j]);
            step_z_[side] = static_cast<M>(axis[2].step_to[side][k]);
        }
        weight_ = unknown_ ? axis[1].weight[j] * axis[2].weight[k] : 0.0;
        i_ = grid.first_plane + chunk * grid.planes;
        end_ = i_ + grid.planes < grid.end_plane ? i_ + grid.planes : grid.end_plane;
        centre_ = task.value(task.read(axis[0].next[0][i_] * task.strides.plane + own_));
        above_ = task.value(task.read(i_ * task.strides.plane + own_));
        if (beside_ >= 0) on_border_ = task.value(task.read(i_ * task.strides.plane + beside_));
        a_above_ = face(0, i_ * plane() + dense_);
    }

    [[nodiscard]] POISSON3D_HD bool more() const { return i_ < end_; }

    /// Puts the values of the plane at hand into the tile. Before, it reads those of the one above and what else
    /// multiply() needs, and leaves them alone until then: a thread waits for memory once in a plane.
    POISSON3D_HD void fill(Plane& tile) {
        const Index above = i_ + 1 < end_ ? i_ + 1 : task_.operator_.axis[0].next[1][i_], base = i_ * plane();
        below_ = centre_, centre_ = above_, a_below_ = a_above_;
        read_above_ = task_.read(above * task_.strides.plane + own_);
        if (beside_ >= 0) read_border_ = task_.read(above * task_.strides.plane + beside_);
        a_above_ = face(0, above * plane() + dense_);
        rest_ = static_cast<M>(task_.coefficients.c[base + dense_]);
        a_left_ = face(1, base + dense_), a_right_ = face(1, base + right_);
        a_before_ = face(2, base + dense_), a_after_ = face(2, base + after_);
        tile.at[row_][place_] = centre_;
        if (beside_ >= 0) (&tile.at[0][0])[beside_at_] = on_border_;
    }

    /// B w at the point of that plane, once all have filled it; on to the next. `sums` are added to.
    POISSON3D_HD void multiply(const Plane& tile, double* sums) {
        above_ = task_.value(read_above_);
        if (beside_ >= 0) on_border_ = task_.value(read_border_);
        if (unknown_) {
            const auto& axis = task_.operator_.axis[0];
            const M steps[6] = {static_cast<M>(axis.step_to[0][i_]) * a_below_,
                                static_cast<M>(axis.step_to[1][i_]) * a_above_,
                                step_y_[0] * a_left_,
                                step_y_[1] * a_right_,
                                step_z_[0] * a_before_,
                                step_z_[1] * a_after_};
            const M beside[6] = {below_,
                                 above_,
                                 tile.at[row_ - 1][place_],
                                 tile.at[row_ + 1][place_],
                                 tile.at[row_][place_ - 1],
                                 tile.at[row_][place_ + 1]};
            M diagonal = rest_;
            M product = diagonal * centre_;
            POISSON3D_UNROLL
            for (int f = 0; f < 6; ++f) {
                diagonal += steps[f];
                product += steps[f] * (centre_ - beside[f]);
            }
            double terms[Task::sums];
            task_.take(i_, j_, k_, i_ * plane() + dense_, centre_, product, diagonal, terms);
            const double weight = axis.weight[i_] * weight_;
            POISSON3D_UNROLL
            for (int t = 0; t < Task::sums; ++t) sums[t] += weight * terms[t];
        }
        ++i_;
    }

private:
    /// The point whose value stands at j: of those beside unknowns their neighbour, or, without one, the unknown.
    static POISSON3D_HD Index held(const AxisNumbers& axis, Index j) {
        return j < axis.first ? axis.next[0][axis.first] : j > axis.last ? axis.next[1][axis.last] : j;
    }
    [[nodiscard]] POISSON3D_HD M face(int axis, Index n) const {
        return static_cast<M>(task_.coefficients.a[axis][n]);
    }
    [[nodiscard]] POISSON3D_HD Index plane() const { return task_.operator_.stride(0); }

    const Task& task_;
    int row_, place_;               ///< in the tile
    bool unknown_;                  ///< this thread has points of its own
    Index j_, k_, dense_, own_;     ///< the point, its place in a plane of dense fields, and of w
    Index beside_, right_, after_;  ///< what it reads for the tile's border, −1 none; the faces on upper sides
    int beside_at_;
    M step_y_[2], step_z_[2];
    double weight_;
    Index i_, end_;
    typename Task::Raw read_above_{}, read_border_{};
    M on_border_{}, below_{}, centre_, above_, a_below_{}, a_above_, rest_{}, a_left_{}, a_right_{}, a_before_{},
        a_after_{};
};

}  // namespace poisson3d::points
