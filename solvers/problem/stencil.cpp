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
    if (needs_elimination(axis)) {
        const double beyond_ends = axis.periodic() ? 1.0 : 0.0;
        return {kind.first, last, {last, beyond_ends}, {kind.first, beyond_ends}};
    }
    const Ghost below = beyond_of_unknowns(axis, 0);
    const Ghost above = beyond_of_unknowns(axis, 1);
    return {kind.first, last, {below.index, below.weight}, {above.index, above.weight}};
}

UnevenStepArrays::UnevenStepArrays(const Grid& grid) : axis(eliminated_axis(grid)) {
    if (axis < 0) return;
    const Axis& along = grid.axes[axis];
    const Chain chain = make_chain(along);
    for (std::vector<double>* each : {&lower, &upper, &volume})
        each->resize(static_cast<std::size_t>(along.points));
    const std::size_t count = chain.volumes.size();
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t j = static_cast<std::size_t>(axis_kind(along).first) + i;
        volume[j] = chain.volumes[i];
        lower[j] = (chain.links[i] + (i == 0 ? chain.ground[0] : 0.0)) / volume[j];
        upper[j] = (chain.links[i + 1] + (i + 1 == count ? chain.ground[1] : 0.0)) / volume[j];
    }
}

SevenPoint make_seven_point(const Problem& problem, const UnevenStepArrays& steps) noexcept {
    SevenPoint result;
    result.uneven = steps.view();
    for (int a = 0; a < 3; ++a) {
        const Axis& axis = problem.grid.axes[a];
        result.axis[a] = make_neighbours(axis);
        result.inverse_square[a] = a == steps.axis ? 0.0 : 1.0 / (axis.spacing * axis.spacing);
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
