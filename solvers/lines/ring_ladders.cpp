#include "ring_ladders.hpp"

namespace poisson3d::lines {

namespace {

/// What those before leave: the tie to node 0, and what they add to the current node and to node 0.
struct Eliminated {
    DoubleDouble tie, here, first;
};

/// Past node `node`, with `link` to the next one.
Eliminated past(const Ring& ring, const DoubleDouble& mu, const Eliminated& before, int node, double link) {
    const TiedNode<DoubleDouble> tied(link, before.tie, sum(before.here, -(mu * ring.volumes[node])));
    return {tied.tie * link, tied.ground * link, sum(before.first, before.tie * tied.ground)};
}

}  // namespace

Arc::Arc(const Ring& ring, const DoubleDouble& mu, int first, int last)
    : of_first(static_cast<std::size_t>(last - first)), of_last(of_first.size()) {
    DoubleDouble z = ring.links[first + 1];
    across = z;
    for (int i = first + 1; i < last; ++i) {
        const Series<DoubleDouble> series = in_series(ring.links[i + 1], sum(z, -(mu * ring.volumes[i])));
        of_last[i - first] = series.ratio;
        z = series.conductance;
        across = across * series.ratio;
    }
    at_last = z;
    z = ring.links[last];
    for (int i = last - 1; i > first; --i) {
        const Series<DoubleDouble> series = in_series(ring.links[i], sum(z, -(mu * ring.volumes[i])));
        of_first[i - first] = series.ratio;
        z = series.conductance;
    }
    at_first = z;
    for (int i = first + 2; i < last; ++i) of_first[i - first] = of_first[i - first] * of_first[i - first - 1];
    for (int i = last - 2; i > first; --i) of_last[i - first] = of_last[i - first] * of_last[i - first + 1];
}

std::vector<HeldNodes> estimated_held_nodes(const Ring& ring, const DoubleDouble& mu) {
    const int n = ring.nodes();
    std::vector<HeldNodes> held(static_cast<std::size_t>(n));
    Eliminated left{ring.links[1], 0.0, 0.0};
    for (int j = 1; j < n; ++j) {
        held[j] = {left.first + left.tie, -left.tie, left.here + left.tie};
        if (j + 1 < n) left = past(ring, mu, left, j, ring.links[j + 1]);
    }
    Eliminated right{ring.links[n], 0.0, 0.0};
    for (int j = n - 1; j > 0; --j) {
        held[j] = {held[j].first + right.first + right.tie - mu * ring.volumes[0], held[j].mixed - right.tie,
                   held[j].second + right.here + right.tie - mu * ring.volumes[j]};
        if (j > 1) right = past(ring, mu, right, j, ring.links[j]);
    }
    return held;
}

}  // namespace poisson3d::lines
