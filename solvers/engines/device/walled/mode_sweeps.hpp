// Sweeps over a field between passes, for what free faces need: index i of values along the middle axis, j and k of
// modes along the two others, by slot.
//
//     sum      partial sums over j and over k of what the middle pass has divided: what is left on their faces
//     gather   these sums, and the planes at the ends of the middle axis, to the parts of the face operator
//     spread   what stands for the faces, from these parts, to rows along i
//     add      what these values add to each mode before the middle pass
//
// `sum` reads the field as the middle pass leaves it, k contiguous; `add` changes it as this pass reads it, i
// contiguous. Partial sums are of tiles: the same bits every time.
#pragma once

#include "folded_line.hpp"
#include "poisson3d/stream.hpp"

namespace poisson3d::walled {

/// Slots of a sum over j or k.
inline constexpr Index tile_of_sums = 128;

/// An axis in modes, and its free faces.
template <class T>
struct SweptModes {
    Index count = 0;
    int faces = 0;
    const T *sums = nullptr, *terms = nullptr;  ///< by slot, if there are faces (closed_axis.hpp)
    const int* place = nullptr;                 ///< by slot, among points in classes (closed_lines.hpp)
    int first_odd = 0;                          ///< places from here on are of part 1
    T* partial = nullptr;                       ///< of sums: element (tile, part, i, slot of the other axis)

    [[nodiscard]] POISSON3D_HD Index tiles() const { return (count + tile_of_sums - 1) / tile_of_sums; }
    [[nodiscard]] POISSON3D_HD int part(Index slot) const { return place[slot] < first_odd ? 0 : 1; }
};

/// What the face operator reads and writes of the faces of an axis: strides along i, and along places of j and k.
template <class T>
struct FaceParts {
    T* data = nullptr;
    Index part = 0, i = 0, j = 0, k = 0;
};

template <class T>
struct ModeSweeps {
    FoldedLine middle;
    bool end[2] = {};        ///< of the middle axis: free faces
    T taken = 0;             ///< what their value adds to f there
    SweptModes<T> modes[2];  ///< j, k
    FaceParts<T> parts[3];   ///< of the faces of the middle axis, of j's and of k's
    T* rows[3] = {};         ///< spread: (side, j, k); (part, k, i); (part, j, i)

    const T* divided = nullptr;
    Index divided_i = 0, divided_j = 0;
    T* field = nullptr;
    Index field_j = 0, field_k = 0;
    T inverse = 1;  ///< of what the modes in `field` lack

    /// Jobs of gather and spread: planes of the middle axis, then parts of the faces of j and of k.
    static constexpr int jobs = 5;
    [[nodiscard]] static POISSON3D_HD int axis_of(int job) { return job == 0 ? 0 : (job + 1) / 2; }
    [[nodiscard]] static POISSON3D_HD int part_of(int job) { return (job + 1) % 2; }
    [[nodiscard]] POISSON3D_HD bool two_ends() const { return end[0] && end[1]; }
    [[nodiscard]] POISSON3D_HD bool has(int job) const {
        if (job == 0) return end[0] || end[1];
        return part_of(job) < modes[axis_of(job) - 1].faces;
    }

    /// Of the faces of modes[a]: sums over tile `tile`.
    [[nodiscard]] POISSON3D_HD Index partial_at(int a, Index tile, int part, Index i) const {
        return ((tile * modes[a].faces + part) * middle.points + i) * modes[1 - a].count;
    }

