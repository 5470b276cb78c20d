// Free faces that are closed by walls (lines/closed_axis.hpp): from the planes of u next to them, of the solution
// between the walls, to the values that u has on these faces in empty space. Planes and values lie in one array:
// for every plane of x the rows of faces of y and z, then the faces of x, so that what a slab touches of all of
// them is one run.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "face_modes.hpp"
#include "free_faces.hpp"
#include "mode_order.hpp"
#include "poisson3d/boundary_data.hpp"
#include "poisson3d/distributed.hpp"
#include "poisson3d/solver.hpp"

namespace poisson3d {

/// Where free faces lie in that array. Element (i, j) of the two other axes, all stored points, is at
/// first[axis][side] + i · row[axis] + j.
struct FreeFaces {
    std::array<std::array<Index, 2>, 3> first{};
    std::array<Index, 3> row{};
    std::array<std::array<bool, 2>, 3> free{};
    Extents points{};
    Index size = 0;

    explicit FreeFaces(const Grid& grid) : points(grid.points()) {
        Index ring = 0;
        for (const int axis : {1, 2})
            for (int side = 0; side < 2; ++side)
                if (is_free(grid.axes[static_cast<std::size_t>(axis)], side))
                    first[axis][side] = ring, ring += points[3 - axis];
        row = {points[2], ring, ring};
        size = points[0] * ring;
        for (int axis = 0; axis < 3; ++axis)
            for (int side = 0; side < 2; ++side) {
                free[axis][side] = is_free(grid.axes[static_cast<std::size_t>(axis)], side);
                if (axis == 0 && free[0][side]) first[0][side] = size, size += points[1] * points[2];
            }
    }

    /// Of such an array, the values beside a box.
    template <class T>
    [[nodiscard]] FaceValues<T> part(const T* values, const Box& box, int axis, int side) const {
        const auto [d, e] = across(axis);
        const Index begin = first[axis][side] + box.first[d] * row[axis] + box.first[e];
        return {T(0), values + begin, row[axis], size};
    }

    /// body(axis, side) for each.
    template <class Body>
    void for_each(const Body& body) const {
        for (int axis = 0; axis < 3; ++axis)
            for (int side = 0; side < 2; ++side)
                if (free[axis][side]) body(axis, side);
    }
};

/// copy(from, strides of its rows and columns, rows, columns, place in the array, from a row there to the next) for
/// each free face that a box touches; u of this box.
template <class T, class Copy>
void for_each_plane(const FreeFaces& faces, const Box& box, FieldView<const T> u, const Copy& copy) {
    if (box.points[0] * box.points[1] * box.points[2] == 0) return;
    faces.for_each([&](int axis, int side) {
        if (side == 0 ? box.first[axis] > 0 : box.first[axis] + box.points[axis] < faces.points[axis]) return;
        const auto [d, e] = across(axis);
        const T* from = u.data + (side == 0 ? 0 : (box.points[axis] - 1) * u.strides[axis]);
        const Index to = faces.first[axis][side] + box.first[d] * faces.row[axis] + box.first[e];
        copy(from, u.strides[d], u.strides[e], box.points[d], box.points[e], to, faces.row[axis]);
    });
}

/// On the threads of this process, with arrays in its memory; or on a device, with arrays there and asynchronous.
template <class T>
class ClosedFaces {
public:
    virtual ~ClosedFaces() = default;
    ClosedFaces() = default;
    ClosedFaces(const ClosedFaces&) = delete;
    ClosedFaces& operator=(const ClosedFaces&) = delete;

    /// Where values of a field of a batch are left.
    [[nodiscard]] virtual T* values(Index field) = 0;
    /// To an array like that what a box has of planes of u.
    virtual void take(const Box& box, FieldView<const T> u, T* to, Stream stream) = 0;
    /// values(field) −= what is at `value`, in their memory.
    virtual void subtract(Index field, const T* value, Stream stream) = 0;
    /// Whether the face of an axis stands for the mean of u on its two sides, or for u beyond it.
    [[nodiscard]] virtual bool mean(int axis) const = 0;
    [[nodiscard]] virtual std::size_t bytes() const = 0;
};

/// In the order of the middle pass of members (face_modes.hpp).
template <class T>
class ClosedFacesOnHost : public ClosedFaces<T> {
public:
    /// Sums over modes that parts of the box have add up, from 0 on, to arrays, which processes add up in turn.
    virtual void forget() = 0;
    virtual void add(const FaceModes<T>& part) = 0;
    [[nodiscard]] virtual const std::vector<std::span<T>>& arrays() const = 0;
    /// values(field) := what they give; of `shares` that add up share number `share`. Leaves no sums.
    virtual void find(Index field, int share, int shares) = 0;
    /// values(field), and what of them in modes a part has.
    virtual void spread(Index field) = 0;
    virtual void give(FaceModes<T>& part) const = 0;
};

template <class T>
class ClosedFacesOnDevice : public ClosedFaces<T> {
public:
    /// Where planes of u are to be put; and values(field) := what they give.
    [[nodiscard]] virtual T* planes() = 0;
    virtual void find(Index field, Stream stream) = 0;
    /// Of slabs, made for modes of y and z. To planes() what planes of the solution between walls have of them;
    /// values(field) from those of all slabs; and to the right-hand side between walls, of which its modes lack a
    /// factor `restore`, what these values add.
    virtual void take_modes(const ModePlanes<T>& u, Stream stream) = 0;
    virtual void find_in_modes(Index field, const ModePlanes<T>& f, double restore, Stream stream) = 0;
};

/// For batches of `fields`, closed as lines::close_faces(problem) closes them; lines along x are transformed in the
/// middle pass, or eliminated.
template <class T>
std::unique_ptr<ClosedFacesOnHost<T>> make_closed_faces(const Problem& problem, Index fields, int threads,
                                                        bool eliminates);
/// The same, closed as cells; `modes`: of y and z, or none.
template <class T>
std::unique_ptr<ClosedFacesOnDevice<T>> make_closed_faces_on_device(const Problem& problem, Index fields,
                                                                    int device,
                                                                    const std::array<ModeOrder, 3>& modes = {});

}  // namespace poisson3d
