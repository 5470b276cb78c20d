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

/// Radices of the two steps of such an FFT.
struct ChirpRadices {
    int first = 0, last = 0;  ///< 0: it is not known
    /// Steps whose radices have no divisor in common need no twiddles.
    [[nodiscard]] constexpr bool coprime() const { return std::gcd(first, last) == 1; }
    /// a and b of known_chirp.hpp.
    [[nodiscard]] constexpr int a() const { return last % 8 == 0 ? 2 : 1; }
    [[nodiscard]] constexpr int b() const { return last % 8 == 0 ? 1 : 2; }
    /// Where position j is in rows of `last`, and the mode in element e of row d after both steps.
    [[nodiscard]] constexpr Index place(Index j) const {
        return coprime() ? last * (a() * j % first) + b() * j % last : j;
    }
    [[nodiscard]] constexpr Index mode(Index d, Index e) const {
        return coprime() ? (a() * last * d + b() * first * e) % (Index{first} * last) : d + first * e;
    }
};
/// The last one is the largest of 16, 15 and 13 that there can be.
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

/// The same of periodic lines (known_periodic_chirp.hpp), of the FFTs behind a first step of radix 16.
using KnownPeriodicLengths = std::integer_sequence<int, 35, 40, 42, 48, 56, 60, 64, 70, 80, 84, 96, 112, 128>;
inline constexpr int periodic_chirp_radix = 16;

/// Without a common divisor, if there are such; the last one is 8, 7, 5 or 3.
constexpr ChirpRadices known_periodic_radices(int length) {
    for (const bool coprime : {true, false})
        for (const int last : {8, 7, 5, 3})
            if (length % last == 0 && MiddleRadices::has(length / last))
                if (const ChirpRadices radices{length / last, last}; radices.coprime() || !coprime) return radices;
    return {};
}
/// The shortest FFTs for a line of n, 0 if none are known.
constexpr int known_periodic_length(Index n) {
    return [&]<int... known>(std::integer_sequence<int, known...>) {
        int found = 0;
        ((found = found == 0 && n > 256 && n <= Index{8} * known ? known : found), ...);
        return found;
    }
    (KnownPeriodicLengths{});
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

/// The cheapest one for a chirp of n elements: of length 2n or more. `known`: one whose numbers kernels know, where
/// there is.
Convolution chirp_convolution(Index n, bool known = false);

/// The cheapest one for a chirp of half period `half` between symmetric steps of radix r: their product is above 4
/// times the half period.
Convolution symmetric_convolution(Index half, int r);

/// The one of a step of prime radix p: of length p − 1; none if that has no radices, or p is no prime or too large.
Convolution prime_convolution(Index p);

}  // namespace poisson3d::lines
