// What a problem is, apart from how it is solved: names, singularity, checks.
#include <cmath>

#include "axis_kind.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/solver.hpp"
#include "poisson3d/text.hpp"

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

bool singular(const Problem& problem) noexcept {
    if (problem.helmholtz != 0.0) return false;
    for (const Axis& axis : problem.grid.axes)
        if (!axis_kind(axis).constant_mode) return false;
    return true;
}

void validate(const Problem& problem) {
    validate(problem.grid);
    if (!std::isfinite(problem.helmholtz))
        throw Error(ErrorCode::data, "found the Helmholtz constant " + format_number(problem.helmholtz) +
                                         ", wanted a finite number");
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
