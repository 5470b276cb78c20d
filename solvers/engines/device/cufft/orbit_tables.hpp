// One axis as the engine sees it: where samples and modes stand around its FFTs, and the tables of its orbits.
//
// A line of the axis has three orders: samples (the unknowns in natural order), positions (the array the FFTs work
// on), slots (modes, in the order they happen to come out). Line plans (line_plan.hpp) say which row, sign and α
// belong to which sample and mode; the tables here cut that into orbits:
//
//     forward:   samples → pre → positions → FFTs → positions → post → slots
//     backward:  slots → pre → positions → FFTs → positions → post → samples
//
// A type I axis is split up to three times (orbit_ops.hpp): type II lines of N/2, N/4, N/8 and the type I rest of
// half period n, which is done by its even or odd extension to 2n, so that positions exceed samples by an eighth.
#pragma once

#include <vector>

#include "axis_kind.hpp"
#include "orbit_ops.hpp"
#include "poisson3d/solver.hpp"
#include "sweeps.hpp"

namespace poisson3d::cufft {

/// FFTs of `length` at row `offset` of every line; `count` of them, equally spaced over the line.
struct FftBlock {
    Index offset, length, count;
};

/// Element s of orbit o comes from in[s · orbits + o] and goes to out[s · orbits + o]; −1: there is none.
template <class T>
struct OrbitTable {
    int size = 2;       ///< elements of an orbit: 2 (a PairMap), or 4, 8, 16 (type I)
    bool sine = false;  ///< of type I
    Index orbits = 0;
    std::vector<std::int32_t> in, out;
    std::vector<Complex<T>> coefficients;  ///< per orbit a, b, c, d, or size/2 − 1 numbers α: [number · orbits + o]
};

/// In which order orbits of elements that go alone are listed: neighbours in samples, or in positions.
enum class Listing { by_sample, by_position };

template <class T>
struct AxisTables {
    AxisKind kind{};
    Index rows = 0;  ///< positions of a line, a multiple of 128 bytes
    std::vector<FftBlock> ffts;
    Mirror mirror;
    OrbitTable<T> forward_pre, forward_post, backward_pre, backward_post;
    std::vector<T> eigenvalues;  ///< by slot
};

/// Elements that go alone are taken from two neighbouring runs of this many positions.
inline constexpr Index run_length = 16;

/// forward_post and backward_pre list the same slots, element for element.
template <class T>
AxisTables<T> make_axis_tables(const Axis& axis, Discretization discretization, Listing listing);

}  // namespace poisson3d::cufft
