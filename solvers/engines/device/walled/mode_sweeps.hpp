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
//
// Of a slab of i, k is contiguous before the middle pass as well, and sums are brought together between the two:
//
//     collect      sums and planes at ends of a slab to where those of all are, from where `gather` takes them
//     add_planes   what `add` does, in the planes of a slab
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
    Index tile = tile_of_sums;                  ///< slots of a sum
    Index next_tile = 0, next_part = 0, next_i = 0;

    [[nodiscard]] POISSON3D_HD Index tiles() const { return (count + tile - 1) / tile; }
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
    bool planes = false;     ///< these last two are (part, i, k); (part, i, j)

    T* divided = nullptr;
    Index divided_i = 0, divided_j = 0;
    T* ends[2] = {};  ///< planes of the middle axis next to its faces, or null
    Index end_row = 0;
    T* field = nullptr;
    Index field_i = 1, field_j = 0, field_k = 0;
    Index first_i = 0, last_i = 0;  ///< of a slab
    T inverse = 1;                  ///< of what the modes in `field` lack

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
        return tile * modes[a].next_tile + part * modes[a].next_part + i * modes[a].next_i;
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
            const Index in_plane = row * end_row + column;
            const T lower = end[0] ? ends[0][in_plane] : T(0);
            const T upper = end[1] ? ends[1][in_plane] : T(0);
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

    /// Elements of a job of collect: rows of j, or of i in the slab.
    [[nodiscard]] POISSON3D_HD Index collected_rows(int job) const {
        return job == 0 ? modes[0].count : last_i - first_i;
    }
    POISSON3D_HD void collect(const ModeSweeps& to, int job, Index row, Index column) const {
        if (job == 0) {
            for (int side = 0; side < 2; ++side)
                if (ends[side] != nullptr)
                    to.ends[side][row * to.end_row + column] = ends[side][row * end_row + column];
            return;
        }
        const int a = axis_of(job) - 1;
        to.modes[a].partial[to.partial_at(a, 0, part_of(job), first_i + row) + column] =
            total(a, part_of(job), row, column);
    }

    /// Elements of a job of spread, whose columns are contiguous: k, or i, or slots where i are rows.
    [[nodiscard]] POISSON3D_HD Index spread_rows(int job) const {
        if (job == 0) return 2 * modes[0].count;
        return planes ? last_i - first_i : modes[2 - axis_of(job)].count;
    }
    [[nodiscard]] POISSON3D_HD Index spread_columns(int job) const {
        if (job == 0) return modes[1].count;
        return planes ? modes[2 - axis_of(job)].count : middle.points;
    }
    POISSON3D_HD void spread(int job, Index row, Index column) const {
        spread_to(job, row, column) = number_to_spread(job, row, column);
    }
    /// Whether neighbours in a column, not in a row, are neighbours among the parts.
    [[nodiscard]] POISSON3D_HD bool spreads_columns(int job) const {
        const FaceParts<T>& from = parts[axis_of(job)];
        return job > 0 && !planes && (axis_of(job) == 1 ? from.k : from.j) == 1;
    }
    [[nodiscard]] POISSON3D_HD T number_to_spread(int job, Index row, Index column) const {
        const FaceParts<T>& from = parts[axis_of(job)];
        if (job == 0) {
            const int side = row < modes[0].count ? 0 : 1;
            const Index j = row - side * modes[0].count;
            const T* const at = from.data + modes[0].place[j] * from.j + modes[1].place[column] * from.k;
            T value = at[0];
            if (two_ends()) value = (side == 0 ? value + at[from.part] : value - at[from.part]) / 2;
            return inverse * taken * value;
        }
        const int a = axis_of(job) - 1;
        const Index slot = planes ? column : row, i = planes ? first_i + row : column;
        const T* const at =
            from.data + part_of(job) * from.part + modes[1 - a].place[slot] * (a == 0 ? from.k : from.j);
        T value;
        if (i < middle.even())
            value = at[i * from.i] + (middle.classes_at(i) == 2 ? at[(middle.even() + i) * from.i] : T(0));
        else
            value = at[middle.partner(i) * from.i] - at[(middle.even() + middle.partner(i)) * from.i];
        return inverse * value;
    }
    [[nodiscard]] POISSON3D_HD T& spread_to(int job, Index row, Index column) const {
        if (job == 0) return rows[0][row * modes[1].count + column];
        const int a = axis_of(job) - 1;
        return planes ? plane_value(a, part_of(job), column, first_i + row)
                      : spread_value(a, part_of(job), row, column);
    }
    /// What was spread of the faces of modes[a], to rows along i, or to rows of slots.
    [[nodiscard]] POISSON3D_HD T& spread_value(int a, int part, Index slot, Index i) const {
        return rows[1 + a][(part * modes[1 - a].count + slot) * middle.points + i];
    }
    [[nodiscard]] POISSON3D_HD T& plane_value(int a, int part, Index slot, Index i) const {
        return rows[1 + a][(part * middle.points + i) * modes[1 - a].count + slot];
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
template <class T>
void launch_collect(const ModeSweeps<T>& sweeps, const ModeSweeps<T>& to, Stream stream);
template <class T>
void launch_add_planes(const ModeSweeps<T>& sweeps, Stream stream);

}  // namespace poisson3d::walled
