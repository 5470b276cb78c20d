// The planes of a field next to free faces and the values on these faces, as the face operator has them: in parts,
// sums and differences of the two faces of an axis, and of points and their partners along both axes of the faces
// (folded_line.hpp). Element (part, i, j) is at (part · rows + i) · columns + j, even ones before odd ones.
#pragma once

#include "folded_line.hpp"
#include "poisson3d/stream.hpp"

namespace poisson3d::walled {

/// The faces of an axis.
template <class T>
struct FacePlanes {
    const T* in[2] = {};  ///< by side, in a field, next to the face; null: that face is not free
    Index row = 0, column = 0;
    FoldedLine rows, columns;
    T* parts = nullptr;  ///< u in, and values out
    bool two_faces = false;
    T* face[2] = {};  ///< by side: element (i, j) at i · face_row + j
    Index face_row = 0;

    /// Of points i, j < even() and their partners: parts := what is next to the faces.
    POISSON3D_HD void take(Index i, Index j) const {
        T v[2][2][2] = {};
        for_each(i, j, [&](int s, int y, int x, Index at_i, Index at_j) {
            v[s][y][x] = in[s] == nullptr ? T(0) : in[s][at_i * row + at_j * column];
        });
        sums_and_differences(v, i, j);
        for_each(i, j, [&](int s, int y, int x, Index, Index) {
            if (s == 0 || two_faces) parts[place(s, y, x, i, j)] = v[s][y][x];
        });
    }

    /// The reverse: values of faces from those of the parts.
    POISSON3D_HD void give(Index i, Index j) const {
        T v[2][2][2] = {};
        for_each(i, j, [&](int s, int y, int x, Index, Index) {
            v[s][y][x] = s == 0 || two_faces ? parts[place(s, y, x, i, j)] : T(0);
        });
        sums_and_differences(v, i, j);
        const T half = two_faces ? T(0.5) : T(1);
        for_each(i, j, [&](int s, int y, int x, Index at_i, Index at_j) {
            if (face[s] == nullptr) return;
            face[s][at_i * face_row + at_j] = half * v[two_faces ? s : 0][y][x];
        });
    }

    /// Values of cells, ½ (in + out), as those of nodes, out.
    POISSON3D_HD void move_outside(Index i, Index j) const {
        for_each(i, j, [&](int s, int, int, Index at_i, Index at_j) {
            if (face[s] == nullptr) return;
            T& value = face[s][at_i * face_row + at_j];
            value = 2 * value - in[s][at_i * row + at_j * column];
        });
    }

private:
    [[nodiscard]] POISSON3D_HD Index place(int s, int y, int x, Index i, Index j) const {
        return (s * rows.points + y * rows.even() + i) * columns.points + x * columns.even() + j;
    }
    template <class Body>
    POISSON3D_HD void for_each(Index i, Index j, const Body& body) const {
        const int number_i = rows.classes_at(i), number_j = columns.classes_at(j);
        POISSON3D_UNROLL
        for (int s = 0; s < 2; ++s) POISSON3D_UNROLL
        for (int y = 0; y < 2; ++y) POISSON3D_UNROLL
        for (int x = 0; x < 2; ++x)
            if (y < number_i && x < number_j)
                body(s, y, x, y == 0 ? i : rows.partner(i), x == 0 ? j : columns.partner(j));
    }
    /// A single face stands in place 0 or 1, and its sum with nothing in both.
    POISSON3D_HD void sums_and_differences(T (&v)[2][2][2], Index i, Index j) const {
        const auto combine = [](T& a, T& b) {
            const T sum = a + b;
            b = a - b;
            a = sum;
        };
        const int number_i = rows.classes_at(i), number_j = columns.classes_at(j);
        POISSON3D_UNROLL
        for (int y = 0; y < 2; ++y) POISSON3D_UNROLL
        for (int x = 0; x < 2; ++x)
            if (y < number_i && x < number_j) combine(v[0][y][x], v[1][y][x]);
        POISSON3D_UNROLL
        for (int s = 0; s < 2; ++s) POISSON3D_UNROLL
        for (int x = 0; x < 2; ++x)
            if (number_i == 2 && x < number_j) combine(v[s][0][x], v[s][1][x]);
        POISSON3D_UNROLL
        for (int s = 0; s < 2; ++s) POISSON3D_UNROLL
        for (int y = 0; y < 2; ++y)
            if (number_j == 2 && y < number_i) combine(v[s][y][0], v[s][y][1]);
    }
};

/// Those of three axes; without rows: the axis has no free face.
template <class T>
struct AllFacePlanes {
    FacePlanes<T> of[3];
};

/// Asynchronous on `stream`; throw Error{device} when refused.
template <class T>
void launch_take(const AllFacePlanes<T>& planes, Stream stream);
template <class T>
void launch_give(const AllFacePlanes<T>& planes, Stream stream);
template <class T>
void launch_move_outside(const AllFacePlanes<T>& planes, Stream stream);

}  // namespace poisson3d::walled
