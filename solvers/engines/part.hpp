// What a member has of a box that several share.
#pragma once

#include <algorithm>

#include "axis_kind.hpp"
#include "boundary_terms.hpp"
#include "poisson3d/solver.hpp"

namespace poisson3d {

/// Of an axis: planes of x, rows of y.
struct Part {
    Index first = 0, points = 0;            ///< stored ones, and …
    Index first_unknown = 0, unknowns = 0;  ///< … those of unknowns, counted from the first unknown of the box
    Index all_points = 0, all_unknowns = 0;
    Index first_stored = 0;  ///< the first unknown among the points of this part

    [[nodiscard]] bool whole() const noexcept { return points == all_points; }
};

/// A range of the unknown planes of a part, or of the modes of an axis.
struct Planes {
    Index first = 0, count = 0;
};

/// Of the box: `y` until lines along z are transformed, from then on all of y and a share of the modes of z. A slab
/// has all of both. Where a block of all lines along x is at hand, it has a share of the modes of y or of z.
struct BoxPart {
    Part x, y;
    Planes z_modes, y_modes;

    [[nodiscard]] bool whole() const noexcept { return x.whole() && y.whole(); }
    /// Unknowns before lines along z are transformed, and from then on.
    [[nodiscard]] Extents unknowns(Index z_unknowns) const noexcept { return {x.unknowns, y.unknowns, z_unknowns}; }
    [[nodiscard]] Extents turned() const noexcept { return {x.unknowns, y_modes.count, z_modes.count}; }
    /// The lowest modes of y and z are at hand.
    [[nodiscard]] bool has_lowest() const noexcept { return y_modes.first == 0 && z_modes.first == 0; }
};

/// Points first … first + points − 1 along an axis of the box of a problem.
inline Part part_of(const Problem& problem, int axis, Index first, Index points) {
    const AxisKind kind = axis_kind(problem.grid.axes[axis]);
    const Index begin = std::max(first, kind.first);
    const Index end = std::min(first + points, kind.first + kind.unknowns);
    Part part{first, points, 0, std::max<Index>(end - begin, 0), kind.points, kind.unknowns, 0};
    if (part.unknowns > 0) {
        part.first_unknown = begin - kind.first;
        part.first_stored = begin - first;
    } else {  // Dirichlet points alone, or none
        part.first_unknown = std::clamp<Index>(first - kind.first, 0, kind.unknowns);
        part.first_stored = first < kind.first ? points : 0;
    }
    return part;
}

inline Part whole_axis(const Problem& problem, int axis) {
    return part_of(problem, axis, 0, problem.grid.axes[axis].points);
}

inline BoxPart whole_box(const Problem& problem) {
    const Part y = whole_axis(problem, 1);
    return {whole_axis(problem, 0), y, {0, whole_axis(problem, 2).unknowns}, {0, y.unknowns}};
}

/// What a part adds at the faces that it touches.
template <class T>
BoundaryTerms<T> terms_of(const BoundaryTerms<T>& whole, const Part& x, const Part& y) {
    BoundaryTerms<T> terms = whole;
    for (const int axis : {0, 1}) {
        const Part& part = axis == 0 ? x : y;
        terms.first[axis] = part.first_stored;
        terms.last[axis] = part.first_stored + part.unknowns - 1;
        if (part.unknowns == 0 || part.first_unknown > 0) terms.factor[axis][0] = T(0);
        if (part.unknowns == 0 || part.first_unknown + part.unknowns < part.all_unknowns)
            terms.factor[axis][1] = T(0);
    }
    return terms;
}

}  // namespace poisson3d
