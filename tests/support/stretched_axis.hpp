// An axis whose steps are at random, the largest up to a given ratio times the smallest.
#pragma once

#include <cmath>
#include <vector>

#include "dense.hpp"
#include "random_values.hpp"
#include "uneven_axis.hpp"

namespace poisson3d::test {

inline std::vector<double> random_steps(Index count, double ratio, std::uint64_t seed) {
    std::vector<double> steps;
    for (Index j = 0; j < count; ++j) steps.push_back(0.4 * std::pow(ratio, 0.5 * (uniform(j, seed) + 1.0)));
    return steps;
}

inline Axis stretched_axis(Centering centering, const Walls& walls, Index points, double ratio,
                           std::uint64_t seed) {
    Axis axis{points, 1.0, -3.0, centering, walls.lower, walls.upper};
    axis.robin = {{{0.7, 0.3}, {2.0, 5.0}}};
    axis.widths = random_steps(step_count(axis), ratio, seed);
    return axis;
}

template <class T>
Field<Real> long_field(const Field<T>& field) {
    Field<Real> copy(field.view().extents);
    for (Index i = 0; i < field.size(); ++i) copy.data()[i] = field.data()[i];
    return copy;
}

}  // namespace poisson3d::test
