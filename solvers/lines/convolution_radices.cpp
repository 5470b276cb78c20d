#include "convolution_radices.hpp"

#include <algorithm>
#include <limits>

#include "fft_plan.hpp"

namespace poisson3d::lines {

namespace {

constexpr int radices[] = {20, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2};
constexpr Index largest_prime = 4096;

/// The least product of `even` and numbers 2, 3, 5 and 7 that is no less than n.
Index smooth_from(Index n, Index even) {
    Index least = std::numeric_limits<Index>::max();
    for (Index seven = even; seven < least; seven *= 7)
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

/// Of even and odd sequences every step but the last reads and writes all elements, padded, twice. Kernels that
/// know their lines (known_chirp.hpp) take half of the time, so that longer ones for them are cheaper, too.
Index symmetric_cost_of(const std::vector<int>& of_steps, int r) {
    if (r == 16 && of_steps.size() == 2)
        if (const int known = known_chirp_length(of_steps[0], of_steps[1]); known > 0) return known;
    return static_cast<Index>(of_steps.size()) * padded_length_of({1, of_steps, 1});
}

/// The cheapest radices of length m; none: there are too many, or a prime factor is too large.
template <class First, class Last, class Cost>
Convolution cheapest(Index m, InnerRadices& inner, std::size_t max_number, const Cost& cost_of_steps) {
    Convolution best;
    for (const int first : radices) {
        if (!First::has(first) || m % first != 0) continue;
        for (const int last : radices) {
            if (!Last::has(last) || m / first % last != 0) continue;
            const Index rest = m / first / last;
            const std::vector<int>& middle = inner.of(rest);
            if ((middle.empty() && rest > 1) || middle.size() + 2 > max_number) continue;
            std::vector<int> all{first};
            all.insert(all.end(), middle.begin(), middle.end());
            all.push_back(last);
            const Index cost = cost_of_steps(all);
            if (best.length == 0 || cost < best.cost) best = {m, std::move(all), cost};
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

/// The cheapest of what `find` makes of the lengths from `length` on, up to a quarter more than the best so far.
template <class Next, class Find>
Convolution cheapest_from(Index length, const Next& next, const Find& find) {
    Convolution best;
    for (; best.length == 0 || 4 * length <= 5 * best.length; length = next(length + 1)) {
        const Convolution here = find(length);
        if (here.length > 0 && (best.length == 0 || here.cost < best.cost)) best = here;
    }
    return best;
}

/// Of the steps of a convolution of length m by chirps or prime steps.
auto cost_of_length(Index m) {
    return [m](const std::vector<int>& steps) { return cost_of(m, steps.front(), steps.size() - 2); };
}

}  // namespace

Convolution chirp_convolution(Index n, bool known) {
    if (const int length = known ? known_periodic_length(n) : 0; length > 0) {
        const ChirpRadices radices = known_periodic_radices(length);
        return {Index{periodic_chirp_radix} * length, {periodic_chirp_radix, radices.first, radices.last}};
    }
    InnerRadices inner(&MiddleRadices::has);
    const auto next = [](Index from) { return smooth_from(from, 2); };
    return cheapest_from(next(std::max<Index>(4, 2 * n)), next, [&](Index m) {
        return cheapest<FirstRadices, LastRadices>(m, inner, max_steps, cost_of_length(m));
    });
}

Convolution symmetric_convolution(Index half, int r) {
    constexpr Index few = 4096;  // so that every length can be tried, those with factors 11 and 13, too
    InnerRadices inner(&SymmetricRadices::has);
    const auto next = [](Index from) { return from < few ? from : smooth_from(from, 1); };
    const auto cost_of_steps = [r](const std::vector<int>& steps) { return symmetric_cost_of(steps, r); };
    return cheapest_from(next(std::max<Index>(2, 4 * half / r + 1)), next, [&](Index m) -> Convolution {
        if (SymmetricLastRadices::has(static_cast<int>(std::min(m, few)))) {
            std::vector<int> alone{static_cast<int>(m)};
            const Index cost = symmetric_cost_of(alone, r);
            return {m, std::move(alone), cost};
        }
        return cheapest<SymmetricRadices, SymmetricLastRadices>(m, inner, max_steps, cost_of_steps);
    });
}

Convolution prime_convolution(Index p) {
    if (p > largest_prime || !prime_step_radix(static_cast<int>(p)) || !is_prime(p)) return {};
    InnerRadices inner(&PrimeMiddleRadices::has);
    return cheapest<PrimeFirstRadices, PrimeLastRadices>(p - 1, inner, max_parts, cost_of_length(p - 1));
}

}  // namespace poisson3d::lines
