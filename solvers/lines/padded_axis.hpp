// Free axes as lines padded with zeros: a line of n values, zero up to twice the length, is convolved with any
// kernel of distances below n by the transforms of the padded line.
//
//   both faces free            DFT of 2n                                θ_k = πk/n    k = 0 … n
//   a wall and a free face     cells DCT-II, DST-II of 2n               θ_k = πk/2n   k = 0 … 2n
//                              nodes DCT-I of 2n + 1, DST-I of 2n − 1
//
// The padded line is an axis like any other of which most samples do not exist: they are read as 0 and not written,
// so that no zero crosses memory. Modes that are cosine and sine of one wave number k share a row of a symbol.
// Source: Hockney, Methods in Computational Physics 9 (1970).
#pragma once

#include <vector>

#include "axis_tables.hpp"

namespace poisson3d::lines {

/// The axis whose transforms a free axis has: twice the points, the other face like the wall, or periodic.
Axis padded_axis(const Axis& axis);

/// The unknowns of a free axis among those of its padded one.
struct PresentSamples {
    Index first, count;
};
PresentSamples present_samples(const Axis& axis);

/// make_axis_tables() of an axis or, if it is free, of its padded one, without the samples that do not exist.
template <class T, class Format = Compact>
AxisTables<T, Format> make_padded_tables(const Axis& axis, Discretization discretization, LineMethod method,
                                         ThreadTeam* team, bool rows = true);

/// By mode number (AxisTables::mode_of) of an axis as it is transformed: its row of a symbol, k of a free axis, of
/// others the mode number itself.
Index symbol_row(const Axis& axis, Index mode);

}  // namespace poisson3d::lines
