// Right-hand sides whose solution is known: for tests, for benchmarks, for trying the program.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "poisson3d/field.hpp"
#include "poisson3d/solver.hpp"

namespace poisson3d {

/// A field of this list is defined for every box, spacing, origin, centering and λ: u is a formula in the position
/// between the faces (0 at the lower, 1 at the upper). f = (∇² − λ) u is that formula differentiated, not a
/// difference quotient, and so is the boundary data of fields that do not satisfy homogeneous conditions.
struct KnownField {
    std::string name;         ///< "sine"
    std::string description;  ///< one line with the formula
    std::string boundary;     ///< default --boundary SPEC
    bool any_boundary;        ///< other boundaries can be chosen
    bool has_exact;           ///< a continuous exact solution is known
    bool has_boundary_data;   ///< faces hold more than zero: known_face_values()
};

/// sine, cosine, waves, mixed, channel, taylor-green, polynomial, cavity, linear, quadratic, gaussians, ring,
/// random.
///
/// - sine, cosine, waves, mixed and taylor-green are sums of eigenfunctions: a spectral solution is exact to
///   rounding on grids that resolve them.
/// - channel, polynomial and cavity are no such sums: solutions converge.
/// - linear and quadratic are constant along periodic axes. The second-order solution is exact to rounding for
///   linear, and for quadratic if all other axes have nodes.
/// - Steps of an axis may differ; of the fields above linear and quadratic take Robin faces, and random does.
/// - gaussians and ring are sums of Gaussians, whose u is known between any faces but Robin ones, free ones too; λ
///   is 0 or more. f at free faces is 1e-11 of its largest value or less, behind walls f has its images. Where free
///   faces leave a constant open it is as u must be far away (Gauge).
/// - In singular problems the exact u has integral zero (but for linear and quadratic). Its discrete weighted mean,
///   and that of f with the boundary data, differ from zero by the discretisation error: compare in the same gauge.
const std::vector<KnownField>& known_fields();
const KnownField& known_field(const std::string& name);  ///< throws Error{usage} listing the names

/// Fills planes first … first + extents[0] − 1 of the right-hand side f = (∇² − λ) u and of the exact u.
/// - Either view may be empty (data == nullptr); views may have strides.
/// - Values are computed in double and are a function of the global point alone: slabs can be made in any order.
/// - `seed` matters for random fields only (a counter-based hash: the same bits on every machine). Nothing is
///   subtracted from random fields of singular problems.
/// - Throws Error{usage} if the boundaries are not those the field is made for, if exact is asked of a field
///   without, or if the views do not fit; Error{data} if the grid is not valid.
template <class T>
void fill_known_field(const std::string& name, const Problem& problem, std::uint64_t seed, Index first,
                      FieldView<T> rhs, FieldView<T> exact);

/// Boundary data of a face, side 0 lower and 1 upper: u itself on a Dirichlet face, the outward normal derivative
/// ∂u/∂n on a Neumann face, α u + β ∂u/∂n on a Robin face, at all stored points of the two other axes in index
/// order, the later one contiguous. The face lies at axis.origin or origin + length, a node of a node axis. Where
/// two Dirichlet faces of node axes meet, both hold the same numbers. All zero if the field has no boundary data.
/// Throws as fill_known_field does, and Error{usage} for a free face or one of a periodic axis.
std::vector<double> known_face_values(const std::string& name, const Problem& problem, int axis, int side);

}  // namespace poisson3d
