// The lengths of lines that kernels know (known_pass.hpp). solvers/CMakeLists.txt reads this file, and compiles
// them.
#pragma once

#include <utility>

namespace poisson3d::fused {

// Of 64 to 1024 without prime factors above 7, from 256 on all, and multiples of 128 above …
using KnownLengths =
    std::integer_sequence<int,  //
                          64, 96, 100, 120, 128, 144, 160, 180, 192, 200, 240, 250, 256, 270, 280, 288, 294, 300,
                          315, 320, 324, 336, 343, 350, 360, 375, 378, 384, 392, 400, 405, 420, 432, 441, 448, 450,
                          480, 486, 490, 500, 504, 512, 525, 540, 560, 567, 576, 588, 600, 625, 630, 640, 648, 672,
                          675, 686, 700, 720, 729, 735, 750, 756, 768, 784, 800, 810, 840, 864, 875, 882, 896, 900,
                          945, 960, 972, 980, 1000, 1008, 1024, 1152, 1280, 1536, 2048, 2304, 3072, 4096>;

/// … of them those of which there are kernels whose results are sent to others (sent_pass.hpp) …
using KnownSentLengths = std::integer_sequence<int, 128, 256, 384, 512, 768, 1024>;
/// … and those that have kernels that add to what they read (added_pass.hpp).
using AddedLengths = std::integer_sequence<int, 256, 384, 512, 768, 1024>;

/// Half periods of type I lines that kernels know (known_symmetric_pass.hpp).
using KnownHalfPeriods =
    std::integer_sequence<int,  //
                          256, 270, 280, 288, 294, 300, 315, 320, 324, 336, 343, 350, 360, 375, 378, 384, 392, 400,
                          405, 420, 432, 441, 448, 450, 480, 486, 490, 500, 504, 512, 525, 540, 560, 567, 576, 588,
                          600, 625, 630, 640, 648, 672, 675, 686, 700, 720, 729, 735, 750, 756, 768, 784, 800, 810,
                          840, 864, 875, 882, 896, 900, 945, 960, 972, 980, 1000, 1008, 1024>;

/// with.template operator()<length>() for the one that is `rows`; false if there is none.
template <class With, int... known>
bool with_known_length(std::integer_sequence<int, known...>, int rows, const With& with) {
    return ((rows == known && with.template operator()<known>()) || ...);
}

}  // namespace poisson3d::fused
