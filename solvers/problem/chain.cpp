#include "chain.hpp"

#include "axis_kind.hpp"

namespace poisson3d {

namespace {

/// α and β of a face, Dirichlet and Neumann included.
Robin wall_of(const Axis& axis, int side) {
    switch (side == 0 ? axis.lower : axis.upper) {
        case Boundary::dirichlet: return {1.0, 0.0};
        case Boundary::robin: return axis.robin[side];
        default: return {0.0, 1.0};
    }
}

}  // namespace

Chain make_chain(const Axis& axis) {
    const AxisKind kind = axis_kind(axis);
    const std::vector<double> steps = steps_of(axis);
    const auto count = static_cast<std::size_t>(kind.unknowns);
    const auto first = static_cast<std::size_t>(kind.first);
    const std::size_t last_step = steps.size() - 1;
    const bool cells = axis.centering == Centering::cell;
    Chain chain;
    chain.ring = axis.periodic();
    chain.links.assign(count + 1, 0.0);
    chain.volumes.resize(count);
    // Cells i have step i; nodes i, which are stored points first + i, the steps below and above them.
    const auto link = [&](std::size_t below, std::size_t above) {
        return cells ? 2.0 / (steps[below] + steps[above]) : 1.0 / steps[below];
    };
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t j = first + i;
        if (cells) {
            chain.volumes[i] = steps[i];
        } else {
            const double below = j > 0 ? steps[j - 1] : chain.ring ? steps[last_step] : 0.0;
            const double above = j <= last_step ? steps[j] : 0.0;
            chain.volumes[i] = 0.5 * below + 0.5 * above;
        }
        if (i > 0) chain.links[i] = link(j - 1, j);
    }
    if (chain.ring) {
        if (count > 1) chain.links.front() = chain.links.back() = link(last_step, 0);
        return chain;
    }
    for (int side = 0; side < 2; ++side) {
        const auto [alpha, beta] = wall_of(axis, side);
        const double step = side == 0 ? steps.front() : steps.back();
        const bool fixed_node = (side == 0 ? axis.lower : axis.upper) == Boundary::dirichlet;
        const double rho = cells ? 0.5 * step : fixed_node ? step : 0.0;
        chain.ground[side] = alpha / (beta + alpha * rho);
        chain.feed[side] = 1.0 / (beta + alpha * rho);
    }
    return chain;
}

std::vector<double> row_norms(const Chain& chain) {
    std::vector<double> norms(chain.volumes.size());
    for (std::size_t j = 0; j < norms.size(); ++j) {
        const double ground = (j == 0 ? chain.ground[0] : 0.0) + (j + 1 == norms.size() ? chain.ground[1] : 0.0);
        norms[j] = 2.0 * (chain.links[j] + chain.links[j + 1] + ground) / chain.volumes[j];
    }
    return norms;
}

int eliminated_axis(const Grid& grid) noexcept {
    for (int a = 0; a < 3; ++a)
        if (needs_elimination(grid.axes[a])) return a;
    return -1;
}

}  // namespace poisson3d
