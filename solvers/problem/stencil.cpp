#include "stencil.hpp"

#include <algorithm>
#include <vector>

#include "axis_kind.hpp"
#include "chain.hpp"
#include "ghost.hpp"
#include "poisson3d/residual.hpp"

namespace poisson3d {

AxisNeighbours make_neighbours(const Axis& axis) noexcept {
    const AxisKind kind = axis_kind(axis);
    const Index last = kind.first + kind.unknowns - 1;
    if (!has_fast_transform(axis)) {
        const double beyond_ends = axis.periodic() ? 1.0 : 0.0;
        return {kind.first, last, {last, beyond_ends}, {kind.first, beyond_ends}};
    }
    const Ghost below = beyond_of_unknowns(axis, 0);
    const Ghost above = beyond_of_unknowns(axis, 1);
    return {kind.first, last, {below.index, below.weight}, {above.index, above.weight}};
}

UnevenStepArrays::UnevenStepArrays(const Grid& grid, double unit) {
    if (first_uneven_axis(grid) < 0) return;
    for (std::size_t a = 0; a < 3; ++a) {
        const Axis& axis = grid.axes[a];
        const bool even = has_fast_transform(axis);
        const double h = axis.step(), square = even ? unit / (h * h) : 0.0;
        lower[a].assign(static_cast<std::size_t>(axis.points), square);
        upper[a] = lower[a];
        weight[a] = mean_weights(axis);
        if (even) continue;
        const Chain chain = make_chain(axis);
        const std::size_t count = chain.volumes.size();
        const auto first = static_cast<std::size_t>(axis_kind(axis).first);
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t j = first + i;
            const double below = chain.links[i] + (i == 0 ? chain.ground[0] : 0.0);
            const double above = chain.links[i + 1] + (i + 1 == count ? chain.ground[1] : 0.0);
            lower[a][j] = unit * (below / chain.volumes[i]);
            upper[a][j] = unit * (above / chain.volumes[i]);
        }
    }
}

UnevenSteps UnevenStepArrays::view() const noexcept {
    UnevenSteps steps;
    steps.any = !lower[0].empty();
    for (std::size_t a = 0; steps.any && a < 3; ++a) {
        steps.lower[a] = lower[a].data();
        steps.upper[a] = upper[a].data();
        steps.weight[a] = weight[a].data();
    }
    return steps;
}

SevenPoint make_seven_point(const Problem& problem, const UnevenStepArrays& steps) noexcept {
    SevenPoint result;
    result.uneven = steps.view();
    for (int a = 0; a < 3; ++a) {
        const Axis& axis = problem.grid.axes[a];
        result.axis[a] = make_neighbours(axis);
        const double h = axis.step();
        if (has_fast_transform(axis)) result.inverse_square[a] = 1.0 / (h * h);
    }
    result.helmholtz = problem.helmholtz;
    return result;
}

template <class T>
void apply_stencil(const Problem& problem, FieldView<const T> u, FieldView<T> out) {
    const Stencil stencil(problem);
    std::vector<double> row(u.extents[2]);
    for (Index i = 0; i < u.extents[0]; ++i)
        for (Index j = 0; j < u.extents[1]; ++j) {
            T* const target = &out(i, j, 0);
            std::fill_n(target, u.extents[2], T(0));
            if (!stencil.unknown(0, i) || !stencil.unknown(1, j)) continue;
            stencil.row(u, i, j, row.data());
            for (Index k = stencil.first(2); k < stencil.first(2) + stencil.count(2); ++k)
                target[k] = static_cast<T>(row[k]);
        }
}

template void apply_stencil(const Problem&, FieldView<const float>, FieldView<float>);
template void apply_stencil(const Problem&, FieldView<const double>, FieldView<double>);

}  // namespace poisson3d
