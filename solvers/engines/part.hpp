// The planes of x that a member has of a box that several share.
#pragma once

#include <algorithm>

#include "axis_kind.hpp"
#include "poisson3d/solver.hpp"

namespace poisson3d {

struct Part {
    Index first = 0, points = 0;            ///< stored planes, and …
    Index first_unknown = 0, unknowns = 0;  ///< … those of unknowns, counted from the first unknown of the box
    Index all_points = 0, all_unknowns = 0;
    Index first_stored = 0;  ///< the first unknown among the planes of this part

    [[nodiscard]] bool whole() const noexcept { return points == all_points; }
};

/// A range of the unknown planes of a part.
struct Planes {
    Index first = 0, count = 0;
};

/// Planes first … first + points − 1 of the box of a problem.
inline Part part_of(const Problem& problem, Index first, Index points) {
    const AxisKind kind = axis_kind(problem.grid.axes[0]);
    const Index begin = std::max(first, kind.first);
    const Index end = std::min(first + points, kind.first + kind.unknowns);
    Part part{first, points, 0, std::max<Index>(end - begin, 0), kind.points, kind.unknowns, 0};
    if (part.unknowns > 0) {
        part.first_unknown = begin - kind.first;
        part.first_stored = begin - first;
    } else {  // Dirichlet planes alone, or none
        part.first_unknown = std::clamp<Index>(first - kind.first, 0, kind.unknowns);
        part.first_stored = first < kind.first ? points : 0;
    }
    return part;
}

inline Part whole_box(const Problem& problem) {
    return part_of(problem, 0, problem.grid.axes[0].points);
}

}  // namespace poisson3d
