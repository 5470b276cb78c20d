// The free faces of a box that members share, whichever way they go: ends of a first axis that is eliminated
// (member_faces.hpp), walls that close them (member_walls.hpp), or lines padded with zeros, which need nothing
// here; and the constant that they leave open (member_gauge.hpp).
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "agreement.hpp"
#include "device_walls.hpp"
#include "host_walls.hpp"
#include "member_faces.hpp"
#include "member_gauge.hpp"
#include "planned_members.hpp"
#include "poisson3d/error.hpp"

namespace poisson3d {

template <class T>
class OpenFaces {
public:
    /// `own`: boxes that members have; `solved`: those in which they solve. What it is given must outlive it.
    OpenFaces(const Problem& problem, Index batch, const Decomposition& own, const Decomposition& solved,
              Transport& transport, Method method, bool closes, const PlannedMembers<T>& planned, ThreadTeam& team)
        : problem_(problem),
          own_(own),
          mine_(transport.mine()),
          team_(team),
          threads_(planned.threads() * static_cast<int>(mine_.size())) {
        if (unbounded_axes(problem.grid) == 0) return;
        const bool eliminates = method == Method::eliminate;
        const auto& engines = planned.engines();
        if (closes && transport.device(mine_.front()) < 0)
            walls_ = std::make_unique<HostWalls<T>>(problem, batch, solved, transport, threads_, eliminates,
                                                    engines, team);
        else if (closes)
            walls_ = std::make_unique<DeviceWalls<T>>(problem, batch, solved, transport,
                                                      eliminates && planned.columns().size() == 1, engines, team);
        else if (!pads_free_lines(problem))
            faces_.emplace(problem, batch, own, solved, transport, engines);
        gauge_.emplace(problem, solved, transport, engines);
    }

    /// Once, when the way of exchanges is known.
    void prepare(Way way, const std::vector<MemberEngine<T>*>& by_member) {
        if (walls_) walls_->prepare(way);
        if (gauge_) gauge_->prepare(way, by_member);
    }

    /// Whether walls close them.
    [[nodiscard]] bool closed() const noexcept { return walls_ != nullptr; }
    [[nodiscard]] bool eliminates_twice() const noexcept { return walls_ && walls_->in_modes(); }

    /// The calls of one solve, before its fields.
    void begin(std::vector<Call<T>>& calls) {
        if (faces_) faces_->forget();
        if (walls_) walls_->begin(calls);
    }
    /// A field of them; and, after a solve, its gauge and what stands on the faces.
    void solve(MemberPhases<T>& phases, ModeOperation operation, const std::vector<Call<T>>& calls, Index field,
               const std::vector<Stream>& streams) {
        if (walls_)
            walls_->solve(phases, calls, field, streams);
        else
            phases.run(operation, calls, field);
    }
    void finish(const std::vector<Call<T>>& calls, Index field, const std::vector<Stream>& streams) {
        const auto u_of = [&](std::size_t m) { return calls[m].part(field, 1).u; };
        if (gauge_)
            gauge_->fix(team_, streams, u_of, [&](std::size_t m, const T* value) {
                if (walls_) walls_->faces().shift(field, m, value, streams[m]);
            });
        if (faces_) faces_->keep(field, u_of);
        if (walls_) walls_->faces().keep(field, team_, streams, u_of);
    }

    /// `walls`, and what stands on free faces of `fields` fields. A call of all members.
    BoundaryData<T> data(const BoundaryData<T>& walls, Index fields, const std::vector<Stream>& streams,
                         const Agreement& agreement) {
        if (unbounded_axes(problem_.grid) == 0) return walls;
        if (pads_free_lines(problem_))
            throw Error(ErrorCode::unsupported,
                        "the spectral discretization knows u at the points alone: found free faces, whose values "
                        "are asked for");
        if (walls_) {
            agreement.all([&] { walls_->faces().reserve(fields, streams); });
            return walls_->faces().data(walls, fields);
        }
        agreement.all([&] { faces_->reserve(threads_, fields); });
        return faces_->data(walls, fields);
    }
    /// Of that, in the memory of the fields of my member number m, its part of the faces, in place of those of
    /// `mine`.
    void take(std::size_t m, const BoundaryData<T>& whole, Index fields, Stream stream, BoundaryData<T>& mine) {
        if (faces_) faces_->take(m, whole, fields, stream, mine);
        if (walls_) walls_->faces().take(m, own_.box(mine_[m]), stream, mine);
    }

    /// In a solve of one field, of which exchanges of the middle, and those of pencils before and after, are
    /// `middle` and `rows`.
    [[nodiscard]] Traffic sent_by(int member, const Traffic& middle, const Traffic& rows) const {
        if (walls_) return walls_->sent_by(member, middle, rows);
        return {middle.messages + rows.messages, middle.bytes + rows.bytes};
    }
    [[nodiscard]] std::size_t bytes() const noexcept {
        return (faces_ ? faces_->bytes() : 0) + (walls_ ? walls_->bytes() : 0);
    }

private:
    const Problem& problem_;
    const Decomposition& own_;
    std::vector<int> mine_;
    ThreadTeam& team_;
    int threads_;                            ///< of all my members
    std::optional<MemberFaces<T>> faces_;    ///< if free ones of the first axis are eliminated with it, …
    std::unique_ptr<MemberWalls<T>> walls_;  ///< … or closed
    std::optional<MemberGauge<T>> gauge_;    ///< if there are free ones
};

}  // namespace poisson3d
