#include "uneven_gradient.hpp"

#include <array>

#include "chain.hpp"

namespace poisson3d {

namespace {

/// A sum of up to three values of u and the data of the faces.
struct EndSum {
    std::array<Index, 3> at{};
    std::array<double, 3> weights{};
    std::array<double, 2> data{};
    std::size_t count = 0;

    void add(double times, Index j) {
        std::size_t i = 0;
        while (i < count && at[i] != j) ++i;
        if (i == count) at[count++] = j;
        weights[i] += times;
    }

    template <class T>
    [[nodiscard]] EndRule<T> rule() const {
        EndRule<T> rule;
        for (std::size_t i = 0; i < count; ++i) rule.at[i] = at[i], rule.weight[i] = static_cast<T>(weights[i]);
        for (std::size_t s = 0; s < 2; ++s) rule.data[s] = static_cast<T>(data[s]);
        return rule;
    }
};

/// What the derivative at a point takes of the fluxes below and above it.
struct Shares {
    double lower, upper;
};

Axis of_steps(Axis axis) {
    axis.custom = {};
    return axis;
}

class UnevenRule {
public:
    explicit UnevenRule(const Axis& axis)
        : axis_(of_steps(axis)), chain_(make_chain(axis_)), steps_(steps_of(axis)), last_(axis.points - 1) {}

    /// Of the differences of u on either side, at any point between the ends, or of a ring.
    [[nodiscard]] Shares shares(Index j) const {
        if (axis_.centering == Centering::cell) return {0.5 * chain_.links[j], 0.5 * chain_.links[j + 1]};
        const double below = steps_[j > 0 ? j - 1 : last_];
        const double above = steps_[j];
        return {above / below / (below + above), below / above / (below + above)};
    }

    [[nodiscard]] EndSum end(int side) const {
        const Index j = side == 0 ? 0 : last_;
        EndSum sum;
        if (axis_.centering == Centering::cell || chain_.ring) {
            const auto [lower, upper] = shares(j);
            for (const int above : {0, 1}) {
                if (!chain_.ring && j == (above == 0 ? 0 : last_)) {
                    flux_of_wall(sum, above, 0.5);
                    continue;
                }
                const double share = above == 0 ? lower : upper;
                const Index other = (j + axis_.points + (above == 0 ? -1 : 1)) % axis_.points;
                sum.add(above == 0 ? share : -share, j);
                sum.add(above == 0 ? -share : share, other);
            }
        } else if (wall(side) == Boundary::free) {
            flux_of_wall(sum, side, 0.5);
            if (last_ > 0)
                add_flux(sum, side, 0.5, j, side == 0 ? steps_.front() : steps_.back());
            else if (wall(1 - side) == Boundary::free)
                flux_of_wall(sum, 1 - side, 0.5);
            else
                return neumann_node(1 - side);
        } else if (wall(side) == Boundary::dirichlet) {
            one_sided(sum, side);
        } else {
            slope_of_wall(sum, side, 1.0);
        }
        return sum;
    }

private:
    [[nodiscard]] EndSum neumann_node(int side) const {
        EndSum sum;
        slope_of_wall(sum, side, 1.0);
        return sum;
    }
    [[nodiscard]] Boundary wall(int side) const { return side == 0 ? axis_.lower : axis_.upper; }

    /// times · du/dx at a wall of cells, where the outward flux is feed γ − G u.
    void flux_of_wall(EndSum& sum, int side, double times) const {
        const double outward = side == 0 ? -times : times;
        sum.data[side] += outward * chain_.feed[side];
        sum.add(-outward * chain_.ground[side], side == 0 ? 0 : last_);
    }

    /// times · du/dx at a Neumann or Robin node: ∂u/∂n = (γ − α u)/β.
    void slope_of_wall(EndSum& sum, int side, double times) const {
        const Robin numbers = wall(side) == Boundary::robin ? axis_.robin[side] : Robin{0.0, 1.0};
        const double outward = side == 0 ? -times : times;
        sum.data[side] += outward / numbers.beta;
        sum.add(-outward * (numbers.alpha / numbers.beta), side == 0 ? 0 : last_);
    }

    /// At a Dirichlet node: the line through the two nearest fluxes, the second at the other wall if that is
    /// nearer.
    void one_sided(EndSum& sum, int side) const {
        const Index j = side == 0 ? 0 : last_;
        const Index in = side == 0 ? 1 : -1;
        const double near = side == 0 ? steps_.front() : steps_.back();
        if (last_ == 1 && wall(1 - side) == Boundary::free) {
            add_flux(sum, side, 1.5, j, near);
            return flux_of_wall(sum, 1 - side, -0.5);
        }
        if (last_ == 1) {
            add_flux(sum, side, 2.0, j, near);
            return slope_of_wall(sum, 1 - side, -1.0);
        }
        const double next = side == 0 ? steps_[1] : steps_[steps_.size() - 2];
        const double share = near / (near + next);
        add_flux(sum, side, 1.0 + share, j, near);
        add_flux(sum, side, -share, j + in, next);
    }

    /// times · the difference quotient between point `from` and the next one inwards from a side.
    static void add_flux(EndSum& sum, int side, double times, Index from, double step) {
        const Index in = side == 0 ? 1 : -1;
        sum.add(static_cast<double>(in) * times / step, from + in);
        sum.add(static_cast<double>(-in) * times / step, from);
    }

    Axis axis_;
    Chain chain_;
    std::vector<double> steps_;
    Index last_;
};

}  // namespace

template <class T>
AxisRule<T> make_uneven_rule(const Axis& axis, Slopes<T>& slopes) {
    const UnevenRule made(axis);
    slopes.lower.assign(static_cast<std::size_t>(axis.points), T(0));
    slopes.upper = slopes.lower;
    for (Index j = 1; j + 1 < axis.points; ++j) {
        const auto [lower, upper] = made.shares(j);
        slopes.lower[j] = static_cast<T>(lower);
        slopes.upper[j] = static_cast<T>(upper);
    }
    AxisRule<T> rule;
    rule.points = axis.points;
    rule.factor = T(1);
    rule.first = made.end(0).rule<T>();
    rule.last = made.end(1).rule<T>();
    rule.lower = slopes.lower.data();
    rule.upper = slopes.upper.data();
    return rule;
}

template AxisRule<float> make_uneven_rule(const Axis&, Slopes<float>&);
template AxisRule<double> make_uneven_rule(const Axis&, Slopes<double>&);

}  // namespace poisson3d
