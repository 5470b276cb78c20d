#include "stencil.hpp"

#include <algorithm>

#include "axis_kind.hpp"
#include "poisson3d/residual.hpp"

namespace poisson3d {

namespace {

/// The value beyond the end unknown `j`, whose inner neighbour is `inner`.
Neighbour beyond(const Axis& axis, Boundary boundary, Index j, Index inner) {
    if (axis.centering == Centering::cell) return {j, boundary == Boundary::dirichlet ? -1.0 : 1.0};
    if (boundary == Boundary::dirichlet) return {j, 0.0};
    return {inner, 1.0};
}

}  // namespace

Neighbour lower_neighbour(const Axis& axis, Index j) noexcept {
    const AxisKind kind = axis_kind(axis);
    if (j > kind.first) return {j - 1, 1.0};
    if (axis.periodic()) return {axis.points - 1, 1.0};
    // On a node axis with a single unknown the inner neighbour of a Neumann end may be a Dirichlet node: 0.
    const bool lonely = axis.centering == Centering::node && kind.unknowns == 1;
    return lonely ? Neighbour{j, 0.0} : beyond(axis, axis.lower, j, j + 1);
}

Neighbour upper_neighbour(const Axis& axis, Index j) noexcept {
    const AxisKind kind = axis_kind(axis);
    if (j < kind.first + kind.unknowns - 1) return {j + 1, 1.0};
    if (axis.periodic()) return {0, 1.0};
    const bool lonely = axis.centering == Centering::node && kind.unknowns == 1;
    return lonely ? Neighbour{j, 0.0} : beyond(axis, axis.upper, j, j - 1);
}

Stencil::Stencil(const Problem& problem) : grid_(problem.grid), diagonal_(-problem.helmholtz) {
    for (int a = 0; a < 3; ++a) {
        const AxisKind kind = axis_kind(grid_.axes[a]);
        first_[a] = kind.first;
        count_[a] = kind.unknowns;
        inverse_square_[a] = 1.0 / (grid_.axes[a].spacing * grid_.axes[a].spacing);
        diagonal_ -= 2.0 * inverse_square_[a];
    }
}

template <class T>
void Stencil::row(FieldView<const T> u, Index i, Index j, double* out) const {
    const auto line = [&](Index a, Index b) { return u.data + a * u.strides[0] + b * u.strides[1]; };
    const std::array below{lower_neighbour(grid_.axes[0], i), lower_neighbour(grid_.axes[1], j)};
    const std::array above{upper_neighbour(grid_.axes[0], i), upper_neighbour(grid_.axes[1], j)};
    const T* const centre = line(i, j);
    const std::array rows{line(below[0].index, j), line(above[0].index, j), line(i, below[1].index),
                          line(i, above[1].index)};
    const std::array weights{below[0].weight * inverse_square_[0], above[0].weight * inverse_square_[0],
                             below[1].weight * inverse_square_[1], above[1].weight * inverse_square_[1]};
    const double along = inverse_square_[2];
    const auto point = [&](Index k, double lower, double upper) {
        double sum = diagonal_ * static_cast<double>(centre[k]) + along * (lower + upper);
        for (int n = 0; n < 4; ++n) sum += weights[n] * static_cast<double>(rows[n][k]);
        return sum;
    };
    const auto end = [&](Index k) {
        const Neighbour low = lower_neighbour(grid_.axes[2], k);
        const Neighbour high = upper_neighbour(grid_.axes[2], k);
        out[k] = point(k, low.weight * static_cast<double>(centre[low.index]),
                       high.weight * static_cast<double>(centre[high.index]));
    };
    const Index first = first_[2];
    const Index last = first + count_[2] - 1;
    end(first);
    for (Index k = first + 1; k < last; ++k)
        out[k] = point(k, static_cast<double>(centre[k - 1]), static_cast<double>(centre[k + 1]));
    if (last > first) end(last);
}

template void Stencil::row(FieldView<const float>, Index, Index, double*) const;
template void Stencil::row(FieldView<const double>, Index, Index, double*) const;

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
