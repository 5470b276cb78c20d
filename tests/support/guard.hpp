// What stands in memory beside the memory under test: read, it spoils a result; written, it is seen.
#pragma once

#include <cstddef>
#include <span>

#include "random_values.hpp"

namespace poisson3d::test {

/// Bytes of a guard zone on either side: a multiple of every alignment there is here.
inline constexpr std::size_t guard_bytes = 4096;

/// Byte i of a pattern that is a NaN in float and in double wherever an element may begin, another one each time.
constexpr std::byte guard_byte(std::size_t i) {
    return i % 4 >= 2 ? std::byte{0xff} : static_cast<std::byte>(hash(i) & 0xff);
}

inline void fill_guard(std::span<std::byte> bytes) {
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = guard_byte(i);
}

/// How many bytes outside [begin, end) no longer hold the pattern.
inline std::size_t damaged(std::span<const std::byte> bytes, std::size_t begin, std::size_t end) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i)
        if ((i < begin || i >= end) && bytes[i] != guard_byte(i)) ++count;
    return count;
}

}  // namespace poisson3d::test
