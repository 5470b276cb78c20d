// The middle pass of a box with closed faces: what of the box is at hand there, and where its sums over modes lie
// (face_sums.hpp).
#pragma once

#include "closed_axis.hpp"
#include "face_modes.hpp"
#include "passes.hpp"

namespace poisson3d::host {

constexpr Index round_up(Index n, Index multiple) {
    return (n + multiple - 1) / multiple * multiple;
}

/// Hands out memory, in cache lines.
class Offsets {
public:
    explicit Offsets(std::size_t begin) : end_(begin) {}
    std::size_t take(std::size_t bytes) {
        const std::size_t begin = end_;
        end_ += (bytes + 63) / 64 * 64;
        return begin;
    }
    template <class T>
    std::size_t take(Index count) {
        return take(static_cast<std::size_t>(count) * sizeof(T));
    }
    [[nodiscard]] std::size_t end() const { return end_; }

private:
    std::size_t end_;
};

struct MiddleLayout {
    std::array<lines::ClosedAxis, 3> closed;
    bool eliminates = false;  ///< x: its lines have points in the place of modes
    /// The axes of the middle pass: lines along x lie side by side along `across`, one index of `slow` at a time.
    int across = 2, slow = 1;
    std::array<Planes, 3> at_hand{};  ///< unknowns of each axis, or modes by slot
    /// The middle pass adds up in tasks: so many parts of the blocks, times so many of the slow index.
    Index chunks = 1, groups = 1;
    std::array<Index, 3> pitches{};  ///< of arrays over the faces of each axis
    std::size_t blocks = 0,
                block_bytes =
                    0;  ///< a block of lines in mode space and a row of their eigenvalues, for each thread
    std::size_t sums_across = 0, sums_slow = 0;  ///< partial sums across lines and over slow indices

    [[nodiscard]] Index unknowns(int axis) const noexcept { return at_hand[axis].count; }
    /// Rows and columns of arrays over the faces of an axis.
    [[nodiscard]] std::array<int, 2> axes_of_face(int axis) const noexcept {
        if (axis == 0) return {slow, across};
        return {0, axis == slow ? across : slow};
    }
    /// Elements of an array over a face, whose rows are whole blocks of lines; and the array, in some memory.
    [[nodiscard]] Index face_size(int axis) const noexcept {
        return unknowns(axes_of_face(axis)[0]) * pitches[axis];
    }
    template <class T>
    [[nodiscard]] FaceArray<T> face_at(int axis, T* data) const noexcept {
        const auto [rows, columns] = axes_of_face(axis);
        return {data, rows, columns, pitches[axis]};
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

/// What is at hand, and its order; without memory.
template <class T>
MiddleLayout make_middle_layout(const Grid& free, bool eliminates, const std::array<Planes, 3>& at_hand, int across,
                                int threads);

/// Takes memory for blocks of `threads` threads; and for partial sums.
template <class T>
void take_blocks(MiddleLayout& middle, int threads, Offsets& all);
template <class T>
void take_sums(MiddleLayout& middle, Offsets& all);

}  // namespace poisson3d::host
