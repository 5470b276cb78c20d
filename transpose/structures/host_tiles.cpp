#include "structures/host_tiles.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace poisson3d {

using namespace host_transpose;

namespace {

/// Tiles are fetched so many moves before they are moved.
constexpr std::uint32_t moves_ahead = 16;
/// A block that was read is still in the cache when its tiles are written.
constexpr Index cached_block = Index{256} << 10;
constexpr Index pieces_per_fetch = 8;
constexpr Index fields_per_fetch = 256;

constexpr Index whole_lines(Index bytes) {
    return (bytes + line_bytes - 1) / line_bytes * line_bytes;
}

void copy(char* to, const char* from, Index bytes) {
    std::memcpy(to, from, static_cast<std::size_t>(bytes));
}

void fetch(const char* tile, Index bytes) {
    for (Index k = 0; k < std::min<Index>(bytes, 1024); k += line_bytes) __builtin_prefetch(tile + k, 1);
}

}  // namespace

HostTileTranspose::HostTileTranspose(const StructureCuts& cuts, StructureMove move, Index word_bytes, int threads,
                                     Instructions instructions)
    : cuts_(cuts),
      moves_{cuts.tiles, move == StructureMove::aos_to_soa},
      word_(word_bytes),
      chains_(plan_chains(moves_, cuts.longest)),
      threads_(threads),
      movers_(&movers(instructions)),
      tile_movers_(&tile_movers(*movers_, word_bytes)) {
    const Index k = tiles().fields();
    const Index widest = tile_strip_fields(tile_bytes());
    strips_ = (k + widest - 1) / widest;
    // Squares of few fields write beyond a structure's end, so there structures lie behind each other. Others lie
    // an odd number of lines apart, so that they do not meet in a few sets of the cache.
    pitch_ = strips_ == 1 ? structure_bytes() : whole_lines(structure_bytes()) | line_bytes;

    const bool sheared = tiles().log() > 0;  // else a tile is a word, and structures are blocks of tiles
    const Index areas = sheared ? std::min<Index>(threads_, cuts_.ranges) : 0;
    const Index halos = sheared && tiles().sheared() ? cuts_.ranges : 0;
    layout_.edges = 0;
    layout_.halos = sheared ? whole_lines(2 * block_bytes()) : 0;
    layout_.saved = layout_.halos + halos * whole_lines(block_bytes());
    layout_.firsts = layout_.saved + static_cast<Index>(chains_.saved.size()) * whole_lines(tile_bytes());
    layout_.areas = layout_.firsts + threads_ * whole_lines(tile_bytes());
    layout_.structures = whole_lines(k * kept_tile(tile_bytes()));
    layout_.strip =
        layout_.structures + (moves_.aos_to_soa ? 0 : whole_lines(pitch_ * tiles().length() + 2 * line_bytes));
    layout_.area = whole_lines(layout_.strip + tile_strip_scratch(tile_bytes()));
    layout_.end = layout_.areas + areas * layout_.area;
}

std::size_t HostTileTranspose::table_bytes() const noexcept {
    return chains_.pieces.size() * sizeof(ChainPiece) + chains_.saved.size() * sizeof(Slot);
}

std::string HostTileTranspose::description() const {
    return "tiles of " + std::to_string(tile_bytes()) + " bytes, " + std::to_string(chains_.pieces.size()) +
           " pieces of chains";
}

/// One run: where its memory is, and who works on it.
struct HostTileTranspose::Run {
    const HostTileTranspose& plan;
    char* data;
    char* scratch;
    ThreadTeam* team;

    template <class Body>
    void loop(Index count, Index chunk, const Body& body) const {
        if (team != nullptr)
            team->parallel_for(count, chunk, body);
        else
            body(0, count, 0);
    }
    [[nodiscard]] char* halo(Index range) const {
        return scratch + plan.layout_.halos + range * whole_lines(plan.block_bytes());
    }
    [[nodiscard]] char* block(Index j) const { return data + j * plan.block_bytes(); }

