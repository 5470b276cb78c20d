// Where everything the host engine needs lies in one block of memory: computed before anything is allocated, so
// that the number of bytes told is the number of bytes used.
#pragma once

#include <array>
#include <cstddef>

#include "axis_kind.hpp"
#include "poisson3d/solver.hpp"

namespace poisson3d::host {

/// No field: passes work in u.
struct Layout {
    std::array<AxisKind, 3> kinds;
    Extents unknowns{};            ///< per axis
    int threads = 1;               ///< at work
    std::size_t rows_bytes = 0;    ///< samples of a block of lines of any axis, from 0 on …
    std::size_t places_bytes = 0;  ///< … and its places behind them; then the next thread's
    std::size_t gauge_offset = 0;  ///< one block of lines, for a gauge at a point
    std::size_t bytes = 0;         ///< in all
};

/// `threads` ≥ 1.
template <class T>
Layout make_layout(const Problem& problem, Memory memory, int threads);

}  // namespace poisson3d::host
