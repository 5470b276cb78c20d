#include "chain_spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace poisson3d {

namespace {

constexpr double resolution = 1e-9;  ///< of eigenvalues, over the greatest

/// How many eigenvalues are below σ. Every node is eliminated, with conductances k to the last one and w to the
/// next.
Index count_below(const Chain& chain, double sigma) {
    const std::size_t last = chain.volumes.size() - 1;
    const auto excess = [&](std::size_t j) {
        return (j == 0 ? chain.ground[0] : 0.0) + (j == last ? chain.ground[1] : 0.0) - sigma * chain.volumes[j];
    };
    Index count = 0;
    double own = excess(0);
    double of_last = last > 0 ? excess(last) : 0.0;
    double k = chain.links.front();
    for (std::size_t j = 0; j < last; ++j) {
        const bool before_last = j + 1 == last;
        const double w = chain.links[j + 1] + (before_last ? k : 0.0);
        if (before_last) k = 0.0;
        double pivot = k + w + own;
        // After a pivot of next to nothing all is large, and what is added to it is lost: digits stay if it is
        // moved a little away from 0, and the excess with it. A ring of equal steps has a pivot of 0 at half its
        // greatest eigenvalue, where bisection begins.
        if (const double least = resolution * (std::abs(k) + std::abs(w)); std::abs(pivot) < least) {
            own += least - pivot;
            pivot = least;
        }
        if (pivot < 0.0) ++count;
        const double share = own / pivot;
        of_last += k * share;
        own = w * share + (before_last ? of_last : excess(j + 1));
        k *= w / pivot;
    }
    return own < 0.0 ? count + 1 : count;
}

}  // namespace

double chain_eigenvalue(const Chain& chain, Index k) {
    if (k >= static_cast<Index>(chain.volumes.size())) return std::numeric_limits<double>::infinity();
    if (k == 0 && chain.ground[0] == 0.0 && chain.ground[1] == 0.0) return 0.0;
    double low = 0.0;
    double high = std::ranges::max(row_norms(chain));
    while (high - low > resolution * high) {
        const double middle = low + 0.5 * (high - low);
        (count_below(chain, middle) > k ? high : low) = middle;
    }
    return high;
}

}  // namespace poisson3d
