// Fields for measurements: so many that a run never meets what the run before it left in the cache.
#pragma once

#include <algorithm>
#include <cstdint>

#include "poisson3d/memory.hpp"
#include "poisson3d/threads.hpp"

namespace poisson3d::app {

/// A ring of input and output fields. They fill 1 GiB, or a quarter of the free memory if that is less, but there
/// is at least one pair, and no more than there are runs to use them. Inputs hold noise between −1 and 1.
template <class T>
class FieldRing {
public:
    FieldRing(std::size_t elements, std::size_t runs, ThreadTeam& team)
        : step_((elements * sizeof(T) + HostBuffer::alignment - 1) / HostBuffer::alignment * HostBuffer::alignment /
                sizeof(T)),
          pairs_(std::min(runs, pairs(2 * step_ * sizeof(T)))),
          buffer_(2 * pairs_ * step_ * sizeof(T)) {
        T* const data = static_cast<T*>(buffer_.data());
        const auto total = static_cast<Index>(2 * pairs_ * step_);
        team.parallel_for(total, (total + team.size() - 1) / team.size(), [&](Index begin, Index end, int) {
            auto state = static_cast<std::uint32_t>(begin) * 2654435761U + 1U;
            for (Index i = begin; i < end; ++i) {
                state = state * 1664525U + 1013904223U;
                data[i] = static_cast<T>(static_cast<double>(state) * (2.0 / 4294967296.0) - 1.0);
            }
        });
    }

    [[nodiscard]] T* in(std::size_t run) const {
        return static_cast<T*>(buffer_.data()) + 2 * (run % pairs_) * step_;
    }
    [[nodiscard]] T* out(std::size_t run) const { return in(run) + step_; }

private:
    static std::size_t pairs(std::size_t pair_bytes) {
        const std::size_t available = available_host_memory();
        const std::size_t most = std::size_t{1} << 30;
        const std::size_t wanted = available == 0 ? most : std::min(most, available / 4);
        return std::max<std::size_t>(1, wanted / pair_bytes);
    }

    std::size_t step_, pairs_;
    HostBuffer buffer_;
};

}  // namespace poisson3d::app
