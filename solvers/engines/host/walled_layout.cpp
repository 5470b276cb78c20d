#include "walled_layout.hpp"

#include <algorithm>
#include <limits>

#include "planned_axis.hpp"

namespace poisson3d::host {

namespace {

/// What is left on the walls is read before the values of the last field of a batch are kept: in one place.
template <class T>
void take_faces(WalledLayout& walled, const Extents& points, Index batch, Offsets& all) {
    Offsets kept(0);
    for (int a = 0; a < 3; ++a)
        for (int side = 0; side < 2; ++side) {
            if (walled.closed[a].faces == 0) continue;
            const std::array<Index, 2> extents = extents_of_face(points, a);
            walled.kept[a][side] = kept.take<T>(extents[0] * extents[1]);
        }
    walled.kept_next = kept.end();
    const std::size_t first = all.take(walled.kept_next * static_cast<std::size_t>(batch - 1));
    for (auto& axis : walled.kept)
        for (std::size_t& side : axis) side += first;
    Offsets left(all.end());
    for (int a = 0; a < 3; ++a)
        for (int part = 0; part < walled.closed[a].faces; ++part)
            walled.left[a][part] = left.take<T>(walled.face_size(a));
    all.take(std::max(walled.kept_next, left.end() - all.end()));
}

/// A transform there and back, with the field read and written between, takes less time than eliminating twice; but
/// not two convolutions with a chirp.
bool eliminates_slow_axis(const Axis& axis) {
    constexpr Index short_line = 32;
    return line_method(axis) == LineMethod::chirp && axis_kind(axis).unknowns >= short_line;
}

}  // namespace

template <class T>
WalledLayout make_walled_layout(const Problem& problem, const Options& options, bool may_eliminate) {
    const Problem closed = lines::close_faces(problem);
    const Memory memory = options.memory == Memory::automatic ? Memory::fast : options.memory;
    const bool eliminates =
        may_eliminate && problem.grid.axes[0].unbounded() && eliminates_slow_axis(closed.grid.axes[0]);
    WalledLayout walled;
    Layout& layout = walled.layout;
    layout = make_layout<T>(closed, memory, thread_count(options), eliminates ? 0 : -1, whole_box(closed));
    std::vector<Axis> padded;
    for (int a = 0; a < 3; ++a) {
        walled.faces[a] = lines::face_axis(problem.grid.axes[a]);
        if (walled.faces[a].free) padded.push_back(walled.faces[a].lines);
        layout.kinds[a] = axis_kind(problem.grid.axes[a]);  // where the unknowns are stored
    }
    const LineScratch more = line_scratch<T>(padded);
    layout.scratch = {std::max(layout.scratch.rows, more.rows), std::max(layout.scratch.work, more.work)};
    const auto threads = static_cast<std::size_t>(layout.threads);

    const Index lines = kernels<T>().lines;
    std::array<Planes, 3> whole;
    for (int a = 0; a < 3; ++a) whole[a] = {0, walled.faces[a].count};
    static_cast<MiddleLayout&>(walled) =
        make_middle_layout<T>(problem.grid, eliminates, whole,
                              axis_across(layout.unknowns, 0, kernels<T>().element_lines, 0), layout.threads);

    Offsets all(layout.scratch.bytes() * threads);
    take_blocks<T>(walled, layout.threads, all);
    take_faces<T>(walled, problem.grid.points(), options.batch, all);

    Offsets sums(all.end());
    take_sums<T>(walled, sums);

    Offsets faces(all.end());
    for (int a = 0; a < 3; ++a)
        for (int part = 0; part < walled.closed[a].faces; ++part)
            walled.values[a][part] = faces.take<T>(walled.face_size(a));
    Index nodes = 1;
    for (const lines::FaceNodes& each : lines::face_nodes(problem, std::numeric_limits<T>::epsilon()))
        nodes = std::max(nodes, each.times.size());
    Index largest_padded = 0, largest_given = 0, largest_rows = 0;
    for (int d = 0; d < 3; ++d) {
        if (!walled.faces[d].free) continue;
        largest_rows = std::max(largest_rows, walled.folded(d));
        for (int e = 0; e < 3; ++e) {
            if (e == d) continue;
            const Index pitch = walled.padded_pitch(e, lines);
            largest_padded = std::max(largest_padded, walled.faces[d].samples * pitch);
            largest_given = std::max(largest_given, walled.unknowns(3 - d - e) * pitch);
        }
    }
    walled.padded = faces.take<T>(largest_padded);
    walled.given_next = static_cast<std::size_t>(round_up(largest_given, 64)) * sizeof(T);
    walled.given = faces.take(2 * walled.given_next);
    const Index panel = face_kernels<T>().panel_rows;
    walled.strip_bytes =
        static_cast<std::size_t>((2 * round_up(largest_rows, panel) + round_up(nodes, panel)) * lines) * sizeof(T);
    walled.strip_bytes = (walled.strip_bytes + 63) / 64 * 64;
    walled.strips = faces.take(walled.strip_bytes * threads);
    layout.bytes = std::max(sums.end(), faces.end());
    return walled;
}

template WalledLayout make_walled_layout<float>(const Problem&, const Options&, bool);
template WalledLayout make_walled_layout<double>(const Problem&, const Options&, bool);

}  // namespace poisson3d::host
