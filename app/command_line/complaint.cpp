#include "command_line/complaint.hpp"

#include <algorithm>
#include <filesystem>

#include "command_line/command_table.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/suggestion.hpp"
#include "poisson3d/text.hpp"

namespace poisson3d::app {

namespace {

/// The subcommand that was being read.
const CLI::App& innermost(const CLI::App& program) {
    const CLI::App* app = &program;
    while (!app->get_subcommands().empty()) app = app->get_subcommands().front();
    return *app;
}

std::vector<std::string> option_names(const CLI::App& command) {
    std::vector<std::string> all;
    for (const CLI::Option* option : options_of(command))
        for (const std::string& name : names_of(*option)) all.push_back(name);
    return all;
}

/// " (poisson3d make has it)" for an option of another subcommand.
std::string who_has(const CLI::App& program, const std::string& option) {
    for (const Command& command : commands_of(program)) {
        const std::vector<std::string> names = option_names(*command.app);
        if (std::find(names.begin(), names.end(), option) == names.end()) continue;
        return " (poisson3d " + command.path + (command.path.empty() ? "FILE" : "") + " has it)";
    }
    return "";
}

}  // namespace

void refuse_unknown_subcommand(const CLI::App& program) {
    const CLI::Option* const file = program.get_option_no_throw("file");
    if (file == nullptr || file->count() == 0) return;
    const std::string& word = file->results().front();
    std::error_code error;
    if (word.empty() || word == "-" || word.find_first_of("./") != std::string::npos ||
        std::filesystem::exists(word, error))
        return;
    throw Error(ErrorCode::usage, "found '" + printable(word) + "', which is neither a subcommand nor a file" +
                                      did_you_mean(word, subcommands_of(program)));
}

void complain(const CLI::App& program, const CLI::ParseError& error) {
    const CLI::App& command = innermost(program);
    const std::vector<std::string> unknown = program.remaining(true);
    for (const std::string& word : unknown) {
        if (word.size() < 2 || word[0] != '-' || word == "--") continue;
        const std::string option = word.substr(0, word.find('='));
        const std::string suggestion = did_you_mean(option, option_names(command));
        throw Error(ErrorCode::usage, printable(option) + " is not an option of " + command.get_display_name() +
                                          (suggestion.empty() ? who_has(program, option) : suggestion) +
                                          (suggestion.empty() ? "; poisson3d --help lists the options" : ""));
    }
    refuse_unknown_subcommand(program);
    const std::string suggestion = unknown.empty() ? "" : did_you_mean(unknown.front(), subcommands_of(command));
    throw Error(ErrorCode::usage,
                error.what() + (suggestion.empty() ? " (poisson3d --help lists the options)" : suggestion));
}

}  // namespace poisson3d::app
