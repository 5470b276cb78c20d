// A line of modes eliminated: the currents b into the nodes of a chain or ring of conductances (chain.hpp) become
// its potentials u,
//
//     g_j (u_j − u_{j−1}) + g_{j+1} (u_j − u_{j+1}) + e_j u_j = b_j        e_j = κ D_j + G_j ≥ 0
//
// A node between two others, tied by k to the one on the left and by w to the next, with e = s to ground, goes by
//
//     z = 1/(k + w + s)    a = k z    m = w z    q = b z           later u = q + a u_left + m u_next
//     left: s_l += a s, b_l += a b        next: s += m s, b += m b        between left and next: k = a w
//
// Nothing is subtracted: the excess s of the diagonal is carried, the diagonal is never formed, and every result is
// a sum, product or quotient of numbers of one sign. The error of a pivot telescopes: any product of m's is right
// to 4 n eps whatever the condition number.
//
// Runs: of every 16 nodes the last one stays, those before it are eliminated from the left of the run. What stays
// is a chain or ring again and treated alike, so that errors hardly grow with the length. A ring is opened at its
// last node, which is also the left neighbour of the first run; a chain is the ring whose g_0 is 0. V may be a pack
// of SIMD lanes, a line in each. Source: Peña, ETNA 18 (2004), for elimination by off-diagonals and excess; Higham,
// "Accuracy and Stability of Numerical Algorithms" (2002), chapter 9, for what forming the diagonal costs.
#pragma once

#include "elimination_run.hpp"

namespace poisson3d::lines {

/// Nodes of a run; the last one stays.
inline constexpr int run_nodes = 16;

/// What stands beyond a free end: a chain of steps h without end, f = 0. Its modes decay by r, r + 1/r = 2 + κh²,
/// so that for its first node all the rest is ground of (1 − r)/h = √κ / (√(1 + a²) + a), a = √κ h/2.
template <class T>
struct FreeEnd {
    T half_step = 0;  ///< h/2; 0: the end is not free
    T unit = 1;       ///< of conductances

    [[nodiscard]] POISSON3D_HD bool there() const { return half_step > T(0); }
    template <class V>
    [[nodiscard]] POISSON3D_HD V ground(V kappa) const {
        const V root = square_root(kappa);
        const V a = half_step * root;
        return quotient(unit * root, square_root(a * a + T(1)) + a);
    }
};

/// The nodes of an axis by its tables. All are scaled so that links are about 1, which changes no u.
template <class T>
struct ChainView {
    int nodes = 0;
    const T* links = nullptr;    ///< g_0 … g_n; g_0 = g_n closes a ring, else 0
    const T* volumes = nullptr;  ///< D_j
    T ground[2] = {};            ///< G of the first and of the last node
    FreeEnd<T> beyond[2] = {};   ///< … and more where they are next to free ends

