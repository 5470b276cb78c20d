#include "command_line/manual.hpp"

#include "command_line/command_table.hpp"
#include "command_line/help.hpp"
#include "process/version.hpp"

namespace poisson3d::app {

namespace {

/// Safe anywhere in a line: backslashes, hyphens that are to be copied as such, quotes.
std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
            case '\\': out += "\\e"; break;
            case '-': out += "\\-"; break;
            case '\'': out += "\\(aq"; break;
            case '"': out += "\\(dq"; break;
            default: out += c;
        }
    }
    return out;
}

/// A line of text, which a dot at its beginning would make a request.
std::string line(const std::string& text) {
    return (text.empty() || text[0] != '.' ? "" : "\\&") + escaped(text) + "\n";
}

std::string section(const std::string& name) {
    return ".SH " + name + "\n";
}

std::string option_entry(const CLI::Option& option) {
    std::string heading;
    for (const std::string& name : names_of(option))
        heading += (heading.empty() ? "" : ", ") + ("\\fB" + escaped(name) + "\\fR");
    if (const std::string value = value_of(option); !value.empty())
        heading += (heading.empty() ? "" : " ") + ("\\fI" + escaped(value) + "\\fR");
    return ".TP\n" + heading + "\n" + line(description_of(option));
}

/// The options in their groups, in the order of declaration.
std::string options_section(const CLI::App& command) {
    std::string text, group;
    for (const std::string& name : command.get_groups()) {
        if (name.empty()) continue;
        text += ".PP\n\\fI" + escaped(name) + "\\fR\n";
        for (const CLI::Option* option : options_of(command))
            if (option->get_group() == name) text += option_entry(*option);
    }
    return text;
}

/// A help page word for word: its paragraphs and examples have their line ends where they belong.
std::string topic_text(const std::string& body) {
    std::string text = ".nf\n", rest = body;
    while (!rest.empty()) {
        const std::size_t end = rest.find('\n');
        text += line(rest.substr(0, end));
        rest = end == std::string::npos ? "" : rest.substr(end + 1);
    }
    return text + ".fi\n";
}

}  // namespace

std::string manual_page(const CLI::App& program) {
    std::string text = ".\\\" Made from the program's table of options by: poisson3d help man\n";
    text += ".TH POISSON3D 1 \"\" \"poisson3d " + version() + "\" \"User Commands\"\n";
    text += section("NAME") + "poisson3d \\- solve Poisson and Helmholtz equations on a 3\\-D box\n";
    text += section("SYNOPSIS");
    for (const Command& command : commands_of(program)) {
        std::string words;
        for (const CLI::Option* option : options_of(*command.app))
            if (option->get_positional()) words += " \\fI" + escaped(value_of(*option)) + "\\fR";
        if (subcommands_of(*command.app).empty() || command.path.empty())
            text += (command.path.empty() ? "" : ".br\n") +
                    (".B poisson3d" + (command.path.empty() ? "" : " " + command.path) + "\n[\\fIOPTIONS\\fR]" +
                     words + "\n");
    }
    text +=
        section("DESCRIPTION") +
        line(
            "Solves (laplace - lambda) u = f on a box, with periodic, Dirichlet, Neumann, Robin or free faces. f "
            "comes from a file, u goes to another. Without a subcommand the file is solved.");
    for (const Command& command : commands_of(program)) {
        text += section(command.path.empty() ? "OPTIONS OF SOLVING" : "\"poisson3d " + command.path + "\"");
        text += line(command.app->get_description()) + options_section(*command.app);
    }
    for (const HelpTopic& topic : help_topics()) {
        std::string title = title_of(topic);
        for (char& c : title)
            if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
        text += section("\"" + title + "\"") + topic_text(body_of(topic));
    }
    return text;
}

}  // namespace poisson3d::app