    /// What of field f lies in no tile: its first h(f) words and its last ones.
    [[nodiscard]] char* head_edge(Index f) const { return scratch + f * plan.tile_bytes(); }
    [[nodiscard]] char* tail_edge(Index f) const { return head_edge(plan.tiles().fields() + f); }
    [[nodiscard]] Index head_bytes(Index f) const { return plan.tiles().head(static_cast<int>(f)) * plan.word_; }
    [[nodiscard]] Index tail_bytes(Index f) const {
        const StructureTiles& t = plan.tiles();
        const int field = static_cast<int>(f);
        return (t.count() - t.head(field) - (t.tiles(field) << t.log())) * plan.word_;
    }
    /// Between arrays and scratch.
    void move_edges(bool save) const {
        const Index array = plan.tiles().count() * plan.word_;
        if (plan.tiles().log() == 0) return;
        loop(plan.tiles().fields(), fields_per_fetch, [&](Index begin, Index end, int) {
            for (Index f = begin; f < end; ++f) {
                char* const head = data + f * array;
                char* const tail = head + array - tail_bytes(f);
                save ? copy(head_edge(f), head, head_bytes(f)) : copy(head, head_edge(f), head_bytes(f));
                save ? copy(tail_edge(f), tail, tail_bytes(f)) : copy(tail, tail_edge(f), tail_bytes(f));
            }
        });
    }
    /// The last tile of field f is missing in the last whole block: what is there of it is the field's tail.
    [[nodiscard]] bool last_is_missing(Index f) const {
        return plan.tiles().tiles(static_cast<int>(f)) < plan.tiles().blocks();
    }
    [[nodiscard]] char* last_tile(Index f) const {
        return block(plan.tiles().blocks() - 1) + f * plan.tile_bytes();
    }

    /// Between structures and tiles by block.
    void shear() const {
        const Index length = plan.cuts_.blocks_per_range();
        const Index blocks = plan.tiles().blocks();
        const Index ranges = plan.cuts_.ranges;
        if (plan.tiles().sheared())  // what one range reads of another, which may have overwritten it by then
            loop(ranges - 1, 1, [&](Index begin, Index end, int) {
                for (Index r = begin + 1; r <= end; ++r)
                    copy(halo(r), block(r * length - (plan.moves_.aos_to_soa ? 0 : 1)), plan.block_bytes());
            });
        loop(ranges, 1, [&](Index begin, Index end, int thread) {
            for (Index r = begin; r < end; ++r) {
                const Index area = ranges < plan.threads_ ? r : thread;
                char* const own = scratch + plan.layout_.areas + area * plan.layout_.area;
                const Index last = std::min((r + 1) * length, blocks);
                plan.moves_.aos_to_soa ? to_tiles(r, r * length, last, own)
                                       : to_structures(r, r * length, last, own);
            }
        });
    }

    /// Some fields.
    [[nodiscard]] TileStrip strip(Index first, Index end) const {
        const StructureTiles& t = plan.tiles();
        return {end - first, plan.word_,    plan.tile_bytes(), t.head(static_cast<int>(first)),
                t.head(1),   t.length() - 1};
    }
    /// Calls body(strip, first field) for all fields of a structure.
    template <class Body>
    void for_strips(const Body& body) const {
        const Index k = plan.tiles().fields();
        for (Index i = 0; i < plan.strips_; ++i) {
            const Index first = i * k / plan.strips_;
            body(strip(first, (i + 1) * k / plan.strips_), first);
        }
    }

    void to_tiles(Index range, Index first, Index last, char* kept) const {
        const StructureTiles& t = plan.tiles();
        const Index word = plan.word_, tile = plan.tile_bytes();
        const bool stream = plan.block_bytes() > cached_block;
        for (Index j = first - 1; j < last; ++j) {
            const bool behind = j + 1 == last && last < t.blocks();
            const char* const next = behind ? halo(range + 1) : block(j + 1);
            const Index count = j + 1 < last || (behind && t.sheared()) ? t.length()
                                : j + 1 == t.blocks() && t.sheared()    ? t.rest()
                                                                        : 0;
            for_strips([&](const TileStrip& strip, Index f) {
                plan.tile_movers_->to_tiles(strip, next + f * word, plan.structure_bytes(), count,
                                            kept + f * kept_tile(tile), j < first ? nullptr : block(j) + f * tile,
                                            kept + plan.layout_.strip, stream);
            });
            if (j + 1 == 0)
                for (Index f = 0; f < t.fields(); ++f)
                    copy(head_edge(f), kept + f * kept_tile(tile), head_bytes(f));
        }
        if (last == t.blocks())
            for (Index f = 0; f < t.fields(); ++f)
                copy(tail_edge(f), last_is_missing(f) ? last_tile(f) : kept + f * kept_tile(tile) + head_bytes(f),
                     tail_bytes(f));
        plan.movers_->finish();
    }

