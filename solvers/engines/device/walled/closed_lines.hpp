// The transforms of a closed axis as matrices, for faces that are in its modes where the face operator wants points
// (face_lines.hpp): between two closed faces modes are even or odd about the middle, too.
#pragma once

#include <array>
#include <vector>

#include "closed_axis.hpp"
#include "folded_line.hpp"
#include "poisson3d/threads.hpp"

namespace poisson3d::walled {

/// An axis whose modes a way through the passes has in this order, so many times too large.
struct AxisModes {
    std::vector<Index> mode_of;  ///< by slot; none: the axis is not in modes
    double gain = 1.0;

    [[nodiscard]] bool any() const { return !mode_of.empty(); }
};

/// By class; mode 2k + c is number k of class c, or mode k of the only one. Matrices by rows.
struct ClosedLines {
    using Matrix = std::vector<double>;
    struct Class {
        Matrix sources;  ///< points × modes: sums or differences of points and partners, from modes of the solution
        Matrix results;  ///< points × modes: even or odd parts, from modes of what they are
        Matrix modes;    ///< modes × points: the reverse
    };
    std::array<Class, 2> of;
};
ClosedLines make_closed_lines(const Axis& closed, const FoldedLine& line, double gain);

/// Where mode `mode` is among points in classes.
Index place_of_mode(const FoldedLine& line, Index mode);

/// a · b, of `inner` columns and rows. Threads share the rows of the result.
std::vector<double> product(const std::vector<double>& a, const std::vector<double>& b, Index inner,
                            ThreadTeam& team);

}  // namespace poisson3d::walled
