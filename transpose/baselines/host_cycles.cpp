// Any matrix in place by following the cycles of its permutation: the baseline.
//
// In a row-major m × n matrix item k = i·n + j goes to j·m + i, which is k·m mod (mn − 1) for 0 < k < mn − 1; the
// first and the last stay. Computed as j·m + i it needs one division and no product beyond mn. A cycle is moved
// with one item in hand: pick up item k, put it where it goes and take what was there, until k is reached again.
// Each step goes to an address that no cache can predict, which is why this is slow.
//
// A bit per item says whether it was moved. Where the bits would take more memory than a plan may own, each cycle
// is moved from its smallest item: item k begins a cycle only if following it leads to no smaller item.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "baselines/host.hpp"

namespace poisson3d {

using namespace host_transpose;

namespace {

/// Longer items are moved piece by piece: the cycles are the same for all pieces.
constexpr Index longest_piece = Index{32} << 10;

/// Scratch that a plan may own, as is the fiftieth part of the field.
constexpr std::size_t always_allowed = std::size_t{64} << 20;

class Cycles final : public InPlaceExecutor {
public:
    Cycles(const DenseMatrices& m, int threads)
        : m_(m),
          items_(m.rows * m.columns),
          bytes_(m.item * m.element_bytes),
          piece_(std::min(bytes_, longest_piece)),
          threads_(static_cast<int>(std::min<Index>(worthwhile_threads(threads, m.bytes()), m.batch)),
                   2 * longest_piece) {
        const std::size_t words = static_cast<std::size_t>(items_ + 63) / 64;
        const auto members = static_cast<std::size_t>(threads_.team().size());
        if (words * 8 * members + threads_.all_scratch_bytes() <=
            std::max(always_allowed, static_cast<std::size_t>(m.bytes() / 50)))
            visited_.assign(members, std::vector<std::uint64_t>(words));
    }

    void run(void* data, Stream) const override {
        const auto lock = threads_.lock();
        threads_.team().parallel_for(m_.batch, 1, [&](Index begin, Index end, int thread) {
            for (Index b = begin; b < end; ++b)
                follow(static_cast<char*>(data) + b * m_.batch_stride * m_.element_bytes, thread);
        });
    }
    [[nodiscard]] InPlaceAlgorithm algorithm() const noexcept override { return InPlaceAlgorithm::cycles; }
    [[nodiscard]] std::string description() const override {
        return visited_.empty() ? "cycles, leaders searched for" : "cycles, a bit per item";
    }
    [[nodiscard]] std::size_t scratch_bytes() const noexcept override {
        return threads_.all_scratch_bytes() +
               (visited_.empty() ? 0 : visited_.size() * visited_.front().size() * 8);
    }

private:
    [[nodiscard]] Index target(Index k) const {
        const Index i = k / m_.columns;
        return (k - i * m_.columns) * m_.rows + i;
    }
    [[nodiscard]] bool leads(Index k) const {
        for (Index next = target(k); next != k; next = target(next))
            if (next < k) return false;
        return true;
    }

    void follow(char* data, int thread) const {
        if (m_.rows == 1 || m_.columns == 1) return;
        std::uint64_t* const visited =
            visited_.empty() ? nullptr : visited_[static_cast<std::size_t>(thread)].data();
        if (visited != nullptr) std::fill_n(visited, visited_.front().size(), 0);
        for (Index k = 1; k < items_ - 1; ++k) {
            if (visited == nullptr ? !leads(k) : (visited[k / 64] >> (k % 64) & 1) != 0) continue;
            for (Index first = 0; first < bytes_; first += piece_)
                move_cycle(data + first, k, std::min(piece_, bytes_ - first), threads_.scratch(thread));
            if (visited == nullptr) continue;
            for (Index next = target(k); next != k; next = target(next))
                visited[next / 64] |= std::uint64_t{1} << (next % 64);
        }
    }

    void move_cycle(char* data, Index k, Index bytes, char* scratch) const {
        const auto n = static_cast<std::size_t>(bytes);
        char* hand = scratch;
        char* other = scratch + longest_piece;
        std::memcpy(hand, data + k * bytes_, n);
        for (Index next = target(k);; next = target(next)) {
            char* const item = data + next * bytes_;
            std::memcpy(other, item, n);
            std::memcpy(item, hand, n);
            std::swap(hand, other);
            if (next == k) return;
        }
    }

    DenseMatrices m_;
    Index items_, bytes_, piece_;  // of a matrix; of an item; of it at once
    HostThreads threads_;
    mutable std::vector<std::vector<std::uint64_t>> visited_;  // a set per thread, or none
};

}  // namespace

std::unique_ptr<InPlaceExecutor> make_host_cycles(const DenseMatrices& m, int threads) {
    return std::make_unique<Cycles>(m, threads);
}

}  // namespace poisson3d
