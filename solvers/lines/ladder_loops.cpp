// The ladders of a pack of μ. Compiled once per instruction set (POISSON3D_ISA names the namespace).
#include "ladder_loops.hpp"

#include "lane_packs.hpp"

namespace poisson3d::POISSON3D_ISA {

namespace {

using lines::Doubled;
using lines::LadderView;
using D = Doubled<P>;

constexpr int together = 4;          // packs of a count, so that divisions do not wait for each other
constexpr int rounds_of_single = 2;  // of μ in one double, where that is enough
constexpr int most_rounds = 10;

void count(const LadderView& chain, const double* shifts, double* below) {
    P mu[together], found[together];
    for (int i = 0; i < together; ++i) mu[i] = P::load_loose(shifts + i * P::lanes);
    lines::count_below<P, together>(chain, mu, found);
    for (int i = 0; i < together; ++i) found[i].store_loose(below + i * P::lanes);
}

void count_doubled(const LadderView& chain, const double* high, const double* low, double* below) {
    D mu[2];
    P found[2];
    for (int half = 0; half < together; half += 2) {
        for (int i = 0; i < 2; ++i) {
            const int at = (half + i) * P::lanes;
            mu[i] = D(P::load_loose(high + at), P::load_loose(low + at));
        }
        lines::count_below<D, 2>(chain, mu, found);
        for (int i = 0; i < 2; ++i) found[i].store_loose(below + (half + i) * P::lanes);
    }
}

/// The ladders at μ, the mode into `mode`, and what μ must change by.
template <class N>
struct Round {
    N change, norm;
    P square;  ///< of the norm of the residual over that of μ v: an eigenvalue is so near to μ, over μ
};

template <class N>
POISSON3D_INLINE Round<N> round_of(const LadderView& chain, const N& mu, const lines::LadderScratch<N>& scratch,
                                   N* mode) {
    lines::both_ladders(chain, mu, scratch);
    const lines::Twist<N> twist = lines::best_twist(chain, scratch);
    const N norm = lines::twisted_mode(chain, scratch, twist.node, mode);
    const N change = twist.current / norm;
    return {change, norm,
            (lines::leading(change) / lines::leading(mu)) * (lines::leading(twist.current) / lines::leading(mu)) /
                twist.volume};
}

void modes(const LadderView& chain, const lines::SingleEigenvalues& eigenvalues, double* scratch, double* out) {
    const int n = chain.nodes;
    const P low = P::load_loose(eigenvalues.low), high = P::load_loose(eigenvalues.high);
    const P distance = P::load_loose(eigenvalues.distance), fine = P::load_loose(eigenvalues.fine);
    const P none = P::all(0.0), one = P::all(1.0);
    D mu(P::load_loose(eigenvalues.value), P::load_loose(eigenvalues.value_low));
    {
        P* const p = reinterpret_cast<P*>(scratch);
        const lines::LadderScratch<P> parts{p, p + n, p + 2 * n, p + 3 * n};
        for (int round = 0; round < rounds_of_single; ++round) {
            const P next = mu.high + round_of(chain, mu.high, parts, p + 4 * n).change;
            const auto outside = less(next, low) | less(high, next) | less(none, fine);
            mu.high = chosen(outside, mu.high, next);
        }
    }
    D* const d = reinterpret_cast<D*>(scratch);
    const lines::LadderScratch<D> parts{d, d + n, d + 2 * n, d + 3 * n};
    D* const mode = d + 4 * n;
    const P part = 0x1p-56 * distance / P::load_loose(eigenvalues.value);
    const P least = P::all(0x1p-95);
    const P larger = chosen(less(part, least), least, part);
    const P enough = larger * larger;
    P failed = one;
    D norm;
    for (int round = 0; round < most_rounds; ++round) {
        const Round<D> result = round_of(chain, mu, parts, mode);
        norm = result.norm;
        const auto done = less(result.square, enough);
        failed = chosen(done, none, one);
        bool all_done = true;
        for (int l = 0; l < P::lanes; ++l) all_done = all_done && failed.v[l] == 0.0;
        if (all_done) break;
        mu = chosen(done, mu, quick_sum(mu, result.change));
    }
    const P margin = 0x1p-50 * mu.high;
    failed = chosen(less(mu.high, low - margin) | less(high + margin, mu.high), one, failed);
    // 1/√norm, the second part by a step of Newton's.
    const P root = one / square_root(norm.high);
    const D rest = D(one) - norm * D::product_of(root, root);
    const D scale = D::sum_of_ordered(root, 0.5 * (root * rest.high));
    for (int j = 0; j < n; ++j) (mode[j] * scale).high.store_loose(out + j * P::lanes);
    mu.high.store_loose(eigenvalues.value);
    mu.low.store_loose(eigenvalues.value_low);
    failed.store_loose(eigenvalues.failed);
}

}  // namespace

extern const lines::LadderLoops ladder_loops;
const lines::LadderLoops ladder_loops{together * P::lanes, P::lanes, &count, &count_doubled, &modes};

}  // namespace poisson3d::POISSON3D_ISA
