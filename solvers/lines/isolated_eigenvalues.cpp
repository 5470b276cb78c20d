#include "isolated_eigenvalues.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace poisson3d::lines {

namespace {

constexpr double fewest_apart = 16.0;  ///< distances over widths
constexpr double margin = 1.0 / 16;    ///< what counts of doubles may be wrong by, of the least width
constexpr double chain_single_width = 0x1p-42, chain_doubled_width = 0x1p-90;

struct Interval {
    DoubleDouble low, high;
    Index below, count;
};

double width(const Interval& interval) {
    return static_cast<double>(interval.high - interval.low);
}

/// To the neighbours, or to 0.
double distance(const std::vector<Interval>& all, std::size_t i) {
    const double before = static_cast<double>(all[i].low - (i > 0 ? all[i - 1].high : DoubleDouble(0.0)));
    if (i + 1 == all.size()) return before;
    return std::min(before, static_cast<double>(all[i + 1].low - all[i].high));
}

bool is_narrow(const Interval& interval, double narrow) {
    return width(interval) <= narrow * interval.high.high;
}

bool is_isolated(const std::vector<Interval>& all, std::size_t i, double several,
                 double times_apart = fewest_apart) {
    return (all[i].count == 1 || is_narrow(all[i], several)) && times_apart * width(all[i]) <= distance(all, i);
}

DoubleDouble middle_of_bits(const Interval& interval) {
    const auto low = std::bit_cast<std::int64_t>(interval.low.high);
    const auto high = std::bit_cast<std::int64_t>(interval.high.high);
    return std::bit_cast<double>(low + (high - low) / 2);
}

DoubleDouble middle_of_doubled(const Interval& interval) {
    return (interval.low + interval.high) * 0.5;
}

/// Halves those that are neither isolated nor narrow until there are none.
template <class Middle>
void bisect(std::vector<Interval>& all, double narrow, double several, double times_apart, bool doubled,
            const EigenvalueCount& count, const Middle& middle) {
    for (;;) {
        std::vector<std::size_t> which;
        std::vector<DoubleDouble> middles;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (is_narrow(all[i], narrow) || is_isolated(all, i, several, times_apart)) continue;
            which.push_back(i);
            middles.push_back(middle(all[i]));
        }
        if (which.empty()) return;
        const std::vector<Index> counts = count(middles, doubled);
        std::vector<Interval> next;
        next.reserve(all.size() + which.size());
        std::size_t w = 0;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const Interval& each = all[i];
            if (w == which.size() || which[w] != i) {
                next.push_back(each);
                continue;
            }
            const Index lower = std::clamp(counts[w] - each.below, Index{0}, each.count);
            if (lower > 0) next.push_back({each.low, middles[w], each.below, lower});
            if (lower < each.count) next.push_back({middles[w], each.high, each.below + lower, each.count - lower});
            ++w;
        }
        all = std::move(next);
    }
}

std::vector<Index> counted(const LadderView& chain, ThreadTeam* team, const std::vector<DoubleDouble>& shifts,
                           bool doubled) {
    const LadderLoops& loops = ladder_loops();
    const auto together = static_cast<std::size_t>(loops.shifts);
    const std::size_t calls = (shifts.size() + together - 1) / together;
    std::vector<double> high(calls * together, shifts.back().high), low(calls * together, shifts.back().low);
    std::vector<double> below(calls * together);
    for (std::size_t i = 0; i < shifts.size(); ++i) {
        high[i] = shifts[i].high;
        low[i] = shifts[i].low;
    }
    const auto body = [&](Index begin, Index end, int) {
        for (auto i = static_cast<std::size_t>(begin) * together; i < static_cast<std::size_t>(end) * together;
             i += together) {
            if (doubled)
                loops.count_doubled(chain, &high[i], &low[i], &below[i]);
            else
                loops.count(chain, &high[i], &below[i]);
        }
    };
    if (team == nullptr)
        body(0, static_cast<Index>(calls), 0);
    else
        team->parallel_for(static_cast<Index>(calls), 1, body);
    return {below.begin(), below.begin() + static_cast<std::ptrdiff_t>(shifts.size())};
}

