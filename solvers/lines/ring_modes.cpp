#include "ring_modes.hpp"

#include <algorithm>
#include <cmath>

#include "isolated_eigenvalues.hpp"
#include "mode_matrices.hpp"
#include "poisson3d/memory.hpp"
#include "ring_loops.hpp"
#include "scaled_chain.hpp"

namespace poisson3d::lines {

namespace {

constexpr double narrowest = 0x1p-28, ring_several_width = 0x1p-20, ring_times_apart = 256.0;  ///< EigenvalueRange
constexpr double told_by_counts = 0x1p-22;  ///< of rings: those nearer to each other are found together
constexpr Index most_modes = 1000;          ///< of a group
constexpr Index most_modes_in_lanes = 4;    ///< of a group; more are rare, and take much memory

/// As a ring: a chain has ground for one more node, with links to both of its ends.
struct ScaledRing : ScaledChain {
    std::vector<double> ring_links, ring_volumes;
    RingView ring;
    bool has_constant;

    explicit ScaledRing(const Chain& chain)
        : ScaledChain(chain),
          ring_links(links),
          ring_volumes(volumes),
          has_constant(view.ground[0] == 0.0 && view.ground[1] == 0.0) {
        if (!chain.ring) {
            ring_links.front() = view.ground[0];
            ring_links.back() = view.ground[1];
            ring_links.push_back(view.ground[0]);
            ring_volumes.push_back(1.0);
        }
        ring = {static_cast<int>(ring_volumes.size()), ring_links.data(), ring_volumes.data(), !chain.ring};
    }

    [[nodiscard]] EigenvalueRange range() const {
        EigenvalueRange range{has_constant ? 1 : 0, view.nodes, lower_bound(), upper_bound(), narrowest, 0.0};
        range.several_width = ring_several_width;
        range.least_distance = ring.grounded ? 0.0 : told_by_counts;
        range.times_apart = ring_times_apart;
        return range;
    }
};

class RingBuilder {
public:
    RingBuilder(const Chain& chain, ThreadTeam* team)
        : ring_(chain),
          team_(team),
          n_(chain.volumes.size()),
          root_(std::sqrt(exact_sum(ring_.volumes))),
          matrices_(chain.volumes) {}

    std::optional<ChainModes> build() {
        std::vector<EigenvalueGroup> groups = isolated_eigenvalues(
            ring_.range(), [&](const std::vector<DoubleDouble>& shifts, bool) { return counted(shifts); });
        std::ranges::stable_sort(groups, {}, &EigenvalueGroup::count);
        for (auto first = groups.begin(); first != groups.end();) {
            const auto last = std::find_if(first, groups.end(),
                                           [&](const EigenvalueGroup& each) { return each.count != first->count; });
            if (!find({first, last})) return std::nullopt;
            first = last;
        }
        if (!matrices_.separate()) return std::nullopt;
        if (ring_.has_constant) matrices_.put_constant();
        return std::move(matrices_.modes);
    }

private:
    template <class Body>
    void for_each(Index count, const Body& body) {
        const auto some = [&](Index begin, Index end, int thread) {
            for (Index i = begin; i < end; ++i) body(static_cast<std::size_t>(i), static_cast<std::size_t>(thread));
        };
        if (team_ == nullptr)
            some(0, count, 0);
        else if (count > 0)
            team_->parallel_for(count, 1, some);
    }

    std::vector<Index> counted(const std::vector<DoubleDouble>& shifts) {
        const auto together =
            static_cast<std::size_t>(ring_.ring.grounded ? ladder_loops().shifts : ring_loops().shifts);
        const std::size_t calls = (shifts.size() + together - 1) / together;
        std::vector<double> mu(calls * together, shifts.back().high), below(calls * together);
        for (std::size_t i = 0; i < shifts.size(); ++i) mu[i] = shifts[i].high;
        for_each(static_cast<Index>(calls), [&](std::size_t call, std::size_t) {
            const std::size_t first = call * together;
            if (ring_.ring.grounded)
                ladder_loops().count(ring_.view, &mu[first], &below[first]);
            else
                ring_loops().count(ring_.ring, &mu[first], &below[first]);
        });
        return {below.begin(), below.begin() + static_cast<std::ptrdiff_t>(shifts.size())};
    }

    /// Groups of as many modes each, a group in each lane.
    bool find(const std::vector<EigenvalueGroup>& groups) {
        if (groups.front().count > most_modes) return false;
        const bool in_lanes = groups.front().count <= most_modes_in_lanes;
        const auto modes = static_cast<std::size_t>(groups.front().count);
        const std::size_t lanes = in_lanes ? static_cast<std::size_t>(ring_loops().lanes) : 1;
        const auto work =
            static_cast<std::size_t>(ring_scratch(ring_.ring.nodes, static_cast<long>(modes))) * lanes;
        const std::size_t each = (work + n_ * modes * lanes + 7) / 8 * 8;
        const HostBuffer buffer(each * sizeof(double) *
                                (team_ == nullptr ? 1 : static_cast<std::size_t>(team_->size())));
        const std::size_t calls = (groups.size() + lanes - 1) / lanes;
        std::vector<double> low(calls * lanes), high(low), distance(low), values(low.size() * modes), failed(low);
        for (std::size_t i = 0; i < low.size(); ++i) {
            const EigenvalueGroup& group = groups[std::min(i, groups.size() - 1)];
            low[i] = group.low.high;
            high[i] = group.high.high;
            distance[i] = group.distance;
        }
        for_each(static_cast<Index>(calls), [&](std::size_t call, std::size_t thread) {
            const std::size_t first = call * lanes;
            double* const scratch = static_cast<double*>(buffer.data()) + each * thread;
            double* const found = scratch + work;
            const SoughtModes sought{static_cast<int>(modes), &low[first],   &high[first], &distance[first],
                                     &values[first * modes],  &failed[first]};
            if (in_lanes)
                ring_loops().find(ring_.ring, sought, scratch, found);
            else
                RingSearch<double>(ring_.ring, sought, scratch).find(found);
            put(groups, first, std::min(lanes, groups.size() - first), lanes, sought, found);
        });
        return std::ranges::find(failed, 1.0) == failed.end();
    }

    void put(const std::vector<EigenvalueGroup>& groups, std::size_t first, std::size_t here, std::size_t lanes,
             const SoughtModes& sought, const double* found) {
        const auto modes = static_cast<std::size_t>(sought.modes);
        for (std::size_t l = 0; l < here; ++l)
            for (std::size_t a = 0; a < modes; ++a)
                matrices_.modes.eigenvalues[static_cast<std::size_t>(groups[first + l].first) + a] =
                    sought.values[a * lanes + l] * ring_.unit;
        for (std::size_t j = 0; j < n_; ++j)
            for (std::size_t l = 0; l < here; ++l)
                for (std::size_t a = 0; a < modes; ++a)
                    matrices_.put(static_cast<std::size_t>(groups[first + l].first) + a, j,
                                  found[(j * lanes + l) * modes + a], root_);
    }

    ScaledRing ring_;
    ThreadTeam* team_;
    std::size_t n_;
    double root_;
    ModeMatrices matrices_;
};

}  // namespace

std::optional<ChainModes> ring_ladder_modes(const Chain& chain, ThreadTeam* team) {
    return RingBuilder(chain, team).build();
}

}  // namespace poisson3d::lines
