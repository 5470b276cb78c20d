// Which vector instructions this processor has. Inner loops are compiled once per instruction set, each time in a
// namespace of that name, and chosen when the program runs.
#pragma once

namespace poisson3d {

enum class Instructions { baseline, avx2, avx512 };

/// The best one that this processor has and this build contains.
Instructions best_instructions() noexcept;

}  // namespace poisson3d
