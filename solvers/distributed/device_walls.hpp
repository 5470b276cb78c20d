// Free faces of members on devices that are closed by walls (member_walls.hpp): each device has all planes next to
// them, and finds all values.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "free_planes.hpp"
#include "member_walls.hpp"

namespace poisson3d {

template <class T>
class DeviceWalls final : public MemberWalls<T> {
public:
    using typename MemberWalls<T>::Engines;

    /// `in_modes`: f is transformed once. What it is given must outlive it.
    DeviceWalls(const Problem& problem, Index batch, const Decomposition& solved, Transport& transport,
                bool in_modes, const Engines& engines, ThreadTeam& team)
        : all_(problem.grid),
          solved_(solved),
          transport_(transport),
          mine_(transport.mine()),
          in_modes_(in_modes),
          engines_(engines),
          team_(team) {
        std::vector<ClosedFaces<T>*> places;
        for (std::size_t m = 0; m < mine_.size(); ++m) {
            const int device = transport.device(mine_[m]);
            std::array<ModeOrder, 3> modes;
            for (const int axis : {1, 2})
                if (in_modes_) modes[static_cast<std::size_t>(axis)] = engines[m]->mode_order(axis);
            inside_.emplace_back(in_modes_ ? engines[m]->size_of_modes() : size_of(solved.box(mine_[m])), device);
            if (in_modes_) engines[m]->keep_modes(inside_.back().data());
            places_.push_back(make_closed_faces_on_device<T>(problem, batch, device, modes));
            places.push_back(places_.back().get());
        }
        faces_.emplace(problem, batch, solved, transport, std::move(places));
    }

    void prepare(Way way) override {
        const auto array_of = [&](int member) -> T* {
            const auto found = std::find(mine_.begin(), mine_.end(), member);
            return found == mine_.end() ? nullptr
                                        : places_[static_cast<std::size_t>(found - mine_.begin())]->planes();
        };
        exchange_ = transport_.prepare_small(way, planes_to_all<T>(all_, solved_, array_of, sent_));
    }

    /// Of two solves the first one's calls, and in their place the second's.
    void begin(std::vector<Call<T>>& calls) override {
        faces_->forget();
        if (in_modes_) return;
        first_ = calls;
        for (std::size_t m = 0; m < calls.size(); ++m) {
            first_[m].u = inside(m);
            first_[m].u_next = 0;
            calls[m].boundary.any = true;
            all_.for_each([&](int axis, int side) {
                calls[m].boundary.face[axis][side] =
                    all_.part(places_[m]->values(0), solved_.box(mine_[m]), axis, side);
            });
        }
    }

    void solve(MemberPhases<T>& phases, const std::vector<Call<T>>& calls, Index field,
               const std::vector<Stream>& streams) override {
        if (in_modes_) return solve_in_modes(phases, calls, field, streams);
        phases.run(ModeOperation::divide, first_, field);
        for_each_member([&](std::size_t m) {
            places_[m]->take(solved_.box(mine_[m]), FieldView<const T>(inside(m)), places_[m]->planes(),
                             streams[m]);
        });
        exchange_->run(team_, streams);
        for_each_member([&](std::size_t m) { places_[m]->find(field, streams[m]); });
        phases.run(ModeOperation::divide, calls, field);
    }

    [[nodiscard]] bool in_modes() const noexcept override { return in_modes_; }
    [[nodiscard]] Traffic sent_by(int member, const Traffic& middle, const Traffic& rows) const override {
        const Traffic once = this->sum(middle, rows);
        return this->sum(this->sum(once, once), sent_[static_cast<std::size_t>(member)]);
    }
    [[nodiscard]] std::size_t bytes() const noexcept override {
        std::size_t sum = MemberWalls<T>::bytes();
        for (const auto& place : places_) sum += place->bytes();
        for (const MemberMemory<T>& each : inside_) sum += each.bytes();
        return sum;
    }

private:
    void solve_in_modes(MemberPhases<T>& phases, const std::vector<Call<T>>& calls, Index field,
                        const std::vector<Stream>& streams) {
        const auto find = [&] {
            exchange_->run(team_, streams);
            for_each_member([&](std::size_t m) {
                places_[m]->find_in_modes(field, engines_[m]->kept_modes(), calls[0].restore, streams[m]);
            });
        };
        phases.run_twice(
            calls, field,
            [&](std::size_t m, const Call<T>& call) {
                places_[m]->take_modes(engines_[m]->solved_modes(call), streams[m]);
            },
            find, [&](std::size_t m, const Call<T>& call) { engines_[m]->reduce_again(call); });
    }
    template <class Body>
    void for_each_member(const Body& body) {
        team_.parallel_for(static_cast<Index>(mine_.size()), 1, [&](Index begin, Index end, int) {
            for (Index m = begin; m < end; ++m) body(static_cast<std::size_t>(m));
        });
    }
    [[nodiscard]] FieldView<T> inside(std::size_t m) const {
        return {inside_[m].data(), solved_.box(mine_[m]).points};
    }

    using MemberWalls<T>::faces_;
    FreeFaces all_;
    const Decomposition& solved_;
    Transport& transport_;
    std::vector<int> mine_;
    bool in_modes_;
    const Engines& engines_;
    ThreadTeam& team_;
    std::vector<std::unique_ptr<ClosedFacesOnDevice<T>>> places_;  ///< of each of my members
    std::vector<MemberMemory<T>> inside_;                          ///< the solution between walls, or modes
    std::vector<Call<T>> first_;
    std::vector<Traffic> sent_;
    std::unique_ptr<Transfers> exchange_;
};

}  // namespace poisson3d
