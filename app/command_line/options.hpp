// The command line, read and checked: what each subcommand is asked to do, in the types it works with.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "command_line/bench_transpose.hpp"
#include "command_line/problem.hpp"
#include "poisson3d/solver.hpp"

namespace poisson3d::app {

/// mixed: fields in double, transforms in single.
enum class Precision { double_precision, single_precision, mixed };
const char* name(Precision precision) noexcept;  ///< "double", "single", "mixed"

/// The fields that --preview can draw.
enum class PreviewOf { solution, rhs, error };

enum class ShowProgress { automatic, always, never };

/// How results are told; the same for every subcommand.
struct Reporting {
    std::string json;  ///< a file, "-" for stdout, empty for none
    bool quiet = false;
    bool verbose = false;
    ShowProgress progress = ShowProgress::automatic;
};

struct SolveOptions {
    std::string input;
    std::string output;  ///< never empty: the default is filled in
    std::string dataset = "/rhs";
    ProblemOptions problem;
    double scale = 1.0;
    std::optional<Precision> precision;  ///< empty: that of the file
    Options solver;
    bool device_given = false;
    bool allow_fill = false;
    bool gradient = false;
    bool strict = false;
    bool verify = true;
    std::string exact;                ///< dataset to compare with; empty: none
    std::optional<double> tolerance;  ///< empty: 64 eps of the precision
    std::string preview;              ///< picture to draw; empty: none
    PreviewOf preview_of = PreviewOf::solution;
    std::string vtk;  ///< file for VTK; empty: none
};

struct MakeOptions {
    std::string name;
    std::string output;
    Extents points{};
    ProblemOptions problem;
    Precision precision = Precision::double_precision;
    std::uint64_t seed = 0;
    bool discrete = false;
};

struct InfoOptions {
    std::string file;
    std::string dataset = "/rhs";
    bool allow_fill = false;
};

struct DevicesOptions {};

struct BenchSolveOptions {
    std::vector<Extents> points;
    std::vector<std::string> boundaries;
    std::vector<PerAxis<Centering>> centerings;
    std::vector<Precision> precisions;
    ProblemOptions problem;  ///< all but boundary and centring
    Options solver;
    bool device_given = false;
    int repeat = 0;  ///< 0: as many as a second holds
};

/// Only a text to print: --help and --version.
struct ShowText {
    std::string text;
};

struct CommandLine {
    Reporting reporting;
    std::variant<ShowText, SolveOptions, MakeOptions, InfoOptions, DevicesOptions, BenchSolveOptions,
                 BenchTransposeOptions>
        command;
};

/// Throws Error{usage} for anything that makes no sense, Error{unsupported} for what this version lacks. Reads
/// no file.
CommandLine parse_command_line(int argc, const char* const* argv);

/// True when the arguments ask for JSON on stdout, however wrong they are otherwise: so that even a usage error
/// can be told there.
bool wants_json_on_stdout(int argc, const char* const* argv);

}  // namespace poisson3d::app
