// The box: three axes, slowest first. Boundary kinds and point positions; no data, no equation.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "poisson3d/export.hpp"

namespace poisson3d {

/// A signed 64-bit size or offset, counted in elements unless said otherwise.
using Index = std::int64_t;

/// free: nothing stands there; space goes on without end, and f is 0 in it.
enum class Boundary { periodic, dirichlet, neumann, robin, free };
enum class Centering { cell, node };

POISSON3D_API const char* name(Boundary boundary) noexcept;    ///< "periodic", "dirichlet", …
POISSON3D_API const char* name(Centering centering) noexcept;  ///< "cell", "node"
/// The reverse of name(); throws Error{data} listing the words that exist.
POISSON3D_API Boundary parse_boundary(std::string_view word);
POISSON3D_API Centering parse_centering(std::string_view word);

/// A Robin face: α u + β ∂u/∂n = γ, n outward, γ the boundary data of the face. α, β ≥ 0 and not both 0. On nodes
/// β = 0 is refused: Boundary::dirichlet says that.
struct Robin {
    double alpha = 1.0, beta = 1.0;
    friend bool operator==(const Robin&, const Robin&) = default;
};

/// A symmetric tridiagonal −d²/dx² by its numbers, as finite volumes or compact schemes have them:
///
///     −u''_j = (g_j (u_j − u_{j−1}) + g_{j+1} (u_j − u_{j+1})) / D_j
///
///  - conductances: g > 0. Cells: n + 1, the first and the last lead to the walls, where u = γ by a Dirichlet face
///    (2/w where the centre is w/2 away); on a Neumann face that number may be 0 and is not used. Periodic: both
///    are the one that closes the ring, and equal. Nodes: n − 1, between stored points; periodic n, the last closes
///    the ring.
///  - weights: D > 0, one for each stored point; those of Dirichlet nodes are not used. In the units of length, so
///    that a Neumann face gives its point −γ/D.
struct Coefficients {
    std::vector<double> conductances{}, weights{};
    friend bool operator==(const Coefficients&, const Coefficients&) = default;
};

/// One axis of the box. `points` are the stored points, `spacing` is h > 0, `origin` is the lower face.
/// Cell: point j at origin + (j + 1/2) h, length L = points·h.
/// Node: point j at origin + j h; both end points are stored, L = (points − 1) h — except on a periodic
/// axis, which does not repeat the first point, L = points·h.
///
/// Any spacing: `positions` or `widths`, one of them; `spacing` is then ignored. If they are uniform() the axis is
/// one of step(), as if that were its spacing.
///  - positions: n + 1 faces of cells, n points of nodes, of periodic nodes n + 1, the last the first plus the
///    period; they rise strictly. `origin` is ignored.
///  - widths: the differences of those, from `origin` on: n of cells and of periodic nodes, n − 1 of nodes. Better
///    than positions where steps are tiny beside the distance from 0.
///
/// Any coefficients: `custom`. Positions, widths or spacing then say where points are, for coordinates and
/// gradients, and nothing else.
struct POISSON3D_API Axis {
    Index points = 0;
    double spacing = 1.0;
    double origin = 0.0;
    Centering centering = Centering::cell;
    Boundary lower = Boundary::periodic;
    Boundary upper = Boundary::periodic;
    std::array<Robin, 2> robin{};  ///< of the lower and the upper face, where that is their kind
    std::vector<double> positions{}, widths{};
    Coefficients custom{};

    /// Positions or widths are given.
    [[nodiscard]] bool listed() const noexcept { return !positions.empty() || !widths.empty(); }
    /// All steps are the same: none are given, or those that are differ by rounding alone. That is, no position is
    /// more than 8 eps (of double) of the largest |position| away from where it would be with equal steps between
    /// the first and the last; linspace, a + b·linspace and the like leave up to 5. Widths: the same of their ends,
    /// counted from the lower face.
    [[nodiscard]] bool uniform() const noexcept;
    /// The step of a uniform axis, of others the mean of their steps: spacing, if none are given.
    [[nodiscard]] double step() const noexcept;
    [[nodiscard]] bool periodic() const noexcept { return lower == Boundary::periodic; }
    /// A face is free. All stored points but a node on a Dirichlet face are unknowns then, and the one at the free
    /// face is like any other: cells and nodes between two free faces are the same equations.
    [[nodiscard]] bool unbounded() const noexcept { return lower == Boundary::free || upper == Boundary::free; }
    /// Where stored point j is; of cells the middle of the faces. Widths are added up to there on every call: for
    /// all points at once, coordinates().
    [[nodiscard]] double position(Index j) const noexcept;
    /// From face to face.
    [[nodiscard]] double length() const noexcept;
    friend bool operator==(const Axis&, const Axis&) = default;
};

using Extents = std::array<Index, 3>;

/// The box: axes in index order, slowest first; the last axis is contiguous in memory.
struct Grid {
    std::array<Axis, 3> axes;
    /// Letters used in messages, options and face names, in index order.
    std::array<char, 3> labels{'x', 'y', 'z'};

    [[nodiscard]] Extents points() const noexcept { return {axes[0].points, axes[1].points, axes[2].points}; }
    [[nodiscard]] Index size() const noexcept { return axes[0].points * axes[1].points * axes[2].points; }
    friend bool operator==(const Grid&, const Grid&) = default;
};

/// Checks everything that can be wrong with a grid: one-sided periodicity, too few points for the kind,
/// spacing or origin not finite, spacing ≤ 0, a size that overflows 2^55 points; positions or widths, their count,
/// order and size; numbers of custom axes; α and β of Robin faces. Throws Error{data} naming the axis, the value
/// found and the value wanted.
POISSON3D_API void validate(const Grid& grid);

/// Fewest stored points an axis of these kinds may have: 1 for cells and periodic nodes, 2 for nodes with a
/// Neumann or Robin face, 3 for nodes between two Dirichlet faces. Nodes with a free face: 1, or 2 where the other
/// one is a Dirichlet face.
POISSON3D_API Index fewest_points(const Axis& axis) noexcept;

/// A sine, cosine or Fourier transform of as many numbers diagonalises the axis: it is uniform and has no
/// coefficients, Robin or free faces. An axis without is eliminated, or multiplied with the matrix of its
/// eigenvectors; free ones are eliminated or padded with zeros.
POISSON3D_API bool has_fast_transform(const Axis& axis) noexcept;

/// How many steps an axis has: as many as stored points, one less of nodes that are not periodic.
POISSON3D_API Index step_count(const Axis& axis) noexcept;

/// The steps of a valid axis as a solver takes them: step() each if it is uniform, else the widths, or the
/// differences of the positions in double.
POISSON3D_API std::vector<double> steps_of(const Axis& axis);

/// The ends of the steps of a valid axis, one more than steps: what Axis::positions says, from widths or spacing if
/// there are none.
POISSON3D_API std::vector<double> step_ends(const Axis& axis);

/// position() of all stored points of a valid axis.
POISSON3D_API std::vector<double> coordinates(const Axis& axis);

}  // namespace poisson3d
