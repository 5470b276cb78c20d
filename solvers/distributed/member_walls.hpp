// Free faces of members that are closed by walls (closed_faces.hpp):
//
//     solve between walls, u = 0 there                 to a field of the plan
//     its planes next to free faces                    to all processes, or devices
//     values of these faces                            by all; of processes each has a share, and they are added up
//     solve again with these values                    to u
//
// Of slabs on devices whose x is eliminated, with two or three free axes, f is transformed once:
//
//     y, z forward                                     modes that stay, in a field of the plan
//     x eliminated                                     modes of the solution between walls, to u
//     sums over modes, planes at ends of x             to all devices
//     what the values of faces add to these modes      by all, in their planes
//     x eliminated again; y, z backward                to u
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
#include "member.hpp"
#include "member_memory.hpp"
#include "poisson3d/distributed.hpp"
#include "transport.hpp"

namespace poisson3d {

template <class T>
class MemberWalls {
public:
    /// `engines`: of my members, that keep modes; or none.
    MemberWalls(const Problem& problem, Index batch, const Decomposition& solved, Transport& transport, int threads,
                const std::vector<MemberEngine<T>*>& engines)
        : problem_(problem),
          faces_(problem.grid),
          solved_(solved),
          transport_(transport),
          mine_(transport.mine()),
          shared_(static_cast<int>(mine_.size()) < solved.members()),
          on_devices_(transport.device(mine_.front()) >= 0),
          in_modes_(!engines.empty()),
          batch_(batch) {
        for (std::size_t m = 0; m < mine_.size(); ++m) {
            const int device = transport.device(mine_[m]);
            std::array<ModeOrder, 3> modes;
            for (const int axis : {1, 2})
                if (in_modes_) modes[static_cast<std::size_t>(axis)] = engines[m]->mode_order(axis);
            inside_.emplace_back(in_modes_ ? engines[m]->size_of_modes() : size_of(solved.box(mine_[m])), device);
            if (in_modes_) engines[m]->keep_modes(inside_.back().data());
            if (on_devices_) places_.push_back(make_closed_faces_on_device<T>(problem, batch, device, modes));
        }
        if (!on_devices_) places_.push_back(make_closed_faces<T>(problem, batch, threads));
        if (!translates()) return;
        const Index size = batch * faces_.size;
        for (std::size_t p = 0; p < places_.size(); ++p)
            kept_.emplace_back(size, on_devices_ ? transport.device(mine_[p]) : -1);
    }

    /// Once, when the way of exchanges is known.
    void prepare(Way way) {
        if (!shared_ && !on_devices_) return;
        const auto array_of = [&](int member) -> T* {
            const auto found = std::find(mine_.begin(), mine_.end(), member);
            return found == mine_.end() ? nullptr : place(static_cast<std::size_t>(found - mine_.begin())).planes();
        };
        const std::vector<Transfer> list = planes_to_all<T>(faces_, solved_, array_of, sent_);
        exchange_ = transport_.prepare_small(way, list);
    }

    /// Whether f is transformed once; then the calls of a solve stay as they are.
    [[nodiscard]] bool in_modes() const noexcept { return in_modes_; }
    /// Then, between the two ways through the middle: what my member number m has, and, after that of all my
    /// members, to the modes of all of them.
    void take_modes(std::size_t m, const ModePlanes<T>& u, const std::vector<Stream>& streams) {
        place(m).take_modes(u, streams[m]);
    }
    template <class ModesOf>
    void find_in_modes(Index field, double restore, ThreadTeam& team, const std::vector<Stream>& streams,
                       const ModesOf& modes_of) {
        if (exchange_) exchange_->run(team, streams);
        for_each_member(team,
                        [&](std::size_t m) { place(m).find_in_modes(field, modes_of(m), restore, streams[m]); });
    }

    /// From the calls of one solve the first of the two, and in their place the second.
    void split(std::vector<Call<T>>& calls) {
        found_ = false;
        if (in_modes_) return;
        first_ = calls;
        for (std::size_t m = 0; m < calls.size(); ++m) {
            first_[m].u = inside(m);
            first_[m].u_next = 0;
            calls[m].boundary.any = true;
            faces_.for_each([&](int axis, int side) {
                calls[m].boundary.face[axis][side] = part(place(m).values(0), solved_.box(mine_[m]), axis, side);
            });
        }
    }
    [[nodiscard]] const std::vector<Call<T>>& first() const noexcept { return first_; }

