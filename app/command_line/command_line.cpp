// What the command line looks like: names, groups, defaults and examples, as --help shows them.
#include <CLI/CLI.hpp>
#include <string_view>
#include <utility>

#include "command_line/options.hpp"
#include "command_line/words.hpp"
#include "poisson3d/text.hpp"
#include "process/version.hpp"

namespace poisson3d::app {

namespace {

constexpr const char* in_files = "Files";
constexpr const char* in_problem = "The problem (options win over the attributes of the file)";
constexpr const char* in_solving = "How it is solved";
constexpr const char* in_checks = "How it is checked";
constexpr const char* in_report = "What is told";

/// One option with a value: name, where the word goes, how the value is called, its default, what it does.
/// The default is only shown; it is decided in options.cpp.
CLI::Option* option(CLI::App& app, const char* group, const char* names, Word& word, const char* value,
                    const char* standard, const std::string& what) {
    const std::string shown = *standard == '\0' ? what : what + " [" + standard + "]";
    // Not bound to the word itself: what CLI11 makes of an empty value and an optional differs between versions.
    const auto take = [&word](const std::string& text) { word = text; };
    return app.add_option_function<std::string>(names, take, shown)->type_name(value)->group(group);
}

/// An option of the problem that may be given several times, one value each.
void repeated(CLI::App& app, const char* name, std::vector<std::string>& words, const char* standard,
              const std::string& what) {
    app.add_option(name, words, what + " [" + standard + "]")
        ->type_name("SPEC")
        ->allow_extra_args(false)
        ->group(in_problem);
}

void add_reporting(CLI::App& app, Words& words) {
    option(app, in_report, "--json", words.json, "FILE", "",
           "the report as JSON; - is stdout, where nothing else goes then");
    option(app, in_report, "--progress", words.progress, "WHEN", "auto",
           "bars on stderr: auto (on a terminal), always, never");
    app.add_flag("-q,--quiet", words.quiet, "print nothing but errors")->group(in_report);
    app.add_flag("-v,--verbose", words.verbose, "print more: device, version, every pass")->group(in_report);
}

void add_problem(CLI::App& app, Words& words, const char* boundary_default) {
    option(app, in_problem, "--boundary", words.boundary, "SPEC", boundary_default,
           "periodic, dirichlet or neumann, or lower:upper where\nthey differ; for all axes or by axis:\n"
           "x=periodic,y=dirichlet:neumann,z=neumann");
    option(app, in_problem, "--centering", words.centering, "SPEC", "",
           "cell or node, for all axes or by axis: x=node,y=cell");
    option(app, in_problem, "--spacing", words.spacing, "hx,hy,hz", "",
           "distance of neighbouring points; one number or three");
    option(app, in_problem, "--helmholtz", words.helmholtz, "LAMBDA", "", "lambda of (laplace - lambda) u = f");
    option(app, in_problem, "--discretization", words.discretization, "NAME", "second-order",
           "second-order (7-point stencil) or spectral");
}

void add_allow_fill(CLI::App& app, Words& words) {
    app.add_flag("--allow-fill", words.allow_fill, "take fill values where the input was never written")
        ->group(in_files);
}

void add_solver(CLI::App& app, Words& words) {
    option(app, in_solving, "--engine", words.engine, "NAME", "automatic",
           "automatic (a GPU if the problem fits there, else host),\nhost, fused or cufft; see poisson3d devices");
    option(app, in_solving, "--device", words.device, "N", "0", "number of the GPU");
    option(app, in_solving, "--threads", words.threads, "N", "0", "host threads; 0: all there are");
    option(app, in_solving, "--memory", words.memory, "MODE", "automatic",
           "of a GPU: fast (two internal fields), standard (one),\nlow (none), or automatic (the first that fits); "
           "on the\nhost all work inside the solution");
}

void add_solve(CLI::App& app, Words& words) {
    option(app, in_files, "-i,--input", words.input, "FILE", "", "HDF5 file with the right-hand side");
    option(app, in_files, "-o,--output", words.output, "FILE", "<input without ending>.solution.h5",
           "where the solution goes\n");
    option(app, in_files, "--dataset", words.dataset, "PATH", "/rhs", "the right-hand side in the input file");
    add_allow_fill(app, words);
    app.add_flag("--gradient", words.gradient, "write the gradient of the solution, too: /gradient/x, y, z")
        ->group(in_files);
    option(app, in_files, "--preview", words.preview, "FILE", "",
           "a picture (PNG) of three slices through the middle");
    option(app, in_files, "--preview-of", words.preview_of, "NAME", "solution",
           "what it shows: solution, rhs, or error (with --exact)");
    option(app, in_files, "--vtk", words.vtk, "FILE", "",
           "the solution, and its gradient, once more for VTK and\nParaView; FILE ends in .vtkhdf");
    add_problem(app, words, "");
    option(app, in_problem, "--scale", words.scale, "S", "1",
           "multiplies the right-hand side; -12.566370614359172\nturns a charge density into a potential");
    option(app, in_problem, "--gauge", words.gauge, "WHERE", "mean",
           "singular problems: the solution has mean 0, or is 0\nat the point i,j,k");
    option(app, in_solving, "--precision", words.precision, "NAME", "that of the right-hand side",
           "double, single, or mixed: transforms in single,\nsolution accurate to double");
    add_solver(app, words);
    app.add_flag("--strict", words.strict, "refuse a singular problem whose right-hand side has\na mean")
        ->group(in_checks);
    option(app, in_checks, "--exact", words.exact, "PATH", "", "compare with this dataset of the input file");
    option(app, in_checks, "--tolerance", words.tolerance, "T", "64 eps of the precision",
           "a backward error above it ends with exit code 1\n");
    app.add_flag("--no-verify", words.no_verify, "do not measure the residual")->group(in_checks);
}

void add_make(CLI::App& app, Words& words) {
    app.add_option(
           "name", words.name,
           "sine, cosine, waves, mixed, channel, taylor-green,\npolynomial, cavity, linear, quadratic or random")
        ->required()
        ->type_name("");
    option(app, in_files, "-o,--output", words.output, "FILE", "<name>.h5", "the file to make");
    option(app, in_files, "--precision", words.precision, "NAME", "double", "type of the data: double or single");
    option(app, in_problem, "--points", words.points, "nx,ny,nz", "64", "one number for a cube, or three");
    add_problem(app, words, "the field's own");
    option(app, in_problem, "--length", words.length, "Lx,Ly,Lz", "1; taylor-green: 2 pi",
           "size of the box; one number or three\n");
    option(app, in_problem, "--origin", words.origin, "x,y,z", "0", "lower corner of the box");
    option(app, in_problem, "--seed", words.seed, "N", "0", "of random fields");
    app.add_flag(
           "--discrete", words.discrete,
           "the right-hand side is the discrete operator applied\nto /exact: solving gives that back to rounding")
        ->group(in_problem);
    app.footer("Example: poisson3d make mixed --points 96,64,80 --precision single -o mixed.h5");
}

void add_info(CLI::App& app, Words& words) {
    const auto take = [&words](const std::string& text) { words.input = text; };
    app.add_option_function<std::string>("file", take, "an HDF5 file with a right-hand side")
        ->required()
        ->type_name("");
    option(app, in_files, "--dataset", words.dataset, "PATH", "/rhs", "the right-hand side in the file");
    add_allow_fill(app, words);
    app.footer("Example: poisson3d info field.h5");
}

void add_bench_solve(CLI::App& app, Words& words) {
    option(app, in_problem, "--points", words.points, "LIST", "64,128,256",
           "sizes separated by commas: cubes like 128, boxes like\n97x131x89");
    repeated(app, "--boundary", words.boundaries, "dirichlet",
             "as for solving, or all, for six usual mixes;\nmay be given several times");
    repeated(app, "--centering", words.centerings, "cell", "as for solving; may be given several times");
    option(app, in_problem, "--discretization", words.discretization, "NAME", "second-order", "as for solving");
    option(app, in_solving, "--precision", words.precision, "LIST", "double",
           "double, single, mixed, or several with commas");
    add_solver(app, words);
    option(app, in_solving, "--batch", words.batch, "N", "1", "right-hand sides solved together");
    option(app, in_checks, "--repeat", words.repeat, "N", "0",
           "measured runs; 0: what fits into a second, at least 5,\non a GPU 20");
    app.footer("Example: poisson3d bench solve --points 257 --centering node --threads 2");
}

void add_bench_transpose(CLI::App& app, Words& words) {
    option(app, in_problem, "--points", words.points, "LIST", "512,511",
           "sizes separated by commas: cubes like 512, boxes like\n97x1531x2003, matrices like 4096x1x4099");
    option(app, in_problem, "--element", words.element, "LIST", "4,8,16", "bytes of an element: 1, 2, 4, 8, 16");
    option(app, in_problem, "--permutation", words.permutation, "LIST", "yzx",
           "new orders of the axes: yzx, zxy, xzy, yxz, zyx");
    app.add_flag("--in-place", words.in_place, "the field takes the place of the field it was")->group(in_problem);
    option(app, in_problem, "--random", words.random, "N", "0",
           "with --in-place: N random matrices, and the median");
    option(app, in_problem, "--sides", words.sides, "A,B", "1000,20000",
           "least and greatest side of random matrices");
    option(app, in_problem, "--seed", words.seed, "N", "0", "of random matrices");
    option(app, in_solving, "--algorithm", words.algorithm, "LIST", "automatic",
           "automatic, naive, tile, padded-tile, slices, banded,\nsuper-grid, aligned, thin, or all; in place: "
           "automatic,\nthread-wise, exchange, super-grid, cube, rectangle,\ncycles, or all that fit");
    option(app, in_solving, "--order", words.order, "LIST", "v1bf",
           "block orders of banded: row-major, column-major, v1bf;\nin place, of exchange: automatic, v1, v1r, v2, "
           "v1b");
    option(app, in_solving, "--band", words.band, "LIST", "0",
           "widths of bands, sides of regions, in tiles; 0: chosen");
    option(app, in_solving, "--backend", words.backend, "NAME", "cuda if there is a device", "host or cuda");
    option(app, in_solving, "--device", words.device, "N", "0", "number of the GPU");
    option(app, in_solving, "--threads", words.threads, "N", "0", "host threads; 0: all there are");
    option(app, in_checks, "--repeat", words.repeat, "N", "9", "measured runs");
    app.footer("Example: poisson3d bench transpose --points 511 --algorithm all");
}

/// Options of solving given before a subcommand would be ignored: say so instead.
void refuse_mixture(const CLI::App& app) {
    for (const CLI::App* subcommand : app.get_subcommands())
        for (const CLI::Option* option : app.get_options())
            if (option->count() > 0)
                throw Error(ErrorCode::usage, option->get_name() + " stands before the subcommand " +
                                                  subcommand->get_name() + ": give options after its name");
}

/// `--json=$UNSET` would take the next word for the value.
void refuse_empty_values(int argc, const char* const* argv) {
    for (int i = 1; i < argc; ++i) {
        const std::string_view word = argv[i];
        if (word == "--") return;
        if (word.size() > 3 && word.substr(0, 2) == "--" && word.find('=') == word.size() - 1)
            throw Error(ErrorCode::usage, printable(std::string(word)) + " has no value behind its equals sign");
    }
}

}  // namespace

bool wants_json_on_stdout(int argc, const char* const* argv) {
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (word == "--json=-" || (word == "--json" && i + 1 < argc && std::string(argv[i + 1]) == "-"))
            return true;
    }
    return false;
}

