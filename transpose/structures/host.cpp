// Structures and arrays in place on the host (structures/tiles.hpp): the threads share the ranges of blocks and the
// pieces of chains.
#include <cstring>

#include "common/host_threads.hpp"
#include "out_of_place/executors.hpp"
#include "structures/executors.hpp"

namespace poisson3d {

namespace {

using host_transpose::HostThreads;

template <int Bytes>
struct alignas(Bytes < 16 ? Bytes : 8) WordOf {
    unsigned char bytes[Bytes];
};

template <class Word>
class HostTiles final : public InPlaceMovement {
public:
    HostTiles(const StructureProblem& problem, const StructureCuts& cuts, int threads)
        : cuts_(cuts),
          moves_{cuts.tiles, problem.move == StructureMove::aos_to_soa},
          chains_(plan_chains(moves_, cuts.longest)),
          room_(cuts, chains_),
          scratch_(bytes(room_.words())),
          // Two blocks in their order of words, and one tile.
          threads_(threads, static_cast<Index>(bytes(2 * tiles().block_words() + tiles().length()))) {}

    void run(void* memory, Stream) const override {
        const auto lock = threads_.lock();
        auto* const data = static_cast<Word*>(memory);
        move_edges(data, moves_.aos_to_soa, [](Word& word, Word& edge) { edge = word; });
        if (moves_.aos_to_soa) shear(data);
        follow_chains(data);
        if (!moves_.aos_to_soa) shear(data);
        move_edges(data, !moves_.aos_to_soa, [](Word& word, Word& edge) { word = edge; });
    }

    [[nodiscard]] std::string description() const override {
        return "tiles of " + std::to_string(tiles().length() * static_cast<int>(sizeof(Word))) + " bytes, " +
               std::to_string(chains_.pieces.size()) + " pieces of chains";
    }
    [[nodiscard]] std::size_t scratch_bytes() const noexcept override {
        return scratch_.size() + threads_.all_scratch_bytes() + chains_.pieces.size() * sizeof(ChainPiece) +
               chains_.saved.size() * sizeof(Slot);
    }

private:
    [[nodiscard]] const StructureTiles& tiles() const { return cuts_.tiles; }
    [[nodiscard]] Word* edges() const { return static_cast<Word*>(scratch_.data()); }
    [[nodiscard]] Word* halos() const { return edges() + room_.edges; }
    [[nodiscard]] Word* saved() const { return halos() + room_.halos; }
    [[nodiscard]] Word* own(int thread) const { return reinterpret_cast<Word*>(threads_.scratch(thread)); }
    [[nodiscard]] static std::size_t bytes(Index words) { return static_cast<std::size_t>(words) * sizeof(Word); }

    template <class Move>
    void move_edges(Word* data, bool of_structures, Move move) const {
        const Index n = tiles().count();
        const int k = tiles().fields();
        for (int f = 0; f < k; ++f)
            for (int e = 0; e < tiles().edge_room(); ++e) {
                const Index s = tiles().edge(f, e);
                if (s >= n) break;
                move(data[of_structures ? s * k + f : f * n + s], edges()[f * tiles().edge_room() + e]);
            }
    }

    /// Between structures and tiles by block.
    void shear(Word* data) const {
        const Index words = tiles().block_words();
        const Index length = cuts_.blocks_per_range();
        if (tiles().sheared())  // what a range reads of the next one, which may have been overwritten by then
            for (Index r = 1; r < cuts_.ranges; ++r)
                std::memcpy(halos() + r * words, data + (r * length - (moves_.aos_to_soa ? 0 : 1)) * words,
                            bytes(words));
        threads_.team().parallel_for(cuts_.ranges, 1, [&](Index begin, Index end, int thread) {
            for (Index r = begin; r < end; ++r) {
                const Index last = std::min((r + 1) * length, tiles().blocks());
                moves_.aos_to_soa ? shear_to_tiles(data, r, r * length, last, own(thread))
                                  : shear_to_structures(data, r, r * length, last, own(thread));
            }
        });
    }

    /// `ring` holds the structures of two blocks, those of block j in half j mod 2.
    void shear_to_tiles(Word* data, Index range, Index first, Index last, Word* ring) const {
        const Index words = tiles().block_words();
        const int k = tiles().fields(), length = tiles().length();
        std::memcpy(ring + (first & 1) * words, data + first * words, bytes(words));
        for (Index j = first; j < last; ++j) {
            const Word* const next =
                j + 1 == last && last < tiles().blocks() ? halos() + (range + 1) * words : data + (j + 1) * words;
            const Index there = j + 1 == tiles().blocks() ? tiles().rest() * k : words;
            if (tiles().sheared() || j + 1 < last) std::memcpy(ring + (~j & 1) * words, next, bytes(there));
            for (int f = 0; f < k; ++f) {
                Word* const tile = data + j * words + f * length;
                const int begin = tiles().head(f) + static_cast<int>(j & 1) * length;
                for (int i = 0; i < length; ++i) tile[i] = ring[((begin + i) & (2 * length - 1)) * k + f];
            }
        }
    }

