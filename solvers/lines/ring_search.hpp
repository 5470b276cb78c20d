// Groups of eigenvalues of a ring that are near each other and apart from the others, one group in each lane, and
// their modes: nodes are held, as many as modes (cut_ring.hpp); μ goes to the mean of the Rayleigh quotients within
// what these nodes give, with the second order, until it is as near as doubles tell; then modes are improved
// (ring_refinement.hpp) until what they miss of their equation proves that they are right.
#pragma once

#include "ring_refinement.hpp"

namespace poisson3d::lines {

/// Groups of `modes` eigenvalues each. Arrays have an element for each lane.
struct SoughtModes {
    int modes;
    const double *low, *high;  ///< where they lie
    const double* distance;    ///< to the next one
    double* values;            ///< the eigenvalues, ascending, by mode and lane
    double* failed;            ///< 1: they were not found
};

template <class V>
constexpr int lanes_of = static_cast<int>(sizeof(V) / sizeof(double));

/// Packs or numbers that find_ring_modes() works in.
constexpr long ring_scratch(long nodes, long modes) {
    return 4 * nodes + 1 + 2 * nodes * modes + modes + SmallModes<double>::numbers(static_cast<int>(modes));
}

template <class V>
class RingSearch {
public:
    static constexpr int lanes = lanes_of<V>;

    POISSON3D_HD RingSearch(const RingView& ring, const SoughtModes& sought, V* memory)
        : whole_(ring), sought_(sought), memory_(memory) {
        const int n = ring.nodes, m = sought.modes;
        V* next = memory;
        const auto take = [&](int count) __attribute__((always_inline)) {
            V* const taken = next;
            next += count;
            return taken;
        };
        ring_.nodes = n;
        ring_.modes = m;
        small_ = SmallModes<V>::in(take(SmallModes<V>::numbers(m)), m);
        ring_.links = take(n + 1);
        ring_.volumes = take(n);
        ring_.free = take(n);
        ring_.inverse = take(n);
        ring_.vectors = take(n * m);
        ring_.changes = take(n * m);
        ring_.held = take(m);
        low_ = loaded(sought.low);
        high_ = loaded(sought.high);
        distance_ = loaded(sought.distance);
        width_ = high_ - low_;
    }

    /// modes[(node·lanes + lane)·sought.modes + mode], with Σ D v² = 1.
    POISSON3D_HD void find(double* modes) {
        hold_nodes();
        approach();
        improve();
        hand_over(modes);
    }

private:
    static constexpr int most_approaches = 8, most_improvements = 12, patient = 6;
    static constexpr double near = 0x1p-30;         ///< of the distance to the next one: then modes are improved
    static constexpr double beside = 0x1p-28;       ///< of that distance, where ladders lose too much
    static constexpr double most_beside = 0x1p-12;  ///< in the end, if that was not enough
    static constexpr double most_growth = 0x1p27;
    static constexpr double told = 0x1p-48;    ///< relative: doubles tell no more
    static constexpr double enough = 0x1p-56;  ///< of the distance to the next one, to miss of the equation
    static constexpr double enough_at_last = 0x1p-53;
    static constexpr double least = 0x1p-90;           ///< of the eigenvalue
    static constexpr double exactly_changed = 0x1p-8;  ///< square of a change, over rounding, times the growth
    static constexpr double far = 0x1p-10;             ///< of μ: then δ, which doubles tell, is too much of it
    static constexpr double summed = 0x1p-46;          ///< of δ, by which a sum of as many terms may be wrong
    static constexpr double rounding = 0x1p-58;        ///< of the eigenvalue, what it may be wrong by

    static POISSON3D_HD V loaded(const double* p) { return from_lanes(p, static_cast<const V*>(nullptr)); }

    /// A little below the group, so that all of its modes are seen.
    POISSON3D_HD void hold_nodes() {
        const V below = low_ - larger(0.5 * width_, 0x1p-10 * distance_);
        if (whole_.grounded) {
            to_lanes(all<V>(static_cast<double>(ring_.nodes - 1)), first_);
            cut();
            hold_next(ring_, below, 0);
            to_lanes(ring_.held[0] - all<V>(1.0), first_);
        } else {
            to_lanes(clearest_node(whole_, below, ring_.links), first_);
        }
        cut();
        ring_.held[0] = all<V>(0.0);
        for (int which = 1; which < ring_.modes; ++which) hold_next(ring_, below, which);
        least_volume_ = ring_.volumes[0];
        if (ring_.modes == 1) return;
        for (int t = 1; t < ring_.nodes; ++t)
            least_volume_ =
                chosen(both(less(ring_.free[t], all<V>(0.5)),
                            both(less(all<V>(0.0), ring_.volumes[t]), less(ring_.volumes[t], least_volume_))),
                       ring_.volumes[t], least_volume_);
    }

    /// The ring, from each lane's first node on.
    POISSON3D_HD void cut() {
        const int n = ring_.nodes;
        for (int t = 0; t < n; ++t) {
            double links[lanes], volumes[lanes], free[lanes];
            for (int l = 0; l < lanes; ++l) {
                const int node = at(l, t);
                const bool ground = whole_.grounded && node + 1 == n;
                links[l] = whole_.links[node];
                volumes[l] = ground ? 0.0 : whole_.volumes[node];
                free[l] = ground || t == 0 ? 0.0 : 1.0;
            }
            ring_.links[t] = loaded(links);
            ring_.volumes[t] = loaded(volumes);
            ring_.free[t] = loaded(free);
        }
        ring_.links[n] = ring_.links[0];
    }

