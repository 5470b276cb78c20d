// All exchanges of a DistributedSolver, prepared once: between the phases of members, chunk by chunk, and what
// members on devices need beside them.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "chain_tables.hpp"
#include "exchange.hpp"
#include "poisson3d/distributed.hpp"

namespace poisson3d {

template <class T>
class MemberExchanges {
public:
    /// `members`: by number, null if not mine. Exchanges are run by `team`, on devices in `streams`, both of which
    /// must outlive this.
    MemberExchanges(const Problem& problem, const Decomposition& slabs, const Parts& parts, Method method,
                    Transport& transport, const std::vector<MemberEngine<T>*>& members, ThreadTeam& team,
                    const std::vector<Stream>& streams)
        : team_(team), streams_(streams) {
        const auto prepare = [&](const Exchange& exchange) {
            return transport.prepare(transfers_of(exchange, members));
        };
        const bool transposes = method == Method::transpose;
        const bool constant_line = lines::has_constant_line(problem, 0);
        for (int c = 0; c < parts.chunks; ++c) {
            const Exchange there = transposes ? inner_to_across(parts, c) : planes_to_shares(parts, constant_line);
            const Exchange back = transposes ? across_to_inner(parts, c) : potentials_to_ends(parts, constant_line);
            there_.push_back(prepare(there)), back_.push_back(prepare(back));
            for (const Exchange& exchange : {there, back}) {
                traffic_.messages += exchange.count();
                traffic_.bytes += static_cast<double>(sizeof(T)) * static_cast<double>(exchange.elements());
            }
        }
        if (!transposes) {
            beside_ = prepare(planes_to_neighbours(parts, problem.grid.axes[0].periodic()));
            links_ = prepare(links_to_shares(parts));
        }
        if (transport.device(transport.mine().front()) < 0) return;
        std::vector<Transfer> from_first, to_first;
        for (int m = 1; m < parts.members(); ++m) {
            from_first.push_back({0, m, nullptr, nullptr, 0, 0, 0, 0});
            to_first.push_back({m, 0, nullptr, nullptr, 0, 0, 0, 0});
        }
        fork_ = transport.prepare(from_first), join_ = transport.prepare(to_first);
        if (!singular(problem)) return;
        const Extents points = problem.grid.points();
        samples_ = prepare(
            samples_to_all(parts, SampleBlocks<T>::size(Samples({points[1] * points[2], points[2], 1}, points))));
        if (problem.gauge.point) gauge_ = prepare(gauge_to_all(parts, slabs.owner((*problem.gauge.point)[0])));
    }

    [[nodiscard]] Traffic traffic() const noexcept { return traffic_; }  ///< of a solve of one field

    /// To the middle and back: a chunk is sent by begin, and there after end.
    void begin_there(int chunk) { there_[static_cast<std::size_t>(chunk)]->begin(team_, streams_); }
    void end_there() {
        for (const auto& exchange : there_) exchange->end(team_, streams_);
    }
    void begin_back() {
        for (const auto& exchange : back_) exchange->begin(team_, streams_);
    }
    void end_back(int chunk) { back_[static_cast<std::size_t>(chunk)]->end(team_, streams_); }

    void planes_beside() { beside_->run(team_, streams_); }  ///< for products
    void links() { links_->run(team_, streams_); }           ///< while planning

    /// Members on devices: what they do next comes after what the first one has done, or before what it does.
    void fork() {
        if (fork_) fork_->run(team_, streams_);
    }
    void join() {
        if (join_) join_->run(team_, streams_);
    }
    void samples() { samples_->run(team_, streams_); }
    void gauge() { gauge_->run(team_, streams_); }

private:
    ThreadTeam& team_;
    const std::vector<Stream>& streams_;
    Traffic traffic_;
    std::vector<std::unique_ptr<Transfers>> there_, back_;  ///< of each chunk
    std::unique_ptr<Transfers> beside_, links_, fork_, join_, samples_, gauge_;
};

}  // namespace poisson3d
