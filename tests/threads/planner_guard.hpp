// Counts calls of FFTW's planner; links with planner_guard.cpp, which stands before it.
#pragma once

namespace poisson3d::test {

/// So far: for each plan one that makes it, one that destroys it, and those that put wisdom aside and back. Only
/// while nobody calls.
long planner_calls();

}  // namespace poisson3d::test
