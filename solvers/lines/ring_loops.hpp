// The ladders of many μ of a ring at once (ring_ladders.hpp), and its modes (ring_search.hpp). Compiled once per
// instruction set.
#pragma once

#include "ring_search.hpp"

namespace poisson3d::lines {

struct RingLoops {
    int shifts;  ///< of a call of count
    int lanes;   ///< of a call of find
    void (*count)(const RingView& ring, const double* shifts, double* below);
    /// As RingSearch::find(). scratch: ring_scratch() times lanes doubles, aligned to 64 bytes.
    void (*find)(const RingView& ring, const SoughtModes& sought, double* scratch, double* modes);
};

const RingLoops& ring_loops() noexcept;

}  // namespace poisson3d::lines
