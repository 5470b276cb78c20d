// The command line as a whole: the program, its subcommands, and which of them is meant.
#include <CLI/CLI.hpp>
#include <memory>
#include <string_view>
#include <utility>

#include "command_line/complaint.hpp"
#include "command_line/completion.hpp"
#include "command_line/help.hpp"
#include "command_line/help_format.hpp"
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

/// A subcommand, or the program itself, with its options and those that all have.
template <class Wanted>
class Subcommand {
public:
    Subcommand(CLI::App& app, KnownWords& words, Reporting& reporting, void (*add)(OptionSet&, Wanted&))
        : app_(app), set_(app, words) {
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

/// A subcommand that only prints a text about the program.
class Texts {
public:
    Texts(CLI::App& app, KnownWords& words) : app_(app), set_(app, words) {}
    /// The words it takes: at least `least`.
    void take_words(const char* name, const char* value, const char* what, Words known, int least, int most) {
        set_.add_word(
                name, value, what,
                {[this](const std::string&, const std::string& text) { given_.push_back(text); }, std::move(known)})
            ->expected(std::max(least, 1), most)
            ->allow_extra_args()
            ->required(least > 0);
    }
    /// Empty if it is not the one on the line.
    template <class Write>
    bool take(CommandLine& line, const Write& write) {
        if (!app_.parsed()) return false;
        set_.read();
        line.command = ShowText{write(given_)};
        return true;
    }

private:
    CLI::App& app_;
    OptionSet set_;
    Words given_;
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
    CLI::App app("Solves (laplace - lambda) u = f on a 3-D box. f and u are fields in files.", "poisson3d");
    app.formatter(std::make_shared<HelpFormat>());
    app.footer(
        "Example: make a right-hand side, solve it, compare with its exact solution\n"
        "  poisson3d make sine --points 128 -o sine.h5\n"
        "  poisson3d sine.h5 --exact /exact\n\n"
        "Exit codes: 0 solved, 1 backward error above the tolerance, 2 usage or\n"
        "  unsupported, 3 input file or data, 4 no solution as posed, 5 device or memory,\n"
        "  6 output, 7 internal\n\n"
        "poisson3d help lists topics: files, boundary conditions, accuracy, memory …");
    app.require_subcommand(0, 1);
    KnownWords words;
    CommandLine line;
    bool version = false;
    const auto command = [](CLI::App& parent, const char* name, const char* what) {
        return std::ref(*parent.add_subcommand(name, what));
    };
    Subcommand<SolveOptions> solve(app, words, line.reporting, add_solve);
    app.add_flag("--version", version, "print version, revision and CUDA build")->group(in_report);
    Subcommand<MakeOptions> make(command(app, "make", "make a file with a right-hand side whose solution is known"),
                                 words, line.reporting, add_make);
    Subcommand<InfoOptions> info(command(app, "info", "show what a field file says and what solving it takes"),
                                 words, line.reporting, add_info);
    Subcommand<PlotOptions> plot(command(app, "plot", "draw planes, profiles and convergence"), words,
                                 line.reporting, add_plot);
    Subcommand<DevicesOptions> devices(command(app, "devices", "show processors, GPUs and engines"), words,
                                       line.reporting, add_devices);
    CLI::App& bench = command(app, "bench", "measure speed on this machine");
    bench.footer("Example: poisson3d bench solve --points 128");
    Subcommand<BenchSolveOptions> bench_solve(
        command(bench, "solve", "time whole solves and their passes, in copies"), words, line.reporting,
        add_bench_solve);
    Subcommand<BenchTransposeOptions> bench_transpose(
        command(bench, "transpose", "time transposes against a plain copy"), words, line.reporting,
        add_bench_transpose);
    Texts help(command(app, "help", "explain a topic or a subcommand"), words);
    Texts completion(command(app, "completion", "print a script by which a shell completes command lines"), words);
    help.take_words("topic", "TOPIC", "a subcommand or a topic; without one they are listed", help_words(app), 0,
                    2);
    completion.take_words("shell", "SHELL", "bash, zsh or fish", {"bash", "zsh", "fish"}, 1, 1);

    refuse_empty_values(argc, argv);
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        line.command = ShowText{app.help()};
        return line;
    } catch (const CLI::ParseError& error) {
        complain(app, error);
    }
    if (version) {
        line.command = ShowText{version_text() + "\n"};
        return line;
    }
    refuse_mixture(app);
    if (bench.parsed() && bench.get_subcommands().empty())
        throw Error(ErrorCode::usage,
                    "bench: found nothing to measure, wanted: poisson3d bench solve or poisson3d bench transpose");
    const bool found =
        make.take(line) || info.take(line) || plot.take(line) || devices.take(line) || bench_solve.take(line) ||
        bench_transpose.take(line) || help.take(line, [&](const Words& given) { return help_text(app, given); }) ||
        completion.take(line, [&](const Words& given) {
            const WordOf<Shell> shells{{"bash", Shell::bash}, {"zsh", Shell::zsh}, {"fish", Shell::fish}};
            return completion_script(shells("completion", given.front()), app, words);
        });
    if (found) return line;
    refuse_unknown_subcommand(app);
    solve.take(line);
    return line;
}

}  // namespace poisson3d::app
