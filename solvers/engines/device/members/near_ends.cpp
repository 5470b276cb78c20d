#include "near_ends.hpp"

#include <algorithm>
#include <numeric>

#include "poisson3d/device_memory.hpp"

namespace poisson3d::members {

template <class T>
std::vector<SlowRange> NearEnds<T>::ranges_of(std::vector<Reach>& reach, int nodes) {
    const auto count = static_cast<Index>(reach.size());
    const auto far = [&](const Reach& r) { return r.last + r.first > nodes; };
    std::vector<SlowRange> ranges;
    for (Index i = 0; i < count; ++i) {
        if (!far(reach[static_cast<std::size_t>(i)])) continue;
        if (!ranges.empty() && ranges.back().first + ranges.back().count == i)
            ++ranges.back().count;
        else
            ranges.push_back({i, 1});
    }
    // Launches cost more than the lines of short gaps.
    constexpr std::size_t most = 4;
    while (ranges.size() > most) {
        std::size_t shortest = 1;
        const auto gap = [&](std::size_t r) { return ranges[r].first - ranges[r - 1].first - ranges[r - 1].count; };
        for (std::size_t r = 2; r < ranges.size(); ++r)
            if (gap(r) < gap(shortest)) shortest = r;
        ranges[shortest - 1].count = ranges[shortest].first + ranges[shortest].count - ranges[shortest - 1].first;
        ranges.erase(ranges.begin() + static_cast<std::ptrdiff_t>(shortest));
    }
    const Index in_blocks = std::accumulate(ranges.begin(), ranges.end(), Index{0},
                                            [](Index sum, const SlowRange& range) { return sum + range.count; });
    constexpr int few_nodes = 32;
    if (2 * in_blocks > count || nodes < few_nodes) ranges = {{0, count}};
    for (const SlowRange& range : ranges) std::fill_n(reach.begin() + range.first, range.count, Reach{});
    return ranges;
}

template <class T>
void NearEnds<T>::reserve(device::WorkspaceLayout& layout, Index slow_count) {
    offset_ = layout.take(static_cast<std::size_t>(slow_count) * sizeof(Reach));
}

template <class T>
void NearEnds<T>::plan(std::byte* workspace, const lines::ChainView<T>& chain,
                       const fused::EliminationTask<T>& task, double helmholtz) {
    const auto host_copy = [](const T* numbers, Index count) {
        std::vector<T> copy(static_cast<std::size_t>(count));
        copy_to_host(copy.data(), numbers, copy.size() * sizeof(T));
        return copy;
    };
    const std::vector<T> slow = host_copy(task.lambda_slow, task.slow_count);
    const std::vector<T> lanes = host_copy(task.lambda_lanes, task.lines);
    const double most = *std::max_element(lanes.begin(), lanes.end());
    std::vector<Reach> reach;
    for (const T lambda : slow)
        reach.push_back(lines::reach_of(chain, std::max(0.0, helmholtz - static_cast<double>(lambda) - most)));
    blocks_ = ranges_of(reach, chain.nodes);
    any_ = std::any_of(reach.begin(), reach.end(), [](const Reach& r) { return r.last > 0; });
    copy_to_device(workspace + offset_, reach.data(), reach.size() * sizeof(Reach));
    reach_ = reinterpret_cast<const Reach*>(workspace + offset_);
}

template <class T>
void NearEnds<T>::reduce(const fused::EliminationTask<T>& task, bool early, Stream stream) const {
    if (any_)
        launch_near_ends(NearEndsTask<T>{task.chain, task.data, task.slow, task.line, task.sample, task.slow_count,
                                         task.lines, task.lambda_slow, task.lambda_lanes, task.shift_by,
                                         task.factor, reach_, task.parts.current, task.parts.left_current},
                         early, stream);
    for (const SlowRange& range : blocks_) {
        fused::EliminationTask<T> some = task;
        some.data += range.first * task.slow;
        some.slow_count = range.count;
        some.lambda_slow += range.first;
        some.parts.current += range.first * task.lines;
        some.parts.left_current += range.first * task.lines;
        some.constant = task.constant && range.first == 0;
        launch_elimination(some, early, stream);
    }
}

template class NearEnds<float>;
template class NearEnds<double>;

}  // namespace poisson3d::members
