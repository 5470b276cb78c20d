// Free faces: which problems have them, and what is refused beside them.
#include <algorithm>
#include <string>

#include "axis_kind.hpp"
#include "free_faces.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/text.hpp"
#include "spectrum.hpp"

namespace poisson3d {

int unbounded_axes(const Grid& grid) noexcept {
    return static_cast<int>(std::ranges::count_if(grid.axes, [](const Axis& axis) { return axis.unbounded(); }));
}

bool grows_far_away(const Problem& problem) noexcept {
    const int unbounded = unbounded_axes(problem.grid);
    return problem.helmholtz == 0.0 && (unbounded == 1 || unbounded == 2) &&
           std::ranges::none_of(problem.grid.axes, [](const Axis& axis) { return has_ground(axis); });
}

bool takes_constant(const Problem& problem) noexcept {
    return grows_far_away(problem) && (problem.gauge.mean || problem.gauge.point);
}

bool gauge_applies(const Problem& problem) noexcept {
    return singular(problem) || grows_far_away(problem);
}

bool plain(Axis axis) {
    for (Boundary* const face : {&axis.lower, &axis.upper})
        if (*face == Boundary::free) *face = Boundary::neumann;
    return has_fast_transform(axis);
}

bool eliminates_free_axis(const Problem& problem) noexcept {
    return unbounded_axes(problem.grid) == 1 && problem.discretization == Discretization::second_order;
}

bool closes_free_axes(const Problem& problem, Middle middle) noexcept {
    return unbounded_axes(problem.grid) > 1 && problem.discretization == Discretization::second_order &&
           middle == Middle::automatic;
}

bool pads_free_axes(const Problem& problem, Middle middle) {
    if (unbounded_axes(problem.grid) == 0) return false;
    if (eliminates_free_axis(problem))
        return middle == Middle::transform && std::ranges::all_of(problem.grid.axes, plain);
    if (middle == Middle::eliminate)
        throw Error(ErrorCode::unsupported,
                    "an axis is eliminated only beside one free axis and second-order: found " +
                        std::to_string(unbounded_axes(problem.grid)) + " free axes and " +
                        name(problem.discretization) + ", wanted the middle automatic or transform");
    return true;
}

void validate_free_faces(const Problem& problem) {
    const Grid& grid = problem.grid;
    const int unbounded = unbounded_axes(grid);
    double least = problem.helmholtz;
    for (int a = 0; a < 3; ++a) {
        const Axis& axis = grid.axes[a];
        if (!plain(axis) && !eliminates_free_axis(problem))
            throw Error(ErrorCode::unsupported,
                        std::string("axis ") + grid.labels[a] +
                            " has positions, widths, coefficients or a Robin face beside free faces: found " +
                            (unbounded > 1 ? std::to_string(unbounded) + " axes with free faces, wanted one"
                                           : "the spectral discretization, wanted second-order"));
        if (!axis.unbounded()) least += least_eigenvalue(axis, problem.discretization);
    }
    if (problem.helmholtz < 0.0 && !(least > 0.0)) {
        std::string mode;
        for (int a = 0; a < 3; ++a)
            if (!grid.axes[a].unbounded())
                mode += (mode.empty() ? " of mode 0 along " : " and ") + std::string(1, grid.labels[a]);
        throw Error(ErrorCode::unsupported,
                    "found the Helmholtz constant " + format_number(problem.helmholtz) +
                        " beside free faces, through which waves" + mode + " leave: wanted " +
                        (least == problem.helmholtz ? "none below 0"
                                                    : "one above " + format_number(problem.helmholtz - least)));
    }
    if ((problem.gauge.point || problem.gauge.mean) && !gauge_applies(problem))
        throw Error(
            ErrorCode::usage,
            "found a gauge for a problem with free faces that leaves no constant open: its solution vanishes "
            "far away, or a face or the Helmholtz constant holds it");
}

}  // namespace poisson3d
