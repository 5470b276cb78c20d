// Which passes of a solve go through the field together.
#pragma once

#include <string>
#include <vector>

#include "layout.hpp"
#include "schedule.hpp"

namespace poisson3d::host {

/// Of make_schedule_in_place(): the first of as many passes as a sweep does, one or two.
struct Sweep {
    std::size_t first;
    std::size_t passes;
};

/// Passes along z and y together, plane by plane of x, where there are planes enough to keep all threads at work
/// and blocks of `lines` lie across z; else each alone.
std::vector<Sweep> make_sweeps(const Schedule& schedule, const Layout& layout, int threads, int lines);

/// "1 z y forward": the number, the axes' letters, the direction.
std::string describe(const Sweep& sweep, int number, const Schedule& schedule, const std::array<char, 3>& labels);

}  // namespace poisson3d::host
