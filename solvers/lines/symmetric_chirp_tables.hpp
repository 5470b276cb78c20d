// Tables of type I lines by a chirp (symmetric_chirp.hpp) on the host.
#pragma once

#include "axis_tables.hpp"

namespace poisson3d::lines {

/// Elements that the FFTs of a line of half period `half` take.
template <class Format>
Index symmetric_chirp_elements(Index half);

/// Sets all but eigenvalues. The filter is made in long double and rounded once; the bits do not depend on the
/// number of threads.
template <class T, class Format>
void make_symmetric_chirp(AxisTables<T, Format>& tables, bool sine, Index half, ThreadTeam& team);

}  // namespace poisson3d::lines
