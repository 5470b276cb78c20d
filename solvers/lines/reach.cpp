#include "reach.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace poisson3d::lines {

namespace {

/// What the current of each node from `from` to the one before `to` is multiplied by when it goes to the next of
/// them, where the first one has `tie` to a node at u = 0.
template <class T>
std::vector<double> factors_between(const ChainView<T>& chain, double kappa, int from, int to, T tie) {
    const auto excess = [&](int j) { return static_cast<double>(chain.excess(static_cast<T>(kappa), j)); };
    const int step = from < to ? 1 : -1;
    RunOfLinks<double> run{static_cast<double>(tie), excess(from)};
    std::vector<double> factors;
    for (int j = from; j != to; j += step)
        factors.push_back(run.step(static_cast<double>(chain.links[std::max(j, j + step)]), excess(j + step)).next);
    return factors;
}

/// The nodes from an end on until those beyond neither give nor, which with uneven steps is another thing, are
/// given anything that counts. `away` from that end, `towards` it: the last factor is that of its neighbour.
template <class T>
int nodes_that_count(const std::vector<double>& towards, const std::vector<double>& away) {
    constexpr double negligible = std::numeric_limits<T>::epsilon() / 16;
    double given = 1.0, taken = 1.0;
    int count = 1;
    for (std::size_t i = 0; i < away.size(); ++i, ++count) {
        given *= towards[towards.size() - 1 - i];
        taken *= away[i];
        if (std::max(given, taken) < negligible) break;
    }
    return count;
}

}  // namespace

template <class T>
Reach reach_of(const ChainView<T>& chain, double kappa) {
    const int n = chain.nodes;
    const auto between = [&](int from, int to, T tie) { return factors_between(chain, kappa, from, to, tie); };
    Reach reach;
    reach.last = nodes_that_count<T>(between(0, n - 1, chain.links[0]), between(n - 1, 0, T(0)));
    if (n > 1) reach.first = nodes_that_count<T>(between(n - 2, 0, chain.links[n - 1]), between(0, n - 2, T(0)));
    return reach;
}

template Reach reach_of(const ChainView<float>&, double);
template Reach reach_of(const ChainView<double>&, double);

}  // namespace poisson3d::lines
