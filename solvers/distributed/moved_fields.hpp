// Fields of members in the boxes in which they solve, where those are not the boxes that they have: f, which u
// replaces, and what faces have.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "member_memory.hpp"
#include "poisson3d/boundary_data.hpp"
#include "poisson3d/distributed.hpp"
#include "redistribution.hpp"

namespace poisson3d {

template <class T>
class MovedFields {
public:
    /// Takes all memory. `direct`: members on devices, all of which reach each other's memory.
    MovedFields(const Problem& problem, const Decomposition& own, const Decomposition& solved,
                const Transport& transport, ThreadTeam& team, bool direct)
        : own_(own), solved_(solved), mine_(transport.mine()), direct_(direct) {
        const auto moved = [&](const auto& box_of) {
            std::vector<Box> from, to;
            for (int m = 0; m < own.members(); ++m) {
                from.push_back(box_of(own_.box(m), Index{0}));
                to.push_back(box_of(solved_.box(m), Index{1}));
            }
            return std::make_unique<Redistribution<T>>(from, to, transport, team, direct);
        };
        field_.move = moved([](const Box& box, Index) { return box; });
        for (const int m : mine_) field_.add(solved_.box(m).points, transport.device(m));
        for (int axis = 0; axis < 3; ++axis)
            for (int side = 0; side < 2; ++side) {
                if (!has_data(problem, axis, side)) continue;
                const auto of_face = [&](const Box& box, Index near) { return face_of(box, axis, side, near); };
                Moved& face = faces_[axis][side].emplace();
                face.move = moved(of_face);
                for (const int m : mine_) face.add(of_face(solved_.box(m), 1).points, transport.device(m));
            }
        from_.resize(mine_.size());
        to_.reserve(mine_.size());
        constants_.resize(mine_.size());
    }
    /// Once, after all members have been made.
    void prepare(Way way, Transport& transport) {
        const auto prepare = [&](const Moved& moved) {
            direct_ ? moved.move->prepare(moved.views, transport) : moved.move->prepare(way, transport);
        };
        prepare(field_);
        for (const auto& axis : faces_)
            for (const auto& face : axis)
                if (face) prepare(*face);
    }

    /// Of my member number m.
    [[nodiscard]] FieldView<T> field(std::size_t m) const noexcept { return field_.views[m]; }
    [[nodiscard]] BoundaryData<T> faces(std::size_t m) const noexcept {
        BoundaryData<T> data;
        for (int axis = 0; axis < 3; ++axis)
            for (int side = 0; side < 2; ++side)
                if (faces_[axis][side]) {
                    const FieldView<T>& view = faces_[axis][side]->views[m];
                    if (view.extents[0] == 0 || view.extents[1] == 0 || view.extents[2] == 0) continue;
                    data.faces[axis][side] = {T(0), view.data, extents_of_face(view.extents, axis)[1], 0};
                }
        return data;
    }

    /// field() := what my members have. On devices asynchronous in their streams, as are the next two.
    void bring(std::span<const FieldBatch<const T>> f, Index b, std::span<const Stream> streams) {
        for (std::size_t m = 0; m < mine_.size(); ++m) from_[m] = f[m][b];
        field_.move->there(from_, field_.views, streams);
    }
    /// And faces(), of which some members may have none.
    void bring_faces(std::span<const BoundaryData<T>> boundary, Index b, std::span<const Stream> streams) {
        for (int axis = 0; axis < 3; ++axis)
            for (int side = 0; side < 2; ++side) {
                if (!faces_[axis][side]) continue;
                for (std::size_t m = 0; m < mine_.size(); ++m) {
                    const FaceValues<T> values = boundary.empty() ? FaceValues<T>{} : boundary[m].faces[axis][side];
                    constants_[m] = values.constant;
                    from_[m] = read(m, axis, side, values, b);
                }
                faces_[axis][side]->move->there(from_, faces_[axis][side]->views, streams, constants_);
            }
    }
    void take(std::span<const FieldBatch<T>> u, Index b, std::span<const Stream> streams) {
        to_.clear();
        for (std::size_t m = 0; m < mine_.size(); ++m) {
            to_.push_back(u[m][b]);
            from_[m] = field_.views[m];
        }
        field_.move->back(from_, to_, streams);
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
        std::vector<MemberMemory<T>> memory;
        std::vector<FieldView<T>> views;               ///< of my members
        void add(const Extents& points, int device) {  // without points also memory that others may ask for
            memory.emplace_back(std::max<Index>(1, points[0] * points[1] * points[2]), device);
            views.emplace_back(memory.back().data(), points);
        }
        [[nodiscard]] std::size_t bytes() const noexcept {
            std::size_t sum = move->bytes();
            for (const auto& field : memory) sum += field.bytes();
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

    /// A member's part of a face; null: it is a number.
    FieldView<const T> read(std::size_t m, int axis, int side, const FaceValues<T>& values, Index b) const {
        if (values.data == nullptr) return {};
        Strides strides{values.stride, values.stride, 1};
        if (axis == 2) strides = {values.stride, 1, 1};
        return {values.data + b * values.field_stride, face_of(own_.box(mine_[m]), axis, side, 0).points, strides};
    }

    Decomposition own_, solved_;
    std::vector<int> mine_;
    bool direct_;
    Moved field_;
    std::array<std::array<std::optional<Moved>, 2>, 3> faces_;
    std::vector<FieldView<const T>> from_;
    std::vector<FieldView<T>> to_;
    std::vector<T> constants_;  ///< of faces that are numbers
};

}  // namespace poisson3d
