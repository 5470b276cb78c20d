// How long a solve will take here, before it is run: boxes of a few million points that have its axes are solved
// and timed.
#pragma once

#include <string>

#include "poisson3d/solver.hpp"

namespace poisson3d::app {

struct SolveEstimate {
    Engine engine = Engine::host;
    std::string device;       ///< name of the processor or GPU
    int threads = 0;          ///< on the host
    double seconds = 0.0;     ///< of one solve; 0: not estimated
    double copy_bytes = 0.0;  ///< a second, read and written, of copies of the field; 0: not measured
    bool whole = false;       ///< the box itself was solved
    std::string refusal;      ///< why there is no estimate
};

/// Takes at most a few hundred MiB and mostly less than a second; where that is not enough (planes of more than
/// 2^22 points, axes of more than 2^20, matrices of more than 1024 rows) or the memory is not there, says so. With
/// T as the program would solve: on a GPU where that is free for the field and the least workspace, else on the
/// host.
template <class T>
SolveEstimate estimate_solve(const Problem& problem);

}  // namespace poisson3d::app
