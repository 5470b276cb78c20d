// What every host transpose works with: a team of threads and scratch memory for each of them.
#pragma once

#include <algorithm>
#include <mutex>

#include "common/host_movers.hpp"
#include "poisson3d/home_process.hpp"
#include "poisson3d/memory.hpp"
#include "poisson3d/threads.hpp"

namespace poisson3d::host_transpose {

/// The number asked for, or, for 0, so many that each has a MiB of work.
inline int worthwhile_threads(int asked, Index bytes) {
    return asked > 0 ? asked : static_cast<int>(std::min<Index>(available_threads(), 1 + (bytes >> 20)));
}

class HostThreads {
public:
    /// `threads` 0: all there are.
    HostThreads(int threads, Index scratch_of_each)
        : team_(threads),
          share_((scratch_of_each + line_bytes - 1) / line_bytes * line_bytes),
          scratch_(static_cast<std::size_t>(share_ * team_.size())) {}

    /// Held while the team works: it executes one loop at a time.
    [[nodiscard]] std::unique_lock<std::mutex> lock() const {
        home_.require_here("this transpose");
        return std::unique_lock(busy_);
    }
    [[nodiscard]] ThreadTeam& team() const noexcept { return team_; }
    /// Aligned to a cache line.
    [[nodiscard]] char* scratch(int thread) const noexcept {
        return static_cast<char*>(scratch_.data()) + thread * share_;
    }
    [[nodiscard]] std::size_t all_scratch_bytes() const noexcept { return scratch_.size(); }

private:
    HomeProcess home_;
    mutable std::mutex busy_;
    mutable ThreadTeam team_;
    Index share_;
    HostBuffer scratch_;
};

/// With the inner loops of an instruction set.
class MoverThreads : public HostThreads {
public:
    MoverThreads(int element_bytes, int threads, Instructions instructions)
        : HostThreads(threads, scratch_bytes),
          movers_(&movers(instructions)),
          element_movers_(&host_transpose::element_movers(*movers_, element_bytes)) {}

    [[nodiscard]] const Movers& all_movers() const noexcept { return *movers_; }
    [[nodiscard]] const ElementMovers& element_movers() const noexcept { return *element_movers_; }

private:
    const Movers* movers_;
    const ElementMovers* element_movers_;
};

}  // namespace poisson3d::host_transpose
