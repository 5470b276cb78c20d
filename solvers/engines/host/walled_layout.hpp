// Where the arrays of a solve with closed faces lie (walled_engine.cpp), beside the lines' scratch.
#pragma once

#include "face_kernels.hpp"
#include "face_tables.hpp"
#include "middle_layout.hpp"
#include "poisson3d/boundary_data.hpp"

namespace poisson3d::host {

/// A number for each part of the faces of each axis: offsets in bytes.
using FaceOffsets = std::array<std::array<std::size_t, 2>, 3>;

struct WalledLayout : MiddleLayout {
    Layout layout;  ///< of the lines of closed axes and of zero-padded ones; its bytes are those of all
    std::array<lines::FaceAxis, 3> faces;
    FaceOffsets left{};         ///< what is left on the walls, by part
    FaceOffsets kept{};         ///< values of free faces in the end, by side, for the first field …
    std::size_t kept_next = 0;  ///< … and from a field to the next; the last of them lies where `left` does
    /// These share memory with partial sums, since one is read before the others begin: values of free faces, by
    /// part, and what the face operator works in: a zero-padded face, what it gives on faces of another axis, by
    /// part, and strips of columns, for each thread.
    FaceOffsets values{};
    std::size_t padded = 0, given = 0, given_next = 0, strips = 0, strip_bytes = 0;

    /// Rows of a face along an axis that are multiplied with matrices: half as many where sums and differences of
    /// the two ends are.
    [[nodiscard]] Index folded(int axis) const noexcept {
        return closed[axis].faces == 2 ? (faces[axis].count + 1) / 2 : faces[axis].count;
    }
    /// From a row of zero-padded lines along an axis to the next.
    [[nodiscard]] Index padded_pitch(int axis, Index lines) const noexcept {
        return (faces[axis].samples + lines - 1) / lines * lines;
    }
};

/// `may_eliminate`: x, which is free, in the place of a slow transform.
template <class T>
WalledLayout make_walled_layout(const Problem& problem, const Options& options, bool may_eliminate = true);

}  // namespace poisson3d::host
