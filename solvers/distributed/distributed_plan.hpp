// The plan of a DistributedSolver: the phases of my members in turn, and exchanges between all (member.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include "agreement.hpp"
#include "chain_tables.hpp"
#include "exchange.hpp"
#include "field_checks.hpp"
#include "poisson3d/distributed.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/home_process.hpp"
#include "problem_in_parts.hpp"
#include "range.hpp"

namespace poisson3d {

template <class T>
class DistributedPlan {
public:
    DistributedPlan(const Problem& problem, const Decomposition& slabs, const Communicator& members,
                    const DistributedOptions& options)
        : problem_(problem),
          slabs_(slabs),
          members_(members),
          batch_(options.batch),
          mine_(members.mine()),
          team_(static_cast<int>(mine_.size())) {
        agreement_.all([&] { make_members(options); });
        const auto prepare = [&](const Exchange& exchange) {
            return members_.transport().prepare(transfers_of(exchange, by_member_));
        };
        if (method_ == Method::transpose) {
            there_ = inner_to_across(parts_), back_ = across_to_inner(parts_);
            to_middle_ = prepare(there_), from_middle_ = prepare(back_);
            return;
        }
        const bool constant_line = lines::has_constant_line(problem, 0);
        there_ = planes_to_shares(parts_, constant_line), back_ = potentials_to_ends(parts_, constant_line);
        to_middle_ = prepare(there_), from_middle_ = prepare(back_);
        beside_ = prepare(planes_to_neighbours(parts_, problem.grid.axes[0].periodic()));
        for_each_member([&](std::size_t m) { engines_[m]->reduce_links(); });
        prepare(links_to_shares(parts_))->run(team_);
        for_each_member([&](std::size_t m) { engines_[m]->keep_links(); });
    }

    void run(ModeOperation operation, std::span<const FieldBatch<const T>> f, std::span<const FieldBatch<T>> u,
             std::span<const BoundaryData<T>> boundary, T scale) {
        const bool data = agreement_.any([&] {
            home_.require_here("this solver");
            check(f, u, boundary);
            return std::any_of(boundary.begin(), boundary.end(), [](const auto& faces) { return !faces.zero(); });
        });
        fields_ = f[0].count;
        const auto factor = static_cast<double>(scale);
        const int s = halving<T>(halvings_, factor);
        for (std::size_t m = 0; m < calls_.size(); ++m) {
            const BoundaryData<T> faces = boundary.empty() ? BoundaryData<T>{} : boundary[m];
            calls_[m] = {
                operation,  f[m].first,  u[m].first,  std::ldexp(factor, -s), terms_[m].with_data(faces).halved(s),
                f[m].count, f[m].stride, u[m].stride, std::ldexp(1.0, s)};
            calls_[m].boundary.any = data;
        }
        for (Index b = 0; b < fields_; ++b) run_field(operation, b);
    }

    /// One field of each member.
    void run(ModeOperation operation, std::span<const FieldView<const T>> f, std::span<const FieldView<T>> u,
             std::span<const BoundaryData<T>> boundary, T scale) {
        one_f_.clear();  // as many as are given: they are counted with all else that is checked
        for (const auto& view : f) one_f_.emplace_back(view, 1, 0);
        one_u_.clear();
        for (const auto& view : u) one_u_.emplace_back(view, 1, 0);
        run(operation, std::span<const FieldBatch<const T>>(one_f_), std::span<const FieldBatch<T>>(one_u_),
            boundary, scale);
    }

    [[nodiscard]] std::vector<Result> results() const { return {results_.begin(), results_.begin() + fields_}; }
    [[nodiscard]] Method method() const noexcept { return method_; }
    [[nodiscard]] Traffic traffic() const noexcept {
        return {there_.count() + back_.count(),
                static_cast<double>(sizeof(T)) * static_cast<double>(there_.elements() + back_.elements())};
    }
    [[nodiscard]] std::size_t workspace() const noexcept {
        std::size_t sum = samples_.size() * sizeof(T);
        for (const auto& engine : engines_) sum += engine->workspace();
        return sum;
    }
    [[nodiscard]] int threads() const noexcept { return threads_ * static_cast<int>(mine_.size()); }
    [[nodiscard]] Range range() const { return range_of<T>(problem_); }
    [[nodiscard]] std::string description() const {
        const std::string how = method_ == Method::eliminate ? " eliminated over " : " transposed over ";
        return problem_.grid.labels[0] + how + members_.description() + ", each " + engines_[0]->description();
    }

private:
    void make_members(const DistributedOptions& options) {
        method_ = choose_method(problem_, options.method);
        parts_ = make_parts<T>(problem_, slabs_);
        halvings_ = halving<T>(problem_);
        const SplitMethod split = method_ == Method::eliminate ? SplitMethod::eliminated : SplitMethod::transposed;
        const int processors = options.threads > 0 ? options.threads : members_.transport().host_threads();
        Options each;
        each.threads = threads_ = std::max(1, processors / static_cast<int>(mine_.size()));
        const BoundaryTerms<T> whole = make_boundary_terms<T>(problem_.grid);
        by_member_.resize(static_cast<std::size_t>(members_.size()));
        for (const int m : mine_) {
            engines_.push_back(make_host_member<T>(problem_, each, split, parts_, m));
            by_member_[static_cast<std::size_t>(m)] = engines_.back().get();
            terms_.push_back(terms_of(whole, parts_.parts[static_cast<std::size_t>(m)]));
        }
        calls_.resize(mine_.size());
        one_f_.reserve(mine_.size());
        one_u_.reserve(mine_.size());
        results_.resize(static_cast<std::size_t>(batch_));
        if (singular(problem_)) {
            const Samples samples = samples_of_box();
            samples_.resize(static_cast<std::size_t>(Samples::groups * samples.stretches() * samples.length()));
        }
    }

