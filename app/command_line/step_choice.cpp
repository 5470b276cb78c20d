#include "command_line/step_choice.hpp"

#include <charconv>

#include "command_line/spec.hpp"
#include "poisson3d/error.hpp"

namespace poisson3d::app {

namespace {

std::optional<Index> parse_bound(const std::string& option, const std::string& text, const std::string& word) {
    if (word.empty()) return std::nullopt;
    Index number = 0;
    const char* const end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data(), end, number);
    if (error != std::errc() || stop != end)
        throw Error(ErrorCode::usage, option + ": found '" + text +
                                          "', wanted a number, a range first:end or first:end:stride, or all");
    return number;
}

}  // namespace

StepChoice parse_step(const std::string& option, const std::string& text) {
    StepChoice choice;
    choice.text = text;
    if (text == "all") return choice;
    const std::vector<std::string> words = split(text, ':');
    choice.one = words.size() == 1;
    choice.first = parse_bound(option, text, words[0]);
    if (words.size() > 3 || (choice.one && !choice.first)) static_cast<void>(parse_bound(option, text, text + "?"));
    if (words.size() > 1) choice.end = parse_bound(option, text, words[1]);
    if (words.size() > 2) choice.stride = parse_bound(option, text, words[2]).value_or(1);
    if (choice.stride < 1)
        throw Error(ErrorCode::usage, option + ": found '" + text + "', wanted a stride of at least 1");
    return choice;
}

std::vector<Index> StepChoice::resolve(Index count, const std::string& what) const {
    const auto refuse = [&](const std::string& found) {
        throw Error(ErrorCode::data, what + ": found " + std::to_string(count) + " steps, 0 to " +
                                         std::to_string(count - 1) + ", but --step " + text + found);
    };
    const auto counted = [&](Index number, Index most) {
        const Index step = number < 0 ? number + count : number;
        if (step < 0 || step > most) refuse(" is out of that range");
        return step;
    };
    if (one) return {counted(*first, count - 1)};
    std::vector<Index> steps;
    const Index stop = end ? counted(*end, count) : count;
    for (Index step = first ? counted(*first, count - 1) : 0; step < stop; step += stride) steps.push_back(step);
    if (steps.empty()) refuse(" means none of them");
    return steps;
}

}  // namespace poisson3d::app
