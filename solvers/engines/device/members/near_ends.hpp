// Parts of the lines of high modes along an eliminated axis, reduced from their ends (LineParts): of the nodes that
// count there (reach.hpp) a thread has one end of a line. Rows of y of whose modes too many nodes count are left to
// the blocks of the elimination.
#pragma once

#include <vector>

#include "chain_tables.hpp"
#include "eliminated_axis.hpp"
#include "reach.hpp"
#include "workspace.hpp"

namespace poisson3d::members {

using lines::Reach;

template <class T>
struct NearEndsTask {
    lines::ChainView<T> chain;
    const T* data = nullptr;
    Index slow = 0, line = 0, sample = 0;  ///< strides
    Index slow_count = 0, lines = 0;
    const T *lambda_slow = nullptr, *lambda_lanes = nullptr;
    T shift_by = 0, factor = 1;
    const Reach* reach = nullptr;                   ///< by slow index; of those left to others 0
    T *current = nullptr, *left_current = nullptr;  ///< at slow · lines + line

    /// Either end of a line, by one thread. Numbers are read some at a time, before they are needed.
    template <bool last>
    POISSON3D_HD void reduce(Index at_slow, Index at_line) const {
        constexpr int together = 8;
        const int count = last ? reach[at_slow].last : reach[at_slow].first;
        if (count == 0) return;
        const T sum = lambda_slow[at_slow] + shift_by + lambda_lanes[at_line];
        const T kappa = sum < T(0) ? -sum : T(0);
        int j = last ? chain.nodes - count : count - 1;
        constexpr int step = last ? 1 : -1;
        const T* from = data + at_slow * slow + at_line * line + j * sample;
        constexpr T wire = sizeof(T) == 4 ? T(0x1p100) : T(0x1p600);
        lines::Run<T> run{{wire, T(0)}, {T(0)}};  // to u = 0
        for (int done = 0; done < count; done += together) {
            T value[together];
            POISSON3D_UNROLL
            for (int i = 0; i < together; ++i, from += step * sample)
                value[i] = done + i < count ? lines::load_field(from) : T(0);
            POISSON3D_UNROLL
            for (int i = 0; i < together; ++i) {
                if (done + i >= count) break;
                const T volume = lines::load_table(chain.volumes + j);
                const T link = lines::load_table(chain.links + (last ? j : j + 1));
                run.step(link, chain.with_ground(volume * kappa, kappa, j), volume * (-factor * value[i]));
                j += step;
            }
        }
        const Index out = at_slow * lines + at_line;
        if (last) {
            current[out] = run.current;
        } else {
            const T link = lines::load_table(chain.links);
            left_current[out] = link * lines::reciprocal(run.tie + run.excess + link) * run.current;
        }
    }
};

/// Asynchronous; throws Error{device} when refused. `early`: if fused::may_launch_early().
template <class T>
void launch_near_ends(const NearEndsTask<T>& task, bool early, Stream stream);

/// The slow indices from `first` on whose lines are left to blocks.
struct SlowRange {
    Index first = 0, count = 0;
};

/// Which of the lines of a part are reduced how.
template <class T>
class NearEnds {
public:
    /// Every number of reach[] that is 0 is in a range. Few ranges; one of all, where that is as fast.
    static std::vector<SlowRange> ranges_of(std::vector<Reach>& reach, int nodes);

    void reserve(device::WorkspaceLayout& layout, Index slow_count);
    /// For lines of the eigenvalues that `task` has in device memory. Synchronises.
    void plan(std::byte* workspace, const lines::ChainView<T>& chain, const fused::EliminationTask<T>& task,
              double helmholtz);
    /// Reduces the lines of a task, whose step it is, to its planes of currents.
    void reduce(const fused::EliminationTask<T>& task, bool early, Stream stream) const;

private:
    std::size_t offset_ = 0;
    const Reach* reach_ = nullptr;
    bool any_ = false;  ///< lines that are reduced from their ends
    std::vector<SlowRange> blocks_;
};

}  // namespace poisson3d::members