    /// `ring` holds, for each field, the words of 2B structures, those of structure s at index s mod 2B.
    void shear_to_structures(Word* data, Index range, Index first, Index last, Word* ring) const {
        const Index words = tiles().block_words();
        if (tiles().sheared() && first > 0) take_tiles(halos() + range * words, first - 1, ring);
        for (Index j = first; j < last; ++j) {
            take_tiles(data + j * words, j, ring);
            give_structures(data + j * words, j, tiles().length(), ring);
        }
        if (last == tiles().blocks()) give_structures(data + last * words, last, tiles().rest(), ring);
    }
    void take_tiles(const Word* block, Index j, Word* ring) const {
        const int length = tiles().length();
        for (int f = 0; f < tiles().fields(); ++f) {
            const int begin = (tiles().head(f) + static_cast<int>(j & 1) * length) & (2 * length - 1);
            const int before_end = std::min(length, 2 * length - begin);
            Word* const row = ring + f * 2 * length;
            std::memcpy(row + begin, block + f * length, bytes(before_end));
            std::memcpy(row, block + f * length + before_end, bytes(length - before_end));
        }
    }
    /// Leaves words that are edges wrong; move_edges() restores them.
    void give_structures(Word* block, Index j, int count, const Word* ring) const {
        const int k = tiles().fields(), length = tiles().length();
        for (int s = 0; s < count; ++s)
            for (int f = 0; f < k; ++f)
                block[s * k + f] = ring[f * 2 * length + static_cast<int>(j & 1) * length + s];
    }

    void follow_chains(Word* data) const {
        const std::size_t tile = bytes(tiles().length());
        const auto at = [&](Slot s) { return data + (static_cast<Index>(s) << tiles().log()); };
        const auto saved_at = [&](Index number) { return saved() + (number << tiles().log()); };
        threads_.team().parallel_for(
            static_cast<Index>(chains_.saved.size()), 64, [&](Index begin, Index end, int) {
                for (Index i = begin; i < end; ++i)
                    std::memcpy(saved_at(i), at(chains_.saved[static_cast<std::size_t>(i)]), tile);
            });
        threads_.team().parallel_for(
            static_cast<Index>(chains_.pieces.size()), 16, [&](Index begin, Index end, int thread) {
                for (Index i = begin; i < end; ++i) {
                    const ChainPiece& piece = chains_.pieces[static_cast<std::size_t>(i)];
                    Word* const first = own(thread);
                    if (piece.end == ChainPiece::from_first) std::memcpy(first, at(piece.first), tile);
                    Slot s = piece.first;
                    for (std::uint32_t m = 1; m < piece.moves; ++m) {
                        const Slot from = moves_.source(s);
                        std::memcpy(at(s), at(from), tile);
                        s = from;
                    }
                    const Word* const end_of_it = piece.end == ChainPiece::from_first  ? first
                                                  : piece.end == ChainPiece::from_slot ? at(moves_.source(s))
                                                                                       : saved_at(piece.end);
                    std::memcpy(at(s), end_of_it, tile);
                }
            });
    }

    StructureCuts cuts_;
    TileMoves moves_;
    ChainPlan chains_;
    StructureScratch room_;
    HostBuffer scratch_;
    HostThreads threads_;
};

/// All of it is copied to scratch and transposed back.
class HostThroughScratch final : public InPlaceMovement {
public:
    HostThroughScratch(const StructureProblem& problem, int threads)
        : bytes_(static_cast<std::size_t>(problem.count * problem.fields * problem.word_bytes)),
          back_(make_host_executor(classify(matrix_of(problem)), problem.word_bytes, {.threads = threads})),
          scratch_(1, static_cast<Index>(bytes_)) {}
    void run(void* data, Stream) const override {
        const auto lock = scratch_.lock();
        std::memcpy(scratch_.scratch(0), data, bytes_);
        back_->run(scratch_.scratch(0), data, {});
    }
    [[nodiscard]] std::string description() const override { return "through scratch, " + back_->description(); }
    [[nodiscard]] std::size_t scratch_bytes() const noexcept override { return bytes_; }

private:
    std::size_t bytes_;
    std::unique_ptr<Executor> back_;
    HostThreads scratch_;  ///< of the calling thread alone
};

}  // namespace

std::unique_ptr<InPlaceMovement> make_host_structures(const StructureProblem& problem, int threads) {
    if (nothing_to_move(problem)) return std::make_unique<NothingToMove>();
    if (fits_scratch(problem)) return std::make_unique<HostThroughScratch>(problem, threads);
    constexpr Index ranges_per_thread = 4;
    const Index ranges = ranges_per_thread * (threads == 0 ? available_threads() : threads);
    return make_host_structure_tiles(problem, choose_cuts(problem, ranges), threads);
}

std::unique_ptr<InPlaceMovement> make_host_structure_tiles(const StructureProblem& problem,
                                                           const StructureCuts& cuts, int threads) {
    switch (problem.word_bytes) {
        case 4: return std::make_unique<HostTiles<WordOf<4>>>(problem, cuts, threads);
        case 8: return std::make_unique<HostTiles<WordOf<8>>>(problem, cuts, threads);
        default: return std::make_unique<HostTiles<WordOf<16>>>(problem, cuts, threads);
    }
}

}  // namespace poisson3d
