#include "chain.hpp"

#include "axis_kind.hpp"
#include "free_faces.hpp"

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

/// Conductances and control volumes by stored point, from the steps or as they are given.
class Parts {
public:
    explicit Parts(const Axis& axis)
        : axis_(axis),
          steps_(steps_of(axis)),
          custom_(!axis.custom.weights.empty()),
          cells_(axis.centering == Centering::cell) {}

    /// Between stored points j − 1 and j.
    [[nodiscard]] double link(std::size_t j) const {
        if (custom_) return axis_.custom.conductances[cells_ ? j : j - 1];
        return cells_ ? 2.0 / (steps_[j - 1] + steps_[j]) : 1.0 / steps_[j - 1];
    }
    /// Between the last and the first.
    [[nodiscard]] double closing_link() const {
        if (custom_) return axis_.custom.conductances.back();
        return cells_ ? 2.0 / (steps_.back() + steps_.front()) : 1.0 / steps_.back();
    }
    [[nodiscard]] double volume(std::size_t j) const {
        if (custom_) return axis_.custom.weights[j];
        if (cells_) return steps_[j];
        const double below = j > 0 ? steps_[j - 1] : axis_.periodic() ? steps_.back() : beyond(0);
        const double above = j < steps_.size() ? steps_[j] : beyond(1);
        return 0.5 * below + 0.5 * above;
    }
    /// The step beyond a free face, 0 beyond others.
    [[nodiscard]] double beyond(int side) const {
        if (!is_free(axis_, side)) return 0.0;
        if (steps_.empty()) return axis_.step();
        return side == 0 ? steps_.front() : steps_.back();
    }
    /// To the value that stands for a free face (boundary_data.hpp).
    [[nodiscard]] double to_free_face(int side) const { return (cells_ ? 2.0 : 1.0) / beyond(side); }
    /// From the first or last unknown to a wall that is not fixed there.
    [[nodiscard]] double distance(int side) const {
        return cells_ ? 0.5 * (side == 0 ? steps_.front() : steps_.back()) : 0.0;
    }
    /// ρ, from the wall to the first or last unknown.
    [[nodiscard]] double resistance(int side, Boundary wall) const {
        if (wall == Boundary::neumann || (!cells_ && wall != Boundary::dirichlet)) return 0.0;
        const std::vector<double>& g = axis_.custom.conductances;
        if (custom_) return 1.0 / (side == 0 ? g.front() : g.back());
        const double step = side == 0 ? steps_.front() : steps_.back();
        return cells_ ? 0.5 * step : step;
    }

private:
    const Axis& axis_;
    std::vector<double> steps_;
    bool custom_, cells_;
};

}  // namespace

Chain make_chain(const Axis& axis) {
    const AxisKind kind = axis_kind(axis);
    const Parts parts(axis);
    const auto count = static_cast<std::size_t>(kind.unknowns);
    const auto first = static_cast<std::size_t>(kind.first);
    Chain chain;
    chain.ring = axis.periodic();
    chain.links.assign(count + 1, 0.0);
    chain.volumes.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        chain.volumes[i] = parts.volume(first + i);
        if (i > 0) chain.links[i] = parts.link(first + i);
    }
    if (chain.ring) {
        if (count > 1) chain.links.front() = chain.links.back() = parts.closing_link();
        return chain;
    }
    for (int side = 0; side < 2; ++side) {
        chain.wall[side] = parts.distance(side);
        chain.beyond[side] = parts.beyond(side);
        if (chain.beyond[side] > 0.0) {
            chain.ground[side] = chain.feed[side] = parts.to_free_face(side);
            continue;
        }
        const auto [alpha, beta] = wall_of(axis, side);
        const double rho = parts.resistance(side, side == 0 ? axis.lower : axis.upper);
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

int first_uneven_axis(const Grid& grid) noexcept {
    for (int a = 0; a < 3; ++a)
        if (!has_fast_transform(grid.axes[a])) return a;
    return -1;
}

int uneven_axis_to_eliminate(const Grid& grid) noexcept {
    int chosen = -1;
    Index most = -1;
    for (int a = 0; a < 3; ++a) {
        const Index unknowns = axis_kind(grid.axes[a]).unknowns;
        if (has_fast_transform(grid.axes[a])) continue;
        if (grid.axes[a].unbounded()) return a;
        if (unknowns <= most) continue;
        chosen = a;
        most = unknowns;
    }
    return chosen;
}

}  // namespace poisson3d
