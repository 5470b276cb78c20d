#include "middle_axis.hpp"

#include <algorithm>

#include "axis_kind.hpp"
#include "axis_tables.hpp"
#include "chain.hpp"
#include "free_faces.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/text.hpp"
#include "spectrum.hpp"

namespace poisson3d {

/// It makes FFTs slow.
double largest_prime(const Axis& axis) {
    Index rest = lines::line_ffts(axis).length;
    Index largest = 1;
    for (Index p = 2; p * p <= rest; ++p)
        for (; rest % p == 0; rest /= p) largest = p;
    return static_cast<double>(std::max(largest, rest));
}

namespace {

int slowest_axis(const Grid& grid, PassCost cost) {
    int slowest = 0;
    for (int a = 1; a < 3; ++a)
        if (cost(grid.axes[a]) > cost(grid.axes[slowest])) slowest = a;
    return slowest;
}

/// The axis that takes less time eliminated than transformed; −1 if there is none. FFTs of lengths with larger
/// prime factors than 7 are slow, those of short lines are not (docs/notes.md has the times).
int faster_eliminated(const Problem& problem, PassCost cost) {
    constexpr double fast_prime = 7;
    constexpr Index short_line = 32;
    const int axis = slowest_axis(problem.grid, cost);
    const Axis& slowest = problem.grid.axes[axis];
    const bool worth = largest_prime(slowest) > fast_prime && axis_kind(slowest).unknowns >= short_line;
    const bool possible =
        problem.discretization == Discretization::second_order && lowest_kappa(problem, axis) >= 0.0;
    return worth && possible ? axis : -1;
}

}  // namespace

int eliminated_axis(const Problem& problem, Middle middle, PassCost cost) {
    const Grid& grid = problem.grid;
    const int uneven = uneven_axis_to_eliminate(grid);
    if (uneven >= 0 && middle == Middle::transform)
        throw Error(ErrorCode::unsupported,
                    std::string("axis ") + grid.labels[uneven] +
                        " has positions, widths, coefficients or a Robin face and cannot be transformed: found the "
                        "middle transform, wanted automatic or eliminate");
    if (uneven >= 0) return uneven;
    if (middle == Middle::transform) return -1;
    if (middle == Middle::automatic) return faster_eliminated(problem, cost);
    if (problem.discretization == Discretization::spectral)
        throw Error(ErrorCode::unsupported,
                    "the spectral discretization has no axis to eliminate: found the middle eliminate, wanted "
                    "automatic or transform");
    const int slowest = slowest_axis(grid, cost);
    if (const double kappa = lowest_kappa(problem, slowest); kappa < 0.0)
        throw Error(ErrorCode::unsupported,
                    std::string("axis ") + grid.labels[slowest] +
                        " can be eliminated only if the Helmholtz constant is not below the sum of the least "
                        "eigenvalues of the two other axes: found " +
                        format_number(problem.helmholtz) + ", wanted " + format_number(problem.helmholtz - kappa) +
                        " or more, or the middle transform");
    return slowest;
}

std::string elimination_refused(const Problem& problem, int axis) {
    const Grid& grid = problem.grid;
    if (problem.discretization == Discretization::spectral) return "found the spectral discretization";
    if (const double kappa = lowest_kappa(problem, axis); kappa < 0.0)
        return "found the Helmholtz constant " + format_number(problem.helmholtz) + ", below " +
               format_number(problem.helmholtz - kappa) +
               ", minus the sum of the least eigenvalues of the two other axes";
    for (int a = 0; a < 3; ++a)
        if (a != axis && grid.axes[a].unbounded()) return std::string("found free faces on axis ") + grid.labels[a];
    return {};
}

namespace {

std::string free_faces_refused(const Problem& problem, Middle middle, const DeviceLimits& limits) {
    if (unbounded_axes(problem.grid) == 0) return {};
    if (eliminates_free_axis(problem) && middle != Middle::transform)
        return grows_far_away(problem) && problem.gauge.mean ? "u is to have the mean 0 beside a free axis" : "";
    if (problem.discretization == Discretization::spectral || middle == Middle::transform)
        return "free axes are to be padded";
    if (limits.longest == 0) return "two or three axes are free";
    return {};
}

}  // namespace

std::string refused_by_device(const Problem& problem, Middle middle, const DeviceLimits& limits) {
    const Grid& grid = problem.grid;
    const int first = first_uneven_axis(grid);
    const auto refused = [&](const std::string& what) {
        return what + ", which engine " + name(limits.engine) + " cannot have: use engine host";
    };
    const auto letter = [&](int axis) { return std::string(1, grid.labels[axis]); };
    if (const std::string found = free_faces_refused(problem, middle, limits); !found.empty())
        return refused(found);
    if (unbounded_axes(grid) > 1) return {};
    if (first < 0 && middle != Middle::eliminate) return {};
    if (limits.longest == 0)
        return refused(first < 0 ? "an axis is to be eliminated"
                                 : "axis " + letter(first) +
                                       " has positions, widths, coefficients, a Robin or a free face");
    const int axis = first >= 0 ? uneven_axis_to_eliminate(grid) : slowest_axis(grid, limits.cost);
    const Index unknowns = axis_kind(grid.axes[axis]).unknowns;
    if (unknowns <= limits.longest) return {};
    return refused("axis " + letter(axis) + " is to be eliminated and has " + std::to_string(unknowns) +
                   " unknowns, more than " + std::to_string(limits.longest));
}

}  // namespace poisson3d
