#include "poisson3d/grid.hpp"

#include <cmath>

#include "poisson3d/error.hpp"
#include "poisson3d/text.hpp"

namespace poisson3d {

const char* name(Boundary boundary) noexcept {
    switch (boundary) {
        case Boundary::periodic: return "periodic";
        case Boundary::dirichlet: return "dirichlet";
        case Boundary::neumann: return "neumann";
    }
    return "unknown";
}

const char* name(Centering centering) noexcept {
    return centering == Centering::cell ? "cell" : "node";
}

Boundary parse_boundary(std::string_view word) {
    for (const Boundary boundary : {Boundary::periodic, Boundary::dirichlet, Boundary::neumann})
        if (word == name(boundary)) return boundary;
    throw Error(ErrorCode::data,
                "unknown boundary '" + std::string(word) + "': use periodic, dirichlet or neumann");
}

Centering parse_centering(std::string_view word) {
    for (const Centering centering : {Centering::cell, Centering::node})
        if (word == name(centering)) return centering;
    throw Error(ErrorCode::data, "unknown centering '" + std::string(word) + "': use cell or node");
}

Index fewest_points(const Axis& axis) noexcept {
    if (axis.centering == Centering::cell || axis.periodic()) return 1;
    return axis.lower == Boundary::dirichlet && axis.upper == Boundary::dirichlet ? 3 : 2;
}

namespace {

void validate_axis(const Axis& axis, char label) {
    const std::string who = std::string("axis ") + label + ": ";
    if ((axis.lower == Boundary::periodic) != (axis.upper == Boundary::periodic))
        throw Error(ErrorCode::data, who + "found boundary " + name(axis.lower) + " below and " + name(axis.upper) +
                                         " above; periodic must be on both sides or on none");
    if (axis.points < fewest_points(axis))
        throw Error(ErrorCode::data, who + "found " + std::to_string(axis.points) + " points, " +
                                         name(axis.centering) + " axes with boundary " + name(axis.lower) + ":" +
                                         name(axis.upper) + " need at least " +
                                         std::to_string(fewest_points(axis)));
    if (!std::isfinite(axis.spacing) || axis.spacing <= 0.0)
        throw Error(ErrorCode::data,
                    who + "found spacing " + format_number(axis.spacing) + ", wanted a finite number above 0");
    // 1/h² must be representable in the working precision of the eigenvalues.
    if (!std::isfinite(4.0 / (axis.spacing * axis.spacing)) || 1.0 / (axis.spacing * axis.spacing) == 0.0)
        throw Error(ErrorCode::data,
                    who + "found spacing " + format_number(axis.spacing) +
                        ", whose inverse square is not a finite number above 0: choose other units");
    if (!std::isfinite(axis.origin))
        throw Error(ErrorCode::data,
                    who + "found origin " + format_number(axis.origin) + ", wanted a finite number");
}

}  // namespace

void validate(const Grid& grid) {
    constexpr Index max_points = Index{1} << 55;  // so that bytes of several fields fit 64 bits
    Index size = 1;
    for (int a = 0; a < 3; ++a) {
        validate_axis(grid.axes[a], grid.labels[a]);
        if (grid.axes[a].points > max_points / size)
            throw Error(ErrorCode::data, "the field has more than 2^55 points, which no memory holds");
        size *= grid.axes[a].points;
    }
}

}  // namespace poisson3d