/// Those not isolated that touch become one, and a little wider: no others are near enough to come in.
std::vector<Interval> joined(const std::vector<Interval>& all, double several, double wider) {
    std::vector<Interval> joined;
    bool open = false;  // the last one was not isolated
    for (std::size_t i = 0; i < all.size(); ++i) {
        const bool alone = is_isolated(all, i, several);
        const DoubleDouble low = alone ? all[i].low : all[i].low - all[i].low * wider;
        const DoubleDouble high = alone ? all[i].high : all[i].high + all[i].high * wider;
        if (open && !alone && all[i - 1].high.high >= all[i].low.high) {
            joined.back().high = high;
            joined.back().count += all[i].count;
        } else {
            joined.push_back({low, high, all[i].below, all[i].count});
        }
        open = !alone;
    }
    return joined;
}

/// Whether a group cannot be without an eigenvalue so far away: its modes would be mixed with it (close_modes.hpp),
/// or take too many rounds (ring_search.hpp).
bool needs(const EigenvalueGroup& group, double distance, const EigenvalueRange& range) {
    const double width = static_cast<double>(group.high - group.low);
    if (range.doubled_width == 0.0)
        return distance < std::max(fewest_apart * width, range.least_distance * group.high.high);
    return group.count > 1 && distance < 16.0 * static_cast<double>(range.nodes) *
                                             static_cast<double>(group.count) *
                                             std::max(width, range.doubled_width * group.high.high);
}

std::vector<EigenvalueGroup> grouped(const std::vector<Interval>& all, const EigenvalueRange& range) {
    std::vector<EigenvalueGroup> groups;
    for (const Interval& each : all) {
        groups.push_back({each.low, each.high, each.below, each.count, 0.0,
                          width(each) < 0.5 * range.single_width * each.high.high});
        while (groups.size() > 1) {
            EigenvalueGroup& last = groups.back();
            EigenvalueGroup& before = groups[groups.size() - 2];
            const double between = static_cast<double>(last.low - before.high);
            if (between > 0.0 && !needs(before, between, range) && !needs(last, between, range)) break;
            before.high = last.high;
            before.count += last.count;
            groups.pop_back();
        }
    }
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const DoubleDouble end = i > 0 ? groups[i - 1].high : DoubleDouble(0.0);
        groups[i].distance = static_cast<double>(groups[i].low - end);
        if (i > 0) groups[i - 1].distance = std::min(groups[i - 1].distance, groups[i].distance);
    }
    return groups;
}

}  // namespace

std::vector<EigenvalueGroup> isolated_eigenvalues(const EigenvalueRange& range, const EigenvalueCount& count) {
    if (range.nodes == range.first) return {};
    std::vector<Interval> all{{range.low, range.high, range.first, range.nodes - range.first}};
    bisect(all, range.single_width, range.several_width, range.times_apart, false, count, middle_of_bits);
    all = joined(all, range.several_width, margin * range.single_width);
    if (range.doubled_width > 0.0)
        bisect(all, range.doubled_width, 0.0, fewest_apart, true, count, middle_of_doubled);
    return grouped(all, range);
}

std::vector<EigenvalueGroup> isolated_eigenvalues(const LadderView& chain, double low, double high,
                                                  ThreadTeam* team) {
    const Index constant = chain.ground[0] == 0.0 && chain.ground[1] == 0.0 ? 1 : 0;
    const auto count = [&](const std::vector<DoubleDouble>& shifts, bool doubled) {
        return counted(chain, team, shifts, doubled);
    };
    return isolated_eigenvalues({constant, chain.nodes, low, high, chain_single_width, chain_doubled_width}, count);
}

}  // namespace poisson3d::lines
