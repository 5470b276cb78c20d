// The ladders of many μ at once (ladder.hpp). Compiled once per instruction set; results are the same by all that
// have fused multiply-adds, and by any number of lanes.
#pragma once

#include "ladder.hpp"
#include "poisson3d/grid.hpp"

namespace poisson3d::lines {

/// Eigenvalues that are apart from others: an array for each of what a lane has.
struct SingleEigenvalues {
    const double *low, *high;   ///< where the eigenvalue lies
    const double* distance;     ///< to the next one, at least
    const double* fine;         ///< 1: the first μ needs both parts; 0: one is enough
    double *value, *value_low;  ///< μ and its second part: first a number between, then the eigenvalue
    double* failed;             ///< 1: it was not found there
};

struct LadderLoops {
    int shifts;  ///< of a call of count
    int lanes;   ///< of a call of modes
    void (*count)(const LadderView& chain, const double* shifts, double* below);
    void (*count_doubled)(const LadderView& chain, const double* high, const double* low, double* below);
    /// modes[j·lanes + lane] := v_j with Σ D v² = 1. scratch: scratch_numbers() doubles, aligned to 64 bytes.
    void (*modes)(const LadderView& chain, const SingleEigenvalues& eigenvalues, double* scratch, double* modes);

    [[nodiscard]] Index scratch_numbers(Index nodes) const { return 10 * nodes * lanes; }
};

const LadderLoops& ladder_loops() noexcept;

}  // namespace poisson3d::lines
