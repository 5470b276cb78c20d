// Enumerators as words and back, for options and reports.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "poisson3d/error.hpp"

namespace poisson3d {

template <class Enum>
struct Word {
    Enum value;
    const char* word;
};

template <class Enum, std::size_t N>
const char* word_of(const Word<Enum> (&words)[N], Enum value) noexcept {
    for (const Word<Enum>& candidate : words)
        if (candidate.value == value) return candidate.word;
    return "unknown";
}

/// Throws Error{usage} with the words that exist.
template <class Enum, std::size_t N>
Enum parse_word(const Word<Enum> (&words)[N], const char* what, std::string_view text) {
    std::string known;
    for (const Word<Enum>& candidate : words) {
        if (text == candidate.word) return candidate.value;
        known += (known.empty() ? "" : ", ") + std::string(candidate.word);
    }
    throw Error(ErrorCode::usage,
                std::string("unknown ") + what + " '" + std::string(text) + "': use one of " + known);
}

}  // namespace poisson3d
