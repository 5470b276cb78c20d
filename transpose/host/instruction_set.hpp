// Which vector instructions this processor has. Inner loops are compiled once per instruction set, each time in a
// namespace of that name, and chosen when the program runs.
#pragma once

namespace poisson3d {

enum class Instructions { baseline, avx2, avx512 };

/// The best one that this processor has. Inline: the two libraries ask each for itself.
inline Instructions best_instructions() noexcept {
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw"))
        return Instructions::avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return Instructions::avx2;
#endif
    return Instructions::baseline;
}

}  // namespace poisson3d
