// The plan of a DistributedSolver: its members, and calls of their phases (member_phases.hpp).
// Members on devices work in streams of their own, all of which begin after the first one and end before it goes
// on: so a solve may be captured in that one.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>

#include "agreement.hpp"
#include "member_calls.hpp"
#include "member_phases.hpp"
#include "moved_fields.hpp"
#include "open_faces.hpp"
#include "plan_in_words.hpp"
#include "planned_members.hpp"
#include "poisson3d/device_stream.hpp"
#include "poisson3d/distributed.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/home_process.hpp"
#include "problem_in_parts.hpp"
#include "range.hpp"
#include "recorded_solves.hpp"
#include "require_members.hpp"

namespace poisson3d {

template <class T>
class DistributedPlan {
public:
    DistributedPlan(const Problem& problem, const Decomposition& parts, const Communicator& members,
                    const DistributedOptions& options)
        : problem_(problem),
          closed_(closes_faces(problem, options.method)
                      ? lines::close_faces(problem, members.transport().device(members.mine().front()) >= 0)
                      : problem),
          parts_(parts),
          boxes_(solved_in(problem, parts)),
          moves_(parts.redistributed() || boxes_.shape() != parts.shape()),
          members_(members),
          batch_(options.batch),
          mine_(members.mine()),
          on_devices_(members.transport().device(mine_.front()) >= 0),
          team_(threads_for_members()),
          streams_(mine_.size()) {
        agreement_.all([&] { method_ = choose_method(problem_, options.method); });
        const KnownMembers known = look_at_members(members_.transport(), method_, moves_, options);
        agreement_.all([&] { make_members(options, known); });
        planned_->choose_who_stores(options, agreement_);
        phases_.emplace(closed_, boxes_, planned_->columns(), method_, members_, engines(), team_);
        phases_->prepare(options.way, planned_->by_member(), streams_);
        const Way way = phases_->exchanges().way().way;
        if (moved_) moved_->prepare(way, members_.transport());
        open_->prepare(way, planned_->by_member());
        if (method_ == Method::eliminate) phases_->keep_links();
        if (may_be_recorded()) recorded_.emplace(devices_of_members());
    }

    void run(ModeOperation operation, std::span<const FieldBatch<const T>> f, std::span<const FieldBatch<T>> u,
             std::span<const BoundaryData<T>> boundary, T scale, std::span<const Stream> streams) {
        const bool data = agreement_.any([&] {
            home_.require_here("this solver");
            calls_->check(f, u, boundary, streams);
            if ((open_->closed() || pads_free_lines(problem_)) && operation != ModeOperation::divide)
                throw Error(ErrorCode::unsupported,
                            std::string("the operator cannot be applied to u in a box whose free ") +
                                (open_->closed() ? "faces members close by walls" : "axes members pad with zeros") +
                                ": u beyond the box is not known");
            calls_->set(operation, f, u, boundary, static_cast<double>(scale), moved_, engines());
            return std::any_of(boundary.begin(), boundary.end(), [](const auto& faces) { return !faces.zero(); });
        });
        fields_ = f[0].count;
        calls_->set_any_data(data);
        std::vector<Call<T>>& calls = calls_->solved();
        open_->begin(calls);
        std::fill(streams_.begin(), streams_.end(), Stream{});
        std::copy(streams.begin(), streams.end(), streams_.begin());
        for (std::size_t m = 0; m < engines().size(); ++m) engines()[m]->begin(calls[m]);
        const auto phases = [&] {
            for (std::size_t m = 0; m < engines().size(); ++m) engines()[m]->use(streams_[m]);
            phases_->exchanges().fork();
            if (phases_->in_turn() && fields_ > 1 && !moved_ && !open_->closed()) {
                phases_->run_in_turn(operation, calls, fields_);
            } else {
                for (Index b = 0; b < fields_; ++b) {
                    if (moved_) moved_->bring(f, b, streams_);
                    if (moved_ && data) moved_->bring_faces(boundary, b, streams_);
                    open_->solve(*phases_, operation, calls, b, streams_);
                    if (operation == ModeOperation::divide) open_->finish(calls, b, streams_);
                    if (moved_) moved_->take(u, b, streams_);
                }
            }
            phases_->exchanges().join();
        };
        if (!recorded_) return phases();
        recorded_->run(
            calls_->given(), streams_, phases, [this] { phases_->exchanges().join(); },
            [this] { phases_->exchanges().fork(); });
        for (std::size_t m = 0; m < engines().size(); ++m) engines()[m]->use(streams_[m]);
    }

    /// One field of each member.
    void run(ModeOperation operation, std::span<const FieldView<const T>> f, std::span<const FieldView<T>> u,
             std::span<const BoundaryData<T>> boundary, T scale, std::span<const Stream> streams) {
        one_f_.clear();  // as many as are given: they are counted with all else that is checked
        for (const auto& view : f) one_f_.emplace_back(view, 1, 0);
        one_u_.clear();
        for (const auto& view : u) one_u_.emplace_back(view, 1, 0);
        run(operation, std::span<const FieldBatch<const T>>(one_f_), std::span<const FieldBatch<T>>(one_u_),
            boundary, scale, streams);
    }

