// One case of `bench solve`, measured.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "command_line/options.hpp"
#include "poisson3d/solver.hpp"
#include "reporting/report.hpp"
#include "solving/timing.hpp"

namespace poisson3d::app {

struct Samples {
    std::vector<double> seconds;
    [[nodiscard]] double median() const { return app::median(seconds); }
    [[nodiscard]] double min() const { return *std::min_element(seconds.begin(), seconds.end()); }
    [[nodiscard]] double max() const { return *std::max_element(seconds.begin(), seconds.end()); }
};

struct Measurement {
    Problem problem{};
    std::string boundary{};  ///< as the option wrote it
    Precision precision = Precision::double_precision;
    std::string plan{};
    Engine engine = Engine::host;
    Memory memory = Memory::fast;
    int threads = 1;
    std::size_t workspace = 0;
    Index batch = 1;
    std::size_t field_bytes = 0;  ///< of all fields of a solve
    double plan_seconds = 0.0;
    Samples solve{}, copy{};
    std::vector<PassReport> passes{};
    Members members{};  ///< on GPUs
};

/// Solve and copy in turn, so that what else happens on the machine happens to both; on a GPU with fields that stay
/// there, in device time. Engine and device are there.
template <class S>
Measurement measure_solve(const BenchSolveOptions& options, const Problem& problem);

/// The same by members on the GPUs that the options name, which are there.
template <class T>
Measurement measure_members(const BenchSolveOptions& options, const Problem& problem);

}  // namespace poisson3d::app