    /// Between the two solves for a field.
    void find(Index field, ThreadTeam& team, const std::vector<Stream>& streams) {
        for_each_member(team, [&](std::size_t m) {
            place(m).take(solved_.box(mine_[m]), FieldView<const T>(inside(m)), place(m).planes(), streams[m]);
        });
        if (exchange_) exchange_->run(team, streams);
        if (on_devices_)
            for_each_member(team, [&](std::size_t m) { places_[m]->find(field, 0, 1, streams[m]); });
        else if (!shared_)
            places_[0]->find(field, 0, 1, {});
        else {
            places_[0]->find(field, mine_.front(), solved_.members(), {});
            transport_.sum(places_[0]->values(field), faces_.size);
        }
    }
    /// After them, what was taken from u of my member number m, where that is in its memory.
    void shift(Index field, std::size_t m, const T* value, Stream stream) {
        if (m < places_.size()) places_[m]->subtract(field, value, stream);
    }
    /// At last; u_of(m) is that of my member number m.
    template <class FieldOf>
    void keep(Index field, ThreadTeam& team, const std::vector<Stream>& streams, const FieldOf& u_of) {
        if (kept_.empty()) return;
        for_each_member(team, [&](std::size_t m) {
            place(m).take(solved_.box(mine_[m]), u_of(m), kept_[on_devices_ ? m : 0].data() + field * faces_.size,
                          streams[m]);
        });
    }

    /// Takes the memory that data() needs, and what devices have, for which it waits.
    void reserve(Index fields, const std::vector<Stream>& streams) {
        if (found_) return;
        const auto count = static_cast<std::size_t>(batch_ * faces_.size);
        const std::size_t bytes = static_cast<std::size_t>(fields * faces_.size) * sizeof(T);
        told_.resize(count);
        next_.assign(kept_.empty() ? 0 : count, T(0));
        if (!on_devices_) {
            std::copy_n(places_[0]->values(0), fields * faces_.size, told_.data());
        } else {
            const DeviceScope scope(transport_.device(mine_.front()));
            copy_to_host(told_.data(), places_[0]->values(0), bytes, streams[0]);
        }
        std::vector<T> one(on_devices_ && !kept_.empty() ? count : 0);
        for (std::size_t m = 0; !kept_.empty() && m < mine_.size(); ++m) {
            const T* from = kept_[on_devices_ ? m : 0].data();
            if (on_devices_) {
                const DeviceScope scope(transport_.device(mine_[m]));
                copy_to_host(one.data(), from, bytes, streams[m]);
                from = one.data();
            }
            for (Index b = 0; b < fields; ++b)
                for (const PlanesPart& part : parts_of(faces_, solved_.box(mine_[m])))
                    for (Index run = 0; run < part.runs; ++run) {
                        const Index at = b * faces_.size + part.first + run * part.stride;
                        std::copy_n(from + at, part.run, next_.data() + at);
                    }
        }
    }
    /// After reserve(): what stands on free faces of `fields` fields, as the centring of their axes has it, and
    /// `walls`. A call of all members.
    BoundaryData<T> data(const BoundaryData<T>& walls, Index fields) {
        for (Index field = 0; field < fields && !found_ && !kept_.empty(); ++field) translate(field);
        found_ = true;
        BoundaryData<T> all = walls;
        const Box whole{{}, problem_.grid.points()};
        faces_.for_each([&](int axis, int side) { all.faces[axis][side] = part(told_.data(), whole, axis, side); });
        return all;
    }
    /// Of data(), the free faces that the box of my member number m touches, in the memory of its fields, in place
    /// of those of `mine`. Waits for a copy to a device.
    void take(std::size_t m, const Box& box, Stream stream, BoundaryData<T>& mine) {
        const T* here = told_.data();
        if (on_devices_) {
            on_member_.resize(mine_.size());
            const int device = transport_.device(mine_[m]);
            const auto count = static_cast<Index>(told_.size());
            if (on_member_[m].bytes() == 0) on_member_[m] = MemberMemory<T>(count, device);
            const DeviceScope scope(device);
            copy_to_device(on_member_[m].data(), told_.data(), told_.size() * sizeof(T), stream);
            here = on_member_[m].data();
        }
        faces_.for_each([&](int axis, int side) {
            const Index end = side == 0 ? box.first[axis] : box.first[axis] + box.points[axis];
            if (size_of(box) > 0 && end == (side == 0 ? 0 : faces_.points[axis]))
                mine.faces[axis][side] = part(here, box, axis, side);
        });
    }

