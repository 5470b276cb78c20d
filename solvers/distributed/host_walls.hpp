// Free faces of members on hosts that are closed by walls (member_walls.hpp): members of a process have one array
// of sums, which processes add up, and so one of values.
#pragma once

#include <utility>

#include "member_walls.hpp"

namespace poisson3d {

template <class T>
class HostWalls final : public MemberWalls<T> {
public:
    using typename MemberWalls<T>::Engines;

    /// What it is given must outlive it.
    HostWalls(const Problem& problem, Index batch, const Decomposition& solved, Transport& transport, int threads,
              bool eliminates, const Engines& engines, ThreadTeam& team)
        : transport_(transport),
          eliminates_(eliminates),
          processes_(static_cast<int>(transport.mine().size()) < solved.members()),
          members_(solved.members()),
          engines_(engines),
          team_(team),
          place_(make_closed_faces<T>(problem, batch, threads, eliminates)),
          size_(FreeFaces(problem.grid).size) {
        for (const auto& engine : engines_) engine->close_faces(problem.grid);
        faces_.emplace(problem, batch, solved, transport, std::vector<ClosedFaces<T>*>{place_.get()});
    }

    void begin(std::vector<Call<T>>&) override { faces_->forget(); }
    void solve(MemberPhases<T>& phases, const std::vector<Call<T>>& calls, Index field,
               const std::vector<Stream>&) override {
        phases.run_twice(
            calls, field, [&](std::size_t m, const Call<T>& call) { engines_[m]->sum_faces(call); },
            [&] { find(field); }, [&](std::size_t m, const Call<T>& call) { engines_[m]->add_faces(call); });
    }

    [[nodiscard]] bool in_modes() const noexcept override { return eliminates_; }
    [[nodiscard]] Traffic sent_by(int, const Traffic& middle, const Traffic& rows) const override {
        return this->sum(rows, {(eliminates_ ? 2 : 1) * middle.messages, (eliminates_ ? 2 : 1) * middle.bytes});
    }
    [[nodiscard]] std::size_t bytes() const noexcept override { return MemberWalls<T>::bytes() + place_->bytes(); }

private:
    /// From sums over modes to values of faces, and what members need of these.
    void find(Index field) {
        place_->forget();
        for (const auto& engine : engines_)
            if (const FaceModes<T>* const part = engine->face_modes(); part != nullptr) place_->add(*part);
        if (processes_) {
            for (const std::span<T>& array : place_->arrays())
                transport_.sum(array.data(), static_cast<Index>(array.size()));
            place_->find(field, transport_.mine().front(), members_);
            transport_.sum(place_->values(field), size_);
        } else {
            place_->find(field, 0, 1);
        }
        place_->spread(field);
        team_.parallel_for(static_cast<Index>(engines_.size()), 1, [&](Index begin, Index end, int) {
            for (Index m = begin; m < end; ++m)
                if (FaceModes<T>* const part = engines_[static_cast<std::size_t>(m)]->face_modes(); part != nullptr)
                    place_->give(*part);
        });
    }

    using MemberWalls<T>::faces_;
    Transport& transport_;
    bool eliminates_, processes_;  ///< other processes have members, too
    int members_;
    const Engines& engines_;
    ThreadTeam& team_;
    std::unique_ptr<ClosedFacesOnHost<T>> place_;
    Index size_;  ///< of its values
};

}  // namespace poisson3d
