// poisson3d: the program. Reads the command line, runs one subcommand, prints, and ends with its exit code.
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <exception>
#include <memory>
#include <new>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "command_line/options.hpp"
#include "command_line/paths.hpp"
#include "poisson3d/field_file.hpp"
#include "poisson3d/text.hpp"
#include "process/interrupt.hpp"
#include "process/out_of_memory.hpp"
#include "process/standard_output.hpp"
#include "ranks/launched.hpp"
#include "ranks/ranks.hpp"
#include "reporting/json.hpp"
#include "reporting/json_file.hpp"
#include "reporting/outcome.hpp"
#include "solving/follow.hpp"

namespace poisson3d::app {

namespace {

/// Started with stdout closed, the next file that is opened would get its number, and the report. A stream that
/// can only be read keeps the number and makes printing fail, as it should.
void occupy_standard_streams() {
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream)
        if (fcntl(stream, F_GETFD) == -1 && open("/dev/null", O_RDONLY) == -1) return;
}

/// Printing comes after the outputs appeared, when memory that is missing could no longer undo them.
void give_stdout_memory() {
    static std::array<char, 1 << 16> buffer;
    std::setvbuf(stdout, buffer.data(), isatty(STDOUT_FILENO) == 1 ? _IOLBF : _IOFBF, buffer.size());
}

std::string failure_report(const Outcome& failed) {
    return json_text({{"status", failed.status}, {"message", failed.message}});
}

/// Everything that can be thrown, as a failed outcome. Interrupts pass: they are no outcome.
template <class Work>
Outcome guarded(const Work& work) {
    Outcome failed;
    ErrorCode code = ErrorCode::internal;
    try {
        return work();
    } catch (const Error& error) {
        code = error.code();
        failed.message = error.what();
    } catch (const std::bad_alloc&) {
        code = ErrorCode::out_of_memory;
        failed.message = "out of host memory";
    } catch (const std::exception& error) {
        failed.message = std::string("a defect of this program, please report it: ") + error.what();
    }
    failed.status = exit_code(code);
    failed.json = failure_report(failed);
    return failed;
}

/// What a command names, in the order in which it is looked at. The report is not among it.
std::vector<NamedFile> files_of(const CommandLine& line) {
    if (const auto* solve = std::get_if<SolveOptions>(&line.command))
        return {{"--input", "input", solve->input},
                {"--output", "output", solve->output},
                {"--preview", "picture", solve->preview},
                {"--vtk", "VTK", solve->vtk}};
    if (const auto* make = std::get_if<MakeOptions>(&line.command)) return {{"--output", "output", make->output}};
    if (const auto* info = std::get_if<InfoOptions>(&line.command)) return {{"info", "input", info->file}};
    if (const auto* plot = std::get_if<PlotOptions>(&line.command)) {
        std::vector<NamedFile> files;
        for (const std::string& file : plot->files) files.push_back({"plot", "input", file});
        return files;
    }
    return {};
}

/// No output may replace what is read or what is written beside it.
void check_outputs(const CommandLine& line) {
    if (const auto* plot = std::get_if<PlotOptions>(&line.command)) {
        refuse_same({"--output", "picture", plot->output}, files_of(line));
        return;
    }
    std::vector<NamedFile> before;
    for (const NamedFile& file : files_of(line)) {
        refuse_same(file, before);
        before.push_back(file);
    }
}

/// A field that goes to stdout has it alone: nothing else is printed there.
void leave_stdout_to_output(CommandLine& line) {
    const auto* solve = std::get_if<SolveOptions>(&line.command);
    const auto* make = std::get_if<MakeOptions>(&line.command);
    if ((solve == nullptr || solve->output != "-") && (make == nullptr || make->output != "-")) return;
    if (line.reporting.json == "-")
        throw Error(ErrorCode::usage, "--output - and --json - both take standard output: give one of them a file");
    line.reporting.quiet = true;
}

Outcome dispatch(const CommandLine& line, Ranks& ranks) {
    check_outputs(line);
    const Reporting& reporting = line.reporting;
    if (const auto* solve = std::get_if<SolveOptions>(&line.command)) return run_solve(*solve, reporting, ranks);
    if (const auto* make = std::get_if<MakeOptions>(&line.command)) return run_make(*make, reporting);
    if (const auto* info = std::get_if<InfoOptions>(&line.command)) return run_info(*info, reporting);
    if (const auto* plot = std::get_if<PlotOptions>(&line.command)) return run_plot(*plot, reporting);
    if (const auto* bench = std::get_if<BenchSolveOptions>(&line.command))
        return run_bench_solve(*bench, reporting);
    if (const auto* bench = std::get_if<BenchTransposeOptions>(&line.command))
        return run_bench_transpose(*bench, reporting);
    return run_devices(std::get<DevicesOptions>(line.command));
}

std::string names_of(const std::vector<OutputFile>& files) {
    std::string text;
    for (const OutputFile& file : files) text += (text.empty() ? "" : ", ") + file.path();
    return text;
}

/// Gives all outputs of a run their names, the report among them. A failed outcome if that did not go well.
Outcome publish_all(Outcome& outcome, JsonFile& json_file) {
    const std::string names = names_of(outcome.outputs);
    Outcome failed = guarded([&] {
        json_file.finish(outcome.json, outcome.outputs);
        return Outcome{};
    });
    if (failed.status == 0) {
        if (!names.empty()) stop_if_interrupted();
        return guarded([&] {
            publish(outcome.outputs);
            return Outcome{};
        });
    }
    if (!names.empty()) failed.message += "; as before: " + names;
    return failed;
}

/// A run whose outputs did not all appear has failed, and its report says that if it can.
void replace_report(const Outcome& failed, JsonFile& json_file) {
    static_cast<void>(guarded([&] {
        std::vector<OutputFile> report;
        json_file.finish(failed.json, report);
        publish(report);
        return Outcome{};
    }));
}

void add_sentence(std::string& message, const std::string& sentence) {
    message += (message.empty() ? "" : "; ") + sentence;
}

/// What cannot be taken back comes last: pipes, stdout, stderr.
int report_outcome(Outcome outcome, const Reporting& reporting, JsonFile& json_file) {
    Outcome failed = publish_all(outcome, json_file);
    if (failed.status != 0) {
        const bool solved = outcome.status <= exit_code(ErrorCode::inaccurate);
        if (!solved) {
            add_sentence(outcome.message, failed.message);
            outcome.outputs.clear();
        } else {
            outcome = std::move(failed);
            outcome.json = failure_report(outcome);
            replace_report(outcome, json_file);
        }
    }
    const Outcome told = guarded([&] {
        json_file.write(outcome.json);
        if (reporting.json == "-")
            print(outcome.json + "\n");
        else if (!reporting.quiet)
            print(outcome.text);
        expect_json_on_stdout(false);
        close_standard_output();
        return Outcome{};
    });
    if (told.status != 0) {
        add_sentence(outcome.message, told.message);
        if (!outcome.outputs.empty()) add_sentence(outcome.message, "written: " + names_of(outcome.outputs));
    }
    if (!outcome.warning.empty()) add_sentence(outcome.message, outcome.warning);
    if (!outcome.message.empty()) write_line(printable_name(outcome.message).c_str());
    return outcome.status != 0 ? outcome.status : told.status;
}

int run(int argc, char** argv, Ranks& ranks) {
    CommandLine line;
    JsonFile json_file;
    Outcome outcome = guarded([&] {
        line = parse_command_line(argc, argv);
        leave_stdout_to_output(line);
        const std::string& report = line.reporting.json;
        if (report != "-") refuse_same({"--json", "report", report}, files_of(line));
        json_file = JsonFile(report);
        return Outcome{};
    });
    if (outcome.status != 0) {
        line.reporting = {};
        if (wants_json_on_stdout(argc, argv)) line.reporting.json = "-";
        return report_outcome(std::move(outcome), line.reporting, json_file);
    }
    if (const auto* show = std::get_if<ShowText>(&line.command)) {
        outcome.text = show->text;
        return report_outcome(std::move(outcome), {}, json_file);
    }
    outcome = guarded([&] {
        try {
            return dispatch(line, ranks);
        } catch (const OutputIsInput& error) {
            if (error.option() == "--json") json_file = JsonFile();  // even the failure is not told there
            throw;
        }
    });
    return report_outcome(std::move(outcome), line.reporting, json_file);
}

/// Ranks that cannot work together: the first says why, and the others wait for that to end them.
int report_no_ranks(Outcome failed, int argc, char** argv) {
    constexpr unsigned int patience = 5;
    if (launched_rank() > 0) {
        sleep(patience);
        return failed.status;
    }
    Reporting reporting;
    if (wants_json_on_stdout(argc, argv)) reporting.json = "-";
    JsonFile no_file;
    return report_outcome(std::move(failed), reporting, no_file);
}

int run_ranks(int argc, char** argv) {
    std::unique_ptr<Ranks> ranks;
    Outcome started = guarded([&] {
        ranks = start_ranks(argv);
        return Outcome{};
    });
    if (!ranks) return all_is_told(report_no_ranks(std::move(started), argc, argv));
    int status = 0;
    if (ranks->rank() > 0) {
        expect_json_on_stdout(false);
        status = follow(*ranks);
    } else {
        status = all_is_told(run(argc, argv, *ranks));
        dismiss(*ranks, status);
    }
    ranks->end();
    return status;
}

}  // namespace

}  // namespace poisson3d::app

int main(int argc, char** argv) {
    poisson3d::app::occupy_standard_streams();
    poisson3d::app::catch_signals();
    try {
        poisson3d::app::give_stdout_memory();
        poisson3d::app::expect_json_on_stdout(poisson3d::app::wants_json_on_stdout(argc, argv));
        poisson3d::app::reserve_heap();
        return poisson3d::app::run_ranks(argc, argv);
    } catch (const poisson3d::app::Interrupted& interrupted) {
        poisson3d::app::die_of(interrupted);
    } catch (const std::bad_alloc&) {
        return poisson3d::app::end_without_memory();  // not even for the report of it
    } catch (...) {
        return poisson3d::exit_code(poisson3d::ErrorCode::internal);
    }
}
