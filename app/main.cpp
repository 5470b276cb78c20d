// poisson3d: the program. Reads the command line, runs one subcommand, prints, and ends with its exit code.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <string>

#include "interrupt.hpp"
#include "json_file.hpp"
#include "options.hpp"
#include "outcome.hpp"
#include "paths.hpp"

namespace poisson3d::app {

namespace {

/// Started with stdout closed, the next file that is opened would get its number, and the report. A stream that
/// can only be read keeps the number and makes printing fail, as it should.
void occupy_standard_streams() {
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream)
        if (fcntl(stream, F_GETFD) == -1 && open("/dev/null", O_RDONLY) == -1) return;
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
    failed.json = Json::object().set("status", failed.status).set("message", failed.message);
    return failed;
}

/// A report must not replace what was read or what was just written.
void refuse_json_over(const std::string& json, const std::string& file, const char* what) {
    if (json != "-" && same_file(json, file))
        throw Error(ErrorCode::usage, "--json: found " + json + ", which is the " + what + " file itself");
}

void check_json_file(const CommandLine& line) {
    if (line.reporting.json.empty()) return;
    if (const auto* solve = std::get_if<SolveOptions>(&line.command)) {
        refuse_json_over(line.reporting.json, solve->input, "input");
        refuse_json_over(line.reporting.json, solve->output, "output");
        if (!solve->preview.empty()) refuse_json_over(line.reporting.json, solve->preview, "picture");
    } else if (const auto* make = std::get_if<MakeOptions>(&line.command)) {
        refuse_json_over(line.reporting.json, make->output, "output");
    } else if (const auto* info = std::get_if<InfoOptions>(&line.command)) {
        refuse_json_over(line.reporting.json, info->file, "input");
    }
}

Outcome dispatch(const CommandLine& line) {
    const Reporting& reporting = line.reporting;
    if (const auto* solve = std::get_if<SolveOptions>(&line.command)) return run_solve(*solve, reporting);
    if (const auto* make = std::get_if<MakeOptions>(&line.command)) return run_make(*make, reporting);
    if (const auto* info = std::get_if<InfoOptions>(&line.command)) return run_info(*info);
    if (const auto* bench = std::get_if<BenchSolveOptions>(&line.command))
        return run_bench_solve(*bench, reporting);
    if (const auto* bench = std::get_if<BenchStructuresOptions>(&line.command))
        return run_bench_structures(*bench, reporting);
    if (const auto* bench = std::get_if<BenchTransposeOptions>(&line.command))
        return run_bench_transpose(*bench, reporting);
    return run_devices();
}

/// One line, whatever a library below put into its part of the message.
void complain(std::string message) {
    std::replace(message.begin(), message.end(), '\n', ' ');
    std::fprintf(stderr, "poisson3d: %s\n", message.c_str());
}

/// Results go to stdout, in full or with a complaint.
void print(const std::string& text) {
    const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
    if (std::fflush(stdout) != 0 || !written) throw Error(ErrorCode::output, "cannot write to standard output");
}

int tell(const Outcome& outcome, const Reporting& reporting, JsonFile& json_file) {
    // What failed comes first: whoever reads stdout through a broken pipe still learns it.
    if (!outcome.warning.empty()) complain(outcome.warning);
    if (!outcome.message.empty()) complain(outcome.message);
    const Outcome told = guarded([&] {
        json_file.write(outcome.json);
        if (reporting.json == "-")
            print(outcome.json.text() + "\n");
        else if (!reporting.quiet)
            print(outcome.text);
        return Outcome{};
    });
    if (!told.message.empty()) complain(told.message);
    return outcome.status != 0 ? outcome.status : told.status;
}

int run(int argc, char** argv) {
    CommandLine line;
    JsonFile json_file;
    Outcome outcome = guarded([&] {
        line = parse_command_line(argc, argv);
        check_json_file(line);
        json_file = JsonFile(line.reporting.json);
        return Outcome{};
    });
    if (outcome.status != 0) {
        line.reporting = {};
        if (wants_json_on_stdout(argc, argv)) line.reporting.json = "-";
        return tell(outcome, line.reporting, json_file);
    }
    if (const auto* show = std::get_if<ShowText>(&line.command)) {
        outcome.text = show->text;
        return tell(outcome, {}, json_file);
    }
    outcome = guarded([&] { return dispatch(line); });
    return tell(outcome, line.reporting, json_file);
}

}  // namespace

}  // namespace poisson3d::app

int main(int argc, char** argv) {
    poisson3d::app::occupy_standard_streams();
    poisson3d::app::catch_interrupts();
    try {
        return poisson3d::app::run(argc, argv);
    } catch (const poisson3d::app::Interrupted& interrupted) {
        poisson3d::app::die_of(interrupted);
    } catch (...) {
        return poisson3d::exit_code(poisson3d::ErrorCode::internal);
    }
}
