// The radix of the symmetric step of type I lines (symmetric.hpp).
#pragma once

#include <algorithm>
#include <limits>

#include "fft_plan.hpp"
#include "outer_radices.hpp"
#include "pair_map.hpp"

namespace poisson3d::lines {

/// Of the step on the samples' side of type I lines of half period N: for kernels the one that costs least, for the
/// host the largest even one.
template <class Format>
int symmetric_radix(Index half) {
    int best = 2;
    double least = std::numeric_limits<double>::infinity();
    for (const int r : symmetric_radices<Format>) {
        if (2 * half % r != 0) continue;
        if (!Format::few_twiddles) return r;
        const Index length = 2 * half / r;
        double cost = 12 * static_cast<double>((r / 2 + 1) * length);  // of a chirp, about
        if (has_radices(length)) {
            const Radices radices = radices_of(length, false);
            const bool common =
                std::ranges::all_of(radices.inner, [](int inner) { return has_inner_radix(Inner::common, inner); });
            cost = symmetric_cost(r, half, static_cast<Index>(radices.inner.size()), radices.modes, common);
            if (cost < 0) continue;
        } else if (r == 16) {
            continue;
        }
        if (cost < least) best = r, least = cost;
    }
    return best;
}

}  // namespace poisson3d::lines
