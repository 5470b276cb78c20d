#include "layout.hpp"

#include <algorithm>
#include <limits>

#include "kernels.hpp"
#include "planned_axis.hpp"

namespace poisson3d::host {

namespace {

constexpr Index line_bytes = 64;

/// These arrays are all that there is beside u. Long lines in a small box, on many threads, would be more than u
/// itself: as many threads as 64 MiB or 2 % of u hold, one at least.
template <class T>
int max_threads(const Problem& problem, const Layout& layout) {
    const std::size_t field = static_cast<std::size_t>(problem.grid.size()) * sizeof(T);
    const std::size_t room = std::max<std::size_t>(std::size_t{64} << 20, field / 50);
    const std::size_t threads = room / layout.scratch.bytes();
    return static_cast<int>(std::clamp<std::size_t>(threads, 1, std::numeric_limits<int>::max()));
}

constexpr std::size_t round_up(std::size_t bytes) {
    return (bytes + line_bytes - 1) / line_bytes * line_bytes;
}

}  // namespace

template <class T>
LineScratch line_scratch(std::span<const Axis> axes) {
    const std::size_t row = sizeof(T) * kernels<T>().lines;
    Index rows = 1;
    Index places = 1;
    for (const Axis& axis : axes) {
        const Index unknowns = axis_kind(axis).unknowns;
        if (unknowns == 0) continue;
        rows = std::max(rows, unknowns);
        places = std::max(places, padded_length_of_line(axis));
    }
    // An odd number of cache lines, so that element r of the two arrays does not share a cache set.
    return {round_up(static_cast<std::size_t>(rows) * row),
            round_up(static_cast<std::size_t>(places) * row) | line_bytes};
}

template <class T>
Layout make_layout(const Problem& problem, Memory memory, int threads) {
    Layout layout;
    for (int a = 0; a < 3; ++a) {
        layout.kinds[a] = axis_kind(problem.grid.axes[a]);
        layout.unknowns[a] = layout.kinds[a].unknowns;
    }
    layout.scratch = line_scratch<T>(problem.grid.axes);
    layout.threads = memory == Memory::low ? std::min(threads, max_threads<T>(problem, layout)) : threads;
    layout.bytes = layout.scratch.bytes() * static_cast<std::size_t>(layout.threads);
    if (singular(problem) && problem.gauge.point) {
        layout.gauge_offset = layout.bytes;
        layout.bytes += round_up(static_cast<std::size_t>(layout.unknowns[2]) * sizeof(T) * kernels<T>().lines);
    }
    return layout;
}

template LineScratch line_scratch<float>(std::span<const Axis>);
template LineScratch line_scratch<double>(std::span<const Axis>);
template Layout make_layout<float>(const Problem&, Memory, int);
template Layout make_layout<double>(const Problem&, Memory, int);

}  // namespace poisson3d::host
