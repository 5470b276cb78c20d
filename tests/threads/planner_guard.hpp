// Counts calls of FFTW's planner; links with planner_guard.cpp, which stands before it.
#pragma once

namespace poisson3d::test {

/// Plans made and destroyed so far. Only while nobody does.
long planner_calls();

}  // namespace poisson3d::test
