// The subcommands and options that CLI11 was given, as a list that can be walked: for suggestions, the manual page
// and completion, which so know the same options as the parser.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace poisson3d::app {

/// The program or one of its subcommands.
struct Command {
    std::string path;  ///< "", "info", "bench solve"
    const CLI::App* app;
};

/// The program, then every subcommand in the order of declaration, each before its own subcommands.
std::vector<Command> commands_of(const CLI::App& program);

/// Without those that help does not show.
std::vector<const CLI::Option*> options_of(const CLI::App& command);
std::vector<std::string> subcommands_of(const CLI::App& command);

/// "--input", "-i": the long ones first. Empty for words without a name.
std::vector<std::string> names_of(const CLI::Option& option);

/// Its description in one line.
std::string description_of(const CLI::Option& option);

/// "FILE", "hx,hy,hz"; empty for flags.
std::string value_of(const CLI::Option& option);

}  // namespace poisson3d::app
