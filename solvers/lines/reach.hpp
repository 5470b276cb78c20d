// How far into a part of a line along an eliminated axis the sources reach that its ends feel.
//
// What a node j of a part adds to the current of the last one is w_j b_j, w_j = m_j m_{j+1} … of the nodes between
// them (elimination.hpp), and likewise to the node left of the part. On uniform steps h every m is at most e^{−θ},
// 2 cosh θ = 2 + κ h²: of most modes the nodes that count, w ≥ eps/16, are a few dozen at either end, and what is
// between them need not be read to reduce the part.
#pragma once

#include "elimination.hpp"

namespace poisson3d::lines {

/// Nodes at the last and at the first end of a part that count.
struct Reach {
    int last = 0, first = 0;
};

/// The nodes of a chain, a part's, that count at κ, and at any larger one.
template <class T>
Reach reach_of(const ChainView<T>& chain, double kappa);

/// An end of a part reduced from the farthest node that counts to that end, as if the node beyond were held at u =
/// 0: the current of the last node, or what the node left of the part gets. `current(j)` is that into node j.
template <bool last, class T, class V, class Current>
V reduce_near_end(const ChainView<T>& chain, V kappa, int count, const Current& current) {
    constexpr T held = T(0x1p100);  // a tie against which all others are nothing
    Run<V> run{{V{} + held, V{}}, {V{}}};
    for (int done = 0; done < count; ++done) {
        const int j = last ? chain.nodes - count + done : count - 1 - done;
        run.step(chain.links[last ? j : j + 1], chain.excess(kappa, j), current(j));
    }
    if (last) return run.current;
    const T link = chain.links[0];
    return link * reciprocal(run.tie + run.excess + link) * run.current;
}

}  // namespace poisson3d::lines
