// The values of free faces as boundary data (boundary_data.hpp), by side and over all stored points, and the gauge
// that u and they share.
#pragma once

#include <algorithm>
#include <array>

#include "face_operator.hpp"
#include "field_passes.hpp"
#include "free_faces.hpp"
#include "gauge_shift.hpp"
#include "walled_layout.hpp"

namespace poisson3d::host {

template <class T>
class KeptFaces {
public:
    KeptFaces(const Problem& problem, const WalledLayout& layout, FieldPasses<T>& passes)
        : problem_(problem), layout_(layout), passes_(passes), gauge_(problem) {}

    /// Of a field: from sums and differences to the two sides, and from modes of an axis that is not free to its
    /// points. `values` in real space along free axes.
    void keep(const FacesByPart<T>& values, Index field) {
        for (int a = 0; a < 3; ++a) {
            if (free_sides(a) == 0) continue;
            const auto [d, e] = poisson3d::across(a);
            for (int side = 0; side < 2; ++side) {
                if (!is_free(problem_.grid.axes[a], side)) continue;
                T* const face = data(a, side, field);
                const Index pitch = problem_.grid.axes[e].points;
                std::fill(face, face + problem_.grid.axes[d].points * pitch, T(0));
                T* const unknowns = face + layout_.layout.kinds[d].first * pitch + layout_.layout.kinds[e].first;
                layout_.give_side(values[a], a, side, unknowns, pitch);
                for (const int axis : {d, e})
                    if (layout_.closed[axis].faces == 0)
                        passes_.team().run(lines_of_plane(unknowns, pitch, layout_.unknowns(d), layout_.unknowns(e),
                                                          axis == e, passes_.axis(axis).line(),
                                                          Direction::backward));
            }
        }
    }

    /// When u is there: a face means what its axis' centring says; and u gets its gauge. `u`: the unknowns, `all`
    /// with Dirichlet nodes.
    void finish(const FieldView<T>& u, const FieldView<T>& all, Index field) {
        for (int a = 0; a < 3; ++a)
            for (int side = 0; side < 2; ++side)
                if (is_free(problem_.grid.axes[a], side)) translate(u, a, side, field);
        const T shift = gauge_.apply(all, passes_.team().team());
        if (shift == T(0)) return;
        for (int a = 0; a < 3; ++a)
            for (int side = 0; side < 2; ++side) {
                if (!is_free(problem_.grid.axes[a], side)) continue;
                T* const face = data(a, side, field);
                const std::array<Index, 2> points = extents_of_face(problem_.grid.points(), a);
                for (Index i = 0; i < points[0] * points[1]; ++i) face[i] -= shift;
            }
    }

    [[nodiscard]] BoundaryData<T> with(const BoundaryData<T>& walls, Index fields) const {
        BoundaryData<T> all = walls;
        for (int a = 0; a < 3; ++a)
            for (int side = 0; side < 2; ++side) {
                if (!is_free(problem_.grid.axes[a], side)) continue;
                FaceValues<T>& face = all.faces[a][side];
                face.data = data(a, side, 0);
                face.stride = problem_.grid.axes[poisson3d::across(a)[1]].points;
                face.field_stride = fields > 1 ? static_cast<Index>(layout_.kept_next / sizeof(T)) : 0;
            }
        return all;
    }

private:
    [[nodiscard]] int free_sides(int axis) const { return layout_.closed[axis].faces; }
    [[nodiscard]] T* data(int axis, int side, Index field) const {
        return reinterpret_cast<T*>(passes_.team().memory() + layout_.kept[axis][side] +
                                    static_cast<std::size_t>(field) * layout_.kept_next);
    }
    /// Cells ½ (in + out), nodes out; the closed axis may have had the other.
    void translate(const FieldView<T>& u, int axis, int side, Index field) {
        const bool cells = problem_.grid.axes[axis].centering == Centering::cell;
        if (cells == layout_.closed[axis].mean) return;
        const auto [d, e] = poisson3d::across(axis);
        const Index pitch = problem_.grid.axes[e].points;
        T* const face =
            data(axis, side, field) + layout_.layout.kinds[d].first * pitch + layout_.layout.kinds[e].first;
        const T* const in = u.data + (side == 0 ? 0 : (u.extents[axis] - 1) * u.strides[axis]);
        for (Index i = 0; i < u.extents[d]; ++i)
            for (Index j = 0; j < u.extents[e]; ++j) {
                T& value = face[i * pitch + j];
                const T next = in[i * u.strides[d] + j * u.strides[e]];
                value = cells ? (value + next) / 2 : 2 * value - next;
            }
    }

    Problem problem_;
    const WalledLayout& layout_;
    FieldPasses<T>& passes_;
    GaugeShift<T> gauge_;
};

}  // namespace poisson3d::host
