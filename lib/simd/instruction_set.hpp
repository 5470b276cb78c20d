// Which vector instructions this processor has. Inner loops are compiled once per instruction set, each time in a
// namespace of that name, and chosen when the program runs.
#pragma once

#include <cstdlib>
#include <cstring>

namespace poisson3d {

enum class Instructions { baseline, avx2, avx512 };

/// The best one that this processor has.
inline Instructions instructions_of_processor() noexcept {
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw"))
        return Instructions::avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return Instructions::avx2;
#endif
    return Instructions::baseline;
}

/// That one, or a lesser one that the environment names: POISSON3D_INSTRUCTIONS=avx2 or baseline. Read once.
/// Inline, so that each of the two libraries has its own.
inline Instructions best_instructions() noexcept {
    static const Instructions best = [] {
        const Instructions available = instructions_of_processor();
        const char* const word = std::getenv("POISSON3D_INSTRUCTIONS");  // NOLINT(concurrency-mt-unsafe)
        if (word == nullptr || available == Instructions::baseline) return available;
        if (std::strcmp(word, "baseline") == 0) return Instructions::baseline;
        return std::strcmp(word, "avx2") == 0 ? Instructions::avx2 : available;
    }();
    return best;
}

}  // namespace poisson3d
