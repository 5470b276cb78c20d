// What stands on free faces that members close by walls (member_walls.hpp), when somebody asks for it: in the
// memory of the host, of all faces, as the centring of their axes has it; and where a member has its fields.
#pragma once

#include <algorithm>
#include <vector>

#include "axis_kind.hpp"
#include "boxes.hpp"
#include "closed_faces.hpp"
#include "member_memory.hpp"
#include "poisson3d/distributed.hpp"
#include "transport.hpp"

namespace poisson3d {

template <class T>
class FoundFaces {
public:
    /// `places`: where values are found, of each of my members or, on hosts, one for all. What it is given must
    /// outlive it.
    FoundFaces(const Problem& problem, Index batch, const Decomposition& solved, Transport& transport,
               std::vector<ClosedFaces<T>*> places)
        : problem_(problem),
          faces_(problem.grid),
          solved_(solved),
          transport_(transport),
          mine_(transport.mine()),
          on_devices_(transport.device(mine_.front()) >= 0),
          batch_(batch),
          places_(std::move(places)) {
        if (!translates()) return;
        const Index size = batch * faces_.size;
        for (std::size_t p = 0; p < places_.size(); ++p)
            kept_.emplace_back(size, on_devices_ ? transport.device(mine_[p]) : -1);
    }

    void forget() noexcept { found_ = false; }
    /// After a solve, what was taken from u of my member number m, where that is in its memory.
    void shift(Index field, std::size_t m, const T* value, Stream stream) {
        if (m < places_.size()) places_[m]->subtract(field, value, stream);
    }
    /// At last; u_of(m) is that of my member number m.
    template <class FieldOf>
    void keep(Index field, ThreadTeam& team, const std::vector<Stream>& streams, const FieldOf& u_of) {
        if (kept_.empty()) return;
        team.parallel_for(static_cast<Index>(mine_.size()), 1, [&](Index begin, Index end, int) {
            for (std::size_t m = static_cast<std::size_t>(begin); m < static_cast<std::size_t>(end); ++m)
                places_[on_devices_ ? m : 0]->take(solved_.box(mine_[m]), u_of(m),
                                                   kept_[on_devices_ ? m : 0].data() + field * faces_.size,
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
        faces_.for_each(
            [&](int axis, int side) { all.faces[axis][side] = faces_.part(told_.data(), whole, axis, side); });
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
                mine.faces[axis][side] = faces_.part(here, box, axis, side);
        });
    }

    [[nodiscard]] std::size_t bytes() const noexcept {
        std::size_t sum = 0;
        for (const MemberMemory<T>& each : kept_) sum += each.bytes();
        return sum;
    }

private:
    /// Whether closed faces of an axis stand for something else than what its centring says.
    [[nodiscard]] bool translates(int axis) const {
        const Axis& along = problem_.grid.axes[static_cast<std::size_t>(axis)];
        return along.unbounded() && places_[0]->mean(axis) != (along.centering == Centering::cell);
    }
    [[nodiscard]] bool translates() const { return translates(0) || translates(1) || translates(2); }
    /// Cells ½ (in + out), nodes out.
    void translate(Index field) {
        T* const in = next_.data() + field * faces_.size;
        transport_.sum(in, faces_.size);
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

    const Problem& problem_;
    FreeFaces faces_;
    const Decomposition& solved_;
    Transport& transport_;
    std::vector<int> mine_;
    bool on_devices_;
    Index batch_;
    std::vector<ClosedFaces<T>*> places_;
    std::vector<MemberMemory<T>> kept_;       ///< by place: planes of u next to faces, of each field, where wanted
    std::vector<T> told_, next_;              ///< on the host: values of each field, and planes of u next to them
    std::vector<MemberMemory<T>> on_member_;  ///< values on my devices, once asked for
    bool found_ = false;
};

}  // namespace poisson3d
