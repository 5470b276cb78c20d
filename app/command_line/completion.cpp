#include "command_line/completion.hpp"

#include "command_line/command_table.hpp"

namespace poisson3d::app {

namespace {

/// What a script has to say of one option.
struct Item {
    std::vector<std::string> names;  ///< empty: a word by its position
    std::string value, description;
    Words words;
    [[nodiscard]] bool takes_file() const { return value == "FILE"; }
};

std::string joined(const Words& words, const std::string& separator) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : separator) + word;
    return text;
}

std::vector<Item> items_of(const CLI::App& command, const KnownWords& known) {
    std::vector<Item> items;
    for (const CLI::Option* option : options_of(command)) {
        const auto words = known.find(option);
        items.push_back({names_of(*option), value_of(*option), description_of(*option),
                         words == known.end() ? Words{} : words->second});
    }
    return items;
}

/// In single quotes, as all three shells read them; fish alone takes a backslash before one as an escape.
std::string quoted(const std::string& text, Shell shell) {
    std::string out = "'";
    for (const char c : text) {
        if (c == '\'')
            out += shell == Shell::fish ? "\\'" : "'\\''";
        else if (c == '\\' && shell == Shell::fish)
            out += "\\\\";
        else
            out += c;
    }
    return out + "'";
}

/// "' make'|' bench'|'bench solve'": a known path and the word that leads on from it.
std::string steps(const CLI::App& program, const std::string& separator) {
    std::string text;
    for (const Command& command : commands_of(program)) {
        if (command.path.empty()) continue;
        const bool nested = command.path.find(' ') != std::string::npos;
        text += (text.empty() ? "" : separator) + ("'" + std::string(nested ? "" : " ") + command.path + "'");
    }
    return text;
}

std::string heading(const char* comment, const char* shell) {
    return std::string(comment) +
           " Completion of poisson3d, made from its table of options by: poisson3d completion " + shell + "\n";
}

std::string bash(const CLI::App& program, const KnownWords& known) {
    std::string values, starts;
    for (const Command& command : commands_of(program)) {
        Words start = subcommands_of(*command.app), options;
        bool file = false;
        for (const Item& item : items_of(*command.app, known)) {
            if (item.names.empty()) {
                start.insert(start.end(), item.words.begin(), item.words.end());
                file = file || item.takes_file();
                continue;
            }
            options.insert(options.end(), item.names.begin(), item.names.end());
            if (item.value.empty()) continue;
            Words patterns;
            for (const std::string& name : item.names) patterns.push_back("'" + command.path + "/" + name + "'");
            values += "        " + joined(patterns, "|") + ") " +
                      (item.takes_file() ? std::string("kind=files")
                                         : "kind=words words=" + quoted(joined(item.words, " "), Shell::bash)) +
                      " ;;\n";
        }
        starts += "            '" + command.path + "') options=" + quoted(joined(options, " "), Shell::bash) +
                  " words=" + quoted(joined(start, " "), Shell::bash) + (file ? " kind=both" : "") + " ;;\n";
    }
    return heading("#", "bash") + R"(_poisson3d() {
    local at='' kind=words words='' options='' i
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
    for ((i = 1; i < COMP_CWORD; ++i)); do
        case "$at ${COMP_WORDS[i]}" in
            )" +
           steps(program, "|") + R"() at="${at:+$at }${COMP_WORDS[i]}" ;;
        esac
    done
    # The words of --option=value are three.
    if [[ $cur == = ]]; then cur=''; elif [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi
    case "$at/$prev" in
)" + values +
           R"(        *) case "$at" in
)" + starts +
           R"(        esac
        [[ $cur == -* ]] && kind=words words=$options ;;
    esac
    COMPREPLY=()
    [[ $kind == files ]] || mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
    if [[ $kind != words ]]; then
        compopt -o filenames 2>/dev/null
        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$cur")
    fi
}
complete -F _poisson3d poisson3d
)";
}

/// Text within a specification of _arguments.
std::string zsh_text(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
        out += c;
    }
    return out;
}

