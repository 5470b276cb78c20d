#include "gradient_rule.hpp"

#include <array>

#include "ghost.hpp"
#include "uneven_gradient.hpp"

namespace poisson3d {

namespace {

/// u at index j of an axis, where j may be one step beyond an end, unless that is a node on a Dirichlet face.
Ghost value_at_index(const Axis& axis, Index j) {
    if (j >= 0 && j < axis.points) return {j, 1.0};
    return beyond(axis, j < 0 ? 0 : 1);
}

/// Collects the terms of one end.
class Sum {
public:
    explicit Sum(const Axis& axis) : axis_(axis) {}

    /// += times · u_j
    Sum& add(double times, Index j) {
        const Ghost value = value_at_index(axis_, j);
        for (std::size_t s = 0; s < 2; ++s) data_[s] += times * value.data[s];
        std::size_t i = 0;
        while (i < count_ && at_[i] != value.index) ++i;
        if (i == count_) at_[count_++] = value.index;
        weights_[i] += times * value.weight;
        return *this;
    }

    template <class T>
    [[nodiscard]] EndRule<T> rule() const {
        EndRule<T> rule;
        for (std::size_t i = 0; i < count_; ++i) rule.at[i] = at_[i], rule.weight[i] = static_cast<T>(weights_[i]);
        for (std::size_t s = 0; s < 2; ++s) rule.data[s] = static_cast<T>(data_[s] / (2.0 * axis_.step()));
        return rule;
    }

private:
    Axis axis_;
    std::size_t count_ = 0;
    std::array<Index, 3> at_{};
    std::array<double, 3> weights_{};
    std::array<double, 2> data_{};
};

template <class T>
EndRule<T> end_rule(const Axis& axis, bool upper) {
    const Index j = upper ? axis.points - 1 : 0;
    const bool dirichlet = (upper ? axis.upper : axis.lower) == Boundary::dirichlet;
    Sum sum(axis);
    if (axis.centering == Centering::cell || !dirichlet) return sum.add(1.0, j + 1).add(-1.0, j - 1).rule<T>();
    const Index in = upper ? -1 : 1;
    const double sign = upper ? -1.0 : 1.0;
    return sum.add(-3.0 * sign, j).add(4.0 * sign, j + in).add(-sign, j + 2 * in).rule<T>();
}

}  // namespace

template <class T>
AxisRule<T> make_axis_rule(const Axis& axis, Slopes<T>& slopes) {
    if (!has_fast_transform(axis)) return make_uneven_rule(axis, slopes);
    AxisRule<T> rule;
    rule.points = axis.points;
    rule.factor = static_cast<T>(1.0 / (2.0 * axis.step()));
    rule.first = end_rule<T>(axis, false);
    rule.last = end_rule<T>(axis, true);
    return rule;
}

template AxisRule<float> make_axis_rule(const Axis&, Slopes<float>&);
template AxisRule<double> make_axis_rule(const Axis&, Slopes<double>&);

}  // namespace poisson3d