    [[nodiscard]] Traffic sent_by(int member) const {
        return sent_.empty() ? Traffic{} : sent_[static_cast<std::size_t>(member)];
    }
    [[nodiscard]] std::size_t bytes() const noexcept {
        std::size_t sum = 0;
        for (const auto& place : places_) sum += place->bytes();
        for (const auto* memory : {&inside_, &kept_})
            for (const MemberMemory<T>& each : *memory) sum += each.bytes();
        return sum;
    }

private:
    template <class Body>
    void for_each_member(ThreadTeam& team, const Body& body) {
        team.parallel_for(static_cast<Index>(mine_.size()), 1, [&](Index begin, Index end, int) {
            for (Index m = begin; m < end; ++m) body(static_cast<std::size_t>(m));
        });
    }
    /// Of my member number m: its device, or that of all.
    [[nodiscard]] ClosedFaces<T>& place(std::size_t m) const { return *places_[on_devices_ ? m : 0]; }
    [[nodiscard]] FieldView<T> inside(std::size_t m) const {
        return {inside_[m].data(), solved_.box(mine_[m]).points};
    }
    /// Of an array of values, those beside a box.
    [[nodiscard]] FaceValues<T> part(const T* values, const Box& box, int axis, int side) const {
        const auto [d, e] = across(axis);
        const Index first = faces_.first[axis][side] + box.first[d] * faces_.row[axis] + box.first[e];
        return {T(0), values + first, faces_.row[axis], faces_.size};
    }

    /// Whether closed faces of an axis stand for something else than what its centring says.
    [[nodiscard]] bool translates(int axis) const {
        const Axis& along = problem_.grid.axes[static_cast<std::size_t>(axis)];
        return along.unbounded() && places_[0]->mean(axis) != (along.centering == Centering::cell);
    }
    [[nodiscard]] bool translates() const { return translates(0) || translates(1) || translates(2); }
    /// Cells ½ (in + out), nodes out.
    void translate(Index field) {
        T* const in = next_.data() + field * faces_.size;
        if (shared_) transport_.sum(in, faces_.size);
        T* const all = told_.data() + field * faces_.size;
        faces_.for_each([&](int axis, int side) {
            if (!translates(axis)) return;
            const auto [d, e] = across(axis);
            const AxisKind rows = axis_kind(problem_.grid.axes[static_cast<std::size_t>(d)]);
            const AxisKind columns = axis_kind(problem_.grid.axes[static_cast<std::size_t>(e)]);
            for (Index i = rows.first; i < rows.first + rows.unknowns; ++i)
                for (Index j = columns.first; j < columns.first + columns.unknowns; ++j) {
                    const Index at = faces_.first[axis][side] + i * faces_.row[axis] + j;
                    all[at] = places_[0]->mean(axis) ? 2 * all[at] - in[at] : (all[at] + in[at]) / 2;
                }
        });
    }

    Problem problem_;
    FreeFaces faces_;
    const Decomposition& solved_;
    Transport& transport_;
    std::vector<int> mine_;
    bool shared_;  ///< members are on other processes, too
    bool on_devices_, in_modes_;
    Index batch_;
    std::vector<std::unique_ptr<ClosedFaces<T>>> places_;  ///< of each of my members, on hosts one for all
    std::vector<MemberMemory<T>> inside_;                  ///< the solution between walls, or modes, of my members
    std::vector<MemberMemory<T>> kept_;       ///< by place: planes of u next to faces, of each field, where wanted
    std::vector<T> told_, next_;              ///< on the host: values of each field, and planes of u next to them
    std::vector<MemberMemory<T>> on_member_;  ///< values on my devices, once asked for
    std::vector<Call<T>> first_;
    std::vector<Traffic> sent_;
    std::unique_ptr<Transfers> exchange_;  ///< null: all members have one array
    bool found_ = false;
};

}  // namespace poisson3d
