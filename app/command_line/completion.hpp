// Completion of command lines by shells, made from the table of options.
#pragma once

#include "command_line/option_set.hpp"

namespace poisson3d::app {

enum class Shell { bash, zsh, fish };

/// The script that makes `shell` complete subcommands, options, their words, and names of files.
std::string completion_script(Shell shell, const CLI::App& program, const KnownWords& words);

}  // namespace poisson3d::app
