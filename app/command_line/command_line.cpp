// The command line as a whole: the program, its subcommands, and which of them is meant.
#include <CLI/CLI.hpp>
#include <string_view>
#include <utility>

#include "command_line/option_set.hpp"
#include "poisson3d/text.hpp"
#include "process/version.hpp"

namespace poisson3d::app {

namespace {

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

void add_devices(OptionSet& set, DevicesOptions&) {
    set.footer("Example: poisson3d devices --json -");
}

/// A subcommand, or the program itself, with its options and those that all have.
template <class Wanted>
class Subcommand {
public:
    Subcommand(CLI::App& app, Reporting& reporting, void (*add)(OptionSet&, Wanted&)) : app_(app), set_(app) {
        add(set_, options_);
        add_reporting(set_, reporting);
    }
    /// If it is the one on the line: reads its options and hands them over. False if not.
    bool take(CommandLine& line) {
        if (!app_.parsed()) return false;
        set_.read();
        complete(line.reporting);
        complete(options_);
        line.command = std::move(options_);
        return true;
    }

private:
    CLI::App& app_;
    OptionSet set_;
    Wanted options_;
};

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
    CommandLine line;
    bool version = false;
    Subcommand<SolveOptions> solve(app, line.reporting, add_solve);
    app.add_flag("--version", version, "print version, revision and CUDA build")->group(in_report);
    Subcommand<MakeOptions> make(
        *app.add_subcommand("make", "make a file with a right-hand side whose solution is known"), line.reporting,
        add_make);
    Subcommand<InfoOptions> info(*app.add_subcommand("info", "show what a field file says"), line.reporting,
                                 add_info);
    Subcommand<PlotOptions> plot(*app.add_subcommand("plot", "draw planes, profiles and convergence"), line.reporting,
                                 add_plot);
    Subcommand<DevicesOptions> devices(*app.add_subcommand("devices", "show processors, GPUs and engines"),
                                       line.reporting, add_devices);
    CLI::App& bench = *app.add_subcommand("bench", "measure speed on this machine");
    bench.footer("Example: poisson3d bench solve --points 128");
    Subcommand<BenchSolveOptions> bench_solve(
        *bench.add_subcommand("solve", "time whole solves and their passes, in copies"), line.reporting,
        add_bench_solve);
    Subcommand<BenchTransposeOptions> bench_transpose(
        *bench.add_subcommand("transpose", "time transposes against a plain copy"), line.reporting,
        add_bench_transpose);

    refuse_empty_values(argc, argv);
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
    if (bench.parsed() && bench.get_subcommands().empty())
        throw Error(ErrorCode::usage,
                    "bench: found nothing to measure, wanted: poisson3d bench solve or poisson3d bench transpose");
    const bool found = make.take(line) || info.take(line) || plot.take(line) || devices.take(line) || bench_solve.take(line) ||
                       bench_transpose.take(line);
    if (!found) solve.take(line);
    return line;
}

}  // namespace poisson3d::app
