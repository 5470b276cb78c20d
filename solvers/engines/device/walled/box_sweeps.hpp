// Sweeps over a field that is in modes of all three axes, for what free faces need, index i, j, k by slot. With
// modes F of the right-hand side, eigenvalues Λ, and numbers s and t of each axis (closed_axis.hpp),
//
//     sum       partial sums over i, over j and over k of s F/Λ: what is left next to their faces
//     gather    these sums, to the parts of the face operator
//     divide    F := (F + Σ t g)/Λ with the parts g that it gives
//
// Even and odd modes of an axis belong to parts 0 and 1 of its faces. Along i and j both sweeps go by tiles of one
// part, so that all their sums are of that part. Partial sums are of tiles: the same bits every time.
#pragma once

#include "host_device.hpp"
#include "memory_access.hpp"
#include "poisson3d/boundary_data.hpp"
#include "poisson3d/stream.hpp"

namespace poisson3d::walled {

inline constexpr Index rows_of_tile = 32;     ///< of j
inline constexpr Index columns_of_tile = 64;  ///< of k

/// An axis in modes, and its free faces.
template <class T>
struct BoxAxis {
    Index count = 0, even = 0;  ///< slots, and those of part 0
    Index tile = 1;             ///< slots that are summed at once
    int faces = 0;
    const T* eigenvalues = nullptr;             ///< by slot
    const T *sums = nullptr, *terms = nullptr;  ///< by slot, if there are faces
    const int* place = nullptr;                 ///< by slot, among points in classes (closed_lines.hpp)
    int first_odd = 0;                          ///< places from here on are of part 1
    const int* order = nullptr;                 ///< slots, those of part 0 first
    T* partial = nullptr;

    [[nodiscard]] POISSON3D_HD int part(Index slot) const { return place[slot] < first_odd ? 0 : 1; }

    struct Tile {
        int part;
        Index first, last;  ///< in `order`
    };
    [[nodiscard]] POISSON3D_HD Index tiles_of(int which) const {
        return ((which == 0 ? even : count - even) + tile - 1) / tile;
    }
    [[nodiscard]] POISSON3D_HD Index tiles() const { return tiles_of(0) + tiles_of(1); }
    [[nodiscard]] POISSON3D_HD Tile tile_at(Index number) const {
        const int which = number < tiles_of(0) ? 0 : 1;
        const Index first = which == 0 ? number * tile : even + (number - tiles_of(0)) * tile;
        const Index end = which == 0 ? even : count;
        return {which, first, first + tile < end ? first + tile : end};
    }
};

/// Parts of the faces of an axis: element (part, place, place) along the other axes in their order.
template <class T>
struct BoxParts {
    T* data = nullptr;
    Index part = 0, row = 0;
};

template <class T>
struct BoxSweeps {
    BoxAxis<T> axes[3];
    BoxParts<T> parts[3];
    T* field = nullptr;
    Index slow = 0, row = 0;               ///< from i and from j to the next
    T shift = 0, factor = 1, restore = 1;  ///< see device::ModeField

    [[nodiscard]] POISSON3D_HD T divided(T value, T eigenvalue) const {
        return lines::quotient(factor * value, eigenvalue);
    }

    /// The axes of the faces of axis a.
    [[nodiscard]] static POISSON3D_HD int first_of(int a) { return a == 0 ? 1 : 0; }
    [[nodiscard]] static POISSON3D_HD int second_of(int a) { return a == 2 ? 1 : 2; }

    /// Partial sums over axis a, at slots of the two others: of a tile, of k a part of a tile.
    [[nodiscard]] POISSON3D_HD T* partial_of(int a, Index number) const {
        return axes[a].partial + number * axes[first_of(a)].count * axes[second_of(a)].count;
    }
    [[nodiscard]] POISSON3D_HD Index tiles_of_k() const {
        return (axes[2].count + columns_of_tile - 1) / columns_of_tile;
    }
    [[nodiscard]] POISSON3D_HD Index partials(int a) const {
        if (axes[a].faces == 0) return 0;
        return a == 2 ? tiles_of_k() * axes[2].faces : axes[a].tiles();
    }

    /// Of gather: a part of the faces of an axis, by slots of the others.
    static constexpr int jobs = 6;
    [[nodiscard]] POISSON3D_HD bool has(int job) const { return job % 2 < axes[job / 2].faces; }
    POISSON3D_HD void gather(int job, Index d, Index e) const {
        const int a = job / 2, part = job % 2;
        const Index at = d * axes[second_of(a)].count + e;
        const Index first = a == 2 || part == 0 ? part : axes[a].tiles_of(0);
        const Index step = a == 2 ? axes[2].faces : 1;
        const Index tiles = a == 2 ? tiles_of_k() : axes[a].tiles_of(part);
        T sum = 0;
        for (Index tile = 0; tile < tiles; ++tile) sum += partial_of(a, first + tile * step)[at];
        const BoxParts<T>& to = parts[a];
        to.data[part * to.part + axes[first_of(a)].place[d] * to.row + axes[second_of(a)].place[e]] = sum;
    }

    /// What the faces of axis a give to a part of its modes, over their numbers t.
    [[nodiscard]] POISSON3D_HD const T* given(int a, int part, Index place_d) const {
        return parts[a].data + part * parts[a].part + place_d * parts[a].row;
    }
};

/// Asynchronous on `stream`; throw Error{device} when refused.
template <class T>
void launch_box_sum(const BoxSweeps<T>& sweeps, Stream stream);
template <class T>
void launch_box_gather(const BoxSweeps<T>& sweeps, Stream stream);
template <class T>
void launch_box_divide(const BoxSweeps<T>& sweeps, Stream stream);

}  // namespace poisson3d::walled
