// The words of a command line before anyone has judged them: what CLI11 gathers and options.cpp turns into values.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "command_line/bench_transpose.hpp"
#include "command_line/options.hpp"

namespace poisson3d::app {

using Word = std::optional<std::string>;  ///< empty: the option was not given

/// One subcommand uses a part of these.
struct Words {
    Word input, output, dataset;
    Word boundary, centering, spacing, length, origin, helmholtz, scale, discretization, gauge;
    Word precision, engine, device, threads, memory;
    Word exact, tolerance, points, seed, repeat, batch, json, progress;
    Word preview, preview_of, vtk;
    Word element, permutation, algorithm, order, band, backend, random, sides;
    std::string name;
    std::vector<std::string> boundaries, centerings;
    bool strict = false, no_verify = false, gradient = false, discrete = false, quiet = false, verbose = false;
    bool in_place = false, allow_fill = false;
};

// Every complaint about a value is an Error{usage} of one form: the option, what was found, what is wanted.
Reporting reporting_options(const Words& words);
SolveOptions solve_options(const Words& words);
MakeOptions make_options(const Words& words);
InfoOptions info_options(const Words& words);
BenchSolveOptions bench_solve_options(const Words& words);
BenchTransposeOptions bench_transpose_options(const Words& words);

// What several subcommands read in the same way.
ProblemOptions problem_options(const Words& words);
Options solver_options(const Words& words);
Precision parse_precision(const std::string& option, const std::string& word);
/// A whole number from 0 up that fits an int.
int parse_count(const std::string& option, const std::string& word);

}  // namespace poisson3d::app
