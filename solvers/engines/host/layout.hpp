// Where everything the host engine needs lies in one block of memory: computed before anything is allocated, so
// that the number of bytes told is the number of bytes used.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "axis_kind.hpp"
#include "poisson3d/solver.hpp"

namespace poisson3d::host {

/// What a thread transforms a block of lines in: rows of samples or modes, and their work behind them.
struct LineScratch {
    std::size_t rows = 0, work = 0;  ///< bytes
    [[nodiscard]] std::size_t bytes() const noexcept { return rows + work; }
};

/// For lines of any of these axes; those without unknowns have none.
template <class T>
LineScratch line_scratch(std::span<const Axis> axes);

/// No field: passes work in u.
struct Layout {
    std::array<AxisKind, 3> kinds;
    Extents unknowns{};            ///< per axis
    int threads = 1;               ///< at work
    LineScratch scratch;           ///< of a thread, from 0 on; then the next thread's
    std::size_t gauge_offset = 0;  ///< one block of lines, for a gauge at a point
    std::size_t bytes = 0;         ///< in all
};

/// `threads` ≥ 1.
template <class T>
Layout make_layout(const Problem& problem, Memory memory, int threads);

}  // namespace poisson3d::host
