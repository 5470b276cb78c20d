#include "poisson3d/suggestion.hpp"

#include <algorithm>

namespace poisson3d {

namespace {

constexpr std::size_t longest_word = 64;  // beyond it nobody mistyped; the cost is quadratic

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// The optimal string alignment distance, by three rows of its table.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> two_up(b.size() + 1), up(b.size() + 1), row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    const auto same = [&](std::size_t i, std::size_t j) { return lower(a[i]) == lower(b[j]); };
    for (std::size_t i = 1; i <= a.size(); ++i) {
        two_up.swap(up);
        up.swap(row);
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min({up[j] + 1, row[j - 1] + 1, up[j - 1] + (same(i - 1, j - 1) ? 0 : 1)});
            if (i > 1 && j > 1 && same(i - 1, j - 2) && same(i - 2, j - 1))
                row[j] = std::min(row[j], two_up[j - 2] + 1);
        }
    }
    return row[b.size()];
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& choices) {
    if (word.empty() || word.size() > longest_word) return "";
    const std::string* best = nullptr;
    std::size_t least = (word.size() + 2) / 3 + 1;
    for (const std::string& choice : choices) {
        if (choice.size() > longest_word) continue;
        if (const std::size_t found = distance(word, choice); found < least) best = &choice, least = found;
    }
    return best == nullptr ? "" : *best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& choices) {
    const std::string found = nearest(word, choices);
    return found.empty() ? "" : "; did you mean " + found + "?";
}

}  // namespace poisson3d
