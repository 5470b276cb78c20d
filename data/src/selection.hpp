// A slab of a field in a file and the same slab in memory, as HDF5 selections.
#pragma once

#include <vector>

#include "h5.hpp"
#include "poisson3d/field.hpp"

namespace poisson3d::h5 {

/// One HDF5 transfer: planes first … first + count − 1 of the view, whose memory begins `offset` elements after
/// the view's and is laid out as a box of `memory` extents of which the leading corner is selected.
struct Transfer {
    Index first = 0;
    Index count = 0;
    Index offset = 0;
    Extents memory{};
};

/// The transfers that move a view of these extents and strides: one if the strides are those of a corner of a
/// larger box (dense fields, pitches, ghost layers), else one a plane. Throws Error{usage} if rows overlap.
std::vector<Transfer> plan_transfers(const Extents& extents, const Strides& strides);

/// Fields in one data set: its extents before those of the field, and which of the fields is meant, counted in C
/// order. Without extents the data set is one field.
struct Steps {
    std::vector<hsize_t> extents;
    Index chosen = 0;

    [[nodiscard]] Index count() const;
    /// Where the chosen one begins: an index for each extent.
    [[nodiscard]] std::vector<hsize_t> index() const;
};

/// A data space of fields of `points` with the box of extents `box` selected that begins at `first` of the chosen
/// one.
Space box_space(const Extents& points, const Extents& first, const Extents& box, const Subject& subject,
                const Steps& steps = {});

/// The data space of the memory of a transfer, its corner {count, extents[1], extents[2]} selected.
Space memory_space(const Transfer& transfer, const Extents& extents, const Subject& subject);

/// A data space of fields of `points` with planes first … first + count − 1 of the chosen one selected.
Space file_space(const Extents& points, Index first, Index count, const Subject& subject, const Steps& steps = {});

}  // namespace poisson3d::h5
