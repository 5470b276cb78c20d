// Ways between the device of this process and those of others.
#pragma once

#include "process_ways.hpp"

namespace poisson3d {

/// A call of all processes, each with its device; `processes` must outlive it.
std::unique_ptr<ProcessWays> make_process_ways(int device, Processes& processes);

}  // namespace poisson3d
