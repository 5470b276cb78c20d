// What a subcommand hands back; main alone prints it.
#pragma once

#include <string>
#include <vector>

#include "command_line/options.hpp"
#include "poisson3d/output_file.hpp"
#include "ranks/ranks.hpp"

namespace poisson3d::app {

/// Filled in by names.
struct Outcome {
    int status = 0;                     ///< the exit code
    std::string text{};                 ///< for stdout
    std::string message{};              ///< for stderr; why `status` is not 0
    std::string warning{};              ///< for stderr, whatever `status` is
    std::string json{};                 ///< the report, for stdout or the file that --json names
    std::vector<OutputFile> outputs{};  ///< finished; main publishes them together with the report
};

Outcome run_solve(const SolveOptions& options, const Reporting& reporting, Ranks& ranks);
Outcome run_make(const MakeOptions& options, const Reporting& reporting);
Outcome run_info(const InfoOptions& options, const Reporting& reporting);
Outcome run_plot(const PlotOptions& options, const Reporting& reporting);
Outcome run_devices(const DevicesOptions& options);
/// Prints its rows itself, as they come, unless stdout is wanted for JSON or for nothing.
Outcome run_bench_solve(const BenchSolveOptions& options, const Reporting& reporting);
Outcome run_bench_transpose(const BenchTransposeOptions& options, const Reporting& reporting);
Outcome run_bench_in_place(const BenchTransposeOptions& options, const Reporting& reporting);

}  // namespace poisson3d::app
