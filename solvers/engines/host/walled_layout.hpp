// Where the arrays of a solve with closed faces lie (walled_engine.cpp), beside the lines' scratch.
#pragma once

#include "closed_axis.hpp"
#include "face_kernels.hpp"
#include "face_tables.hpp"
#include "passes.hpp"
#include "poisson3d/boundary_data.hpp"

namespace poisson3d::host {

/// An array over a face: element (i, j) along axes `rows` and `columns` at data[i · pitch + j].
template <class T>
struct FaceArray {
    T* data = nullptr;
    int rows = 0, columns = 0;
    Index pitch = 0;

    [[nodiscard]] Index stride(int axis) const noexcept { return axis == columns ? 1 : pitch; }
};

/// A number for each part of the faces of each axis: offsets in bytes.
using FaceOffsets = std::array<std::array<std::size_t, 2>, 3>;

struct WalledLayout {
    Layout layout;  ///< of the lines of closed axes and of zero-padded ones; its bytes are those of all
    std::array<lines::ClosedAxis, 3> closed;
    std::array<lines::FaceAxis, 3> faces;
    bool eliminates = false;  ///< x, which is free, in the place of a slow transform
    /// The axes of the middle pass: lines along x lie side by side along `across`, one index of `slow` at a time.
    int across = 2, slow = 1;
    /// The middle pass adds up in tasks: so many parts of the blocks, times so many of the slow index.
    Index chunks = 1, groups = 1;
    std::array<Index, 3> pitches{};  ///< of arrays over the faces of each axis
    std::size_t blocks = 0,
                block_bytes =
                    0;          ///< a block of lines in mode space and a row of their eigenvalues, for each thread
    FaceOffsets left{};         ///< what is left on the walls, by part
    FaceOffsets kept{};         ///< values of free faces in the end, by side, for the first field …
    std::size_t kept_next = 0;  ///< … and from a field to the next; the last of them lies where `left` does
    /// These share memory, since one is read before the others begin: partial sums across lines and over slow
    /// indices …
    std::size_t sums_across = 0, sums_slow = 0;
    /// … and values of free faces, by part, and what the face operator works in: a zero-padded face, what it gives
    /// on faces of another axis, by part, and strips of columns, for each thread.
    FaceOffsets values{};
    std::size_t padded = 0, given = 0, given_next = 0, strips = 0, strip_bytes = 0;

    /// Rows and columns of arrays over the faces of an axis.
    [[nodiscard]] std::array<int, 2> axes_of_face(int axis) const noexcept {
        if (axis == 0) return {slow, across};
        return {0, axis == slow ? across : slow};
    }
    /// Rows of a face along an axis that are multiplied with matrices: half as many where sums and differences of
    /// the two ends are.
    [[nodiscard]] Index folded(int axis) const noexcept {
        return closed[axis].faces == 2 ? (faces[axis].count + 1) / 2 : faces[axis].count;
    }
    [[nodiscard]] Index unknowns(int axis) const noexcept { return faces[axis].count; }
    /// From a row of zero-padded lines along an axis to the next.
    [[nodiscard]] Index padded_pitch(int axis, Index lines) const noexcept {
        return (faces[axis].samples + lines - 1) / lines * lines;
    }

    /// Of the faces of `axis`, from the sum and the difference of two sides, or the one there is, to the values of
    /// a side: unknown (i, j) at to[i · pitch + j].
    template <class T>
    void give_side(const std::array<FaceArray<T>, 2>& parts, int axis, int side, T* to, Index pitch) const {
        const auto [d, e] = poisson3d::across(axis);
        const auto& [sum, difference] = parts;
        for (Index i = 0; i < unknowns(d); ++i)
            for (Index j = 0; j < unknowns(e); ++j) {
                const Index from = i * sum.stride(d) + j * sum.stride(e);
                T value = sum.data[from];
                if (closed[axis].faces == 2)
                    value = (value + (side == 0 ? difference.data[from] : -difference.data[from])) / 2;
                to[i * pitch + j] = value;
            }
    }
};

template <class T>
WalledLayout make_walled_layout(const Problem& problem, const Options& options);

}  // namespace poisson3d::host
