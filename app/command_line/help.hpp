// `poisson3d help`: an overview, the options of a subcommand, or a topic. The topics are the pages docs/help/*.md,
// which the build puts into the program as they are.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace poisson3d::app {

struct HelpTopic {
    const char* name;  ///< "boundary"
    const char* text;  ///< the page, from its heading "# Boundary conditions" on
};

/// In the order in which they are listed. Made by embed_topics.cmake.
const std::vector<HelpTopic>& help_topics();

/// The heading of the page.
std::string title_of(const HelpTopic& topic);
/// What follows it.
std::string body_of(const HelpTopic& topic);

/// Topics and subcommands: what `help` can be asked for.
std::vector<std::string> help_words(const CLI::App& program);

/// The text for `poisson3d help WORDS`. Throws Error{usage} for what there is no help on.
std::string help_text(const CLI::App& program, const std::vector<std::string>& words);

}  // namespace poisson3d::app