std::string zsh_action(const Item& item) {
    if (item.takes_file()) return "_files";
    Words words;
    for (const std::string& word : item.words) words.push_back(zsh_text(word));
    return words.empty() ? " " : "(" + joined(words, " ") + ")";
}

std::string zsh(const CLI::App& program, const KnownWords& known) {
    std::string cases;
    for (const Command& command : commands_of(program)) {
        Words specifications, starts;
        for (const Item& item : items_of(*command.app, known)) {
            for (const std::string& name : item.names)
                specifications.push_back(
                    quoted((item.names.size() > 1 ? "(" + joined(item.names, " ") + ")" : "") + name +
                               (item.value.empty() ? ""
                                : name.size() > 2  ? "="
                                                   : "+") +
                               "[" + zsh_text(item.description) + "]" +
                               (item.value.empty() ? "" : ":" + zsh_text(item.value) + ":" + zsh_action(item)),
                           Shell::zsh));
            if (!item.names.empty()) continue;
            if (item.takes_file()) starts.emplace_back("'files:file:_files'");
            if (!item.words.empty())
                starts.push_back(quoted("words:" + item.value + ":" + zsh_action(item), Shell::zsh));
        }
        if (const Words subcommands = subcommands_of(*command.app); !subcommands.empty())
            starts.push_back("'subcommands:subcommand:(" + joined(subcommands, " ") + ")'");
        cases += "        ('" + command.path + "')\n            start=(" + joined(starts, " ") +
                 ")\n            _arguments -s " + joined(specifications, " \\\n                ") +
                 " \\\n                '*: :_poisson3d_start' ;;\n";
    }
    return "#compdef poisson3d\n" + heading("#", "zsh") + R"(_poisson3d_start() {
    (( $#start )) && _alternative $start
}
_poisson3d() {
    local at='' word
    local -a start
    local -i i n=0
    for ((i = 2; i < CURRENT; ++i)); do
        case "$at $words[i]" in
            ()" +
           steps(program, "|") + R"() at="${at:+$at }$words[i]"; n=$((i - 1)) ;;
        esac
    done
    words=(poisson3d "${(@)words[n+2,-1]}")
    (( CURRENT -= n ))
    case $at in
)" + cases +
           R"(    esac
}
if [[ $funcstack[1] == _poisson3d ]]; then _poisson3d "$@"; else compdef _poisson3d poisson3d; fi
)";
}

std::string fish(const CLI::App& program, const KnownWords& known) {
    std::string text = heading("#", "fish") + R"(function __poisson3d_at
    set -l at ''
    for word in (commandline -opc)[2..-1]
        switch "$at $word"
            case )" + steps(program, " ") +
                       R"(
                set at (string trim -- "$at $word")
        end
    end
    test "$at" = "$argv[1]"
end
complete -c poisson3d -f
)";
    const auto entry = [&](const std::string& path, const std::string& rest) {
        text += "complete -c poisson3d -n \"__poisson3d_at '" + path + "'\"" + rest + "\n";
    };
    for (const Command& command : commands_of(program)) {
        for (const CLI::App* sub : command.app->get_subcommands(nullptr))
            entry(command.path, " -a " + sub->get_name() + " -d " + quoted(sub->get_description(), Shell::fish));
        for (const Item& item : items_of(*command.app, known)) {
            std::string rest;
            for (const std::string& name : item.names)
                rest += name.size() > 2 ? " -l " + name.substr(2) : " -s " + name.substr(1);
            if (item.takes_file()) rest += item.names.empty() ? " -F" : " -r -F";
            if (!item.takes_file() && !item.value.empty() && !item.names.empty()) rest += " -x";
            if (!item.words.empty()) rest += " -a " + quoted(joined(item.words, " "), Shell::fish);
            if (rest.empty()) continue;
            entry(command.path, rest + (item.names.empty() ? "" : " -d " + quoted(item.description, Shell::fish)));
        }
    }
    return text;
}

}  // namespace

std::string completion_script(Shell shell, const CLI::App& program, const KnownWords& words) {
    switch (shell) {
        case Shell::bash: return bash(program, words);
        case Shell::zsh: return zsh(program, words);
        case Shell::fish: return fish(program, words);
    }
    return "";
}

}  // namespace poisson3d::app
