#include "solving/from_input.hpp"

#include <filesystem>

#include "poisson3d/text.hpp"

namespace poisson3d::app {

namespace {

/// Units as a factor of a product, or the dividend of a quotient: in parentheses if they have one of `operators`.
std::string factor(const std::string& units, const char* operators) {
    return units.find_first_of(operators) == std::string::npos ? units : "(" + units + ")";
}

/// A path without what does not matter in it: "group//charge" is "/group/charge".
std::string plain(const std::string& dataset) {
    return std::filesystem::path("/" + dataset).lexically_normal().relative_path().string();
}

}  // namespace

Units units_of_solution(const FieldHeader& input, double scale) {
    Units units = input.units;
    const bool known = !units.field.empty() && !units.length.empty() && scale == 1.0;
    const char* const squared =
        units.field.find('^') == std::string::npos ? "2" : "^2";  // powers as the input has them
    if (units.solution.empty() && known)
        units.solution = factor(units.field, "/*") + " " + factor(units.length, "/*") + squared;
    return units;
}

std::string units_of_gradient(const Units& units) {
    if (units.solution.empty() || units.length.empty()) return {};
    return factor(units.solution, "/* ") + "/" + factor(units.length, "/* ");
}

WriteOptions write_options(const FieldHeader& input, int compress) {
    WriteOptions options;
    options.compress = compress;
    options.cube_stream = input.format == "cube";
    options.units = input.units;
    options.atoms = input.atoms;
    if (!input.title.empty())
        options.title = "solution, by poisson3d\n" + input.title.substr(0, input.title.find('\n'));
    return options;
}

void refuse_other_dataset(const std::string& output, const std::string& dataset) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(output, ignored)) return;
    std::string found;
    try {
        found = FieldReader(output, {.dataset = "/solution", .steps = true}).header().solved_dataset;
    } catch (const Error&) {
        return;  // no solution of this program, and replaced like any other file
    }
    if (found.empty() || plain(found) == plain(dataset)) return;
    throw Error(ErrorCode::usage, "--output: found " + printable_name(output) + ", which holds the solution of " +
                                      printable(found) + " and not of " + printable(dataset) +
                                      ": name the output of this one with --output");
}

}  // namespace poisson3d::app
