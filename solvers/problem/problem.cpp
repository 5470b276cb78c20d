// What a problem is, apart from how it is solved: names, singularity, checks.
#include <cmath>
#include <limits>

#include "axis_kind.hpp"
#include "chain.hpp"
#include "free_faces.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/solver.hpp"
#include "poisson3d/text.hpp"
#include "spectrum.hpp"

namespace poisson3d {

const char* name(Discretization d) noexcept {
    return d == Discretization::spectral ? "spectral" : "second-order";
}

const char* name(Engine engine) noexcept {
    static constexpr const char* names[] = {"automatic", "host", "cufft", "fused"};
    return names[static_cast<int>(engine)];
}

const char* name(Memory memory) noexcept {
    static constexpr const char* names[] = {"automatic", "fast", "standard", "low"};
    return names[static_cast<int>(memory)];
}

const char* name(Middle middle) noexcept {
    static constexpr const char* names[] = {"automatic", "transform", "eliminate"};
    return names[static_cast<int>(middle)];
}

bool singular(const Problem& problem) noexcept {
    if (problem.helmholtz != 0.0) return false;
    for (const Axis& axis : problem.grid.axes)
        if (!axis_kind(axis).constant_mode) return false;
    return true;
}

namespace {

/// `axis`: the one that is eliminated.
void validate_uneven(const Problem& problem, int axis) {
    const std::string who =
        std::string("axis ") + problem.grid.labels[axis] + " has positions, widths, coefficients or a Robin face";
    if (problem.discretization == Discretization::spectral)
        throw Error(ErrorCode::unsupported,
                    who + ", which the spectral discretization cannot have: use second-order");
    const double lambda = problem.helmholtz;
    if (lambda >= 0.0) return;
    const double kappa = lowest_kappa(problem, axis);
    const double rounding = 8.0 * std::numeric_limits<double>::epsilon() * std::abs(lambda);
    const bool resonant = axis_kind(problem.grid.axes[axis]).constant_mode && kappa >= -rounding;
    if (kappa >= 0.0 || resonant) return;  // resonant_modes() has words of its own
    throw Error(ErrorCode::unsupported,
                who +
                    ", so the Helmholtz constant must not be below the sum of the least eigenvalues of the two "
                    "other axes: found " +
                    format_number(lambda) + ", wanted " + format_number(lambda - kappa) + " or more");
}

}  // namespace

void validate(const Problem& problem) {
    validate(problem.grid);
    if (!std::isfinite(problem.helmholtz))
        throw Error(ErrorCode::data, "found the Helmholtz constant " + format_number(problem.helmholtz) +
                                         ", wanted a finite number");
    if (unbounded_axes(problem.grid) > 0)
        validate_free_faces(problem);
    else if (const int e = uneven_axis_to_eliminate(problem.grid); e >= 0)
        validate_uneven(problem, e);
    for (const Axis& axis : problem.grid.axes)
        if (axis.points >= Index{1} << 30)
            throw Error(ErrorCode::unsupported, "found an axis of " + std::to_string(axis.points) +
                                                    " points, at most 2^30 − 1 are supported");
    if (problem.gauge.point)
        for (int a = 0; a < 3; ++a) {
            const Index index = (*problem.gauge.point)[a];
            if (index < 0 || index >= problem.grid.axes[a].points)
                throw Error(ErrorCode::usage, std::string("the gauge point has index ") + std::to_string(index) +
                                                  " on axis " + problem.grid.labels[a] + ", wanted 0 to " +
                                                  std::to_string(problem.grid.axes[a].points - 1));
        }
}

}  // namespace poisson3d
