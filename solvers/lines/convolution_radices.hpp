// The length and the radices of the FFTs of a convolution (convolution.hpp).
//
// Chirps want twice n elements, of which half are zeros; so the first radix is even. The last one is small, since a
// thread holds its butterfly and as many numbers of the filter.
#pragma once

#include <initializer_list>
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

/// Radices of the two steps of such an FFT: the last one is the largest of 16, 15 and 13 that there can be.
struct ChirpRadices {
    int first = 0, last = 0;  ///< 0: it is not known
    /// Steps whose radices have no divisor in common need no twiddles: all with an odd last one.
    [[nodiscard]] constexpr bool coprime() const { return std::gcd(first, last) == 1; }
    /// a and b of known_chirp.hpp: position j is (a j mod first, b j mod last) where steps need no twiddles.
    [[nodiscard]] constexpr int a() const { return last == 16 ? 2 : 1; }
    [[nodiscard]] constexpr int b() const { return last == 16 ? 1 : 2; }
};
constexpr ChirpRadices known_chirp_radices(Index length) {
    const bool known = [&]<int... all>(std::integer_sequence<int, all...>) {
        return ((length == all) || ...);
    }
    (KnownChirpLengths{});
    for (const int last : {16, 15, 13})
        if (known && length % last == 0) return {static_cast<int>(length / last), last};
    return {};
}
/// The length of an FFT of these two steps if it is known, else 0.
constexpr int known_chirp_length(int first, int last) {
    const ChirpRadices known = known_chirp_radices(Index{first} * last);
    return known.first == first && known.last == last ? first * last : 0;
}

/// From the first step to the last one: two at least, but of even and odd sequences.
struct Convolution {
    Index length = 0;  ///< 0: there is none
    std::vector<int> radices;
    Index cost = 0;  ///< an estimate
    /// Of even and odd sequences by kernels that know its numbers.
    [[nodiscard]] bool known() const {
        return radices.size() == 2 && known_chirp_length(radices[0], radices[1]) > 0;
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
