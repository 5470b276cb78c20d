// Boundary data as users have it, in arrays whose rows lie apart, with NaN between and wherever nothing should
// look; and the second-order operator as a plain loop over ghosts that hold it.
#pragma once

#include <array>
#include <vector>

#include "axis_rules.hpp"
#include "padded.hpp"
#include "poisson3d/boundary_data.hpp"
#include "poisson3d/field.hpp"

namespace poisson3d::test {

inline bool dirichlet_node(const Axis& axis, Index j) {
    return !unknowns(axis).contain(j);
}

/// Owns what all faces of a box hold.
template <class T>
class PlainFaces {
public:
    explicit PlainFaces(const Grid& grid) : grid_(grid) {}

    /// Every face that there is gets value(axis, side, {i, j, k}) at its points; the index along the axis is that
    /// of the nearest stored point. Where another face of the box decides, a NaN. Faces with a single value are
    /// given as a number if `numbers`.
    template <class Value>
    PlainFaces(const Grid& grid, bool numbers, Value value) : grid_(grid) {
        for (int axis = 0; axis < 3; ++axis)
            for (int side = 0; side < 2 && !grid.axes[axis].periodic(); ++side) {
                make(axis, side);
                for_each(axis, side, [&](const std::array<Index, 3>& at) {
                    if (decides(axis, side, at)) *place(axis, side, at) = static_cast<T>(value(axis, side, at));
                });
                if (numbers) collapse(axis, side);
            }
    }

    /// Views of what is owned here.
    [[nodiscard]] BoundaryData<T> data() const {
        BoundaryData<T> data;
        for (int axis = 0; axis < 3; ++axis)
            for (int side = 0; side < 2; ++side) {
                const Face& face = faces_[axis][side];
                data.faces[axis][side].constant = face.constant;
                if (face.memory.empty()) continue;
                data.faces[axis][side].data = face.memory.data() + margin;
                data.faces[axis][side].stride = face.stride;
            }
        return data;
    }

    [[nodiscard]] T operator()(int axis, int side, const std::array<Index, 3>& at) const {
        const Face& face = faces_[axis][side];
        return face.memory.empty() ? face.constant : face.memory[offset(axis, side, at)];
    }
    void set(int axis, int side, const std::array<Index, 3>& at, T value) {
        if (faces_[axis][side].memory.empty()) make(axis, side);
        *place(axis, side, at) = value;
    }

    /// body({i, j, k}) for all stored points of a face.
    template <class Body>
    void for_each(int axis, int side, Body body) const {
        const auto [a, b] = across(axis);
        std::array<Index, 3> at{};
        at[axis] = side == 0 ? 0 : grid_.axes[axis].points - 1;
        for (at[a] = 0; at[a] < grid_.axes[a].points; ++at[a])
            for (at[b] = 0; at[b] < grid_.axes[b].points; ++at[b]) body(at);
    }

private:
    static constexpr Index margin = 5;  ///< NaN before the first element and after the last

    struct Face {
        std::vector<T> memory;
        Index stride = 0;
        T constant = T(0);
    };

    void make(int axis, int side) {
        const auto [a, b] = across(axis);
        Face& face = faces_[axis][side];
        face.stride = grid_.axes[b].points + 1 + axis + side;
        face.memory.resize(static_cast<std::size_t>(2 * margin + grid_.axes[a].points * face.stride));
        for (std::size_t i = 0; i < face.memory.size(); ++i) face.memory[i] = nan_of<T>(static_cast<Index>(i));
    }
    [[nodiscard]] std::size_t offset(int axis, int side, const std::array<Index, 3>& at) const {
        const auto [a, b] = across(axis);
        return static_cast<std::size_t>(margin + at[a] * faces_[axis][side].stride + at[b]);
    }
    T* place(int axis, int side, const std::array<Index, 3>& at) {
        return faces_[axis][side].memory.data() + offset(axis, side, at);
    }
    /// Dirichlet nodes of other axes hold what their own faces say, unless this face is one of those, too.
    [[nodiscard]] bool decides(int axis, int side, const std::array<Index, 3>& at) const {
        if (dirichlet_node(grid_.axes[axis], side == 0 ? 0 : grid_.axes[axis].points - 1)) return true;
        const auto [a, b] = across(axis);
        return !dirichlet_node(grid_.axes[a], at[a]) && !dirichlet_node(grid_.axes[b], at[b]);
    }
    void collapse(int axis, int side) {
        bool found = false;
        bool same = true;
        T first = T(0);
        for_each(axis, side, [&](const std::array<Index, 3>& at) {
            const T value = *place(axis, side, at);
            if (!decides(axis, side, at)) return;
            if (!found) found = true, first = value;
            same = same && value == first;
        });
        if (same) faces_[axis][side] = {{}, 0, first};
    }

    Grid grid_;
    std::array<std::array<Face, 2>, 3> faces_;
};

/// u at the neighbour of unknown `at` along an axis (side −1 or 1): a stored unknown, a Dirichlet node, or a ghost
/// that is chosen so that the face between holds its value or its slope.
template <class T>
Real neighbour(const Grid& grid, FieldView<const T> u, const PlainFaces<T>& faces, std::array<Index, 3> at,
               int axis, Index side) {
    const Axis& line = grid.axes[axis];
    const Index n = line.points;
    const auto given = [&](int end) { return static_cast<Real>(faces(axis, end, at)); };
    const auto stored = [&](Index j) {
        std::array<Index, 3> there = at;
        there[axis] = j;
        return dirichlet_node(line, j) ? given(j == 0 ? 0 : 1) : static_cast<Real>(u(there[0], there[1], there[2]));
    };
    const Index j = at[axis] + side;
    if (line.periodic()) return stored((j + n) % n);
    if (j >= 0 && j < n) return stored(j);
    const int end = side < 0 ? 0 : 1;
    const bool dirichlet = (end == 0 ? line.lower : line.upper) == Boundary::dirichlet;
    if (line.centering == Centering::node) return stored(at[axis] - side) + 2 * line.spacing * given(end);
    return dirichlet ? 2 * given(end) - stored(at[axis]) : stored(at[axis]) + line.spacing * given(end);
}

/// ((∇² − λ) u)(i, j, k) for an unknown, with boundary data.
template <class T>
Real plain_operator(const Problem& problem, FieldView<const T> u, const PlainFaces<T>& faces, Index i, Index j,
                    Index k) {
    const Real centre = static_cast<Real>(u(i, j, k));
    Real sum = -static_cast<Real>(problem.helmholtz) * centre;
    for (int axis = 0; axis < 3; ++axis) {
        const Real h = problem.grid.axes[axis].spacing;
        const Real below = neighbour(problem.grid, u, faces, {i, j, k}, axis, -1);
        const Real above = neighbour(problem.grid, u, faces, {i, j, k}, axis, 1);
        sum += (below - 2 * centre + above) / (h * h);
    }
    return sum;
}

}  // namespace poisson3d::test
