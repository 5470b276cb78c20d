// Fields whose values tell their place, on a grid with nothing equal.
#pragma once

#include "h5_test_file.hpp"
#include "poisson3d/field.hpp"
#include "poisson3d/grid.hpp"

namespace poisson3d::test {

inline Grid example_grid(const Extents& points = {5, 4, 3}) {
    Grid grid;
    grid.axes[0] = {points[0], 0.5, -1.0, Centering::cell, Boundary::periodic, Boundary::periodic};
    grid.axes[1] = {points[1], 0.25, 2.0, Centering::node, Boundary::dirichlet, Boundary::neumann};
    grid.axes[2] = {points[2], 0.125, 7.0, Centering::cell, Boundary::neumann, Boundary::dirichlet};
    grid.labels = {'z', 'y', 'x'};
    return grid;
}

template <class T>
Field<T> marked_field(const Extents& points, double shift = 0.0) {
    Field<T> field(points);
    for (Index i = 0; i < points[0]; ++i)
        for (Index j = 0; j < points[1]; ++j)
            for (Index k = 0; k < points[2]; ++k) field.view()(i, j, k) = static_cast<T>(marked(i, j, k) + shift);
    return field;
}

template <class T>
void expect_marked(const Field<T>& field, double shift = 0.0) {
    const Extents n = field.extents();
    for (Index i = 0; i < n[0]; ++i)
        for (Index j = 0; j < n[1]; ++j)
            for (Index k = 0; k < n[2]; ++k)
                ASSERT_EQ(field.view()(i, j, k), static_cast<T>(marked(i, j, k) + shift));
}

}  // namespace poisson3d::test
