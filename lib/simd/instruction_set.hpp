// Which vector instructions this processor has. Inner loops are compiled once per instruction set, each time in a
// namespace of that name, and chosen when the program runs.
#pragma once

#include <cstdlib>
#include <cstring>

namespace poisson3d {

enum class Instructions { baseline, avx2, avx512 };

/// The best one that this processor has.
inline Instructions instructions_there() noexcept {
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw"))
        return Instructions::avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return Instructions::avx2;
#endif
    return Instructions::baseline;
}

/// That one, or less where the environment asks for less: POISSON3D_INSTRUCTIONS=avx2 or baseline. Asked once.
/// Inline: the two libraries ask each for itself.
inline Instructions best_instructions() noexcept {
    static const Instructions best = [] {
        const Instructions there = instructions_there();
        const char* const word = std::getenv("POISSON3D_INSTRUCTIONS");  // NOLINT(concurrency-mt-unsafe)
        if (word == nullptr || there == Instructions::baseline) return there;
        if (std::strcmp(word, "baseline") == 0) return Instructions::baseline;
        return std::strcmp(word, "avx2") == 0 ? Instructions::avx2 : there;
    }();
    return best;
}

}  // namespace poisson3d
