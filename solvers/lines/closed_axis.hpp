// Axes with free faces, closed by walls: which wall serves, and what the solution of the closed box leaves on it.
//
// A free face becomes a Dirichlet wall, and the points stay the unknowns that they are. With "in" the point next to
// the face and "out" the one beyond it, the value of u that stands for the face is
//
//     free faces    closed as                         value of a face   adds to f at "in"
//     two           cells D–D, n points               ½ (in + out)      −2g/h²
//                   or nodes D–D, n + 2 points        out               −g/h²
//     one, cells    its wall and D, n points          ½ (in + out)      −2g/h²
//     one, nodes    its wall and D, n + 1 points      out               −g/h²
//
// Two free faces make cells and nodes the same equations: the closure of the two whose FFTs are faster is taken.
// What is left on a wall is u at "in", a sum over modes; what g adds to a mode is a number of this mode times g,
//
//     u(in) = Σ_k sums_k U_k          F_k + terms_k g
//
// Of two faces the upper one has (−1)^k times the numbers of the lower one. So even modes have the sum of the two
// faces, odd ones the difference, lower less upper: all that follows goes on with those, called parts 0 and 1.
// Source: James, J. Comput. Phys. 25 (1977).
#pragma once

#include <array>
#include <vector>

#include "poisson3d/solver.hpp"

namespace poisson3d::lines {

struct ClosedAxis {
    Axis axis;           ///< without free faces
    int faces = 0;       ///< how many there were: parts, too
    bool lower = false;  ///< the first of them is the lower face
    bool mean = false;   ///< a face stands for ½ (in + out), or for out
    double to_face = 0;  ///< 2/h² or 1/h²
    double taken = 0;    ///< what g adds to f at "in", over g
    std::vector<double> sums,
        terms;  ///< by mode: row "in" of the transform back, and its column there, −to_face times

    [[nodiscard]] int part(Index mode) const noexcept { return faces == 2 ? static_cast<int>(mode % 2) : 0; }
    /// Stored points next to and beyond a face, counted in the axis with free faces.
    struct Layer {
        Index in, out;
    };
    [[nodiscard]] static Layer layer(const Axis& free, int side) noexcept {
        return side == 0 ? Layer{0, -1} : Layer{free.points - 1, free.points};
    }
};

/// Of an axis without free faces: itself, and nothing more. `as_cells`: two free faces are closed as cells, so that
/// the points are those of the axis.
ClosedAxis close_axis(const Axis& axis, bool as_cells = false);
std::array<ClosedAxis, 3> close_axes(const Grid& grid);

/// The same equations between walls.
Problem close_faces(const Problem& problem);

}  // namespace poisson3d::lines