    void to_structures(Index range, Index first, Index last, char* kept) const {
        const StructureTiles& t = plan.tiles();
        const TileStrip all = strip(0, t.fields());
        char* const structures = kept + plan.layout_.structures;
        char* const strip_scratch = kept + plan.layout_.strip;
        const auto move = [&](const char* tiles, char* to, Index count) {
            plan.tile_movers_->to_structures(all, tiles, kept, to == nullptr ? nullptr : structures, plan.pitch_,
                                             count);
            if (to == nullptr || count == 0) return;
            const Index bytes = plan.structure_bytes();
            const bool dense = plan.pitch_ == bytes;
            const Rows rows{structures, to, Side{dense ? 1 : count, plan.pitch_}, Side{dense ? 1 : count, bytes},
                            dense ? count * bytes : bytes};
            plan.movers_->rows(rows, {0, rows.in.count}, strip_scratch, true);
        };
        // Before the first block comes what its fields begin with, behind the last whole one what they end with.
        const Index tile = plan.tile_bytes();
        if (first == 0)
            for (Index f = 0; f < t.fields(); ++f)
                copy(kept + f * kept_tile(tile) + tile - head_bytes(f), head_edge(f), head_bytes(f));
        else if (t.sheared())
            move(halo(range), nullptr, 0);
        if (last == t.blocks())
            for (Index f = 0; f < t.fields(); ++f)
                if (last_is_missing(f)) copy(last_tile(f), tail_edge(f), tail_bytes(f));
        for (Index j = first; j < last; ++j) move(block(j), block(j), t.length());
        if (last == t.blocks() && t.rest() > 0) move(tail_edge(0), block(last), t.rest());
        plan.movers_->finish();
    }

    void follow_chains() const {
        const Index tile = plan.tile_bytes();
        const ChainPlan& chains = plan.chains_;
        const auto at = [&](Slot s) { return data + static_cast<Index>(s) * tile; };
        const auto saved = [&](Index i) { return scratch + plan.layout_.saved + i * whole_lines(tile); };
        loop(static_cast<Index>(chains.saved.size()), 64, [&](Index begin, Index end, int) {
            for (Index i = begin; i < end; ++i) copy(saved(i), at(chains.saved[static_cast<std::size_t>(i)]), tile);
        });
        loop(static_cast<Index>(chains.pieces.size()), pieces_per_fetch, [&](Index begin, Index end, int thread) {
            char* const first = scratch + plan.layout_.firsts + thread * whole_lines(tile);
            for (Index i = begin; i < end; ++i) {
                const ChainPiece& piece = chains.pieces[static_cast<std::size_t>(i)];
                if (piece.end == ChainPiece::from_first) copy(first, at(piece.first), tile);
                const Slot last = follow(piece, at);
                copy(at(last),
                     piece.end == ChainPiece::from_first  ? first
                     : piece.end == ChainPiece::from_slot ? at(plan.moves_.source(last))
                                                          : saved(piece.end),
                     tile);
            }
        });
    }
    /// All moves but the last, whose slot it returns.
    template <class At>
    Slot follow(const ChainPiece& piece, const At& at) const {
        const Index tile = plan.tile_bytes();
        std::array<Slot, moves_ahead> ahead;  // the slots that come next
        Slot far = piece.first;
        std::uint32_t known = 0;
        const auto look = [&] {
            far = plan.moves_.source(far);
            fetch(at(far), tile);
            ahead[++known % moves_ahead] = far;
        };
        while (known + 1 < std::min(piece.moves, moves_ahead)) look();
        Slot s = piece.first;
        for (std::uint32_t m = 1; m < piece.moves; ++m) {
            const Slot from = ahead[m % moves_ahead];
            if (known + 1 < piece.moves) look();
            copy(at(s), at(from), tile);
            s = from;
        }
        return s;
    }
};

void HostTileTranspose::run(char* data, char* scratch, ThreadTeam* team) const {
    const Run run{*this, data, scratch, team};
    if (moves_.aos_to_soa) {
        if (tiles().log() > 0) run.shear();
        run.follow_chains();
        run.move_edges(false);
    } else {
        run.move_edges(true);
        run.follow_chains();
        if (tiles().log() > 0) run.shear();
    }
}

}  // namespace poisson3d
