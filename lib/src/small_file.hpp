// Small text files of /proc and /sys, read at once.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

namespace poisson3d {

/// Empty for a file that is not there.
inline std::string read_small_file(const std::string& path) {
    std::string text;
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return text;
    char part[4096];
    for (;;) {
        const ssize_t got = read(file, part, sizeof part);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        text.append(part, static_cast<std::size_t>(got));
    }
    close(file);
    return text;
}

/// The number a text begins with; nothing for words like "max" and negative numbers, which mean no limit.
inline std::optional<std::size_t> leading_number(const char* text) {
    while (*text == ' ' || *text == '\t') ++text;
    if (*text < '0' || *text > '9') return std::nullopt;
    return std::strtoull(text, nullptr, 10);
}

/// The number after `key` in lines "key number".
inline std::optional<std::size_t> number_after(const std::string& text, std::string_view key) {
    for (std::size_t line = 0; line < text.size(); line = text.find('\n', line) + 1) {
        if (text.compare(line, key.size(), key) == 0 && text[line + key.size()] == ' ')
            return leading_number(text.c_str() + line + key.size());
        if (text.find('\n', line) == std::string::npos) break;
    }
    return std::nullopt;
}

}  // namespace poisson3d
