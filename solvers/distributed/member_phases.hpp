// The phases of my members in turn, and exchanges between all (member.hpp), for one field, or for some of a batch
// at a time.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "gathered_samples.hpp"
#include "member_exchanges.hpp"
#include "poisson3d/distributed.hpp"

namespace poisson3d {

/// What it is given must outlive it.
template <class T>
class MemberPhases {
public:
    using Engines = std::vector<std::unique_ptr<MemberEngine<T>>>;  ///< of my members

    MemberPhases(const Problem& problem, const Decomposition& boxes, const std::vector<Parts>& columns,
                 Method method, const Communicator& members, const Engines& engines, ThreadTeam& team)
        : problem_(problem),
          boxes_(boxes),
          columns_(columns),
          method_(method),
          members_(members),
          engines_(engines),
          team_(team),
          on_devices_(members.transport().device(members.mine().front()) >= 0) {
        if (singular(problem_) && !on_devices_) samples_.emplace(problem_.grid.points());
        sets_ = engines_[0]->sets();
        for (const auto& engine : engines_) sets_ = std::min(sets_, engine->sets());
        constexpr int most = MemberEngine<T>::most_sets;
        sets_ = most - members_.transport().largest(most - sets_);  // as many as all have
    }

    /// The exchanges of each set of buffers.
    void prepare(Way way, const std::vector<MemberEngine<T>*>& by_member, const std::vector<Stream>& streams) {
        for (int set = 0; set < sets_; ++set) {
            take_set(set);
            exchanges_.push_back(std::make_unique<MemberExchanges<T>>(
                problem_, boxes_, columns_, method_, way, members_.transport(), by_member, team_, streams));
        }
        take_set(0);
    }

    /// Once, where x is eliminated: what separators are made of.
    void keep_links() {
        for_each_member([&](std::size_t m) { engines_[m]->reduce_links(); });
        exchanges().links();
        for_each_member([&](std::size_t m) { engines_[m]->keep_links(); });
    }

    [[nodiscard]] MemberExchanges<T>& exchanges() const { return *exchanges_[set_]; }
    [[nodiscard]] bool in_turn() const noexcept { return sets_ > 1; }
    [[nodiscard]] std::size_t bytes() const noexcept { return samples_ ? samples_->bytes() : 0; }

    /// Field b of some calls.
    void run(ModeOperation operation, const std::vector<Call<T>>& calls, Index b) {
        calls_ = &calls;
        forward(operation, b);
        middle(operation, b);
        backward(operation, b);
    }

    /// The same where free faces are closed by walls and modes of the right-hand side stay with each member. With
    /// those of the solution at hand take(number of my member, its call) is called for each, then find() once, then
    /// add() as take(). Of lines along x that are transposed the three take the place of the middle; those that are
    /// eliminated go through it twice, and add() has reduced them.
    template <class Take, class Find, class Add>
    void run_twice(const std::vector<Call<T>>& calls, Index b, const Take& take, const Find& find, const Add& add) {
        calls_ = &calls;
        const bool transposes = method_ == Method::transpose;
        const int pieces = columns_[0].pieces, chunks = columns_[0].chunks;
        forward(ModeOperation::divide, b);
        for (int piece = 0; transposes && piece < pieces; ++piece) exchanges().end_there(piece);
        if (!transposes) middle(ModeOperation::divide, b);
        for (int c = chunks - 1; !transposes && c >= 0; --c) exchanges().end_back(c);
        for_each_member([&](std::size_t m) { take(m, calls[m].part(b, 1)); });
        find();
        for_each_member([&](std::size_t m) { add(m, calls[m].part(b, 1)); });
        for (int piece = 0; transposes && piece < pieces; ++piece) exchanges().begin_back(piece);
        for (int c = 0; !transposes && c < chunks; ++c) exchanges().begin_there(c);
        if (!transposes) middle(ModeOperation::divide, b);
        backward(ModeOperation::divide, b);
    }

    /// As many fields at a time as there are sets of buffers: while one is exchanged the others are worked on.
    void run_in_turn(ModeOperation operation, const std::vector<Call<T>>& calls, Index fields) {
        calls_ = &calls;
        for (Index b = 0; b < std::min<Index>(sets_, fields); ++b) forward(operation, b);
        for (Index first = 0; first < fields; first += sets_) {
            const Index end = std::min(first + sets_, fields);
            for (Index b = first; b < end; ++b) middle(operation, b);
            for (Index b = first; b < end; ++b) {
                backward(operation, b);
                if (b + sets_ < fields) forward(operation, b + sets_);
            }
        }
    }

private:
    template <class Body>
    void for_each_member(const Body& body) {
        team_.parallel_for(static_cast<Index>(engines_.size()), 1, [&](Index begin, Index end, int) {
            for (Index m = begin; m < end; ++m) body(static_cast<std::size_t>(m));
        });
    }

