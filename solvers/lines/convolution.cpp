#include "convolution.hpp"

#include <algorithm>
#include <limits>

#include "fft_plan.hpp"

namespace poisson3d::lines {

namespace {

constexpr int radices[] = {16, 12, 10, 8, 7, 6, 5, 4, 3, 2};

/// The least even product of 2, 3, 5 and 7 that is no less than n.
Index even_smooth_from(Index n) {
    Index least = std::numeric_limits<Index>::max();
    for (Index seven = 2; seven < least; seven *= 7)
        for (Index five = seven; five < least; five *= 5)
            for (Index three = five; three < least; three *= 3) {
                Index m = three;
                while (m < n) m *= 2;
                least = std::min(least, m);
                if (three >= n) break;
            }
    return least;
}

/// Elements that are read or written, in halves of m: a middle step does all of it twice, the last one once, the
/// first one half of it twice. For every line a first step of a large radix reads the chirp and its twiddles anew,
/// which registers do not hold.
Index cost_of(Index m, int first, std::size_t middle) {
    return m * (8 * static_cast<Index>(middle) + 4 + 6 + (first > 8 ? 2 : 0));
}

/// The cheapest radices of length m; none: there are too many.
Convolution cheapest(Index m, InnerRadices& inner) {
    Convolution best;
    for (const int first : radices) {
        if (!FirstRadices::has(first) || m % first != 0) continue;
        for (const int last : radices) {
            if (!LastRadices::has(last) || m / first % last != 0) continue;
            const std::vector<int>& middle = inner.of(m / first / last);
            const Index cost = cost_of(m, first, middle.size());
            if (middle.size() + 2 > max_steps || (best.length > 0 && cost >= best.cost)) continue;
            best = {m, {first}, cost};
            best.radices.insert(best.radices.end(), middle.begin(), middle.end());
            best.radices.push_back(last);
        }
    }
    return best;
}

}  // namespace

Convolution convolution_of(Index n) {
    InnerRadices inner(&MiddleRadices::has);
    Convolution best;
    for (Index m = even_smooth_from(std::max<Index>(4, 2 * n)); best.length == 0 || 4 * m <= 5 * best.length;
         m = even_smooth_from(m + 1)) {
        const Convolution here = cheapest(m, inner);
        if (here.length > 0 && (best.length == 0 || here.cost < best.cost)) best = here;
    }
    return best;
}

}  // namespace poisson3d::lines
