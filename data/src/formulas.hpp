// The formulas of the known fields: sums of products of one function per axis.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "axis_functions.hpp"
#include "poisson3d/grid.hpp"

namespace poisson3d {

/// amplitude · a(x) b(y) c(z), factors in index order.
struct Term {
    double amplitude = 1.0;
    std::array<AxisFunction, 3> factors;
};

/// The terms of the exact solution u of a known field on this box; empty for random, which has none. Throws
/// Error{usage} if the grid's boundaries are not those the field is made for.
std::vector<Term> known_terms(const std::string& name, const Grid& grid);

}  // namespace poisson3d
