// Where everything the host engine needs lies in one block of memory: computed before anything is allocated, so
// that the number of bytes told is the number of bytes used.
#pragma once

#include <array>
#include <cstddef>

#include "axis_kind.hpp"
#include "poisson3d/solver.hpp"
#include "schedule.hpp"

namespace poisson3d::host {

struct Layout {
    std::array<AxisKind, 3> kinds;
    Extents unknowns{};             ///< per axis
    Strides first_strides{};        ///< of the internal field in its order (y, z, x)
    Strides second_strides{};       ///< of the other one in (z, x, y)
    std::size_t second_offset = 0;  ///< 0 when u's own memory serves as the second field
    bool own_second = false;
    int threads = 1;                 ///< at work
    std::size_t scratch_offset = 0;  ///< two row arrays per thread
    std::size_t scratch_bytes = 0;   ///< of one row array
    std::size_t gauge_offset = 0;    ///< one block of lines, for a gauge at a point
    std::size_t bytes = 0;           ///< in all
};

/// `memory` is not automatic; `threads` ≥ 1. Mode low has none of the two fields: u is the only one.
template <class T>
Layout make_layout(const Problem& problem, Memory memory, int threads);

}  // namespace poisson3d::host
