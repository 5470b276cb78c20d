// Random numbers that are a function of seed and position: any slab, in any order, on any machine, the same bits.
#pragma once

#include <cstdint>
#include <type_traits>

namespace poisson3d {

/// The finaliser of SplitMix64 (Steele, Lea and Flood 2014): a bijection of 64 bits in which each bit of the input
/// changes half the bits of the output.
constexpr std::uint64_t mix(std::uint64_t z) noexcept {
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31U);
}

/// The number at position `index` of the sequence of `seed`: the SplitMix64 generator started at mix(seed), so that
/// neighbouring seeds share no numbers.
constexpr std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) noexcept {
    constexpr std::uint64_t golden = 0x9e3779b97f4a7c15ULL;
    return mix(mix(seed + golden) + (index + 1) * golden);
}

/// Uniform in [−1, 1): the leading bits that T holds exactly (53 for double, 24 for float), so that rounding never
/// makes a 1 of it. The float is the double rounded down to a multiple of 2^−23.
template <class T>
constexpr T uniform(std::uint64_t seed, std::uint64_t index) noexcept {
    constexpr unsigned digits = std::is_same_v<T, float> ? 24 : 53;
    // As a signed number, so that the conversion is one instruction and no rounding takes place.
    const auto bits = static_cast<std::int64_t>(random_bits(seed, index) >> (64U - digits));
    constexpr std::int64_t half = std::int64_t{1} << (digits - 1U);
    return static_cast<T>(bits - half) / static_cast<T>(half);
}

}  // namespace poisson3d
