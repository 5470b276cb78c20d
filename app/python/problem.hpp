// The problem and the options of a plan from the arguments of a Python call, which are written as the program's
// options are.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "poisson3d/solver.hpp"

namespace poisson3d::python {

/// The arguments of a Solver as text: one value, "a,b,c" or "x=a,y=b,z=c" where they speak of axes.
struct Arguments {
    Extents shape{};
    std::string spacing, boundary, centering, origin;
    std::array<std::vector<double>, 3> positions, widths, conductances, weights;  ///< empty: none
    std::string discretization, gauge;
    double helmholtz = 0.0;
    std::string engine, memory, middle;
    int threads = 0;
    int device = 0;
    Index batch = 1;
};

// Throw Error{usage} naming the argument, what was found and what is wanted; an axis that is left out is missed.
Problem make_problem(const Arguments& arguments);
Options make_options(const Arguments& arguments);

}  // namespace poisson3d::python
