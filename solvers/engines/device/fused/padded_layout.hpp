// How the passes of padded lines are cut into slabs, and where their fields lie (padded_pipeline.cpp). Nothing here
// is known of lines but their numbers.
#pragma once

#include <algorithm>

#include "poisson3d/solver.hpp"

namespace poisson3d::fused {

/// The axes of the passes between the first and the last one: a is transformed before and after b, in the middle.
/// One that is not free goes first, since only padding makes fields larger.
struct PlaneAxes {
    int a = 0, b = 1;
};
inline PlaneAxes plane_axes(const Grid& grid) {
    if (grid.axes[0].unbounded() && !grid.axes[1].unbounded()) return {1, 0};
    return {};
}

/// Two internal fields, strides by axis, rows of modes of z:
///
///     modes of z     the unknowns of x and y, all modes of z
///     planes         modes of a, unknowns of b, some modes of z: of one slab at a time, or of three. Where a is
///                    not padded, they stay in the first field, and one slab is all
struct PaddedLayout {
    PlaneAxes plane;
    Index slab = 0;  ///< modes of z of a slab
    Index slabs = 1;
    bool has_planes;  ///< a field of their own
    int at_once = 1;  ///< slabs that have planes
    Strides modes{}, planes{};
    Index modes_size = 0, planes_size = 0;  ///< elements; of planes, of all slabs at once …
    Index planes_apart = 0;                 ///< … and from one of these to the next

    /// `modes_of`: along z of as many as rows have room for. `room`: elements that planes may have, if there are to
    /// be several slabs, three of them at once if `joined` and there is room. `staged`: elements that planes must
    /// have, for copies of fields.
    PaddedLayout(const Grid& grid, const Extents& unknowns, const Extents& modes_of, Index room, bool joined,
                 Index staged, int element_bytes)
        : plane(plane_axes(grid)), has_planes(grid.axes[plane.a].unbounded()) {
        const auto [a, b] = plane;
        const Index pitch = round_up(modes_of[2], 64 / element_bytes);
        const Index multiple = 64 / element_bytes;  // lines of a block, mostly
        modes = {unknowns[1] * pitch, pitch, 1};
        modes_size = unknowns[0] * modes[0];
        slab = modes_of[2];
        if (has_planes) {
            const Index each = modes_of[a] * unknowns[b];
            if (joined && room / 3 >= each * multiple) at_once = 3;
            slab = std::clamp(room / at_once / each / multiple * multiple, multiple, pitch);
            slabs = (modes_of[2] + slab - 1) / slab;
            slab = round_up((modes_of[2] + slabs - 1) / slabs, multiple);  // all nearly alike
            slabs = (modes_of[2] + slab - 1) / slab;
            planes[a] = unknowns[b] * slab;
            planes[b] = slab;
            planes[2] = 1;
            planes_apart = each * slab;
            planes_size = at_once * planes_apart;
        } else {
            planes = modes;
        }
        planes_size = std::max(planes_size, staged);
    }

private:
    static Index round_up(Index count, Index multiple) { return (count + multiple - 1) / multiple * multiple; }
};

}  // namespace poisson3d::fused
