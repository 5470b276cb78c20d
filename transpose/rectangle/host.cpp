// Rectangles in place on the host, by tiles: rows of the longer side are structures or arrays (structures/tiles.hpp),
// whatever the sides are. Two sweeps over memory; matrices that fit a thread's cache take one, through scratch.
//
// m × n with m ≥ n: m structures of n words become n arrays of m words. With m < n the reverse. So a block, B of
// the structures, is at most as long as B rows of a square.
#include <algorithm>
#include <cstring>
#include <optional>

#include "rectangle/executors.hpp"
#include "structures/host_tiles.hpp"

namespace poisson3d {

using namespace host_transpose;

namespace {

constexpr Index always_allowed = Index{64} << 20;  // of scratch, as is the part of the field that follows
constexpr Index allowed_part = 50;
constexpr Index through_scratch = Index{2} << 20;  // bytes of a matrix that a thread holds in its cache
constexpr Index least_blocks = 32;                   // of a range: its halo is one
constexpr std::uint32_t longest_piece = 256;         // moves, of which the first tile is saved

/// Bytes that tiles should have: few fields leave room for long ones.
constexpr Index wanted_tile(Index fields) {
    return fields <= 8 ? 4096 : fields <= 16 ? 1024 : fields <= 3000 ? 512 : 256;
}

/// How n structures of k words are cut, for `threads` at a time and at most `allowed` bytes of scratch.
StructureCuts cuts_of(Index n, Index k, Index word, int threads, Index allowed) {
    int log = 0;
    const auto tile = [&] { return word << log; };
    while (tile() < wanted_tile(k) && Index{8} << log <= n) ++log;
    // Edges take two blocks, a range three: a halo, the tiles kept and structures.
    while (log > 0 && 5 * k * tile() > allowed / 2) --log;
    while ((n * k >> log) >> 32 != 0) ++log;
    StructureCuts cuts;
    cuts.tiles = StructureTiles(n, static_cast<int>(k), log);
    const Index affordable = (allowed / 2 - 2 * k * tile()) / (3 * k * tile());
    const Index useful = std::min<Index>(threads == 1 ? 1 : 4 * threads, cuts.tiles.blocks() / least_blocks);
    cuts.ranges = std::max<Index>(std::min(affordable, useful), 1);
    cuts.ranges = (cuts.tiles.blocks() + cuts.blocks_per_range() - 1) / cuts.blocks_per_range();
    const Index per_piece = tile() + static_cast<Index>(sizeof(ChainPiece) + sizeof(Slot));
    cuts.longest = static_cast<std::uint32_t>(
        std::max<Index>(longest_piece, cuts.tiles.slots() * per_piece / (allowed / 4) + 1));
    return cuts;
}

class HostRectangle final : public InPlaceExecutor {
public:
    HostRectangle(const DenseMatrices& m, int threads)
        : m_(m),
          word_(m.item * m.element_bytes),
          bytes_(m.rows * m.columns * word_),
          nothing_(m.rows == 1 || m.columns == 1),
          threads_(worthwhile_threads(threads, m.bytes()), 0),
          movers_(&tile_movers(movers(best_instructions()), word_)) {
        const int size = threads_.team().size();
        const Index allowed = std::max(always_allowed, m.bytes() / allowed_part);
        one_each_ = m.batch >= size;
        const bool small = bytes_ <= std::min(through_scratch, allowed / size);
        one_each_ = one_each_ || small;
        Index scratch = bytes_ + line_bytes;
        if (!small && !nothing_) {
            const bool tall = m.rows >= m.columns;
            const int workers = one_each_ ? 1 : size;
            const StructureCuts cuts = cuts_of(tall ? m.rows : m.columns, tall ? m.columns : m.rows, word_, workers,
                                               one_each_ ? allowed / size : allowed);
            tiles_.emplace(cuts, tall ? StructureMove::aos_to_soa : StructureMove::soa_to_aos, word_, workers);
            scratch = static_cast<Index>(tiles_->scratch_bytes());
        }
        share_ = nothing_ ? 0 : (scratch + line_bytes - 1) / line_bytes * line_bytes;
        scratch_ = HostBuffer(static_cast<std::size_t>(share_ * (one_each_ ? size : 1)));
    }

    void run(void* data, Stream) const override {
        if (nothing_) return;
        const auto lock = threads_.lock();
        const auto matrix = [&](Index b) {
            return static_cast<char*>(data) + b * m_.batch_stride * m_.element_bytes;
        };
        auto* const scratch = static_cast<char*>(scratch_.data());
        if (!one_each_) {
            for (Index b = 0; b < m_.batch; ++b) tiles_->run(matrix(b), scratch, &threads_.team());
            return;
        }
        const Index chunk = std::max<Index>(1, (Index{64} << 10) / bytes_);
        threads_.team().parallel_for(m_.batch, chunk, [&](Index begin, Index end, int thread) {
            for (Index b = begin; b < end; ++b) {
                if (tiles_)
                    tiles_->run(matrix(b), scratch + thread * share_, nullptr);
                else
                    turn(matrix(b), scratch + thread * share_);
            }
        });
    }
    [[nodiscard]] InPlaceAlgorithm algorithm() const noexcept override { return InPlaceAlgorithm::rectangle; }
    [[nodiscard]] std::string description() const override {
        return "rectangle, " + (tiles_ ? tiles_->description() : nothing_ ? "nothing to move" : "through scratch");
    }
    [[nodiscard]] std::size_t scratch_bytes() const noexcept override {
        return scratch_.size() + (tiles_ ? tiles_->table_bytes() : 0);
    }

private:
    /// The matrix, transposed to scratch and copied back.
    void turn(char* matrix, char* scratch) const {
        movers_->turn(matrix, m_.rows, m_.columns, word_, scratch);
        std::memcpy(matrix, scratch, static_cast<std::size_t>(bytes_));
    }

    DenseMatrices m_;
    Index word_, bytes_;  ///< of an item, of a matrix
    bool nothing_;
    bool one_each_ = false;  ///< matrices that a thread transposes by itself
    HostThreads threads_;
    const TileMovers* movers_;
    std::optional<HostTileTranspose> tiles_;
    Index share_ = 0;  ///< of the scratch memory
    HostBuffer scratch_;
};

}  // namespace

std::unique_ptr<InPlaceExecutor> make_host_rectangle(const DenseMatrices& matrices, int threads) {
    return std::make_unique<HostRectangle>(matrices, threads);
}

}  // namespace poisson3d
