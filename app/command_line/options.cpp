#include "command_line/options.hpp"

#include <filesystem>
#include <limits>
#include <utility>

#include "command_line/words.hpp"
#include "pictures/png_file.hpp"
#include "poisson3d/vtk_file.hpp"

namespace poisson3d::app {

const char* name(Precision precision) noexcept {
    static constexpr const char* names[] = {"double", "single", "mixed"};
    return names[static_cast<int>(precision)];
}

namespace {

/// The given word through `parse(option, word)`; nothing if it was not given.
template <class Parse>
auto given(const char* option, const Word& word, const Parse& parse)
    -> std::optional<decltype(parse(std::string(), std::string()))> {
    if (!word) return std::nullopt;
    return parse(option, *word);
}

std::string parse_name(const std::string& option, const std::string& word) {
    if (word.empty()) throw Error(ErrorCode::usage, option + ": found an empty name");
    return word;
}

/// ParaView chooses its reader by the ending.
std::string parse_vtk_name(const std::string& option, const std::string& word) {
    if (!is_vtk_name(parse_name(option, word)))
        throw Error(ErrorCode::usage, option + ": found " + word +
                                          ", wanted a name that ends in .vtkhdf, by which " +
                                          "ParaView knows how to read it");
    return word;
}

Discretization parse_discretization(const std::string& option, const std::string& word) {
    return choose<Discretization>(
        option, word, {{"second-order", Discretization::second_order}, {"spectral", Discretization::spectral}});
}

void add_preview(SolveOptions& options, const Words& words) {
    options.preview = given("--preview", words.preview, parse_name).value_or("");
    if (words.preview_of) {
        options.preview_of = choose<PreviewOf>(
            "--preview-of", *words.preview_of,
            {{"solution", PreviewOf::solution}, {"rhs", PreviewOf::rhs}, {"error", PreviewOf::error}});
        if (!words.preview)
            throw Error(ErrorCode::usage, "--preview-of says what --preview draws: give --preview FILE, too");
    }
    if (options.preview_of == PreviewOf::error && options.exact.empty())
        throw Error(ErrorCode::usage,
                    "--preview-of error draws the distance from an exact solution: name its data set with --exact");
    if (words.preview) require_png();
}

}  // namespace

int parse_count(const std::string& option, const std::string& word) {
    const Index number = parse_integer(option, word, 0);
    if (number > std::numeric_limits<int>::max())
        throw Error(ErrorCode::usage, option + ": found " + word + ", more than any machine has");
    return static_cast<int>(number);
}

Precision parse_precision(const std::string& option, const std::string& word) {
    return choose<Precision>(option, word,
                             {{"double", Precision::double_precision},
                              {"single", Precision::single_precision},
                              {"mixed", Precision::mixed}});
}

ProblemOptions problem_options(const Words& words) {
    ProblemOptions problem;
    problem.boundary = given("--boundary", words.boundary, parse_boundaries);
    problem.centering = given("--centering", words.centering, parse_centerings);
    problem.spacing = given("--spacing", words.spacing, parse_lengths);
    problem.length = given("--length", words.length, parse_lengths);
    problem.origin = given("--origin", words.origin, parse_numbers);
    problem.helmholtz = given("--helmholtz", words.helmholtz, parse_number);
    problem.discretization = given("--discretization", words.discretization, parse_discretization)
                                 .value_or(Discretization::second_order);
    problem.gauge = given("--gauge", words.gauge, parse_gauge).value_or(Gauge{});
    return problem;
}

Options solver_options(const Words& words) {
    Options options;
    if (words.engine)
        options.engine = choose<Engine>("--engine", *words.engine,
                                        {{"automatic", Engine::automatic},
                                         {"host", Engine::host},
                                         {"cufft", Engine::cufft},
                                         {"fused", Engine::fused}});
    if (words.memory)
        options.memory = choose<Memory>("--memory", *words.memory,
                                        {{"automatic", Memory::automatic},
                                         {"fast", Memory::fast},
                                         {"standard", Memory::standard},
                                         {"low", Memory::low}});
    options.threads = given("--threads", words.threads, parse_count).value_or(0);
    options.device = given("--device", words.device, parse_count).value_or(0);
    if (words.device && options.engine == Engine::host)
        throw Error(ErrorCode::usage, "--device names a GPU and --engine host uses none: give only one of them");
    return options;
}

Reporting reporting_options(const Words& words) {
    Reporting reporting;
    reporting.json = given("--json", words.json, parse_name).value_or("");
    reporting.quiet = words.quiet;
    reporting.verbose = words.verbose;
    if (words.quiet && words.verbose)
        throw Error(ErrorCode::usage, "--quiet and --verbose exclude each other: give only one of them");
    if (words.progress)
        reporting.progress = choose<ShowProgress>(
            "--progress", *words.progress,
            {{"auto", ShowProgress::automatic}, {"always", ShowProgress::always}, {"never", ShowProgress::never}});
    return reporting;
}

SolveOptions solve_options(const Words& words) {
    if (!words.input)
        throw Error(ErrorCode::usage,
                    "nothing to do: give --input FILE to solve, or a subcommand; poisson3d --help lists both");
    SolveOptions options;
    options.input = parse_name("--input", *words.input);
    const std::string beside = std::filesystem::path(options.input).replace_extension(".solution.h5").string();
    options.output = given("--output", words.output, parse_name).value_or(beside);
    options.dataset = given("--dataset", words.dataset, parse_name).value_or(options.dataset);
    options.problem = problem_options(words);
    options.scale = given("--scale", words.scale, parse_number).value_or(options.scale);
    options.precision = given("--precision", words.precision, parse_precision);
    options.solver = solver_options(words);
    options.device_given = words.device.has_value();
    options.allow_fill = words.allow_fill;
    options.gradient = words.gradient;
    options.strict = words.strict;
    options.verify = !words.no_verify;
    options.exact = given("--exact", words.exact, parse_name).value_or("");
    options.tolerance = given("--tolerance", words.tolerance, parse_number);
    if (options.tolerance && *options.tolerance < 0.0)
        throw Error(ErrorCode::usage, "--tolerance: found '" + *words.tolerance + "', wanted a number from 0 up");
    if (options.tolerance && !options.verify)
        throw Error(ErrorCode::usage,
                    "--tolerance judges what --no-verify does not measure: give only one of them");
    add_preview(options, words);
    options.vtk = given("--vtk", words.vtk, parse_vtk_name).value_or("");
    return options;
}

MakeOptions make_options(const Words& words) {
    MakeOptions options;
    options.name = words.name;
    options.output = given("--output", words.output, parse_name).value_or(words.name + ".h5");
    options.points = parse_points("--points", words.points.value_or("64"));
    if (words.spacing && words.length)
        throw Error(ErrorCode::usage, "--spacing and --length say the same thing: give only one of them");
    options.problem = problem_options(words);
    options.precision =
        given("--precision", words.precision, parse_precision).value_or(Precision::double_precision);
    if (options.precision == Precision::mixed)
        throw Error(ErrorCode::usage,
                    "--precision mixed is a way to solve, not a type of data: make wants double or single");
    options.seed = static_cast<std::uint64_t>(parse_integer("--seed", words.seed.value_or("0"), 0));
    options.discrete = words.discrete;
    if (words.discretization && !options.discrete)
        throw Error(ErrorCode::usage, "--discretization chooses the operator of --discrete: give both or none");
    return options;
}

InfoOptions info_options(const Words& words) {
    InfoOptions options;
    options.file = parse_name("info", words.input.value_or(""));
    options.dataset = given("--dataset", words.dataset, parse_name).value_or(options.dataset);
    options.allow_fill = words.allow_fill;
    return options;
}

}  // namespace poisson3d::app
