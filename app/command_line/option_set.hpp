// The options of one subcommand, each declared once: what --help says of it, how its text is read, where its value
// goes.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "command_line/options.hpp"

namespace poisson3d::app {

constexpr const char* in_files = "Files";
constexpr const char* in_problem = "The problem (options win over the attributes of the file)";
constexpr const char* in_solving = "How it is solved";
constexpr const char* in_checks = "How it is checked";
constexpr const char* in_picture = "The picture";
constexpr const char* in_report = "Report";

using Words = std::vector<std::string>;
/// The words that a value may be, of options that have a fixed list or a usual one: for completion.
using KnownWords = std::map<const CLI::Option*, Words>;

/// CLI11 only gathers texts. They are read after it has accepted the whole line, so that --help and --version come
/// first, and read every time in the order of declaration.
class OptionSet {
public:
    /// What reads the text of an option, `read(its name, the text)`, and the words it knows. Throws Error{usage}.
    struct Read {
        template <class Function>
        Read(Function function, Words known = {})  // NOLINT(google-explicit-constructor): a lambda will do
            : read(std::move(function)), words(std::move(known)) {}
        std::function<void(const std::string& option, const std::string& text)> read;
        Words words;
    };

    OptionSet(CLI::App& app, KnownWords& known) : app_(app), known_(known) {}

    /// An option with a value: group, names, what the value is called, its default (only shown), what it does.
    CLI::Option* add(const char* group, const std::string& names, const char* value, const std::string& standard,
                     const std::string& what, const Read& read) {
        const auto texts = std::make_shared<std::vector<std::string>>();
        // Not bound to a variable: what CLI11 makes of an empty value differs between versions.
        const auto take = [texts](const CLI::results_t& given) {
            *texts = given;
            return true;
        };
        reads_.push_back([texts, read = read.read, option = names.substr(names.find(',') + 1)] {
            for (const std::string& text : *texts) read(option, text);
        });
        const std::string shown = standard.empty() ? what : what + " [" + standard + "]";
        CLI::Option* const option = app_.add_option(names, take, shown)->type_name(value)->group(group);
        if (!read.words.empty()) known_[option] = read.words;
        return option;
    }
    /// The same for one that may be given several times, one value each.
    void add_repeated(const char* group, const std::string& names, const char* value, const std::string& standard,
                      const std::string& what, const Read& read) {
        add(group, names, value, standard, what, read)
            ->expected(1, CLI::detail::expected_max_vector_size)
            ->allow_extra_args(false);
    }
    /// A word that stands without the name of an option before it.
    CLI::Option* add_word(const char* name, const char* value, const std::string& what, const Read& read) {
        return add("Positionals", name, value, "", what, read);
    }
    /// One or more of them.
    void add_words(const char* name, const char* value, const std::string& what, const Read& read) {
        add("Positionals", name, value, "", what, read)
            ->required()
            ->expected(1, CLI::detail::expected_max_vector_size)
            ->allow_extra_args();
    }
    void flag(const char* group, const char* names, bool& value, const char* what) {
        app_.add_flag(names, value, what)->group(group);
    }
    void footer(const char* text) { app_.footer(text); }

    /// Reads the texts that were given.
    void read() const {
        for (const auto& one : reads_) one();
    }

private:
    CLI::App& app_;
    KnownWords& known_;
    std::vector<std::function<void()>> reads_;
};

/// Reads by parse(option, text) into `value`, which outlives the parsing of the line.
template <class Value, class Parse>
OptionSet::Read into(Value& value, const Parse& parse, Words words = {}) {
    if constexpr (requires { parse.words(); }) words = parse.words();
    return {[&value, parse](const std::string& option, const std::string& text) { value = parse(option, text); },
            std::move(words)};
}

// What several subcommands have.
void add_problem(OptionSet& set, ProblemOptions& problem, const char* boundary_default);
void add_discretization(OptionSet& set, ProblemOptions& problem, const char* what);
/// `disk`: what --memory disk sets, where a file may take the place of memory; null: it may not.
void add_solver(OptionSet& set, Options& solver, std::optional<int>& device, bool* disk = nullptr);
void add_members(OptionSet& set, SolveOptions& options);
void add_member_devices(OptionSet& set, std::vector<int>& devices);
void add_method(OptionSet& set, std::optional<Method>& method);
void add_reporting(OptionSet& set, Reporting& reporting);
/// After the texts were read: refuses what does not go together, fills in defaults that depend on other options.
void complete(Reporting& reporting);
void complete(Options& solver, const std::optional<int>& device);
/// Refuses --device and --members beside --devices.
void require_one_choice(const std::optional<int>& device, const std::vector<int>& devices,
                        const std::optional<int>& members = {});

// The options of each subcommand.
void add_solve(OptionSet& set, SolveOptions& options);
void add_make(OptionSet& set, MakeOptions& options);
void add_info(OptionSet& set, InfoOptions& options);
void add_plot(OptionSet& set, PlotOptions& options);
void add_bench_solve(OptionSet& set, BenchSolveOptions& options);
void add_bench_transpose(OptionSet& set, BenchTransposeOptions& options);
void add_devices(OptionSet& set, DevicesOptions& options);
void complete(SolveOptions& options);
void complete(MakeOptions& options);
void complete(PlotOptions& options);
void complete(BenchSolveOptions& options);
void complete(BenchTransposeOptions& options);
inline void complete(InfoOptions&) {}
inline void complete(DevicesOptions&) {}

/// A whole number from 0 up that fits an int.
int parse_count(const std::string& option, const std::string& word);

}  // namespace poisson3d::app