    template <class Body>
    void for_each_member(const Body& body) {
        team_.parallel_for(static_cast<Index>(mine_.size()), 1, [&](Index begin, Index end, int) {
            for (Index m = begin; m < end; ++m) body(static_cast<std::size_t>(m));
        });
    }

    void run_field(ModeOperation operation, Index b) {
        const Constant<T> shift = singular(problem_) ? shift_of(b) : Constant<T>{};
        const bool multiplies = operation == ModeOperation::multiply;
        for_each_member([&](std::size_t m) { engines_[m]->forward(calls_[m].part(b, 1), shift); });
        if (multiplies && method_ == Method::eliminate) {
            beside_->run(team_);
        } else {
            to_middle_->run(team_);
            for_each_member([&](std::size_t m) { engines_[m]->middle(); });
            from_middle_->run(team_);
        }
        for_each_member([&](std::size_t m) { engines_[m]->backward(calls_[m].part(b, 1)); });
        if (!multiplies && singular(problem_) && problem_.gauge.point) fix_gauge(b);
        results_[static_cast<std::size_t>(b)] = engines_[0]->result();
    }

    /// u := u − its value at the gauge point.
    void fix_gauge(Index b) {
        const std::array<Index, 3>& point = *problem_.gauge.point;
        const int owner = slabs_.owner(point[0]);
        T value = 0;
        for (std::size_t m = 0; m < mine_.size(); ++m)
            if (mine_[m] == owner)
                value = calls_[m].part(b, 1).u(point[0] - slabs_.first(owner), point[1], point[2]);
        members_.transport().sum(&value, 1);
        for_each_member([&](std::size_t m) { engines_[m]->subtract(calls_[m].part(b, 1).u, value); });
    }

    [[nodiscard]] Samples samples_of_box() const {
        return {dense_strides(problem_.grid.points()), problem_.grid.points()};
    }

    /// The constant that is taken from f, from the samples that one member would take: every member brings those it
    /// has, and zeros.
    Constant<T> shift_of(Index b) {
        const Extents points = problem_.grid.points();
        const Samples samples = samples_of_box();
        const auto copy_of = [&](int group, Index s) {
            return samples_.data() + (group * samples.stretches() + s) * samples.length();
        };
        std::fill(samples_.begin(), samples_.end(), T(0));
        for (int g = 0; g < Samples::groups; ++g)
            for (Index s = 0; s < samples.stretches(); ++s) {
                const Index at = samples.first(g, s);
                const Index k = at % points[2], j = at / points[2] % points[1], i = at / points[2] / points[1];
                const int owner = slabs_.owner(i);
                for (std::size_t m = 0; m < mine_.size(); ++m)
                    if (mine_[m] == owner)
                        std::copy_n(&calls_[m].part(b, 1).f(i - slabs_.first(owner), j, k), samples.length(),
                                    copy_of(g, s));
            }
        members_.transport().sum(samples_.data(), static_cast<Index>(samples_.size()));
        return typical_value<T>(samples, copy_of);
    }

    void require_count(std::size_t found, const char* what) const {
        if (found != mine_.size())
            throw Error(ErrorCode::usage, "found " + std::to_string(found) + " " + what + ", wanted " +
                                              std::to_string(mine_.size()) + ", one for each of my members");
    }

    void check(std::span<const FieldBatch<const T>> f, std::span<const FieldBatch<T>> u,
               std::span<const BoundaryData<T>> boundary) const {
        require_count(f.size(), "views of f");
        require_count(u.size(), "views of u");
        if (!boundary.empty()) require_count(boundary.size(), "sets of boundary data");
        for (std::size_t m = 0; m < mine_.size(); ++m) {
            const std::string who = " of member " + std::to_string(mine_[m]);
            if (f[m].count != f[0].count)
                throw Error(ErrorCode::usage, "fields" + who + ": found " + std::to_string(f[m].count) +
                                                  ", wanted " + std::to_string(f[0].count) +
                                                  ", as many as of my first member");
            require_fields(f[m].count, u[m].count, batch_);
            const Extents points = slabs_.box(mine_[m]).points;
            if (points[0] == 0) continue;
            require_view(points, f[m].first, ("f" + who).c_str());
            require_view(points, u[m].first, ("u" + who).c_str());
            if (!boundary.empty()) require_possible(problem_, boundary[m]);
        }
    }

    Problem problem_;
    Decomposition slabs_;
    Communicator members_;
    Index batch_;
    std::vector<int> mine_;
    Agreement agreement_{members_.transport()};
    ThreadTeam team_;  ///< a thread for each of my members
    Method method_ = Method::automatic;
    Parts parts_;
    int halvings_ = 0;
    int threads_ = 1;                                        ///< of each member
    std::vector<std::unique_ptr<MemberEngine<T>>> engines_;  ///< of my members, as are the next four
    std::vector<BoundaryTerms<T>> terms_;
    std::vector<Call<T>> calls_;
    std::vector<FieldBatch<const T>> one_f_;
    std::vector<FieldBatch<T>> one_u_;
    std::vector<MemberEngine<T>*> by_member_;  ///< null: not mine
    Exchange there_, back_;
    std::unique_ptr<Transfers> to_middle_, from_middle_, beside_;
    std::vector<T> samples_;  ///< of f, from all members
    std::vector<Result> results_;
    Index fields_ = 1;  ///< of the last call
    HomeProcess home_{};
};

}  // namespace poisson3d