    /// Elements of a job of gather: rows of j, columns of k; or rows of i and their partners, columns of slots.
    [[nodiscard]] POISSON3D_HD Index gathered_rows(int job) const {
        return job == 0 ? modes[0].count : middle.even();
    }
    [[nodiscard]] POISSON3D_HD Index gathered_columns(int job) const {
        return job == 0 ? modes[1].count : modes[2 - axis_of(job)].count;
    }
    POISSON3D_HD void gather(int job, Index row, Index column) const {
        const FaceParts<T>& to = parts[axis_of(job)];
        if (job == 0) {
            T* const at = to.data + modes[0].place[row] * to.j + modes[1].place[column] * to.k;
            const T* const plane = divided + row * divided_j + column;
            const T lower = end[0] ? plane[0] : T(0);
            const T upper = end[1] ? plane[(middle.points - 1) * divided_i] : T(0);
            at[0] = lower + upper;
            if (two_ends()) at[to.part] = lower - upper;
            return;
        }
        const int a = axis_of(job) - 1;
        const Index along = a == 0 ? to.k : to.j;
        T* const at = to.data + part_of(job) * to.part + modes[1 - a].place[column] * along;
        const T value = total(a, part_of(job), row, column);
        if (middle.classes_at(row) == 1) {
            at[row * to.i] = value;
            return;
        }
        const T other = total(a, part_of(job), middle.partner(row), column);
        at[row * to.i] = value + other;
        at[(middle.even() + row) * to.i] = value - other;
    }

    /// Elements of a job of spread, whose columns are contiguous: k, or i.
    [[nodiscard]] POISSON3D_HD Index spread_rows(int job) const {
        return job == 0 ? 2 * modes[0].count : modes[2 - axis_of(job)].count;
    }
    [[nodiscard]] POISSON3D_HD Index spread_columns(int job) const {
        return job == 0 ? modes[1].count : middle.points;
    }
    POISSON3D_HD void spread(int job, Index row, Index column) const {
        const FaceParts<T>& from = parts[axis_of(job)];
        if (job == 0) {
            const int side = row < modes[0].count ? 0 : 1;
            const Index j = row - side * modes[0].count;
            const T* const at = from.data + modes[0].place[j] * from.j + modes[1].place[column] * from.k;
            T value = at[0];
            if (two_ends()) value = (side == 0 ? value + at[from.part] : value - at[from.part]) / 2;
            rows[0][row * modes[1].count + column] = inverse * taken * value;
            return;
        }
        const int a = axis_of(job) - 1;
        const SweptModes<T>& other = modes[1 - a];
        const T* const at = from.data + part_of(job) * from.part + other.place[row] * (a == 0 ? from.k : from.j);
        T value;
        if (column < middle.even())
            value = at[column * from.i] +
                    (middle.classes_at(column) == 2 ? at[(middle.even() + column) * from.i] : T(0));
        else
            value = at[middle.partner(column) * from.i] - at[(middle.even() + middle.partner(column)) * from.i];
        rows[1 + a][(part_of(job) * other.count + row) * middle.points + column] = inverse * value;
    }
    /// What was spread of the faces of modes[a].
    [[nodiscard]] POISSON3D_HD T spread_value(int a, int part, Index slot, Index i) const {
        return rows[1 + a][(part * modes[1 - a].count + slot) * middle.points + i];
    }
    /// What the ends of lines along i get.
    [[nodiscard]] POISSON3D_HD T at_ends(Index i, Index j, Index k) const {
        T sum = 0;
        if (end[0] && i == 0) sum += rows[0][j * modes[1].count + k];
        if (end[1] && i == middle.points - 1) sum += rows[0][(modes[0].count + j) * modes[1].count + k];
        return sum;
    }

private:
    [[nodiscard]] POISSON3D_HD T total(int a, int part, Index i, Index slot) const {
        T sum = 0;
        for (Index tile = 0; tile < modes[a].tiles(); ++tile)
            sum += modes[a].partial[partial_at(a, tile, part, i) + slot];
        return sum;
    }
};

/// Asynchronous on `stream`; throw Error{device} when refused.
template <class T>
void launch_sum(const ModeSweeps<T>& sweeps, Stream stream);
template <class T>
void launch_gather(const ModeSweeps<T>& sweeps, Stream stream);
template <class T>
void launch_spread(const ModeSweeps<T>& sweeps, Stream stream);
template <class T>
void launch_add(const ModeSweeps<T>& sweeps, Stream stream);

}  // namespace poisson3d::walled
