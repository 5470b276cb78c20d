// The length and the radices of the FFTs of a convolution (convolution.hpp).
//
// Chirps want twice n elements, of which half are zeros; so the first radix is even. The last one is small, since a
// thread holds its butterfly and as many numbers of the filter.
#pragma once

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

/// … with which there are kernels that know a line's numbers (known_chirp.hpp), as the first of two steps, the last
/// one being 16.
constexpr POISSON3D_HD bool is_known_chirp(int first) {
    return first >= 5 && first <= 16;
}

/// … whose two radices have no divisor in common: they need no twiddles.
constexpr POISSON3D_HD bool coprime_chirp(int first) {
    return first % 2 != 0;
}

/// From the first step to the last one: two at least, but of even and odd sequences.
struct Convolution {
    Index length = 0;  ///< 0: there is none
    std::vector<int> radices;
    Index cost = 0;  ///< an estimate
    /// Of even and odd sequences by kernels that know its numbers.
    [[nodiscard]] bool known() const {
        return radices.size() == 2 && radices[1] == 16 && is_known_chirp(radices[0]);
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
