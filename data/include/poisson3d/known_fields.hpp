// Right-hand sides whose solution is known: for tests, for benchmarks, for trying the program.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "poisson3d/field.hpp"
#include "poisson3d/solver.hpp"

namespace poisson3d {

/// A field of this list is defined for every box, spacing, origin, centering and λ: u is given by a formula in the
/// place between the faces (0 at the lower, 1 at the upper), satisfies homogeneous boundary conditions, and
/// f = (∇² − λ) u is that formula differentiated, not a difference quotient.
struct KnownField {
    std::string name;         ///< "sine"
    std::string description;  ///< one line with the formula
    std::string boundary;     ///< default --boundary SPEC
    bool any_boundary;        ///< other boundaries can be chosen
    bool has_exact;           ///< a continuous exact solution is known
};

/// sine, cosine, waves, mixed, channel, taylor-green, polynomial, random.
///
/// sine, cosine, waves, mixed and taylor-green are sums of eigenfunctions, so a spectral solution is exact to
/// rounding on grids that resolve them; channel and polynomial are none, and only converge. The exact u of a
/// singular problem has integral zero; its discrete weighted mean, and that of f, differ from zero by the
/// discretisation error, so compare after fixing the same gauge.
const std::vector<KnownField>& known_fields();
const KnownField& known_field(const std::string& name);  ///< throws Error{usage} listing the names

/// Fills planes first … first + extents[0] − 1 of the right-hand side f = (∇² − λ) u, and of the exact u (either
/// view may be empty: data == nullptr; views may have strides). Values are computed in double and are a function of
/// the global point alone, so slabs can be made in any order. `seed` matters for random fields only (a
/// counter-based hash: the same bits on every machine); nothing is subtracted from random fields of singular
/// problems. Throws Error{usage} if the boundaries are not those the field is made for, if exact is asked of a
/// field without, or if the views do not fit; Error{data} if the grid is not valid.
template <class T>
void fill_known_field(const std::string& name, const Problem& problem, std::uint64_t seed, Index first,
                      FieldView<T> rhs, FieldView<T> exact);

}  // namespace poisson3d
