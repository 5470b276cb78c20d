#include "stencil.hpp"

#include <algorithm>
#include <vector>

#include "axis_kind.hpp"
#include "ghost.hpp"
#include "poisson3d/residual.hpp"

namespace poisson3d {

AxisNeighbours make_neighbours(const Axis& axis) noexcept {
    const AxisKind kind = axis_kind(axis);
    const Ghost below = beyond_of_unknowns(axis, 0);
    const Ghost above = beyond_of_unknowns(axis, 1);
    return {kind.first, kind.first + kind.unknowns - 1, {below.index, below.weight}, {above.index, above.weight}};
}

SevenPoint make_seven_point(const Problem& problem) noexcept {
    SevenPoint result;
    for (int a = 0; a < 3; ++a) {
        const Axis& axis = problem.grid.axes[a];
        result.axis[a] = make_neighbours(axis);
        result.inverse_square[a] = 1.0 / (axis.spacing * axis.spacing);
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