    /// Of the ring's node, that of lane `lane`.
    [[nodiscard]] POISSON3D_HD int at(int lane, int t) const {
        const int node = t + static_cast<int>(first_[lane]);
        return node < ring_.nodes ? node : node - ring_.nodes;
    }

    POISSON3D_HD void approach() {
        mu_ = 0.5 * (low_ + high_);
        for (int round = 0; round < most_approaches; ++round) {
            climb_near(mu_, beside);
            for (int a = 0; a < ring_.modes; ++a) {
                put(a, a, respond(ring_, a));
                for (int b = 0; b < a; ++b) put(a, b, products(ring_, a, b));
            }
            factor(small_);
            const V next = mean_value(small_);
            const V before = mu_;
            mu_ = chosen(outside(next), mu_, next);
            if (!any(less(larger(near * distance_, told * mu_), magnitude(mu_ - before)))) return;
        }
    }
    /// At μ, or beside it where a part of an arc has a mode there.
    POISSON3D_HD void climb_near(V mu, double part) {
        laddered_ = mu;
        growth_ = climb(ring_, mu);
        const auto lost = less(all<V>(most_growth), growth_);
        if (!any(lost)) return;
        laddered_ = chosen(lost, mu + part * distance_, mu);
        growth_ = climb(ring_, laddered_);
    }
    POISSON3D_HD void put(int a, int b, const Products<V>& of) {
        small_.mass[small_.at(a, b)] = of.mass;
        small_.rest[small_.at(a, b)] = of.energy;
    }
    /// An interval is much less wide than others are away.
    [[nodiscard]] POISSON3D_HD auto outside(V mu) const {
        return either(less(mu, low_ - width_), less(high_ + width_, mu));
    }

    POISSON3D_HD void improve() {
        const V none = all<V>(0.0), one = all<V>(1.0);
        exact_ = mu_;
        double part = beside;
        for (int round = 0; round < most_improvements; ++round) {
            for (int a = 0; a < ring_.modes; ++a) find_residual(ring_, exact_, a, small_);
            for (int a = 1; a < ring_.modes; ++a)
                for (int b = 0; b < a; ++b) find_products(ring_, a, b, small_);
            factor(small_);
            const V mean = mean_value(small_);
            V size = none, second = none, missing = none;
            for (int a = 0; a < ring_.modes; ++a) {
                const V each = one / small_.mass[small_.at(a, a)].high;
                const Change<V> change = solve_change(ring_, small_, a);
                size = size + each * change.size;
                second = second + each * magnitude(change.second);
                missing = missing + each * change.missing;
            }
            add_changes(ring_, small_);
            factor(small_);
            find_modes(small_);
            V apart = none, moved = none;  // what is found from λ, and from μ
            for (int a = 0; a < ring_.modes; ++a) {
                apart = larger(apart, magnitude((exact_.high - laddered_) + exact_.low + small_.values[a]));
                moved = larger(moved, magnitude(small_.values[a]));
            }
            const V allowed = larger((round < patient ? enough : enough_at_last) * distance_, least * exact_.high);
            const V at_held = larger(allowed, summed * apart);
            const auto far_from_right = either(less(allowed * allowed, (apart * apart) * size),
                                               less(at_held * at_held, missing / least_volume_));
            const auto far_from_told = either(
                less(rounding * exact_.high, second),
                either(less(far * exact_.high, moved), less(all<V>(exactly_changed), (growth_ * growth_) * size)));
            const auto wrong = either(far_from_right, far_from_told);
            // What is no number is not less.
            failed_ = chosen(wrong, one, chosen(less((size + missing) + (second + apart), all<V>(1.0)), none, one));
            if (!any(less(none, failed_))) return;
            if (round + 1 == most_improvements) return;
            take_changes(ring_, small_);
            exact_ = quick_sum(exact_, Doubled<V>(mean));
            part = 4.0 * part < most_beside ? 4.0 * part : most_beside;
            climb_near(exact_.high, part);
        }
    }

    POISSON3D_HD void hand_over(double* modes) {
        const int m = ring_.modes, stored = whole_.grounded ? ring_.nodes - 1 : ring_.nodes;
        for (int a = 0; a < m; ++a) {
            const V value = exact_.high + (exact_.low + small_.values[a]);
            failed_ = chosen(outside(value), all<V>(1.0), failed_);
            to_lanes(value, sought_.values + a * lanes);
        }
        to_lanes(failed_, sought_.failed);
        for (int t = 0; t < ring_.nodes; ++t)
            for (int a = 0; a < m; ++a) {
                double v[lanes];
                to_lanes(mode_at(ring_, small_, a, t), v);
                for (int l = 0; l < lanes; ++l)
                    if (const int node = at(l, t); node < stored) modes[(node * lanes + l) * m + a] = v[l];
            }
    }

    RingView whole_;
    SoughtModes sought_;
    V* memory_;
    CutRing<V> ring_;
    SmallModes<V> small_;
    double first_[lanes] = {};  ///< of each lane, the node that is its first
    V low_, high_, distance_, width_, least_volume_, mu_, laddered_, growth_, failed_;
    Doubled<V> exact_;
};

}  // namespace poisson3d::lines
