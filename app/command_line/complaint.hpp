// What is said of a command line that cannot be read.
#pragma once

#include <CLI/CLI.hpp>

namespace poisson3d::app {

/// Throws Error{usage} if the file to solve is a word without a dot or slash that names no file: it was meant as a
/// subcommand.
void refuse_unknown_subcommand(const CLI::App& program);

/// Throws Error{usage}: which option or word is not known and which may have been meant, else what CLI11 says.
[[noreturn]] void complain(const CLI::App& program, const CLI::ParseError& error);

}  // namespace poisson3d::app
