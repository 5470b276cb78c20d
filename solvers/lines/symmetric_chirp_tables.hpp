// Tables of even and odd lines by a chirp (symmetric_chirp.hpp) on the host.
#pragma once

#include "axis_tables.hpp"

namespace poisson3d::lines {

/// Number i of a side stands at position i + first, or half a sample behind it.
struct ChirpSide {
    bool half_way;
    Index first, last;
};

/// A transform as its even or odd line, of half period N.
struct SymmetricLine {
    bool sine;
    Index half;
    ChirpSide samples, modes;
};
/// Of any kind but periodic ones.
SymmetricLine symmetric_line(const AxisKind& kind);

/// Elements that the FFTs of a line of half period `half` take.
template <class Format>
Index symmetric_chirp_elements(Index half);

/// Sets all but eigenvalues. The filter is made in long double and rounded once; the bits do not depend on the
/// number of threads.
template <class T, class Format>
void make_symmetric_chirp(AxisTables<T, Format>& tables, const SymmetricLine& line, ThreadTeam& team);

}  // namespace poisson3d::lines
