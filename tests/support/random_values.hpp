// Numbers without pattern, the same on every machine: a hash of the index (Steele et al., SplitMix64, 2014).
#pragma once

#include <cstdint>

namespace poisson3d::test {

constexpr std::uint64_t hash(std::uint64_t index, std::uint64_t seed = 0) {
    std::uint64_t z = (index + 1) * 0x9e3779b97f4a7c15ULL + seed * 0xd1342543de82ef95ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

/// Uniform in [−1, 1), exact in single precision (24 bits), so that float and double tests share their data.
constexpr double uniform(std::uint64_t index, std::uint64_t seed = 0) {
    return static_cast<double>(hash(index, seed) >> 40) / 8388608.0 - 1.0;
}

}  // namespace poisson3d::test