    /// Waits for members on devices.
    [[nodiscard]] std::vector<Result> results() const {
        std::vector<Result> all;
        for (Index b = 0; b < fields_; ++b) all.push_back(engines()[0]->result(b));
        return all;
    }
    /// A call of all members.
    BoundaryData<T> faces(const BoundaryData<T>& walls) {
        return open_->data(walls, fields_, streams_, agreement_);
    }
    /// A call of all members.
    std::vector<BoundaryData<T>> member_faces(std::span<const BoundaryData<T>> walls) {
        agreement_.all([&] {
            if (!walls.empty()) calls_->require_count(walls.size(), "sets of boundary data");
        });
        std::vector<BoundaryData<T>> all(walls.begin(), walls.end());
        all.resize(mine_.size());
        const BoundaryData<T> whole = faces({});
        agreement_.all([&] {
            for (std::size_t m = 0; m < mine_.size(); ++m) open_->take(m, whole, fields_, streams_[m], all[m]);
        });
        return all;
    }
    [[nodiscard]] Method method() const noexcept { return method_; }
    [[nodiscard]] Traffic sent_by(int member) const {
        const MemberExchanges<T>& exchanges = phases_->exchanges();
        Traffic sent = open_->sent_by(member, exchanges.sent_by(member), exchanges.sent_in_rows_by(member));
        if (moved_) sent.messages += moved_->sent_by(member).messages, sent.bytes += moved_->sent_by(member).bytes;
        return sent;
    }
    [[nodiscard]] Traffic traffic() const noexcept {
        Traffic all;
        for (int m = 0; m < boxes_.members(); ++m)
            all.messages += sent_by(m).messages, all.bytes += sent_by(m).bytes;
        return all;
    }
    [[nodiscard]] std::size_t workspace() const noexcept {
        std::size_t sum = phases_->bytes() + (moved_ ? moved_->bytes() : 0) + open_->bytes();
        for (const auto& engine : engines()) sum += engine->workspace();
        return sum;
    }
    [[nodiscard]] int threads() const noexcept { return planned_->threads() * static_cast<int>(mine_.size()); }
    [[nodiscard]] Range range() const { return range_of<T>(problem_); }
    [[nodiscard]] std::string description() const {
        PlanInWords words{problem_.grid, method_, pencils(), boxes_.shape(), members_.description()};
        words.way = phases_->exchanges().way();
        if (pencils()) words.rows_way = phases_->exchanges().rows_way();
        if (moved_) words.moves = moved_->traffic();
        words.closes_faces = open_->closed();
        words.eliminates_twice = open_->eliminates_twice();
        words.each = engines()[0]->description();
        return words.text();
    }

private:
    /// Two members on devices are served by one thread as fast.
    [[nodiscard]] int threads_for_members() const {
        return on_devices_ && mine_.size() <= 2 ? 1 : static_cast<int>(mine_.size());
    }

    /// All members on devices of this process, by what a graph can have.
    [[nodiscard]] bool may_be_recorded() const {
        const bool all_mine = mine_.size() == static_cast<std::size_t>(members_.size());
        return on_devices_ && all_mine && phases_->exchanges().way().way != Way::nccl;
    }
    [[nodiscard]] std::vector<int> devices_of_members() const {
        std::vector<int> devices;
        for (const int m : mine_) devices.push_back(members_.transport().device(m));
        return devices;
    }

    void make_members(const DistributedOptions& options, const KnownMembers& known) {
        const bool closes = closes_faces(problem_, options.method);
        planned_.emplace(problem_, closed_, boxes_, method_, members_, !moves_ && !closes, known, options);
        calls_.emplace(problem_, parts_, boxes_, moves_, members_.transport(), batch_, planned_->terms());
        one_f_.reserve(mine_.size());
        one_u_.reserve(mine_.size());
        if (moves_) moved_.emplace(problem_, parts_, boxes_, members_.transport(), team_, known.moves_directly);
        open_.emplace(problem_, batch_, parts_, boxes_, members_.transport(), method_, closes, *planned_, team_);
    }

    [[nodiscard]] const typename PlannedMembers<T>::Engines& engines() const { return planned_->engines(); }
    [[nodiscard]] bool pencils() const noexcept { return planned_->columns().size() > 1; }

    Problem problem_;
    Problem closed_;       ///< as it is solved: between walls, where free faces are closed
    Decomposition parts_;  ///< what members have
    Decomposition boxes_;  ///< slabs or pencils, in which they solve
    bool moves_;           ///< these are others
    Communicator members_;
    Index batch_;
    std::vector<int> mine_;
    Agreement agreement_{members_.transport()};
    bool on_devices_;
    ThreadTeam team_;  ///< a thread for each of my members
    std::vector<Stream> streams_;
    Method method_ = Method::automatic;
    std::optional<PlannedMembers<T>> planned_;
    std::optional<MemberCalls<T>> calls_;
    std::vector<FieldBatch<const T>> one_f_;
    std::vector<FieldBatch<T>> one_u_;
    std::optional<MemberPhases<T>> phases_;
    std::optional<MovedFields<T>> moved_;  ///< if these are not the same
    std::optional<OpenFaces<T>> open_;
    std::optional<RecordedSolves<T>> recorded_;
    Index fields_ = 1;  ///< of the last call
    HomeProcess home_{};
};

}  // namespace poisson3d
