// The options of `plot`.
#include <cctype>
#include <filesystem>

#include "command_line/option_set.hpp"

namespace poisson3d::app {

namespace {

std::vector<std::string> parse_names(const std::string& option, const std::string& text) {
    return parse_list(option, text, [](const std::string& name, const std::string& word) {
        if (word.empty()) throw Error(ErrorCode::usage, name + ": found an empty name");
        return word;
    });
}

/// "x=0.3,z=0": the letter and what follows, by parse(option, word).
template <class Parse>
OptionSet::Read into_places(std::vector<PlotPlace>& places, const Parse& parse) {
    return [&places, parse](const std::string& option, const std::string& text) {
        for (const std::string& word : split(text, ',')) {
            if (word.size() < 3 || std::isalpha(static_cast<unsigned char>(word[0])) == 0 || word[1] != '=')
                throw Error(ErrorCode::usage, option + ": found '" + word +
                                                  "', wanted an axis and where along it, for example " + option +
                                                  " x=0");
            PlotPlace place{word[0], {}, {}, option};
            parse(place, option, word.substr(2));
            places.push_back(place);
        }
    };
}

char parse_axis(const std::string& option, const std::string& word) {
    if (word.size() != 1 || std::isalpha(static_cast<unsigned char>(word[0])) == 0)
        throw Error(ErrorCode::usage, option + ": found '" + word + "', wanted the letter of an axis");
    return word[0];
}

void parse_range(ColourOptions& colours, const std::string& option, const std::string& text) {
    const bool percent = !text.empty() && text.back() == '%';
    if (percent) {
        colours.percent = parse_number(option, text.substr(0, text.size() - 1));
        if (*colours.percent > 0.0 && *colours.percent <= 100.0) return;
    } else if (const auto ends = parse_list(option, text, parse_number); ends.size() == 2 && ends[0] < ends[1]) {
        colours.limits = {ends[0], ends[1]};
        return;
    }
    throw Error(ErrorCode::usage,
                option + ": found '" + text +
                    "', wanted two numbers that rise (-1,1), or a percentage of the values (99%)");
}

}  // namespace

void add_plot(OptionSet& set, PlotOptions& options) {
    set.add_words("files", "FILE", "files with fields; with --convergence reports (JSON)",
                  [&options](const std::string&, const std::string& text) { options.files.push_back(text); });
    set.add(in_files, "-o,--output", "FILE", "<first file without ending>.png",
            "the picture; FILE ends in .png, .pdf or .svg\n",
            [&options](const std::string& option, const std::string& text) {
                picture_format(option, text);
                options.output = text;
            });
    set.add(in_files, "--dataset", "LIST", "/solution where it is, else /rhs",
            "data sets to draw, with commas: of each file, or one for\neach file",
            into(options.datasets, parse_names));
    set.add_repeated(
        in_picture, "--at", "LIST", "the middle", "planes to draw, by position: x=0.3,z=0; the nearest points",
        into_places(options.places, [](PlotPlace& place, const std::string& option, const std::string& word) {
            place.position = parse_number(option, word);
        }));
    set.add_repeated(
        in_picture, "--index", "LIST", "n/2", "planes to draw, by index from 0: z=7",
        into_places(options.places, [](PlotPlace& place, const std::string& option, const std::string& word) {
            place.index = parse_integer(option, word, 0);
        }));
    set.add(in_picture, "--line", "AXIS", "",
            "curves along this axis instead of planes; --at and --index\nsay where",
            into(options.line, parse_axis));
    set.flag(in_picture, "--convergence", options.convergence,
             "errors of the reports against the spacing, with their order");
    set.add(in_picture, "--range", "A,B|P%", "chosen",
            "values that the colours cover: from A to B, or the middle\nP percent of them; 100%: all",
            [&options](const std::string& option, const std::string& text) {
                parse_range(options.colours, option, text);
            });
    set.flag(in_picture, "--log", options.colours.logarithmic,
             "colours by the logarithm; around 0 linear where signs mix");
    set.footer("Example: poisson3d plot field.solution.h5 --at z=0 -o plane.pdf");
}

void complete(PlotOptions& options) {
    if (options.output.empty())
        options.output = std::filesystem::path(options.files.front()).replace_extension(".png").string();
    picture_format("plot", options.output);
    const bool range = options.colours.limits || options.colours.percent || options.colours.logarithmic;
    if (options.convergence && (options.line || !options.places.empty() || !options.datasets.empty() || range))
        throw Error(ErrorCode::usage, "--convergence draws reports: it takes no other option of the picture");
    if (options.line && range)
        throw Error(ErrorCode::usage,
                    "--range and --log speak of colours, and --line draws curves: leave them out");
    const std::size_t files = options.files.size(), names = options.datasets.size();
    if (names > 1 && files > 1 && names != files)
        throw Error(ErrorCode::usage, "--dataset: found " + std::to_string(names) + " names for " +
                                          std::to_string(files) + " files, wanted one for all, or one for each");
}

}  // namespace poisson3d::app
