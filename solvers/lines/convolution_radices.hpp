// The length and the radices of the FFTs of a convolution (convolution.hpp).
//
// Chirps want twice n elements, of which half are zeros; so the first radix is even. The last one is small, since a
// thread holds its butterfly and as many numbers of the filter.
#pragma once

#include <numeric>
#include <utility>
#include <vector>

#include "host_device.hpp"
#include "poisson3d/grid.hpp"

namespace poisson3d::lines {

/// Which radices a step may have: of chirps a first, a middle and a last one …
struct MiddleRadices {
    static constexpr POISSON3D_HD bool has(int r) { return (r >= 2 && r <= 8) || r == 10 || r == 12 || r == 16; }
};
struct FirstRadices {
    static constexpr POISSON3D_HD bool has(int r) { return r % 2 == 0 && MiddleRadices::has(r); }
};
struct LastRadices {
    static constexpr POISSON3D_HD bool has(int r) { return r <= 8 && MiddleRadices::has(r); }
};
/// … and of prime steps.
struct PrimeFirstRadices {
    static constexpr POISSON3D_HD bool has(int r) { return (r >= 2 && r <= 13) || r == 16; }
};
struct PrimeMiddleRadices {
    static constexpr POISSON3D_HD bool has(int r) { return r >= 2 && r <= 8; }
};
struct PrimeLastRadices {
    static constexpr POISSON3D_HD bool has(int r) { return r >= 2 && r <= 10; }
};
/// … and of even and odd sequences (symmetric_chirp.hpp) all but the last one, and that.
struct SymmetricRadices {
    static constexpr POISSON3D_HD bool has(int r) { return (r >= 2 && r <= 16) || r == 20; }
};
struct SymmetricLastRadices {
    static constexpr POISSON3D_HD bool has(int r) {
        return r != 11 && r != 14 && r <= 16 && SymmetricRadices::has(r);
    }
};

/// Lengths of the FFTs of lines by a chirp whose numbers kernels know (known_chirp.hpp).
using KnownChirpLengths =
    std::integer_sequence<int, 80, 96, 112, 128, 144, 156, 165, 176, 182, 195, 208, 210, 224, 240, 256>;

/// Radices of the two steps of such an FFT: the last one is 16, or odd, and then it has no divisor in common with
/// the first.
struct ChirpRadices {
    int first = 0, last = 0;  ///< 0: it is not known
    /// Steps whose radices have no divisor in common need no twiddles.
    [[nodiscard]] constexpr bool coprime() const { return std::gcd(first, last) == 1; }
    /// Numbers without a divisor in common with first and last: position j is (number_first j mod first,
    /// number_last j mod last) where they need none.
    [[nodiscard]] constexpr int number_first() const { return last % 2 != 0 ? 1 : 2; }
    [[nodiscard]] constexpr int number_last() const { return last % 2 != 0 ? 2 : 1; }
};
constexpr ChirpRadices known_chirp_radices(Index length) {
    switch (length) {
        case 156: return {12, 13};
        case 165: return {11, 15};
        case 182: return {14, 13};
        case 195: return {13, 15};
        case 210: return {14, 15};
        default: break;
    }
    const bool known = length % 16 == 0 && length >= 80 && length <= 256 && length != 160 && length != 192;
    return known ? ChirpRadices{static_cast<int>(length / 16), 16} : ChirpRadices{};
}

/// From the first step to the last one: two at least, but of even and odd sequences.
struct Convolution {
    Index length = 0;  ///< 0: there is none
    std::vector<int> radices;
    Index cost = 0;  ///< an estimate
    /// Of even and odd sequences by kernels that know its numbers.
    [[nodiscard]] bool known() const {
        const ChirpRadices of_length = known_chirp_radices(length);
        return radices.size() == 2 && radices[0] == of_length.first && radices[1] == of_length.last;
    }
};

/// The cheapest one for a chirp of n elements: of length 2n or more.
Convolution chirp_convolution(Index n);

/// The cheapest one for a chirp of half period `half` between symmetric steps of radix r: their product is above 4
/// times the half period.
Convolution symmetric_convolution(Index half, int r);

/// The one of a step of prime radix p: of length p − 1; none if that has no radices, or p is no prime or too large.
Convolution prime_convolution(Index p);

}  // namespace poisson3d::lines
