#include "layout.hpp"

#include <algorithm>
#include <limits>

#include "kernels.hpp"
#include "line_plan.hpp"

namespace poisson3d::host {

namespace {

constexpr Index line_bytes = 64;

/// An odd number of cache lines that holds `elements`: rows start aligned, and columns of a field whose pitch is
/// odd spread over all cache sets instead of a few.
template <class T>
Index padded(Index elements) {
    constexpr Index per_line = line_bytes / static_cast<Index>(sizeof(T));
    const Index lines = (elements + per_line - 1) / per_line;
    return (lines > 1 ? lines | 1 : lines) * per_line;
}

template <class T>
Strides padded_strides(const Extents& extents) {
    const Index row = padded<T>(extents[2]);
    return {padded<T>(extents[1] * row), row, 1};
}

/// Row arrays are all that mode low has beside u. Long lines in a small box, on many threads, would be more than u
/// itself: as many threads as 64 MiB or 2 % of u hold, one at least.
template <class T>
int most_threads(const Problem& problem, const Layout& layout) {
    const std::size_t field = static_cast<std::size_t>(problem.grid.size()) * sizeof(T);
    const std::size_t room = std::max<std::size_t>(std::size_t{64} << 20, field / 50);
    const std::size_t threads = room / (2 * layout.scratch_bytes);
    return static_cast<int>(std::clamp<std::size_t>(threads, 1, std::numeric_limits<int>::max()));
}

constexpr std::size_t round_up(std::size_t bytes) {
    return (bytes + line_bytes - 1) / line_bytes * line_bytes;
}

}  // namespace

template <class T>
Layout make_layout(const Problem& problem, Memory memory, int threads) {
    Layout layout;
    Index rows = 1;
    for (int a = 0; a < 3; ++a) {
        const AxisKind kind = axis_kind(problem.grid.axes[a]);
        layout.kinds[a] = kind;
        layout.unknowns[a] = kind.unknowns;
        rows = std::max(
            {rows, line_plan_rows(kind.forward, kind.unknowns), line_plan_rows(kind.backward, kind.unknowns)});
    }
    std::size_t end = 0;
    const auto take = [&](std::size_t bytes) {
        const std::size_t offset = end;
        end += round_up(bytes);
        return offset;
    };
    const Extents yzx = permute(layout.unknowns, rotation);
    const Extents zxy = permute(yzx, rotation);
    if (memory != Memory::low) {
        layout.first_strides = padded_strides<T>(yzx);
        take(static_cast<std::size_t>(yzx[0] * layout.first_strides[0]) * sizeof(T));
    }
    layout.own_second = memory == Memory::fast;
    if (layout.own_second) {
        layout.second_strides = padded_strides<T>(zxy);
        layout.second_offset = take(static_cast<std::size_t>(zxy[0] * layout.second_strides[0]) * sizeof(T));
    } else {
        layout.second_strides = dense_strides(zxy);  // fits u: unknowns are never more than points
    }
    // An odd number of lines per row array, so that row r of the two arrays does not share a cache set.
    layout.scratch_bytes = static_cast<std::size_t>((rows | 1) * line_bytes);
    layout.threads = memory == Memory::low ? std::min(threads, most_threads<T>(problem, layout)) : threads;
    layout.scratch_offset = take(2 * layout.scratch_bytes * layout.threads);
    if (singular(problem) && problem.gauge.point)
        layout.gauge_offset = take(static_cast<std::size_t>(layout.unknowns[2]) * line_bytes);
    layout.bytes = end;
    return layout;
}

template Layout make_layout<float>(const Problem&, Memory, int);
template Layout make_layout<double>(const Problem&, Memory, int);

}  // namespace poisson3d::host
