// The options of one subcommand, each declared once: what --help says of it, how its text is read, where its value
// goes.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "command_line/options.hpp"

namespace poisson3d::app {

constexpr const char* in_files = "Files";
constexpr const char* in_problem = "The problem (options win over the attributes of the file)";
constexpr const char* in_solving = "How it is solved";
constexpr const char* in_checks = "How it is checked";
constexpr const char* in_picture = "The picture";
constexpr const char* in_report = "What is told";

/// CLI11 only gathers texts. They are read after it has accepted the whole line, so that --help and --version come
/// first, and read every time in the order of declaration.
class OptionSet {
public:
    /// What reads the text of an option: (its name, the text). Throws Error{usage}.
    using Read = std::function<void(const std::string& option, const std::string& text)>;

    explicit OptionSet(CLI::App& app) : app_(app) {}

    /// An option with a value: group, names, what the value is called, its default (only shown), what it does.
    CLI::Option* add(const char* group, const std::string& names, const char* value, const std::string& standard,
                     const std::string& what, const Read& read) {
        const auto texts = std::make_shared<std::vector<std::string>>();
        // Not bound to a variable: what CLI11 makes of an empty value differs between versions.
        const auto take = [texts](const CLI::results_t& given) {
            *texts = given;
            return true;
        };
        reads_.push_back([texts, read, option = names.substr(names.find(',') + 1)] {
            for (const std::string& text : *texts) read(option, text);
        });
        const std::string shown = standard.empty() ? what : what + " [" + standard + "]";
        return app_.add_option(names, take, shown)->type_name(value)->group(group);
    }
    /// The same for one that may be given several times, one value each.
    void add_repeated(const char* group, const std::string& names, const char* value, const std::string& standard,
                      const std::string& what, const Read& read) {
        add(group, names, value, standard, what, read)
            ->expected(1, CLI::detail::expected_max_vector_size)
            ->allow_extra_args(false);
    }
    /// A word that stands without the name of an option before it, and must be there.
    void add_word(const char* name, const std::string& what, const Read& read) {
        add("Positionals", name, "", "", what, read)->required();
    }
    /// One or more of them.
    void add_words(const char* name, const std::string& what, const Read& read) {
        add("Positionals", name, "", "", what, read)
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
    std::vector<std::function<void()>> reads_;
};

/// Reads by parse(option, text) into `value`, which outlives the parsing of the line.
template <class Value, class Parse>
OptionSet::Read into(Value& value, const Parse& parse) {
    return [&value, parse](const std::string& option, const std::string& text) { value = parse(option, text); };
}

// What several subcommands have.
void add_problem(OptionSet& set, ProblemOptions& problem, const char* boundary_default);
void add_discretization(OptionSet& set, ProblemOptions& problem, const char* what);
void add_solver(OptionSet& set, Options& solver, std::optional<int>& device);
void add_reporting(OptionSet& set, Reporting& reporting);
/// After the texts were read: refuses what does not go together, fills in defaults that depend on other options.
void complete(Reporting& reporting);
void complete(Options& solver, const std::optional<int>& device);

// The options of each subcommand.
void add_solve(OptionSet& set, SolveOptions& options);
void add_make(OptionSet& set, MakeOptions& options);
void add_info(OptionSet& set, InfoOptions& options);
void add_plot(OptionSet& set, PlotOptions& options);
void add_bench_solve(OptionSet& set, BenchSolveOptions& options);
void add_bench_transpose(OptionSet& set, BenchTransposeOptions& options);
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
