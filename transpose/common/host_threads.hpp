// What every host transpose works with: a team of threads, scratch memory for each, and the inner loops of the
// processor's instruction set.
#pragma once

#include <algorithm>
#include <mutex>
#include <vector>

#include "common/host_movers.hpp"
#include "poisson3d/home_process.hpp"
#include "poisson3d/threads.hpp"

namespace poisson3d::host_walk {

/// A thread that is not asked for must be worth its start.
constexpr int worthwhile_threads(int asked, Index bytes) {
    constexpr Index bytes_per_thread = Index{1} << 20;
    return asked > 0 ? asked : static_cast<int>(std::min<Index>(available_threads(), 1 + bytes / bytes_per_thread));
}

class Workers {
public:
    /// `threads` 0: all there are.
    Workers(int element_bytes, int threads, Instructions instructions)
        : team_(threads),
          scratch_(static_cast<std::size_t>(team_.size())),
          movers_(&host_walk::movers(instructions)),
          element_movers_(&movers_->element[__builtin_ctz(static_cast<unsigned>(element_bytes))]) {}

    /// Held while the team works: it works on one loop at a time.
    [[nodiscard]] std::unique_lock<std::mutex> lock() const {
        home_.require_here("this transpose");
        return std::unique_lock(busy_);
    }
    [[nodiscard]] ThreadTeam& team() const noexcept { return team_; }
    [[nodiscard]] char* scratch(int thread) const noexcept {
        return scratch_[static_cast<std::size_t>(thread)].bytes;
    }
    [[nodiscard]] std::size_t all_scratch_bytes() const noexcept { return scratch_.size() * sizeof(Scratch); }
    [[nodiscard]] const Movers& all_movers() const noexcept { return *movers_; }
    [[nodiscard]] const ElementMovers& element_movers() const noexcept { return *element_movers_; }

private:
    struct alignas(line_bytes) Scratch {
        char bytes[scratch_bytes];
    };

    HomeProcess home_;
    mutable std::mutex busy_;
    mutable ThreadTeam team_;
    mutable std::vector<Scratch> scratch_;
    const Movers* movers_;
    const ElementMovers* element_movers_;
};

}  // namespace poisson3d::host_walk
