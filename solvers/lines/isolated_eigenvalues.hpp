// The eigenvalues of a chain (ladder.hpp), each in an interval of its own.
#pragma once

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

/// In ascending order. Groups of more than one: eigenvalues whose relative distances are below 2⁻⁸⁶, as where equal
/// parts of a chain are as good as separate, and those near by that close_modes.hpp could not leave out. Those that
/// are 0 exactly, of a chain without ground, are left out.
///
/// By bisection, level by level, all intervals of a level at once: first of the bits of doubles, so that exponents
/// take a few steps whatever they are, to 2⁻⁴²; then with twice the precision. `team` may be null.
std::vector<EigenvalueGroup> isolated_eigenvalues(const LadderView& chain, double low, double high,
                                                  ThreadTeam* team);

}  // namespace poisson3d::lines
