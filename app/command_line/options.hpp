// The command line, read and checked: what each subcommand is asked to do, in the types it works with.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "command_line/member_grid.hpp"
#include "command_line/problem.hpp"
#include "command_line/step_choice.hpp"
#include "pictures/colour_scale.hpp"
#include "pictures/picture_format.hpp"
#include "poisson3d/distributed.hpp"
#include "poisson3d/in_place.hpp"
#include "poisson3d/solver.hpp"
#include "poisson3d/transpose.hpp"

namespace poisson3d::app {

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
    std::string file;  ///< the input, if it was given without --input; empty after reading the line
    std::string input;
    std::string output;
    bool output_named = false;       ///< by --output; else after the input
    int compress = 0;                ///< level of deflate; 0: none
    std::string dataset = "/rhs";    ///< one, or a pattern of many
    std::optional<StepChoice> step;  ///< of a data set that holds many fields
    ProblemOptions problem;
    double scale = 1.0;
    std::optional<Precision> precision;  ///< empty: that of the file
    Options solver;
    std::optional<int> device;     ///< if it was given; solver.device in any case
    bool disk = false;             ///< --memory disk
    std::size_t max_memory = 0;    ///< of the host; 0: what is available
    std::optional<int> members;    ///< that share the box; empty: one solver has all of it, or a member a rank
    std::optional<Method> method;  ///< of members
    std::optional<MemberGrid> decomposition;  ///< of members
    std::vector<int> devices;                 ///< of members on GPUs; empty: none
    bool allow_fill = false;
    bool gradient = false;
    bool strict = false;
    bool no_verify = false;
    std::string exact;                    ///< dataset to compare with; empty: none
    std::optional<double> tolerance;      ///< empty: 64 eps of the precision
    std::string preview;                  ///< picture to draw; empty: none
    std::optional<PreviewOf> preview_of;  ///< empty: the solution
    std::string vtk;                      ///< file for VTK; empty: none
};

struct MakeOptions {
    std::string name;
    std::string output;
    Extents points{64, 64, 64};
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

/// An axis and where along it, as a position or an index.
struct PlotPlace {
    char axis;
    std::optional<double> position{};
    std::optional<Index> index{};
    std::string option{};  ///< that says so
};

struct PlotOptions {
    std::vector<std::string> files;
    std::vector<std::string>
        datasets;  ///< none: chosen; one for all files; or one for each; or several of one file
    std::string output;
    std::vector<PlotPlace> places;
    std::optional<char> line;  ///< curves along this axis; empty: planes
    bool convergence = false;
    ColourOptions colours;
};

struct DevicesOptions {
    bool measure = false;  ///< copies between each two GPUs
};

struct BenchSolveOptions {
    std::vector<Extents> points{{64, 64, 64}, {128, 128, 128}, {256, 256, 256}};
    std::vector<std::string> boundaries;
    std::vector<PerAxis<Centering>> centerings;
    std::vector<Precision> precisions{Precision::double_precision};
    ProblemOptions problem;  ///< all but boundary and centring
    Options solver;
    std::optional<int> device;     ///< if it was given; solver.device in any case
    std::vector<int> devices;      ///< of members on GPUs; empty: one solver has all of the box
    std::optional<Method> method;  ///< of these members
    int repeat = 0;                ///< 0: as many as a second holds
};

struct BenchTransposeOptions {
    std::vector<Extents> points;
    std::vector<int> elements{4, 8, 16};  ///< bytes
    std::vector<Permutation> permutations;
    std::vector<Algorithm> algorithms;                  ///< out of place
    std::vector<InPlaceAlgorithm> in_place_algorithms;  ///< in place
    std::vector<BlockOrder> orders;                     ///< for algorithm banded, or for exchange in place
    std::vector<Index> bands{0};  ///< for banded, super-grid and aligned, or v1b in place; 0: chosen
    bool in_place = false;
    bool all_algorithms = false;                   ///< the list was `all`: what does not fit is left out
    std::optional<int> random;                     ///< in place: so many random matrices instead of points
    std::optional<std::pair<Index, Index>> sides;  ///< least and greatest side of these; empty: 1000, 20000
    std::optional<std::uint64_t> seed;             ///< of these
    std::optional<Backend> backend;                ///< empty: cuda where there is a device
    int device = 0;
    int threads = 0;
    int repeat = 9;
};

/// Only a text to print: help, version, scripts for completion.
struct ShowText {
    std::string text;
};

struct CommandLine {
    Reporting reporting;
    std::variant<ShowText, SolveOptions, MakeOptions, InfoOptions, PlotOptions, DevicesOptions, BenchSolveOptions,
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
