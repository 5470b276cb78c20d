// The length and the radices of the FFTs that convolve a line with a chirp (chirp.hpp).
//
// Twice n elements are wanted, of which half are zeros; so the first radix is even. The last one is small, since a
// thread holds its butterfly and as many numbers of the filter.
#pragma once

#include <vector>

#include "host_device.hpp"
#include "poisson3d/grid.hpp"

namespace poisson3d::lines {

/// Which radices a step may have: of a first, a middle and a last one.
struct MiddleRadices {
    static constexpr POISSON3D_HD bool has(int r) { return (r >= 2 && r <= 8) || r == 10 || r == 12 || r == 16; }
};
struct FirstRadices {
    static constexpr POISSON3D_HD bool has(int r) { return r % 2 == 0 && MiddleRadices::has(r); }
};
struct LastRadices {
    static constexpr POISSON3D_HD bool has(int r) { return r <= 8 && MiddleRadices::has(r); }
};

/// From the first step to the last one, two at least. Their product is 2n or more.
struct Convolution {
    Index length = 0;
    std::vector<int> radices;
    Index cost = 0;  ///< an estimate
};

/// The cheapest one of n elements.
Convolution convolution_of(Index n);

}  // namespace poisson3d::lines
