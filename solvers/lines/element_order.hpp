// Where the samples of a real line stand that ends as a real DFT of N points: sample j is element n, with a sign.
//
//     DFT                     n = j
//     DCT-II, DST-II          j = 2n, or 2N − 1 − 2n where that is less                 (Makhoul 1980)
//     DCT-IV, DST-IV, N odd   j = (N − 1)/2 + 4n, folded
//
// All of these are places start + 2^shift n of a line that is continued evenly about −½ and N − ½, of type IV oddly
// about N − ½. Of sine transforms samples of type IV are reversed, and those with odd j of type II, n ≥ N/2, are
// negative. Host and device share this file.
#pragma once

#include "host_device.hpp"

namespace poisson3d::lines {

struct ElementOrder {
    int length = 1;            ///< N
    int start = 0, shift = 0;  ///< step = 2^shift
    bool reversed = false;
    bool alternate = false;           ///< odd samples of type II are negative
    int negative = 0, negatives = 0;  ///< of type IV: that element and those that follow

    /// The sample of element n: its place modulo 4N, folded twice.
    [[nodiscard]] POISSON3D_HD int sample(int n) const {
        const auto least = [](unsigned one, unsigned other) { return one < other ? one : other; };
        const auto period = 2 * static_cast<unsigned>(length);
        auto place = static_cast<unsigned>(start + (n << shift));
        place = least(place, place - 2 * period);  // the difference is huge where it is negative
        place = least(place, place - period);
        place = least(place, period - 1 - place);
        return static_cast<int>(reversed ? static_cast<unsigned>(length) - 1 - place : place);
    }
    /// Of type IV.
    [[nodiscard]] POISSON3D_HD bool is_negative(int n) const {
        return static_cast<unsigned>(n - negative) < static_cast<unsigned>(negatives);
    }
    /// The element of sample `index`: one of its images is a multiple of 2^shift away from `start`.
    [[nodiscard]] POISSON3D_HD int element(int index) const {
        if (shift < 2) return (shift == 1 && index % 2 == 1 ? 2 * length - 1 - index : index) >> shift;
        const int inner = reversed ? length - 1 - index : index;
        const int images[] = {inner, 2 * length - 1 - inner, 2 * length + inner, 4 * length - 1 - inner};
        int found = 0;
        POISSON3D_UNROLL
        for (int i = 0; i < 4; ++i) found = ((images[i] - start) & 3) == 0 ? images[i] : found;
        return (found < start ? found + 4 * length - start : found - start) / 4;
    }
};

}  // namespace poisson3d::lines
