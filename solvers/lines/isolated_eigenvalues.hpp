// The eigenvalues of a chain (ladder.hpp), each in an interval of its own.
#pragma once

#include <functional>
#include <vector>

#include "ladder_loops.hpp"
#include "poisson3d/threads.hpp"

namespace poisson3d::lines {

/// Eigenvalues number `first` … `first + count − 1` lie in (low, high), and no others do.
struct EigenvalueGroup {
    DoubleDouble low, high;
    Index first, count;
    double distance;  ///< of the next group
    bool fine;        ///< found with twice the precision: relative distances are below 2⁻³⁸
};

/// How many eigenvalues lie below each of some μ; with twice the precision, or of their first parts alone.
using EigenvalueCount = std::function<std::vector<Index>(const std::vector<DoubleDouble>& shifts, bool doubled)>;

/// Where eigenvalues number `first` … `nodes − 1` are looked for, and how far intervals are halved, relative: with
/// doubles, whose counts may be wrong by a 16th of that, and with twice the precision, or not if that is 0. Several
/// eigenvalues in an interval less wide than several_width stay together if others are far enough.
struct EigenvalueRange {
    Index first, nodes;
    double low, high;
    double single_width, doubled_width, several_width = 0.0;
    double least_distance = 0.0;  ///< relative, of groups that are not halved with twice the precision
    double times_apart = 16.0;    ///< distances over widths at which intervals are not halved further
};

/// In ascending order. Groups of more than one: eigenvalues nearer than doubled_width, as where equal parts of a
/// chain are as good as separate, and those near by that close_modes.hpp could not leave out.
///
/// By bisection, level by level, all intervals of a level at once: first of the bits of doubles, so that exponents
/// take a few steps whatever they are; then with twice the precision.
std::vector<EigenvalueGroup> isolated_eigenvalues(const EigenvalueRange& range, const EigenvalueCount& count);

/// Of a chain; those that are 0 exactly, without ground, are left out. `team` may be null.
std::vector<EigenvalueGroup> isolated_eigenvalues(const LadderView& chain, double low, double high,
                                                  ThreadTeam* team);

}  // namespace poisson3d::lines
