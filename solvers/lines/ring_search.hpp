// One or two modes of a ring, by holding node 0 and a node j (ring_ladders.hpp): j is chosen where they are large,
// and μ improved until the mode is as far from the next one as rounding can tell.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "ring_ladders.hpp"

namespace poisson3d::lines {

using Vector = std::vector<DoubleDouble>;

inline DoubleDouble root(const DoubleDouble& x) {
    if (!(x.high > 0.0)) return 0.0;
    const DoubleDouble first = std::sqrt(x.high);
    return first + (x - first * first) * (0.5 / first.high);
}

inline void scale(Vector& v, const DoubleDouble& by) {
    for (DoubleDouble& each : v) each = each * by;
}

/// An eigenvalue of two, or one, and where it lies.
struct Sought {
    DoubleDouble low, high;
    double distance;       ///< to the next one
    double pair_distance;  ///< to the next ones but the one that is close
    bool close;            ///< there is one
    int which;             ///< of the two: 0 the lower; −1 both
};

class RingSearch {
public:
    static constexpr double margin = 0x1p-45;  ///< relative, of where eigenvalues lie

    explicit RingSearch(const Ring& ring) : ring_(ring), n_(ring.nodes()), second_(static_cast<std::size_t>(n_)) {}

    /// Σ D v² = 1.
    bool find(const Sought& sought, DoubleDouble& mu, Vector& v) {
        if (sought.close && improve_pair(sought, mu, v)) return true;
        return improve(sought, false, 0.0, mu, v);
    }
    /// Two eigenvalues that counts do not tell apart: both at once if that is good for both, else each.
    bool find_both(Sought sought, DoubleDouble* mu, Vector* v) {
        if (improve_pair(sought, mu[0], v[0])) {
            mu[1] = mu[0];
            v[1] = second_;
            return true;
        }
        for (const int which : {0, 1}) {
            sought.which = which;
            if (!improve_pair(sought, mu[which], v[which])) return false;
        }
        return true;
    }

private:
    /// Relative, from a pair to where j is chosen, one after the other until the equation holds.
    static constexpr std::array beside_pair{0x1p-34, 0x1p-26, 0x1p-18, 0x1p-10};
    static constexpr double enough = 0x1p-56;    ///< of the distance to the next eigenvalue
    static constexpr double least = 0x1p-90;     ///< of the eigenvalue
    static constexpr double rounding = 0x1p-50;  ///< of the greatest row
    static constexpr int most_rounds = 12;

    [[nodiscard]] DoubleDouble product(const Vector& a, const Vector& b) const {
        DoubleDouble sum = 0.0;
        for (int i = 0; i < n_; ++i) sum = sum + a[i] * b[i] * ring_.volumes[i];
        return sum;
    }

    /// Where most of the mode is seen, or both modes are.
    [[nodiscard]] int best_node(const DoubleDouble& mu, bool pair) const {
        const std::vector<HeldNodes> held = estimated_held_nodes(ring_, mu);
        int best = 1;
        double most = -1.0;
        for (int j = 1; j < n_; ++j) {
            const HeldNodes& h = held[j];
            const double seen =
                pair
                    ? 1.0 / (std::abs(h.first.high) / ring_.volumes[0] + std::abs(h.second.high) / ring_.volumes[j])
                    : ring_.volumes[j] / std::abs((h.second - h.mixed * h.mixed / h.first).high);
            if (!(seen > most)) continue;
            most = seen;
            best = j;
        }
        return best;
    }

    void respond(const Arc& before, const Arc& behind, int node, const DoubleDouble& at_first,
                 const DoubleDouble& at_node, Vector& v) const {
        v[0] = at_first;
        v[node] = at_node;
        for (int i = 1; i < node; ++i) v[i] = at_first * before.of_first[i] + at_node * before.of_last[i];
        for (int i = node + 1; i < n_; ++i)
            v[i] = at_node * behind.of_first[i - node] + at_first * behind.of_last[i - node];
    }

    /// Whether the equation holds to the digits of doubles, beside the greatest row: where both held nodes miss a
    /// mode that the arcs have by themselves, responses have no digits.
    [[nodiscard]] bool solves(const DoubleDouble& mu, const Vector& v) const {
        double square = 0.0, largest = 0.0;
        for (int i = 0; i < n_; ++i) {
            const double before = ring_.links[i], after = ring_.links[i + 1], volume = ring_.volumes[i];
            const double left = (v[i] - v[i > 0 ? i - 1 : n_ - 1]).high, right = (v[i] - v[(i + 1) % n_]).high;
            const double missing = before * left + after * right - mu.high * volume * v[i].high;
            square += missing * missing / volume;
            largest = std::max(largest, (before + after) / volume);
        }
        return std::sqrt(square) <= rounding * largest;
    }

