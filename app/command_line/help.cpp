#include "command_line/help.hpp"

#include <algorithm>

#include "command_line/command_table.hpp"
#include "command_line/manual.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/suggestion.hpp"
#include "poisson3d/text.hpp"

namespace poisson3d::app {

namespace {

std::string row(const std::string& name, const std::string& text) {
    return "  " + name + std::string(name.size() < 16 ? 16 - name.size() : 1, ' ') + text + "\n";
}

std::string overview(const CLI::App& program) {
    std::string text =
        "poisson3d solves (∇² − λ) u = f on a 3-D box. f comes from a file, u goes to another.\n\n"
        "  poisson3d FILE.h5 [OPTIONS]          solves; poisson3d --help lists the options\n"
        "  poisson3d SUBCOMMAND [OPTIONS]       does something else\n\nSubcommands (poisson3d help NAME):\n";
    for (const CLI::App* command : program.get_subcommands(nullptr))
        text += row(command->get_name(), command->get_description());
    text += "\nTopics (poisson3d help TOPIC):\n";
    for (const HelpTopic& topic : help_topics()) text += row(topic.name, title_of(topic));
    return text + row("man", "The manual page: poisson3d help man | man -l -");
}

}  // namespace

std::string title_of(const HelpTopic& topic) {
    const std::string text = topic.text;
    return text.substr(2, text.find('\n') - 2);
}

std::string body_of(const HelpTopic& topic) {
    const std::string text = topic.text;
    return text.substr(text.find("\n\n") + 2);
}

std::vector<std::string> help_words(const CLI::App& program) {
    std::vector<std::string> words{"solve"};
    for (const Command& command : commands_of(program))
        if (!command.path.empty()) words.push_back(command.path);
    for (const HelpTopic& topic : help_topics()) words.emplace_back(topic.name);
    words.emplace_back("man");
    return words;
}

std::string help_text(const CLI::App& program, const std::vector<std::string>& words) {
    if (words.empty()) return overview(program);
    std::string subject;
    for (const std::string& word : words) subject += (subject.empty() ? "" : " ") + word;
    if (subject == "man") return manual_page(program);
    for (const HelpTopic& topic : help_topics())
        if (subject == topic.name) return title_of(topic) + "\n\n" + body_of(topic);
    for (const Command& command : commands_of(program))
        if (subject == (command.path.empty() ? "solve" : command.path))
            return command.app->get_formatter()->make_help(
                command.app, command.path.empty() ? "poisson3d" : "poisson3d " + command.path,
                CLI::AppFormatMode::Normal);
    throw Error(ErrorCode::usage, "help: found no topic '" + printable(subject) + "'" +
                                      did_you_mean(subject, help_words(program)) +
                                      " (poisson3d help lists the topics)");
}

}  // namespace poisson3d::app
