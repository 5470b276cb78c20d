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
///     planes         modes of a, unknowns of b, some modes of z: of one slab at a time. Where a is not padded,
///     they
///                    stay in the first field, and one slab is all
struct PaddedLayout {
    PlaneAxes plane;
    Index slab = 0;  ///< modes of z of a slab
    Index slabs = 1;
    Strides modes{}, planes{};
    Index modes_size = 0, planes_size = 0;  ///< elements

    /// `modes_of`: along z of as many as rows have room for. `room`: elements that planes may have, if there are to
    /// be several slabs. `staged`: elements that they must have, for copies of fields.
    PaddedLayout(const Grid& grid, const Extents& unknowns, const Extents& modes_of, Index room, Index staged,
                 int element_bytes)
        : plane(plane_axes(grid)) {
        const auto [a, b] = plane;
        const Index pitch = round_up(modes_of[2], 64 / element_bytes);
        const Index multiple = 64 / element_bytes;  // lines of a block, mostly
        modes = {unknowns[1] * pitch, pitch, 1};
        modes_size = unknowns[0] * modes[0];
        slab = modes_of[2];
        if (grid.axes[a].unbounded()) {
            const Index each = modes_of[a] * unknowns[b];
            slab = std::clamp(room / each / multiple * multiple, multiple, pitch);
            slabs = (modes_of[2] + slab - 1) / slab;
            slab = round_up((modes_of[2] + slabs - 1) / slabs, multiple);  // all nearly alike
            slabs = (modes_of[2] + slab - 1) / slab;
            planes[a] = unknowns[b] * slab;
            planes[b] = slab;
            planes[2] = 1;
            planes_size = each * slab;
        } else {
            planes = modes;
        }
        planes_size = std::max(planes_size, staged);
    }

    /// The same where planes of one mode of z each follow each other (plane_schedule.hpp): complex numbers of rows
    /// of b; `ring` of them are planes of modes of a.
    static PaddedLayout of_planes(const Grid& grid, const Extents& unknowns, const Extents& modes_of, Index ring,
                                  Index staged) {
        PaddedLayout layout(grid, unknowns, modes_of, 0, 0, 8);
        const auto [a, b] = layout.plane;
        layout.slabs = 0;
        layout.modes[b] = 2;
        layout.modes[a] = 2 * unknowns[b];
        layout.modes[2] = unknowns[a] * layout.modes[a];
        layout.modes_size = modes_of[2] / 2 * layout.modes[2];
        layout.planes_size = std::max(2 * ring * modes_of[a] * unknowns[b], staged);
        return layout;
    }

    [[nodiscard]] bool has_planes() const { return planes != modes; }

private:
    static Index round_up(Index count, Index multiple) { return (count + multiple - 1) / multiple * multiple; }
};

}  // namespace poisson3d::fused