    bool improve_pair(const Sought& sought, DoubleDouble& mu, Vector& v) {
        return std::ranges::any_of(beside_pair,
                                   [&](double beside) { return improve(sought, true, beside, mu, v); });
    }
    bool improve(const Sought& sought, bool pair, double beside, DoubleDouble& mu, Vector& v) {
        mu = (sought.low + sought.high) * 0.5;
        const double distance = pair ? sought.pair_distance : sought.distance;
        const int node = best_node(pair ? sought.low - sought.low * beside : mu, pair);
        for (int round = 0; round < most_rounds; ++round) {
            const Arc before(ring_, mu, 0, node), behind(ring_, mu, node, n_);
            const HeldNodes held{before.at_first + behind.at_last - mu * ring_.volumes[0],
                                 -(before.across + behind.across),
                                 before.at_last + behind.at_first - mu * ring_.volumes[node]};
            double residual = 0.0;
            const DoubleDouble change = pair ? of_pair(before, behind, node, held, sought.which, v, residual)
                                             : of_single(before, behind, node, held, v, residual);
            mu = mu + change;
            if (residual <= std::max(enough * distance, least * mu.high))
                return lies_in(sought, mu) && solves(mu, v) && (!pair || sought.which >= 0 || solves(mu, second_));
            if (!(mu.high > 0.0)) return false;
        }
        return false;
    }

    [[nodiscard]] static bool lies_in(const Sought& sought, const DoubleDouble& mu) {
        const double by = margin * mu.high;
        return static_cast<double>(mu - sought.low) >= -by && static_cast<double>(sought.high - mu) >= -by;
    }

    /// The response to a current at the node, or at node 0 where that is more.
    DoubleDouble of_single(const Arc& before, const Arc& behind, int node, const HeldNodes& held, Vector& v,
                           double& residual) const {
        const bool first =
            ring_.volumes[node] * std::abs(held.first.high) < ring_.volumes[0] * std::abs(held.second.high);
        const DoubleDouble ratio = -(held.mixed / (first ? held.second : held.first));
        const DoubleDouble missing = (first ? held.first : held.second) + held.mixed * ratio;
        respond(before, behind, node, first ? DoubleDouble(1.0) : ratio, first ? ratio : DoubleDouble(1.0), v);
        const DoubleDouble norm = product(v, v);
        scale(v, DoubleDouble(1.0) / root(norm));
        residual = std::abs(missing.high) / std::sqrt(norm.high * ring_.volumes[first ? 0 : node]);
        return missing / norm;
    }

    /// Γ c = δ N c by responses that are made orthonormal; the other solution into second_.
    DoubleDouble of_pair(const Arc& before, const Arc& behind, int node, const HeldNodes& held, int which,
                         Vector& v, double& residual) {
        Vector& w = second_;
        respond(before, behind, node, 1.0, 0.0, v);
        respond(before, behind, node, 0.0, 1.0, w);
        const DoubleDouble a = DoubleDouble(1.0) / root(product(v, v));
        scale(v, a);
        const DoubleDouble part = product(v, w);
        for (int i = 0; i < n_; ++i) w[i] = w[i] - v[i] * part;
        const DoubleDouble b = DoubleDouble(1.0) / root(product(w, w));
        scale(w, b);
        const DoubleDouble c = -(part * a * b);  // v = a p, w = b q + c p for the responses p and q
        const DoubleDouble pq = c * held.first + b * held.mixed;
        const DoubleDouble h11 = a * a * held.first, h12 = a * pq;
        const DoubleDouble h22 = c * pq + b * (c * held.mixed + b * held.second);
        const DoubleDouble half = (h11 - h22) * 0.5, middle = (h11 + h22) * 0.5;
        const DoubleDouble apart = root(half * half + h12 * h12);
        const DoubleDouble lower = middle - apart, upper = middle + apart;
        residual = which < 0 ? std::max(std::abs(lower.high), std::abs(upper.high))
                             : std::abs(which == 0 ? lower.high : upper.high);
        if (apart.high > 0.0) {
            // (h12, δ − h11) or (δ − h22, h12), whichever sums what does not cancel.
            const DoubleDouble off = which == 1 ? apart : -apart;
            const bool other = (which == 1) == (half.high < 0.0);
            DoubleDouble x = other ? h12 : off + half, y = other ? off - half : h12;
            const DoubleDouble norm = DoubleDouble(1.0) / root(x * x + y * y);
            x = x * norm;
            y = y * norm;
            for (int i = 0; i < n_; ++i) {
                const DoubleDouble one = v[i] * x + w[i] * y;
                w[i] = w[i] * x - v[i] * y;
                v[i] = one;
            }
        }
        return which < 0 ? middle : which == 0 ? lower : upper;
    }

    const Ring& ring_;
    int n_;
    Vector second_;
};

}  // namespace poisson3d::lines
