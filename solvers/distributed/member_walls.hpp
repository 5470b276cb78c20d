// Free faces of members on hosts, closed by walls (closed_faces.hpp):
//
//     solve between walls, u = 0 there                 to a field of the plan
//     its planes next to free faces                    to all processes
//     values of these faces                            by all, of which each has a share, added up
//     solve again with these values                    to u
//
// Source: James, J. Comput. Phys. 25 (1977).
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "axis_kind.hpp"
#include "boxes.hpp"
#include "closed_faces.hpp"
#include "engine.hpp"
#include "free_planes.hpp"
#include "poisson3d/distributed.hpp"
#include "transport.hpp"

namespace poisson3d {

template <class T>
class MemberWalls {
public:
    MemberWalls(const Problem& problem, Index batch, const Decomposition& solved, Transport& transport, int threads)
        : problem_(problem),
          faces_(problem.grid),
          solved_(solved),
          transport_(transport),
          planes_(faces_, solved, transport),
          operator_(make_closed_faces<T>(problem, threads)),
          values_(static_cast<std::size_t>(batch * faces_.size), T(0)) {
        for (const int m : transport.mine()) inside_.emplace_back(solved.box(m).points);
        if (translates()) kept_.resize(values_.size(), T(0));
    }

    /// From the calls of one solve the first of the two, and in their place the second.
    void split(std::vector<Call<T>>& calls) {
        first_ = calls;
        for (std::size_t m = 0; m < calls.size(); ++m) {
            first_[m].u = inside_[m].view();
            first_[m].u_next = 0;
            calls[m].boundary.any = true;
            faces_.for_each([&](int axis, int side) {
                calls[m].boundary.face[axis][side] = part(solved_.box(transport_.mine()[m]), axis, side);
            });
        }
        found_ = false;
        std::fill(kept_.begin(), kept_.end(), T(0));  // what others have adds up
    }
    [[nodiscard]] const std::vector<Call<T>>& first() const noexcept { return first_; }

    /// Between the two solves for a field.
    void find(Index field, ThreadTeam& team) {
        const std::vector<int>& mine = transport_.mine();
        for (std::size_t m = 0; m < mine.size(); ++m)
            planes_.take(mine[m], FieldView<const T>(inside_[m].view()), planes_.data());
        planes_.send(team);
        const bool shared = static_cast<int>(mine.size()) < solved_.members();
        operator_->find(planes_.data(), values(field), shared ? mine.front() : 0, shared ? solved_.members() : 1);
        if (shared) transport_.sum(values(field), faces_.size);
    }
    /// After them; `shift` was taken from u, u_of(m) is that of my member number m.
    template <class FieldOf>
    void keep(Index field, T shift, const FieldOf& u_of) {
        T* const all = values(field);
        for (Index i = 0; shift != T(0) && i < faces_.size; ++i) all[i] -= shift;
        for (std::size_t m = 0; !kept_.empty() && m < transport_.mine().size(); ++m)
            planes_.take(transport_.mine()[m], u_of(m), kept_.data() + field * faces_.size);
    }

    /// What stands on free faces of `fields` fields, as the centring of their axes has it, and `walls`. A call of
    /// all members.
    BoundaryData<T> data(const BoundaryData<T>& walls, Index fields) {
        for (Index field = 0; field < fields && !found_ && !kept_.empty(); ++field) translate(field);
        found_ = true;
        BoundaryData<T> all = walls;
        const Box whole{{}, problem_.grid.points()};
        faces_.for_each([&](int axis, int side) { all.faces[axis][side] = part(whole, axis, side); });
        return all;
    }
    /// Of data(), the free faces that a box touches, in place of those of `mine`.
    void take(const Box& box, BoundaryData<T>& mine) const {
        faces_.for_each([&](int axis, int side) {
            const Index end = side == 0 ? box.first[axis] : box.first[axis] + box.points[axis];
            if (size_of(box) > 0 && end == (side == 0 ? 0 : faces_.points[axis]))
                mine.faces[axis][side] = part(box, axis, side);
        });
    }

    [[nodiscard]] Traffic sent_by(int member) const { return planes_.sent_by(member); }
    [[nodiscard]] std::size_t bytes() const noexcept {
        std::size_t sum = planes_.bytes() + operator_->bytes() + (values_.size() + kept_.size()) * sizeof(T);
        for (const Field<T>& field : inside_) sum += static_cast<std::size_t>(field.size()) * sizeof(T);
        return sum;
    }

private:
    [[nodiscard]] T* values(Index field) { return values_.data() + field * faces_.size; }
    /// Of the values, those beside a box.
    [[nodiscard]] FaceValues<T> part(const Box& box, int axis, int side) const {
        const auto [d, e] = across(axis);
        const Index first = faces_.first[axis][side] + box.first[d] * faces_.row[axis] + box.first[e];
        return {T(0), values_.data() + first, faces_.row[axis], faces_.size};
    }

    /// Whether closed faces of an axis stand for something else than what its centring says.
    [[nodiscard]] bool translates(int axis) const {
        const Axis& along = problem_.grid.axes[static_cast<std::size_t>(axis)];
        return along.unbounded() && operator_->mean(axis) != (along.centering == Centering::cell);
    }
    [[nodiscard]] bool translates() const { return translates(0) || translates(1) || translates(2); }
    /// Cells ½ (in + out), nodes out.
    void translate(Index field) {
        T* const in = kept_.data() + field * faces_.size;
        if (static_cast<int>(transport_.mine().size()) < solved_.members()) transport_.sum(in, faces_.size);
        T* const all = values(field);
        faces_.for_each([&](int axis, int side) {
            if (!translates(axis)) return;
            const auto [d, e] = across(axis);
            const AxisKind rows = axis_kind(problem_.grid.axes[static_cast<std::size_t>(d)]);
            const AxisKind columns = axis_kind(problem_.grid.axes[static_cast<std::size_t>(e)]);
            for (Index i = rows.first; i < rows.first + rows.unknowns; ++i)
                for (Index j = columns.first; j < columns.first + columns.unknowns; ++j) {
                    const Index at = faces_.first[axis][side] + i * faces_.row[axis] + j;
                    all[at] = operator_->mean(axis) ? 2 * all[at] - in[at] : (all[at] + in[at]) / 2;
                }
        });
    }

    Problem problem_;
    FreeFaces faces_;
    const Decomposition& solved_;
    Transport& transport_;
    FreePlanes<T> planes_;
    std::unique_ptr<ClosedFaces<T>> operator_;
    std::vector<Field<T>> inside_;  ///< the solution between walls, of my members
    std::vector<T> values_;         ///< of each field of a batch
    std::vector<T> kept_;           ///< planes of u next to faces, of each field, where they are asked for: mine
    std::vector<Call<T>> first_;
    bool found_ = false;
};

}  // namespace poisson3d
