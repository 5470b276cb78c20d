// What a row of `bench solve` tells of peers: columns of the table, keys of the report.
#pragma once

#include <string>
#include <vector>

#include "bench_measure.hpp"
#include "json.hpp"

namespace poisson3d::app {

/// A line for each: what is measured of it.
std::string explained(const std::vector<PeerKind>& peers);
std::string headings(const std::vector<PeerKind>& peers);
/// Milliseconds and our time over theirs; dashes where a peer does not solve the problem.
std::string columns(const Measurement& row);
/// With --verbose, a line for each: version, what it was asked to do, planning.
std::string details(const Measurement& row);

Json summary(const Samples& samples);
/// Sets `peers`, and `fftw` beside it, which was there before the others were. Nothing without peers.
void add_peers(Json& json, const Measurement& row);

}  // namespace poisson3d::app
