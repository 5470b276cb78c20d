#include "ladder_modes.hpp"

#include <algorithm>
#include <cmath>

#include "close_modes.hpp"
#include "isolated_eigenvalues.hpp"
#include "mode_matrices.hpp"
#include "poisson3d/memory.hpp"
#include "scaled_chain.hpp"

namespace poisson3d::lines {

namespace {

constexpr double least_width = 0x1p-90;  ///< relative, of a group
constexpr double most_width = 0x1p-53;   ///< relative, times the eigenvalues of a group

/// What is known of eigenvalues that are alone, by array, to whole calls of LadderLoops::modes.
struct Singles {
    std::vector<Index> numbers;
    std::vector<double> low, high, distance, fine, value, value_low, failed;

    void add(const EigenvalueGroup& group) {
        const DoubleDouble middle = (group.low + group.high) * 0.5;
        numbers.push_back(group.first);
        low.push_back(group.low.high);
        high.push_back(group.high.high);
        distance.push_back(group.distance);
        fine.push_back(group.fine ? 1.0 : 0.0);
        value.push_back(middle.high);
        value_low.push_back(middle.low);
    }
    void fill(std::size_t lanes) {
        const std::size_t whole = (numbers.size() + lanes - 1) / lanes * lanes;
        for (std::vector<double>* each : {&low, &high, &distance, &fine, &value, &value_low})
            each->resize(whole, each->empty() ? 0.0 : each->back());
        failed.resize(whole);
    }
    [[nodiscard]] SingleEigenvalues at(std::size_t i) {
        return {&low[i], &high[i], &distance[i], &fine[i], &value[i], &value_low[i], &failed[i]};
    }
};

class Builder {
public:
    Builder(const Chain& chain, ThreadTeam* team)
        : scaled_(chain),
          team_(team),
          n_(chain.volumes.size()),
          root_(std::sqrt(exact_sum(scaled_.volumes))),
          matrices_(chain.volumes) {}

    std::optional<ChainModes> build() {
        const std::vector<EigenvalueGroup> groups =
            isolated_eigenvalues(scaled_.view, scaled_.lower_bound(), scaled_.upper_bound(), team_);
        Singles singles;
        std::vector<EigenvalueGroup> others;
        for (const EigenvalueGroup& each : groups)
            if (each.count == 1)
                singles.add(each);
            else
                others.push_back(each);
        for (const EigenvalueGroup& each : others)
            if (static_cast<double>(each.high - each.low) * static_cast<double>(each.count) >
                most_width * each.high.high)
                return std::nullopt;
        if (!find(singles)) return std::nullopt;
        for_each(static_cast<Index>(others.size()),
                 [&](Index i, int) { find(others[static_cast<std::size_t>(i)]); });
        if (!matrices_.separate()) return std::nullopt;
        if (scaled_.view.ground[0] == 0.0 && scaled_.view.ground[1] == 0.0) matrices_.put_constant();
        for (double& each : matrices_.modes.eigenvalues) each *= scaled_.unit;
        return std::move(matrices_.modes);
    }

private:
    template <class Body>
    void for_each(Index count, const Body& body) {
        const auto some = [&](Index begin, Index end, int thread) {
            for (Index i = begin; i < end; ++i) body(i, thread);
        };
        if (team_ == nullptr)
            some(0, count, 0);
        else if (count > 0)
            team_->parallel_for(count, 1, some);
    }

    bool find(Singles& singles) {
        const LadderLoops& loops = ladder_loops();
        const auto lanes = static_cast<std::size_t>(loops.lanes);
        singles.fill(lanes);
        const auto work = static_cast<std::size_t>(loops.scratch_numbers(static_cast<Index>(n_)));
        const std::size_t each = work + n_ * lanes;
        const HostBuffer buffer(each * sizeof(double) *
                                (team_ == nullptr ? 1 : static_cast<std::size_t>(team_->size())));
        for_each(static_cast<Index>(singles.value.size() / lanes), [&](Index call, int thread) {
            const std::size_t first = static_cast<std::size_t>(call) * lanes;
            double* const scratch = static_cast<double*>(buffer.data()) + each * static_cast<std::size_t>(thread);
            double* const found = scratch + work;
            loops.modes(scaled_.view, singles.at(first), scratch, found);
            const std::size_t here = std::min(lanes, singles.numbers.size() - first);
            for (std::size_t j = 0; j < n_; ++j)
                for (std::size_t l = 0; l < here; ++l)
                    matrices_.put(static_cast<std::size_t>(singles.numbers[first + l]), j, found[j * lanes + l],
                                  root_);
        });
        for (std::size_t i = 0; i < singles.numbers.size(); ++i)
            matrices_.modes.eigenvalues[static_cast<std::size_t>(singles.numbers[i])] = singles.value[i];
        return std::ranges::find(singles.failed, 1.0) == singles.failed.end();
    }

    void find(const EigenvalueGroup& group) {
        const double width = std::max(static_cast<double>(group.high - group.low), least_width * group.high.high);
        const std::vector<DoubleDouble> found =
            close_modes(scaled_.view, group.low, width, static_cast<int>(group.count));
        for (Index i = 0; i < group.count; ++i) {
            const auto k = static_cast<std::size_t>(group.first + i);
            matrices_.modes.eigenvalues[k] = ((group.low + group.high) * 0.5).high;
            for (std::size_t j = 0; j < n_; ++j)
                matrices_.put(k, j, found[static_cast<std::size_t>(i) * n_ + j].high, root_);
        }
    }

    ScaledChain scaled_;
    ThreadTeam* team_;
    std::size_t n_;
    double root_;
    ModeMatrices matrices_;
};

}  // namespace

std::optional<ChainModes> ladder_modes(const Chain& chain, ThreadTeam* team) {
    return Builder(chain, team).build();
}

}  // namespace poisson3d::lines