CommandLine parse_command_line(int argc, const char* const* argv) {
    CLI::App app("Solves (laplace - lambda) u = f on a 3-D box: f comes from an HDF5 file, u goes to another.",
                 "poisson3d");
    app.footer(
        "Example: make a right-hand side, solve it, compare with its exact solution\n"
        "  poisson3d make sine --points 128 -o sine.h5\n"
        "  poisson3d --input sine.h5 --exact /exact\n\n"
        "Exit codes: 0 solved, 1 backward error above the tolerance, 2 usage or unsupported,\n"
        "  3 input file or data, 4 no solution as posed, 5 device or memory, 6 output, 7 internal");
    app.require_subcommand(0, 1);
    Words words;  // only one subcommand is used, so all may share
    bool version = false;
    add_solve(app, words);
    add_reporting(app, words);
    app.add_flag("--version", version, "print version, revision and CUDA build")->group(in_report);

    CLI::App* make = app.add_subcommand("make", "make a file with a right-hand side whose solution is known");
    add_make(*make, words);
    CLI::App* info = app.add_subcommand("info", "show what a field file says");
    add_info(*info, words);
    CLI::App* devices = app.add_subcommand("devices", "show processors, GPUs and engines");
    devices->footer("Example: poisson3d devices --json -");
    CLI::App* bench = app.add_subcommand("bench", "measure speed on this machine");
    bench->footer("Example: poisson3d bench solve --points 128");
    CLI::App* bench_solve = bench->add_subcommand("solve", "time whole solves and their passes, in copies");
    add_bench_solve(*bench_solve, words);
    CLI::App* bench_transpose = bench->add_subcommand("transpose", "time transposes against a plain copy");
    add_bench_transpose(*bench_transpose, words);
    for (CLI::App* subcommand : {make, info, devices, bench_solve, bench_transpose})
        add_reporting(*subcommand, words);

    refuse_empty_values(argc, argv);
    CommandLine line;
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        line.command = ShowText{app.help()};
        return line;
    } catch (const CLI::ParseError& error) {
        throw Error(ErrorCode::usage, std::string(error.what()) + " (poisson3d --help lists the options)");
    }
    if (version) {
        line.command = ShowText{version_text() + "\n"};
        return line;
    }
    refuse_mixture(app);
    line.reporting = reporting_options(words);
    if (bench->parsed() && bench->get_subcommands().empty())
        throw Error(ErrorCode::usage,
                    "bench: found nothing to measure, wanted: poisson3d bench solve or poisson3d bench transpose");
    if (make->parsed())
        line.command = make_options(words);
    else if (info->parsed())
        line.command = info_options(words);
    else if (devices->parsed())
        line.command = DevicesOptions{};
    else if (bench_solve->parsed())
        line.command = bench_solve_options(words);
    else if (bench_transpose->parsed())
        line.command = bench_transpose_options(words);
    else
        line.command = solve_options(words);
    return line;
}

}  // namespace poisson3d::app
