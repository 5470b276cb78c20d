// What an output takes over from its input: units, atoms, and the name that it must not take from another one.
#pragma once

#include <string>

#include "poisson3d/field_file.hpp"

namespace poisson3d::app {

/// Units of the solution: what the input says (solution_units), else those of the right-hand side times length
/// squared, if both are known and the right-hand side is not scaled, since a scale may have units of its own.
Units units_of_solution(const FieldHeader& input, double scale);

/// Units of a derivative of the solution, "((V/m^2) m^2)/m"; empty unless those of solution and lengths are known.
std::string units_of_gradient(const Units& units);

/// How the solution of an input is written.
WriteOptions write_options(const FieldHeader& input, int compress);

/// An output that was not named has the name of its input, whichever data set of that is solved. Throws
/// Error{usage} if the file is there and holds the solution of another one.
void refuse_other_dataset(const std::string& output, const std::string& dataset);

}  // namespace poisson3d::app
