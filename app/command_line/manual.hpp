// The manual page, made from the table of options and the help topics.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace poisson3d::app {

/// poisson3d.1, in the man macros of troff.
std::string manual_page(const CLI::App& program);

}  // namespace poisson3d::app