    /// Works with the buffers of a field of the batch.
    void take_set(int set) {
        set_ = static_cast<std::size_t>(set);
        for (const auto& engine : engines_) engine->take_set(set);
    }
    void take_set_of(Index b) { take_set(static_cast<int>(b % sets_)); }

    /// Products of an eliminated axis need the planes beside a part, and have no middle.
    [[nodiscard]] bool needs_planes_beside(ModeOperation operation) const {
        return operation == ModeOperation::multiply && method_ == Method::eliminate;
    }

    void forward(ModeOperation operation, Index b) {
        take_set_of(b);
        const Constant<T> shift = singular(problem_) ? shift_of(b) : Constant<T>{};
        for (int c = 0; c < columns_[0].chunks; ++c) {
            for_each_member([&](std::size_t m) { engines_[m]->forward((*calls_)[m].part(b, 1), shift, c); });
            if (pencils()) {
                exchanges().rows_there();
                for_each_member([&](std::size_t m) { engines_[m]->forward_columns((*calls_)[m].part(b, 1)); });
            }
            if (!needs_planes_beside(operation)) exchanges().begin_there(c);
        }
    }

    void middle(ModeOperation operation, Index b) {
        take_set_of(b);
        if (needs_planes_beside(operation)) return exchanges().planes_beside();
        for (int piece = 0; piece < columns_[0].pieces; ++piece) {
            exchanges().end_there(piece);
            for_each_member([&](std::size_t m) { engines_[m]->middle(piece); });
            exchanges().begin_back(piece);
        }
    }

    void backward(ModeOperation operation, Index b) {
        take_set_of(b);
        for (int c = columns_[0].chunks - 1; c >= 0; --c) {
            if (!needs_planes_beside(operation)) exchanges().end_back(c);
            if (pencils()) {
                for_each_member([&](std::size_t m) { engines_[m]->backward_columns((*calls_)[m].part(b, 1)); });
                exchanges().rows_back();
            }
            for_each_member([&](std::size_t m) { engines_[m]->backward((*calls_)[m].part(b, 1), c); });
        }
        if (operation != ModeOperation::multiply && singular(problem_) && problem_.gauge.point) fix_gauge(b);
        engines_[0]->finish(b);
    }

    /// u := u − its value at the gauge point.
    void fix_gauge(Index b) {
        const std::array<Index, 3>& point = *problem_.gauge.point;
        const int owner = boxes_.owner(point[0], point[1]);
        const Extents first = boxes_.box(owner).first;
        const std::array<Index, 3> here{point[0] - first[0], point[1] - first[1], point[2]};
        T value = 0;
        if (on_devices_) {
            for (std::size_t m = 0; m < engines_.size(); ++m)
                if (members_.mine()[m] == owner) engines_[m]->take_gauge((*calls_)[m].part(b, 1).u, here);
            exchanges().gauge();
            for_each_member([&](std::size_t m) { engines_[m]->subtract((*calls_)[m].part(b, 1).u, value); });
            return;
        }
        for (std::size_t m = 0; m < engines_.size(); ++m)
            if (members_.mine()[m] == owner) value = (*calls_)[m].part(b, 1).u(here[0], here[1], here[2]);
        members_.transport().sum(&value, 1);
        for_each_member([&](std::size_t m) { engines_[m]->subtract((*calls_)[m].part(b, 1).u, value); });
    }

    /// The constant that is taken from f, on devices where it is used.
    Constant<T> shift_of(Index b) {
        if (on_devices_) {
            for_each_member([&](std::size_t m) { engines_[m]->take_samples((*calls_)[m].part(b, 1)); });
            exchanges().samples();
            return {};
        }
        return samples_->constant(boxes_, members_.transport(), [&](int member) {
            for (std::size_t m = 0; m < engines_.size(); ++m)
                if (members_.mine()[m] == member) return (*calls_)[m].part(b, 1).f;
            return FieldView<const T>{};
        });
    }

    [[nodiscard]] bool pencils() const noexcept { return columns_.size() > 1; }

    const Problem& problem_;
    const Decomposition& boxes_;
    const std::vector<Parts>& columns_;
    Method method_;
    Communicator members_;
    const Engines& engines_;
    const std::vector<Call<T>>* calls_ = nullptr;  ///< that are run
    ThreadTeam& team_;
    bool on_devices_;
    std::vector<std::unique_ptr<MemberExchanges<T>>> exchanges_;  ///< of each set of buffers
    int sets_ = 1;                                                ///< of buffers …
    std::size_t set_ = 0;                                         ///< … and the one at hand
    std::optional<GatheredSamples<T>> samples_;                   ///< of f, from all members on hosts
};

}  // namespace poisson3d