    /// The excess of node j where κ = `kappa`.
    template <class V>
    [[nodiscard]] POISSON3D_HD V excess(V kappa, int j) const {
        return with_ground(volumes[j] * kappa, kappa, j);
    }
    template <class V>
    [[nodiscard]] POISSON3D_HD V with_ground(V sum, V kappa, int j) const {
        if (j == 0) sum = sum + ground_at(0, kappa);
        if (j == nodes - 1) sum = sum + ground_at(1, kappa);
        return sum;
    }
    template <class V>
    [[nodiscard]] POISSON3D_HD V ground_at(int side, V kappa) const {
        const V wall = V{} + ground[side];
        return beyond[side].there() ? wall + beyond[side].ground(kappa) : wall;
    }
    /// `count` of its nodes, from `first` on; its first link is that to the node before.
    [[nodiscard]] ChainView part(int first, int count) const {
        ChainView some{count, links + first, volumes + first};
        if (first == 0) some.ground[0] = ground[0], some.beyond[0] = beyond[0];
        if (first + count == nodes) some.ground[1] = ground[1], some.beyond[1] = beyond[1];
        return some;
    }
};

/// Numbers of a line that eliminate_line works with.
constexpr long elimination_work(long nodes) {
    long sum = 0;
    for (bool more = true; more; nodes = (nodes + run_nodes - 1) / run_nodes) {
        more = nodes > run_nodes;
        sum += 2 * nodes + 3 * ((nodes + run_nodes - 1) / run_nodes);
    }
    return sum;
}

/// Nodes as they come from a chain …
template <class T, class V>
struct NodesOfChain {
    ChainView<T> chain;
    V kappa;
    const V* currents;
    [[nodiscard]] POISSON3D_HD T link(int j) const { return chain.links[j]; }
    [[nodiscard]] POISSON3D_HD V excess(int j) const { return chain.excess(kappa, j); }
    [[nodiscard]] POISSON3D_HD V current(int j) const { return currents[j]; }
};
/// … and those that stay.
template <class V, class Row = const V*>
struct NodesThatStay {
    Row links, excesses, currents;
    [[nodiscard]] POISSON3D_HD V link(int j) const { return links[j]; }
    [[nodiscard]] POISSON3D_HD V excess(int j) const { return excesses[j]; }
    [[nodiscard]] POISSON3D_HD V current(int j) const { return currents[j]; }
};

/// What is left of a line when all nodes but the last are eliminated: that node, tied to the left neighbour of the
/// line's first one, and what the neighbour got. Only the two currents depend on b.
template <class V>
struct LineEnds {
    V tie, excess, current;
    V left_excess, left_current;
};

/// Eliminates the nodes first … last of a run but the last one. `u` may be where the currents are. Rows are
/// pointers, or what is indexed like them.
template <class V, class Nodes, class Row>
POISSON3D_HD Run<V> reduce_run(const Nodes& nodes, int first, int last, Row u, Row left, Row next) {
    Run<V> run{{V{} + nodes.link(first), nodes.excess(first)}, {nodes.current(first)}};
    for (int j = first; j < last; ++j) {
        const NodeWithRest<V> node = run.step(nodes.link(j + 1), nodes.excess(j + 1), nodes.current(j + 1));
        left[j] = node.left;
        next[j] = node.next;
        u[j] = node.rest;
    }
    return run;
}

/// u of the nodes of such a run.
template <class V, class Row, class Factors>
POISSON3D_HD void substitute_run(int first, int last, V on_the_left, V on_the_right, Row u, Factors left,
                                 Factors next) {
    u[last] = on_the_right;
    for (int j = last - 1; j >= first; --j)
        on_the_right = u[j] = u[j] + left[j] * on_the_left + next[j] * on_the_right;
}

/// Eliminates n nodes but the last, by one thread. `u` may be where the currents are; `work` has
/// elimination_work(n) elements. substitute_line() finds both as this leaves them.
template <class V, class Nodes>
LineEnds<V> reduce_line(const Nodes& nodes, int n, V* u, V* work) {
    const int runs = (n + run_nodes - 1) / run_nodes;
    V* const left = work;
    V* const next = left + n;
    V* const links = next + n;  // of the nodes that stay …
    V* const excesses = links + runs;
    V* const currents = excesses + runs;
    V first_excess{}, first_current{};
    for (int t = 0; t < runs; ++t) {
        const int first = t * run_nodes;
        const int last = t < runs - 1 ? first + run_nodes - 1 : n - 1;
        const Run<V> run = reduce_run<V>(nodes, first, last, u, left, next);
        links[t] = run.tie;
        excesses[t] = run.excess;
        currents[t] = run.current;
        V& excess_left = t == 0 ? first_excess : excesses[t - 1];
        V& current_left = t == 0 ? first_current : currents[t - 1];
        excess_left = excess_left + run.left_excess;
        current_left = current_left + run.left_current;
    }
    if (runs == 1) return {links[0], excesses[0], currents[0], first_excess, first_current};
    LineEnds<V> ends = reduce_line(NodesThatStay<V>{links, excesses, currents}, runs, currents, currents + runs);
    ends.left_excess = ends.left_excess + first_excess;
    ends.left_current = ends.left_current + first_current;
    return ends;
}

/// u of n nodes that reduce_line() has eliminated, from those of the left neighbour of the first and of the last.
template <class V>
void substitute_line(int n, V on_the_far_left, V on_the_far_right, V* u, V* work) {
    const int runs = (n + run_nodes - 1) / run_nodes;
    const V* const left = work;
    const V* const next = left + n;
    V* const staying = work + 2 * n + 2 * runs;
    if (runs == 1)
        staying[0] = on_the_far_right;
    else
        substitute_line(runs, on_the_far_left, on_the_far_right, staying, staying + runs);
    for (int t = 0; t < runs; ++t)
        substitute_run<V>(t * run_nodes, t < runs - 1 ? (t + 1) * run_nodes - 1 : n - 1,
                          t == 0 ? on_the_far_left : staying[t - 1], staying[t], u, left, next);
}

/// u of the last node of a whole chain or ring, which is its own left neighbour.
template <class V>
POISSON3D_HD V last_potential(const LineEnds<V>& ends) {
    return (ends.current + ends.left_current) / (ends.excess + ends.left_excess);
}

/// u of all n nodes of a chain or ring.
template <class V, class Nodes>
void eliminate_line(const Nodes& nodes, int n, V* u, V* work) {
    const V last = last_potential(reduce_line(nodes, n, u, work));
    substitute_line(n, last, last, u, work);
}

/// The same of so few that they are one run, as a thread of a device does it. `work` has 2n elements.
template <class V, class Nodes>
POISSON3D_HD void eliminate_one_run(const Nodes& nodes, int n, V* u, V* work) {
    const Run<V> run = reduce_run<V>(nodes, 0, n - 1, u, work, work + n);
    const V last = last_potential(LineEnds<V>{run.tie, run.excess, run.current, run.left_excess, run.left_current});
    substitute_run<V>(0, n - 1, last, last, u, work, work + n);
}

/// Rows that eliminate_two_levels() works with.
constexpr long two_level_rows(long nodes) {
    return 2 * nodes + 5 * ((nodes + run_nodes - 1) / run_nodes);
}

/// The same of some runs, whose last nodes are one run: for up to a few hundred nodes. `work` has two_level_rows(n)
/// elements. Row: numbers by row[j], and the row from j on by row + j.
template <class V, class Nodes, class Row>
POISSON3D_HD void eliminate_two_levels(const Nodes& nodes, int n, Row u, Row work) {
    const int runs = (n + run_nodes - 1) / run_nodes;
    const Row left = work, next = work + n;
    const Row links = next + n, excesses = links + runs, currents = excesses + runs, upper = currents + runs;
    V first_excess{}, first_current{};  // what the last node gets from the first run, whose left neighbour it is
    for (int t = 0; t < runs; ++t) {
        const int first = t * run_nodes;
        const int last = t < runs - 1 ? first + run_nodes - 1 : n - 1;
        const Run<V> run = reduce_run<V>(nodes, first, last, u, left, next);
        links[t] = run.tie;
        excesses[t] = run.excess;
        currents[t] = run.current;
        if (t == 0) {
            first_excess = run.left_excess;
            first_current = run.left_current;
        } else {
            excesses[t - 1] = excesses[t - 1] + run.left_excess;
            currents[t - 1] = currents[t - 1] + run.left_current;
        }
    }
    const Run<V> run =
        reduce_run<V>(NodesThatStay<V, Row>{links, excesses, currents}, 0, runs - 1, currents, upper, upper + runs);
    const V at_end = last_potential(LineEnds<V>{run.tie, run.excess, run.current, run.left_excess + first_excess,
                                                run.left_current + first_current});
    substitute_run<V>(0, runs - 1, at_end, at_end, currents, upper, upper + runs);
    for (int t = 0; t < runs; ++t)
        substitute_run<V>(t * run_nodes, t < runs - 1 ? (t + 1) * run_nodes - 1 : n - 1,
                          t == 0 ? at_end : V(currents[t - 1]), currents[t], u, left, next);
}

/// What flows into the nodes whose potentials are u, the reverse of eliminate_line, one after the other:
/// body(j, b_j). Differences first (neighbours.hpp). `before` and `after` stand beside the first and the last node.
template <class T, class V, class Body>
void for_each_current(const ChainView<T>& chain, V kappa, const V* u, V before, V after, const Body& body) {
    const int n = chain.nodes;
    for (int j = 0; j < n; ++j) {
        const V to_left = chain.links[j] * (u[j] - (j > 0 ? u[j - 1] : before));
        const V to_next = chain.links[j + 1] * (u[j] - (j < n - 1 ? u[j + 1] : after));
        body(j, to_left + to_next + chain.excess(kappa, j) * u[j]);
    }
}

}  // namespace poisson3d::lines
