// How --help looks: two columns in lines of at most 80 characters, whatever the lines of the source are.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>
#include <string>

namespace poisson3d::app {

/// The words of a text in lines of at most `width` characters. A word that is longer has a line of its own.
inline std::string wrapped(const std::string& text, std::size_t width) {
    // The bytes of UTF-8 that begin a character.
    const auto characters = [](const std::string& word) {
        return static_cast<std::size_t>(std::ranges::count_if(word, [](char c) { return (c & 0xC0) != 0x80; }));
    };
    std::istringstream words(text);
    std::string lines, word;
    for (std::size_t used = 0; words >> word;) {
        const std::size_t length = characters(word);
        const bool fits = used + 1 + length <= width;
        if (!lines.empty()) lines += fits ? " " : "\n";
        used = lines.empty() || !fits ? length : used + 1 + length;
        lines += word;
    }
    return lines;
}

class HelpFormat : public CLI::Formatter {
public:
    static constexpr std::size_t left = 27, width = 80;

    HelpFormat() { column_width(left); }
    std::string make_option_desc(const CLI::Option* option) const override {
        return wrapped(option->get_description(), width - left);
    }
    std::string make_subcommand(const CLI::App* command) const override {
        std::ostringstream out;
        CLI::detail::format_help(out, command->get_name(), wrapped(command->get_description(), width - left), left);
        return out.str();
    }
};

}  // namespace poisson3d::app
