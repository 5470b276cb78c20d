#include "command_line/command_table.hpp"

#include <algorithm>

namespace poisson3d::app {

namespace {

void add_commands(const std::string& path, const CLI::App& app, std::vector<Command>& list) {
    list.push_back({path, &app});
    for (const CLI::App* sub : app.get_subcommands(nullptr))
        add_commands(path.empty() ? sub->get_name() : path + " " + sub->get_name(), *sub, list);
}

}  // namespace

std::vector<Command> commands_of(const CLI::App& program) {
    std::vector<Command> list;
    add_commands("", program, list);
    return list;
}

std::vector<const CLI::Option*> options_of(const CLI::App& command) {
    return command.get_options([](const CLI::Option* option) { return !option->get_group().empty(); });
}

std::vector<std::string> subcommands_of(const CLI::App& command) {
    std::vector<std::string> names;
    for (const CLI::App* sub : command.get_subcommands(nullptr)) names.push_back(sub->get_name());
    return names;
}

std::vector<std::string> names_of(const CLI::Option& option) {
    std::vector<std::string> names;
    for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option.get_snames()) names.push_back("-" + name);
    return names;
}

std::string description_of(const CLI::Option& option) {
    std::string text = option.get_description();
    std::replace(text.begin(), text.end(), '\n', ' ');
    while (const std::size_t twice = text.find("  ") + 1) text.erase(twice, 1);
    return text;
}

std::string value_of(const CLI::Option& option) {
    return option.get_expected_max() == 0 || option.get_type_size_max() == 0 ? "" : option.get_type_name();
}

}  // namespace poisson3d::app
