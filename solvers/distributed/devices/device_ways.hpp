// Ways between the device of this process and those of others.
#pragma once

#include "copy_lanes.hpp"
#include "process_ways.hpp"

namespace poisson3d {

/// A call of all processes, each with the lane of its device; `processes` must outlive it.
std::unique_ptr<ProcessWays> make_process_ways(std::shared_ptr<const CopyLanes> lanes, Processes& processes);

}  // namespace poisson3d
