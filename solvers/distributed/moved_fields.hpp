// Fields of members in the boxes in which they solve, where those are not the boxes that they have: f, which u
// replaces, and what faces have.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "poisson3d/boundary_data.hpp"
#include "poisson3d/distributed.hpp"
#include "redistribution.hpp"

namespace poisson3d {

template <class T>
class MovedFields {
public:
    MovedFields(const Problem& problem, const Decomposition& own, Transport& transport, ThreadTeam& team)
        : own_(own), solved_(own.solved_in()), mine_(transport.mine()) {
        const auto moved = [&](const auto& box_of) {
            std::vector<Box> from, to;
            for (int m = 0; m < own.members(); ++m) {
                from.push_back(box_of(own_.box(m), Index{0}));
                to.push_back(box_of(solved_.box(m), Index{1}));
            }
            return std::make_unique<Redistribution<T>>(std::move(from), std::move(to), transport, team);
        };
        field_.move = moved([](const Box& box, Index) { return box; });
        for (const int m : mine_) field_.add(solved_.box(m).points);
        for (int axis = 0; axis < 3; ++axis)
            for (int side = 0; side < 2; ++side) {
                if (!has_data(problem, axis, side)) continue;
                const auto of_face = [&](const Box& box, Index near) { return face_of(box, axis, side, near); };
                Moved& face = faces_[axis][side].emplace();
                face.move = moved(of_face);
                for (const int m : mine_) face.add(of_face(solved_.box(m), 1).points);
            }
        from_.resize(mine_.size());
        to_.reserve(mine_.size());
        for (const int m : mine_) {
            const Extents& n = own_.box(m).points;
            spread_.emplace_back(static_cast<std::size_t>(std::max({n[0] * n[1], n[0] * n[2], n[1] * n[2]})));
        }
    }

    /// Of my member number m.
    [[nodiscard]] FieldView<T> field(std::size_t m) const noexcept { return field_.views[m]; }
    [[nodiscard]] BoundaryData<T> faces(std::size_t m) const noexcept {
        BoundaryData<T> data;
        for (int axis = 0; axis < 3; ++axis)
            for (int side = 0; side < 2; ++side)
                if (faces_[axis][side]) {
                    const FieldView<T>& view = faces_[axis][side]->views[m];
                    data.faces[axis][side] = {T(0), view.data, extents_of_face(view.extents, axis)[1], 0};
                }
        return data;
    }

    /// field() := what my members have.
    void bring(std::span<const FieldBatch<const T>> f, Index b) {
        for (std::size_t m = 0; m < mine_.size(); ++m) from_[m] = f[m][b];
        field_.move->there(from_, field_.views);
    }
    /// And faces(), of which some members may have none.
    void bring_faces(std::span<const BoundaryData<T>> boundary, Index b) {
        for (int axis = 0; axis < 3; ++axis)
            for (int side = 0; side < 2; ++side) {
                if (!faces_[axis][side]) continue;
                for (std::size_t m = 0; m < mine_.size(); ++m)
                    from_[m] =
                        read(m, axis, side, boundary.empty() ? FaceValues<T>{} : boundary[m].faces[axis][side], b);
                faces_[axis][side]->move->there(from_, faces_[axis][side]->views);
            }
    }
    void take(std::span<const FieldBatch<T>> u, Index b) {
        to_.clear();
        for (std::size_t m = 0; m < mine_.size(); ++m) {
            to_.push_back(u[m][b]);
            from_[m] = field_.views[m];
        }
        field_.move->back(from_, to_);
    }

    [[nodiscard]] Traffic traffic() const noexcept {  ///< of f and u
        return {2 * field_.move->messages(), 2.0 * sizeof(T) * static_cast<double>(field_.move->elements())};
    }
    [[nodiscard]] Traffic sent_by(int member) const {
        const auto [messages, elements] = field_.move->sent_by(member);
        return {messages, sizeof(T) * static_cast<double>(elements)};
    }
    [[nodiscard]] std::size_t bytes() const noexcept {
        std::size_t sum = field_.bytes();
        for (const auto& axis : faces_)
            for (const auto& face : axis)
                if (face) sum += face->bytes();
        return sum;
    }

private:
    struct Moved {
        std::unique_ptr<Redistribution<T>> move;
        std::vector<Field<T>> memory;
        std::vector<FieldView<T>> views;  ///< of my members
        void add(const Extents& points) {
            memory.emplace_back(points);
            views.push_back(memory.back().view());
        }
        [[nodiscard]] std::size_t bytes() const noexcept {
            std::size_t sum = move->bytes();
            for (const auto& field : memory) sum += static_cast<std::size_t>(field.size()) * sizeof(T);
            return sum;
        }
    };

    static bool has_data(const Problem& problem, int axis, int side) {
        const Axis& along = problem.grid.axes[static_cast<std::size_t>(axis)];
        return problem.discretization == Discretization::second_order && !along.periodic() &&
               (side == 0 ? along.lower : along.upper) != Boundary::free;
    }

    /// The part of a face that a box touches, or is as near to as `near` points, as a box of one plane. What stands
    /// on Dirichlet nodes belongs to those beside them, too.
    [[nodiscard]] Box face_of(const Box& box, int axis, int side, Index near) const {
        const Index beyond = side == 0 ? box.first[axis] : own_.points()[axis] - box.first[axis] - box.points[axis];
        Box face = box;
        face.first[axis] = 0;
        face.points[axis] = size_of(box) > 0 && beyond <= near ? 1 : 0;
        return face;
    }

    /// A member's part of a face; numbers are spread over an array first.
    FieldView<const T> read(std::size_t m, int axis, int side, const FaceValues<T>& values, Index b) {
        const Extents points = face_of(own_.box(mine_[m]), axis, side, 0).points;
        if (values.data == nullptr) {
            std::fill(spread_[m].begin(), spread_[m].end(), values.constant);
            return {spread_[m].data(), points};
        }
        Strides strides{values.stride, values.stride, 1};
        if (axis == 2) strides = {values.stride, 1, 1};
        return {values.data + b * values.field_stride, points, strides};
    }

    Decomposition own_, solved_;
    std::vector<int> mine_;
    Moved field_;
    std::array<std::array<std::optional<Moved>, 2>, 3> faces_;
    std::vector<FieldView<const T>> from_;
    std::vector<FieldView<T>> to_;
    std::vector<std::vector<T>> spread_;  ///< a number all over a face
};

}  // namespace poisson3d
