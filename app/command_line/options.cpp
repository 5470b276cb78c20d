// The options of the subcommands that work on files, and those that others share.
#include "command_line/options.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <utility>

#include "command_line/option_set.hpp"
#include "command_line/paths.hpp"
#include "pictures/picture_format.hpp"
#include "poisson3d/field_file.hpp"
#include "poisson3d/known_fields.hpp"
#include "poisson3d/vtk_file.hpp"

namespace poisson3d::app {

namespace {

std::string parse_name(const std::string& option, const std::string& word) {
    if (word.empty()) throw Error(ErrorCode::usage, option + ": found an empty name");
    return word;
}

/// The ending decides the format.
std::string parse_output(const std::string& option, const std::string& word) {
    about_option(option, [&] { require_output_name(parse_name(option, word)); });
    return word;
}

int parse_level(const std::string& option, const std::string& word) {
    const Index level = parse_integer(option, word, 0);
    if (level > 9) throw Error(ErrorCode::usage, option + ": found " + word + ", wanted 0 (none) to 9");
    return static_cast<int>(level);
}

/// ParaView chooses its reader by the ending.
std::string parse_vtk_name(const std::string& option, const std::string& word) {
    if (!is_vtk_name(parse_name(option, word)))
        throw Error(ErrorCode::usage, option + ": found " + word +
                                          ", wanted a name that ends in .vtkhdf, by which " +
                                          "ParaView knows how to read it");
    return word;
}

/// The ending says what kind of picture it is.
std::string parse_picture(const std::string& option, const std::string& word) {
    picture_format(option, parse_name(option, word));
    return word;
}

std::uint64_t parse_seed(const std::string& option, const std::string& word) {
    return static_cast<std::uint64_t>(parse_integer(option, word, 0));
}

Words names_of_known_fields() {
    Words names;
    for (const KnownField& field : known_fields()) names.push_back(field.name);
    return names;
}

void add_allow_fill(OptionSet& set, bool& allow_fill) {
    set.flag(in_files, "--allow-fill", allow_fill, "take fill values where the input was never written");
}

void check_preview(const SolveOptions& options) {
    if (options.preview_of && options.preview.empty())
        throw Error(ErrorCode::usage, "--preview-of says what --preview draws: give --preview FILE, too");
    if (options.preview_of == PreviewOf::error && options.exact.empty())
        throw Error(ErrorCode::usage,
                    "--preview-of error draws the distance from an exact solution: name its data set with --exact");
}

}  // namespace

int parse_count(const std::string& option, const std::string& word) {
    const Index number = parse_integer(option, word, 0);
    if (number > std::numeric_limits<int>::max())
        throw Error(ErrorCode::usage, option + ": found " + word + ", more than any machine has");
    return static_cast<int>(number);
}

void add_discretization(OptionSet& set, ProblemOptions& problem, const char* what) {
    set.add(in_problem, "--discretization", "NAME", "second-order", what,
            into(problem.discretization, NameOf{Discretization::second_order, Discretization::spectral}));
}

void add_problem(OptionSet& set, ProblemOptions& problem, const char* boundary_default) {
    set.add(in_problem, "--boundary", "SPEC", boundary_default,
            "periodic, dirichlet, neumann, free (unbounded) or robin:ALPHA:BETA; lower:upper where the faces of an "
            "axis differ; for all axes, or by axis: x=periodic,y=dirichlet:neumann,z=free",
            into(problem.boundary, parse_boundaries, {"periodic", "dirichlet", "neumann", "free", "robin:"}));
    set.add(in_problem, "--centering", "SPEC", "", "cell or node, for all axes or by axis: x=node,y=cell",
            into(problem.centering, parse_centerings, {"cell", "node"}));
    set.add(in_problem, "--spacing", "hx,hy,hz", "", "distance of neighbouring points; one number or three",
            into(problem.spacing, parse_lengths));
    set.add(in_problem, "--helmholtz", "LAMBDA", "", "lambda of (laplace - lambda) u = f",
            into(problem.helmholtz, parse_number));
    add_discretization(set, problem, "second-order (7-point stencil) or spectral");
}

void add_memory(OptionSet& set, Options& solver, bool* disk) {
    const std::string modes =
        "of a GPU: fast (two internal fields), standard (one),\nlow (none), or automatic (the first that fits); on "
        "the\nhost all work inside the solution";
    const NameOf parse{Memory::automatic, Memory::fast, Memory::standard, Memory::low};
    if (disk == nullptr) {
        set.add(in_solving, "--memory", "MODE", "automatic", modes, into(solver.memory, parse));
        return;
    }
    Words words = parse.words();
    words.emplace_back("disk");
    set.add(in_solving, "--memory", "MODE", "automatic",
            modes + ", or disk: in slabs, from a scratch\nfile beside the output",
            {[&solver, disk, parse, words](const std::string& option, const std::string& text) {
                 *disk = text == "disk";
                 if (*disk) return;
                 const auto known = parse.words();
                 if (std::find(known.begin(), known.end(), text) == known.end()) refuse_word(option, text, words);
                 solver.memory = parse(option, text);
             },
             words});
}

void add_solver(OptionSet& set, Options& solver, std::optional<int>& device, bool* disk) {
    set.add(in_solving, "--engine", "NAME", "automatic",
            "automatic (a GPU if the problem fits there, else host),\nhost, fused or cufft; see poisson3d devices",
            into(solver.engine, NameOf{Engine::automatic, Engine::host, Engine::cufft, Engine::fused}));
    set.add(in_solving, "--device", "N", "0", "number of the GPU", into(device, parse_count));
    set.add(in_solving, "--threads", "N", "0", "host threads; 0: all there are", into(solver.threads, parse_count));
    add_memory(set, solver, disk);
    set.add(
        in_solving, "--middle", "WAY", "automatic",
        "the axis in the middle of the passes: transform it,\neliminate it, or automatic (eliminate where it has "
        "no\nfast transform, or that is faster)",
        into(solver.middle, NameOf{Middle::automatic, Middle::transform, Middle::eliminate}));
}

void complete(Options& solver, const std::optional<int>& device) {
    if (device && solver.engine == Engine::host)
        throw Error(ErrorCode::usage, "--device names a GPU and --engine host uses none: give only one of them");
    solver.device = device.value_or(0);
}

void add_reporting(OptionSet& set, Reporting& reporting) {
    set.add(in_report, "--json", "FILE", "",
            "the report as JSON; - is standard output, which then has nothing else",
            into(reporting.json, parse_name));
    set.add(in_report, "--progress", "WHEN", "auto",
            "progress on standard error: auto (on a terminal), always, never",
            into(reporting.progress, WordOf<ShowProgress>{{"auto", ShowProgress::automatic},
                                                          {"always", ShowProgress::always},
                                                          {"never", ShowProgress::never}}));
    set.flag(in_report, "-q,--quiet", reporting.quiet, "print nothing but errors");
    set.flag(in_report, "-v,--verbose", reporting.verbose, "print more: device, version, every pass");
}

void complete(Reporting& reporting) {
    if (reporting.quiet && reporting.verbose)
        throw Error(ErrorCode::usage, "--quiet and --verbose exclude each other: give only one of them");
}

void add_solve(OptionSet& set, SolveOptions& options) {
    set.add_word("file", "FILE", "the file with the right-hand side, without --input before it",
                 into(options.file, parse_name));
    set.add(in_files, "-i,--input", "FILE", "",
            "the file with the right-hand side: HDF5 (also openPMD), .npy, .npz or .cube; - is standard input",
            into(options.input, parse_name));
    set.add(in_files, "-o,--output", "FILE", "<input without ending>.solution.h5",
            "the file for the solution: HDF5, .npy or .cube; - is standard output",
            into(options.output, parse_output));
    set.add(in_files, "--dataset", "PATH", "/rhs",
            "the data set of the input that is the right-hand side, or a pattern for many: '/step*/rho'",
            into(options.dataset, parse_name));
    set.add(in_files, "--step", "WHICH", "",
            "which right-hand sides of a data set with more than three dimensions: 7, a range (0:10:2) or all",
            into(options.step, parse_step));
    set.add(in_files, "--compress", "N", "0", "compress an HDF5 output, from 1 (fast) to 9 (small)",
            into(options.compress, parse_level));
    add_allow_fill(set, options.allow_fill);
    set.flag(in_files, "--gradient", options.gradient,
             "also write the gradient of the solution: /gradient/x, y, z");
    set.add(in_files, "--preview", "FILE", "", "a picture of three slices through the middle: .png, .pdf or .svg",
            into(options.preview, parse_picture));
    set.add(in_files, "--preview-of", "NAME", "solution", "what it shows: solution, rhs, or error (with --exact)",
            into(options.preview_of,
                 WordOf<PreviewOf>{
                     {"solution", PreviewOf::solution}, {"rhs", PreviewOf::rhs}, {"error", PreviewOf::error}}));
    set.add(in_files, "--vtk", "FILE", "",
            "also write the solution, and the gradient, for VTK and ParaView: .vtkhdf",
            into(options.vtk, parse_vtk_name));
    add_problem(set, options.problem, "");
    set.add(in_problem, "--scale", "S", "1",
            "multiplies the right-hand side; -12.566370614359172\nturns a charge density into a potential",
            into(options.scale, parse_number));
    set.add(in_problem, "--gauge", "WHERE", "mean; with free faces far",
            "how a free constant of the solution is fixed: mean (its mean is 0), i,j,k (it is 0 at this point) or "
            "far (its behaviour far from unbounded faces)",
            into(options.problem.gauge, parse_gauge, {"far", "mean"}));
    set.add(in_solving, "--precision", "NAME", "that of the right-hand side",
            "double, single, or mixed: transforms in single,\nsolution accurate to double",
            into(options.precision, parse_precision, {"double", "single", "mixed"}));
    add_solver(set, options.solver, options.device, &options.disk);
    set.add(in_solving, "--max-memory", "SIZE", "all that is available",
            "host memory that may be taken, as in 500M or 16G; a field\nthat does not fit is solved as by --memory "
            "disk",
            into(options.max_memory, parse_bytes));
    add_members(set, options);
    set.flag(in_checks, "--strict", options.strict,
             "refuse a singular problem whose right-hand side has\na mean, and solutions that grow without bound "
             "far away");
    set.add(in_checks, "--exact", "PATH", "", "compare with this data set of the input",
            into(options.exact, parse_name));
    set.add(in_checks, "--tolerance", "T", "64 eps of the precision", "a backward error above it is exit code 1",
            [&options](const std::string& option, const std::string& text) {
                options.tolerance = parse_number(option, text);
                if (*options.tolerance < 0.0)
                    throw Error(ErrorCode::usage, option + ": found '" + text + "', wanted a number from 0 up");
            });
    set.flag(in_checks, "--no-verify", options.no_verify, "do not measure the residual");
}

void complete(SolveOptions& options) {
    if (!options.file.empty() && !options.input.empty())
        throw Error(ErrorCode::usage, "found two files with right-hand sides, --input " + options.input + " and " +
                                          options.file + ": give only one of them");
    if (options.input.empty()) options.input = std::move(options.file);
    if (options.input.empty())
        throw Error(ErrorCode::usage,
                    "nothing to do: give --input FILE to solve, or a subcommand; poisson3d --help lists both");
    options.output_named = !options.output.empty();
    if (options.input == "-" && !options.output_named)
        throw Error(ErrorCode::usage, "--output: the solution of standard input has no name: give one, or -");
    if (options.output.empty())
        options.output = std::filesystem::path(options.input).replace_extension(".solution.h5").string();
    complete(options.solver, options.device);
    require_one_choice(options.device, options.devices, options.members);
    if (options.tolerance && options.no_verify)
        throw Error(ErrorCode::usage,
                    "--tolerance judges what --no-verify does not measure: give only one of them");
    check_preview(options);
}

void add_make(OptionSet& set, MakeOptions& options) {
    set.add_word("name", "NAME",
                 "sine, cosine, waves, mixed, channel, taylor-green,\npolynomial, cavity, linear, quadratic, "
                 "gaussians, ring\nor random",
                 into(
                     options.name, [](const std::string&, const std::string& text) { return text; },
                     names_of_known_fields()))
        ->required();
    set.add(in_files, "-o,--output", "FILE", "<name>.h5", "the file to make", into(options.output, parse_output));
    set.add(in_files, "--precision", "NAME", "double", "type of the data: double or single",
            into(options.precision, parse_precision, {"double", "single"}));
    set.add(in_problem, "--points", "nx,ny,nz", "64", "one number for a cube, or three",
            into(options.points, parse_points));
    add_problem(set, options.problem, "the field's own");
    set.add(in_problem, "--length", "Lx,Ly,Lz", "1; taylor-green: 2 pi", "size of the box; one number or three\n",
            into(options.problem.length, parse_lengths));
    set.add(in_problem, "--stretch", "SPEC", "",
            "steps that differ: y=tanh:D, geometric:R, chebyshev\nor random:SEED",
            into(options.problem.stretch, parse_stretches));
    set.add(in_problem, "--origin", "x,y,z", "0", "lower corner of the box",
            into(options.problem.origin, parse_numbers));
    set.add(in_problem, "--seed", "N", "0", "of random fields", into(options.seed, parse_seed));
    set.flag(
        in_problem, "--discrete", options.discrete,
        "the right-hand side is the discrete operator applied\nto /exact: solving gives that back to rounding");
    set.footer("Example: poisson3d make mixed --points 96,64,80 --precision single -o mixed.h5");
}

void complete(MakeOptions& options) {
    if (options.output.empty()) options.output = options.name + ".h5";
    if (options.problem.spacing && options.problem.length)
        throw Error(ErrorCode::usage, "--spacing and --length say the same thing: give only one of them");
    if (options.precision == Precision::mixed)
        throw Error(ErrorCode::usage,
                    "found --precision mixed, a way to solve and no type of data; wanted double or single");
    if (options.problem.discretization && !options.discrete)
        throw Error(ErrorCode::usage, "--discretization chooses the operator of --discrete: give both or none");
}

void add_info(OptionSet& set, InfoOptions& options) {
    set.add_word(
           "file", "FILE", "a file with a right-hand side: HDF5, .npy, .npz or\n.cube",
           [&options](const std::string&, const std::string& text) { options.file = parse_name("info", text); })
        ->required();
    set.add(in_files, "--dataset", "PATH", "/rhs", "the right-hand side in the file",
            into(options.dataset, parse_name));
    add_allow_fill(set, options.allow_fill);
    set.footer("Example: poisson3d info field.h5");
}

void add_devices(OptionSet& set, DevicesOptions& options) {
    set.flag(in_checks, "--measure", options.measure, "copy between each two GPUs and tell how fast that is");
    set.footer("Example: poisson3d devices --json -");
}

}  // namespace poisson3d::app
