#include "ring_modes.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <numeric>

#include "isolated_eigenvalues.hpp"
#include "mode_matrices.hpp"
#include "ring_ladders.hpp"

namespace poisson3d::lines {

namespace {

constexpr double single_width = 0x1p-16,
                 doubled_width = 0x1p-46;  ///< counts near a resonance lose half of all digits
constexpr double close_pair = 0x1p-20;     ///< relative distance below which two modes are found together
constexpr std::array beside_pair{0x1p-34, 0x1p-26, 0x1p-18,
                                 0x1p-10};  ///< relative, from a pair to where j is chosen, tried in turn
constexpr double enough = 0x1p-56;          ///< of the distance to the next eigenvalue
constexpr double least = 0x1p-90;           ///< of the eigenvalue
constexpr double rounding = 0x1p-50;
constexpr int most_rounds = 12;

using Vector = std::vector<DoubleDouble>;

DoubleDouble root(const DoubleDouble& x) {
    if (!(x.high > 0.0)) return 0.0;
    const DoubleDouble first = std::sqrt(x.high);
    return first + (x - first * first) * (0.5 / first.high);
}

void scale(Vector& v, const DoubleDouble& by) {
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
        const double margin = 2.0 * doubled_width * mu.high;
        return static_cast<double>(mu - sought.low) >= -margin && static_cast<double>(sought.high - mu) >= -margin;
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

/// Begins beside where the ring is finest, since there its mirror images often meet, and modes are 0; a power of
/// two makes the greatest conductance and volume about 1.
struct ScaledRing : Ring {
    std::size_t first = 0;
    double unit = 1.0;

    explicit ScaledRing(const Chain& chain) {
        const std::size_t n = chain.volumes.size();
        const auto fineness = [&](std::size_t j) {
            return (chain.links[j] + chain.links[j + 1]) / chain.volumes[j];
        };
        for (std::size_t j = 1; j < n; ++j)
            if (fineness(j) > fineness(first)) first = j;
        first = (first + 1) % n;
        const double link = std::ranges::max(chain.links);  // 0 if one node is all
        const int of_links = link > 0.0 ? std::ilogb(link) : 0;
        const int of_volumes = std::ilogb(std::ranges::max(chain.volumes));
        for (std::size_t j = 0; j < n; ++j) {
            links.push_back(std::ldexp(chain.links[(j + first) % n], -of_links));
            volumes.push_back(std::ldexp(chain.volumes[(j + first) % n], -of_volumes));
        }
        links.push_back(links.front());
        unit = std::ldexp(1.0, of_links - of_volumes);
    }

    /// As for a chain without ground (ladder_modes.cpp), and Gershgorin's.
    [[nodiscard]] EigenvalueRange range() const {
        double resistance = 0.0, bound = 0.0;
        for (std::size_t j = 0; j < volumes.size(); ++j) {
            resistance += 1.0 / links[j];
            bound = std::max(bound, (links[j] + links[j + 1]) / volumes[j]);
        }
        const double volume = std::accumulate(volumes.begin(), volumes.end(), 0.0);
        return {1,
                nodes(),
                std::max(0.5 / (resistance * volume), 0x1p-1000),
                2.001 * bound,
                single_width,
                doubled_width};
    }
};

template <class Body>
void for_each(ThreadTeam* team, Index count, const Body& body) {
    const auto some = [&](Index begin, Index end, int) {
        for (Index i = begin; i < end; ++i) body(static_cast<std::size_t>(i));
    };
    if (team == nullptr)
        some(0, count, 0);
    else if (count > 0)
        team->parallel_for(count, 1, some);
}

/// Of group i, with its neighbours.
Sought sought_of(const std::vector<EigenvalueGroup>& groups, std::size_t i) {
    const EigenvalueGroup& group = groups[i];
    const auto to = [&](std::size_t k) {
        return k < i ? static_cast<double>(group.low - groups[k].high)
                     : static_cast<double>(groups[k].low - group.high);
    };
    Sought sought{group.low, group.high, group.distance, group.distance, false, group.count == 2 ? -1 : 0};
    const double near = close_pair * group.high.high;
    if (group.count > 1 || group.distance > near) return sought;
    sought.close = true;
    const bool above = i + 1 < groups.size() && to(i + 1) <= group.distance;
    sought.which = above ? 0 : 1;
    const std::size_t other = above ? i + 1 : i - 1;
    if (i == 0 && !above) return sought;
    double distance = group.low.high;
    for (std::size_t k = i > 1 ? i - 2 : 0; k < std::min(i + 3, groups.size()); ++k)
        if (k != i && k != other) distance = std::min(distance, to(k));
    sought.pair_distance = distance;
    return sought;
}

}  // namespace

std::optional<ChainModes> ring_ladder_modes(const Chain& chain, ThreadTeam* team) {
    const ScaledRing ring(chain);
    const std::size_t n = chain.volumes.size();
    const auto count = [&](const std::vector<DoubleDouble>& shifts, bool doubled) {
        std::vector<Index> counts(shifts.size());
        for_each(team, static_cast<Index>(shifts.size()), [&](std::size_t i) {
            counts[i] = doubled ? count_below(ring, shifts[i]) : count_below(ring, shifts[i].high);
        });
        return counts;
    };
    const std::vector<EigenvalueGroup> groups = isolated_eigenvalues(ring.range(), count);
    ModeMatrices matrices(chain.volumes);
    const double root_of_total = std::sqrt(exact_sum(ring.volumes));
    std::atomic<bool> failed = false;
    for_each(team, static_cast<Index>(groups.size()), [&](std::size_t i) {
        if (groups[i].count > 2) {
            failed = true;
            return;
        }
        RingSearch search(ring);
        std::vector<Vector> found(static_cast<std::size_t>(groups[i].count), Vector(n));
        std::vector<DoubleDouble> mu(found.size());
        const Sought sought = sought_of(groups, i);
        if (!(found.size() == 1 ? search.find(sought, mu[0], found[0])
                                : search.find_both(sought, mu.data(), found.data())))
            failed = true;
        for (std::size_t m = 0; m < found.size(); ++m) {
            const std::size_t k = static_cast<std::size_t>(groups[i].first) + m;
            matrices.modes.eigenvalues[k] = mu[m].high * ring.unit;
            for (std::size_t j = 0; j < n; ++j)
                matrices.put(k, (j + ring.first) % n, found[m][j].high, root_of_total);
        }
    });
    if (failed || !matrices.separate()) return std::nullopt;
    matrices.put_constant();
    return std::move(matrices.modes);
}

}  // namespace poisson3d::lines
