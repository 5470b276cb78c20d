#include "convolution_radices.hpp"

#include <algorithm>
#include <limits>

#include "fft_plan.hpp"

namespace poisson3d::lines {

namespace {

constexpr int radices[] = {16, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2};
constexpr Index largest_prime = 4096;

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

/// The cheapest radices of length m; none: there are too many, or a prime factor is too large.
template <class First, class Last>
Convolution cheapest(Index m, InnerRadices& inner, std::size_t max_number) {
    Convolution best;
    for (const int first : radices) {
        if (!First::has(first) || m % first != 0) continue;
        for (const int last : radices) {
            if (!Last::has(last) || m / first % last != 0) continue;
            const Index rest = m / first / last;
            const std::vector<int>& middle = inner.of(rest);
            const Index cost = cost_of(m, first, middle.size());
            if ((middle.empty() && rest > 1) || middle.size() + 2 > max_number) continue;
            if (best.length > 0 && cost >= best.cost) continue;
            best = {m, {first}, cost};
            best.radices.insert(best.radices.end(), middle.begin(), middle.end());
            best.radices.push_back(last);
        }
    }
    return best;
}

bool is_prime(Index p) {
    if (p < 2) return false;
    for (Index factor = 2; factor * factor <= p; ++factor)
        if (p % factor == 0) return false;
    return true;
}

}  // namespace

Convolution chirp_convolution(Index n) {
    InnerRadices inner(&MiddleRadices::has);
    Convolution best;
    for (Index m = even_smooth_from(std::max<Index>(4, 2 * n)); best.length == 0 || 4 * m <= 5 * best.length;
         m = even_smooth_from(m + 1)) {
        const Convolution here = cheapest<FirstRadices, LastRadices>(m, inner, max_steps);
        if (here.length > 0 && (best.length == 0 || here.cost < best.cost)) best = here;
    }
    return best;
}

Convolution prime_convolution(Index p) {
    if (p > largest_prime || !prime_step_radix(static_cast<int>(p)) || !is_prime(p)) return {};
    InnerRadices inner(&PrimeMiddleRadices::has);
    return cheapest<PrimeFirstRadices, PrimeLastRadices>(p - 1, inner, max_parts);
}

}  // namespace poisson3d::lines
