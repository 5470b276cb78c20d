#include "ring_modes.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

#include "isolated_eigenvalues.hpp"
#include "mode_matrices.hpp"
#include "ring_search.hpp"

namespace poisson3d::lines {

namespace {

constexpr double single_width = 0x1p-16,
                 doubled_width = 0.5 * RingSearch::margin;  // counts lose half of all digits
constexpr double close_pair = 0x1p-20;  ///< relative distance below which two modes are found together

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
