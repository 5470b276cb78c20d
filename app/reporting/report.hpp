// The report of a run: one structure, told as a table, as JSON and as attributes of the solution.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "poisson3d/distributed.hpp"
#include "poisson3d/field_file.hpp"
#include "poisson3d/free_space.hpp"
#include "poisson3d/residual.hpp"
#include "poisson3d/solver.hpp"
#include "poisson3d/variable_solver.hpp"
#include "reporting/json.hpp"

namespace poisson3d::app {

/// Difference between the solution and an exact one, over all points.
struct SolutionError {
    std::string dataset;
    double max = 0.0;
    double l2 = 0.0;  ///< root mean square
    double constant =
        0.0;  ///< where the equations leave one open: what was taken out first, since the gauge decides it
};

struct Seconds {
    double read = 0.0, plan = 0.0, solve = 0.0, verify = 0.0, write = 0.0;
};

/// How members solved.
struct Members {
    int count = 0;               ///< 0: one solver had all of the box
    std::array<int, 2> shape{};  ///< slabs are one column
    Method method = Method::automatic;
    Traffic traffic, most;       ///< in a solve of one field: in all, and what the member sends that sends most
    std::vector<int> devices{};  ///< of each member; empty: on processors
};

/// Most messages and most bytes that one of so many members sends.
template <class Solver>
Traffic most_sent(const Solver& solver, int members) {
    Traffic most;
    for (int m = 0; m < members; ++m) {
        const Traffic sent = solver.sent_by(m);
        most = {std::max(most.messages, sent.messages), std::max(most.bytes, sent.bytes)};
    }
    return most;
}

/// How a field on disk was solved.
struct OnDisk {
    Index slabs = 0, planes = 0, blocks = 0;  ///< planes of a slab, at most
    std::uint64_t scratch = 0;                ///< bytes of the scratch file
    std::uint64_t moved = 0;  ///< between files and memory, with input and output, for a right-hand side
    double rate = 0.0;        ///< bytes a second that the disk was seen to take; 0: not measured
};

/// Of one right-hand side.
struct StepReport {
    std::string name;           ///< "step 7", "/step3/rho"; empty: it is the only one
    std::optional<Index> step;  ///< of a data set that holds many
    std::string dataset;
    std::string solution;  ///< its data set in the output
    int status = 0;
    std::string message;  ///< why the status is not 0
    Result result;
    double mean_relative = 0.0;  ///< |mean removed| / max|f̃|, f̃ after scaling and boundary data; 0 if both are
    std::string warning;         ///< of a right-hand side that is nothing but its mean
    bool verified = false;       ///< all that can be measured was
    std::optional<Residual> residual;        ///< empty: not verified, or spectral with free faces, which has none
    VariableFields fields;                   ///< ε and λ that vary, which the input has …
    std::optional<VariableResult> variable;  ///< … and what became of it; `residual` is then empty
    std::optional<Source> source;            ///< with free faces
    std::optional<double> freeness;          ///< with free faces: of their values; empty: not measured
    std::optional<SolutionError> error;
    Seconds seconds;
    std::vector<PassReport> passes;
};

/// What it says of a right-hand side is of the only one, or of all: the worst of each number, times in sum.
struct SolveReport : StepReport {
    std::string input, output;
    std::string preview;                       ///< the picture; empty: none
    std::string vtk;                           ///< the file for VTK; empty: none
    std::vector<std::string> boundary_values;  ///< faces that the input has values for
    std::vector<std::string> notes;            ///< what was converted when it was read
    Units units;                               ///< of lengths, right-hand side and solution, where they are known
    Problem problem;
    double scale = 1.0;
    std::string precision;
    std::optional<int> refinements;  ///< mixed precision

    Engine engine = Engine::host;
    std::string device;    ///< name of the processor or GPU
    std::string fallback;  ///< why no GPU is at work though this build could use one
    std::string plan;      ///< Solver::description()
    Memory memory = Memory::fast;
    std::size_t workspace = 0;
    Members members;
    std::optional<OnDisk> disk;

    double tolerance = 0.0;
    double copies = std::numeric_limits<double>::quiet_NaN();  ///< as long as the first solve took
    std::string steps_chosen;                                  ///< "all", "0:10:2": of a data set that holds many
    std::vector<StepReport> steps;                             ///< empty: one right-hand side
};

/// Before a solve from disk: what it is, and how long it will take.
std::string warning_of(const OnDisk& disk, Index right_hand_sides);

/// Makes of report.steps what the report says of all.
void sum_up(SolveReport& report);

std::string to_table(const SolveReport& report, bool verbose);
std::string json_text(const SolveReport& report);
/// What is written on the solution. No times: the same input gives the same file.
std::vector<Attribute> to_attributes(const SolveReport& report);

/// The problem as every JSON of this program tells it.
Json to_json(const Problem& problem, const std::string& precision);

Json to_json(const Members& members);

/// {length, rhs, solution}, those that are known.
Json to_json(const Units& units);
/// "length m · solution V"; empty if none is known.
std::string told_units(const Units& units);

/// [{name, seconds, gigabytes_per_second}]
Json to_json(const std::vector<PassReport>& passes);

/// Bytes that all passes move.
double moved_bytes(const std::vector<PassReport>& passes);

/// Gigabytes per second of a pass; 0 before it ran.
double rate(const PassReport& pass);

}  // namespace poisson3d::app
