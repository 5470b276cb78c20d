// An array of n structures of k words becomes k arrays of n words in its own memory, or the reverse, in two sweeps.
//
// Memory is cut into slots of B words, B a power of two; a tile is what fills a slot: B words of one field, of
// structures that follow each other.
//
//     array of structures     block j: the B structures jB …, word after word              slots jk … jk + k − 1
//     tiles by block          block j: a tile of field 0, of field 1, … of field k − 1     slots jk … jk + k − 1
//     structure of arrays     field f: its tiles one behind the other                      slots d(f), d(f) + 1, …
//
// The first step stays within a block, so it fits shared memory; the second moves whole tiles, a permutation of
// slots, along its cycles. Array f begins at word f·n, which is seldom the beginning of a slot: the first
// whole slot of field f begins with structure
//
//     h(f) = −f·n mod B                     its slot is d(f) = (f·n + h(f)) / B, it has m(f) = ⌊(n − h(f)) / B⌋
//     tiles,
//
// so tile (j, f) holds the structures h(f) + jB … h(f) + jB + B − 1, and the first step looks into the next block
// by h(f) structures: a shear. Fewer than 2B words of each field lie in no tile: its edges, the structures below
// h(f) and those from h(f) + m(f)·B. They are saved first and restored last.
//
// A slot that holds a tile in one order need not hold one in the other: a block's last tile may be missing, and two
// arrays may share a slot. So the moves are an injective map between slots: cycles, and paths that begin at a free
// slot and free their last one.
#pragma once

#include <cstdint>

#include "poisson3d/block_order.hpp"

namespace poisson3d {

/// Slots have 32-bit numbers: with tiles of 512 bytes or more that is 2 TiB.
using Slot = std::uint32_t;

class StructureTiles {
public:
    constexpr StructureTiles() = default;
    /// Tiles of 2^log words.
    constexpr StructureTiles(Index count, int fields, int log)
        : count_(count),
          blocks_(count >> log),
          fields_(fields),
          log_(log),
          shear_(static_cast<int>(-count & ((Index{1} << log) - 1))),
          per_field_(((Index{1} << (40 + log)) - 1) / count) {}

    [[nodiscard]] constexpr POISSON3D_BLOCK_HD Index count() const { return count_; }    ///< n
    [[nodiscard]] constexpr POISSON3D_BLOCK_HD int fields() const { return fields_; }    ///< k
    [[nodiscard]] constexpr POISSON3D_BLOCK_HD int log() const { return log_; }          ///< log2 B
    [[nodiscard]] constexpr POISSON3D_BLOCK_HD int length() const { return 1 << log_; }  ///< B
    [[nodiscard]] constexpr POISSON3D_BLOCK_HD Index blocks() const { return blocks_; }  ///< whole ones
    /// Words of a block.
    [[nodiscard]] constexpr POISSON3D_BLOCK_HD int block_words() const { return fields_ << log_; }
    /// Structures behind the last whole block.
    [[nodiscard]] constexpr POISSON3D_BLOCK_HD int rest() const {
        return static_cast<int>(count_ - (blocks_ << log_));
    }
    /// False: all h(f) are 0, no tile looks into the next block.
    [[nodiscard]] constexpr POISSON3D_BLOCK_HD bool sheared() const { return shear_ != 0; }
    /// Whole slots.
    [[nodiscard]] constexpr POISSON3D_BLOCK_HD Index slots() const { return count_ * fields_ >> log_; }

    /// h(f).
    [[nodiscard]] constexpr POISSON3D_BLOCK_HD int head(int field) const {
        return (field * shear_) & (length() - 1);
    }
    /// m(f).
    [[nodiscard]] constexpr POISSON3D_BLOCK_HD Index tiles(int field) const {
        return (count_ - head(field)) >> log_;
    }
    /// d(f).
    [[nodiscard]] constexpr POISSON3D_BLOCK_HD Index first_slot(int field) const {
        return (field * count_ + length() - 1) >> log_;
    }

    // ---- Where tiles are ----

    struct Tile {
        Index block;
        int field;
    };
    /// The tile in slot s of the tiles by block.
    [[nodiscard]] constexpr POISSON3D_BLOCK_HD Tile by_block(Slot s) const {
        const Slot block = s / static_cast<Slot>(fields_);
        return {block, static_cast<int>(s - block * static_cast<Slot>(fields_))};
    }
    /// The tile in slot s of the arrays, which may be none: see exists().
    [[nodiscard]] constexpr POISSON3D_BLOCK_HD Tile by_field(Slot s) const {
        // The quotient s·B / n, one too small at most; a slot in which array f + 1 begins holds a tile of neither.
        int field = static_cast<int>(static_cast<Index>(s) * per_field_ >> 40);
        if (field + 1 < fields_ && s >= first_slot(field + 1)) ++field;
        return {s - first_slot(field), field};
    }
    [[nodiscard]] constexpr POISSON3D_BLOCK_HD bool exists(Tile t) const {
        return t.field < fields_ && t.block >= 0 && t.block < tiles(t.field);
    }
    [[nodiscard]] constexpr POISSON3D_BLOCK_HD Slot slot_by_block(Tile t) const {
        return static_cast<Slot>(t.block * fields_ + t.field);
    }
    [[nodiscard]] constexpr POISSON3D_BLOCK_HD Slot slot_by_field(Tile t) const {
        return static_cast<Slot>(first_slot(t.field) + t.block);
    }

    // ---- Edges ----

    /// Room for the edges of a field, in words.
    [[nodiscard]] constexpr POISSON3D_BLOCK_HD int edge_room() const { return 2 << log_; }
    /// The structure that edge number e of field f belongs to; none if it is not below count().
    [[nodiscard]] constexpr POISSON3D_BLOCK_HD Index edge(int field, int e) const {
        return e < head(field) ? e : e + (tiles(field) << log_);
    }

private:
    Index count_ = 0, blocks_ = 0;
    int fields_ = 1, log_ = 0, shear_ = 0;
    Index per_field_ = 0;  ///< just below 2^40·B/n
};

/// The permutation of slots that carries tiles from one order to the other: slot s takes its tile from source(s).
///
/// With a lag the tiles by block lie that many slots before their places, so that they can be written while the
/// structures behind them are still being read; the first ones have no place left and are in scratch memory, in
/// slots from `tiles.slots()` on. Then a chain mostly begins at a slot that the lag left free and ends in scratch
/// memory, or the reverse.
struct TileMoves {
    StructureTiles tiles;
    bool aos_to_soa = true;
    Slot lag = 0;  ///< a multiple of the fields, not beyond the tiles of all blocks

    /// Those in scratch memory included.
    [[nodiscard]] constexpr POISSON3D_BLOCK_HD Slot slots() const { return static_cast<Slot>(tiles.slots()) + lag; }
    [[nodiscard]] constexpr POISSON3D_BLOCK_HD bool in_scratch(Slot s) const {
        return s >= static_cast<Slot>(tiles.slots());
    }
    [[nodiscard]] constexpr POISSON3D_BLOCK_HD Slot source(Slot s) const {
        return aos_to_soa ? lagging(tiles.slot_by_block(tiles.by_field(s))) : tiles.slot_by_field(by_block(s));
    }
    [[nodiscard]] constexpr POISSON3D_BLOCK_HD bool is_target(Slot s) const {
        return aos_to_soa ? !in_scratch(s) && tiles.exists(tiles.by_field(s)) : tiles.exists(by_block(s));
    }
    [[nodiscard]] constexpr POISSON3D_BLOCK_HD bool is_source(Slot s) const {
        return aos_to_soa ? tiles.exists(by_block(s)) : !in_scratch(s) && tiles.exists(tiles.by_field(s));
    }
    /// Where a tile by block is that would be in slot s without a lag.
    [[nodiscard]] constexpr POISSON3D_BLOCK_HD Slot lagging(Slot s) const {
        return s >= lag ? s - lag : static_cast<Slot>(tiles.slots()) + s;
    }

private:
    [[nodiscard]] constexpr POISSON3D_BLOCK_HD StructureTiles::Tile by_block(Slot s) const {
        return tiles.by_block(in_scratch(s) ? s - static_cast<Slot>(tiles.slots()) : s + lag);
    }
};

}  // namespace poisson3d
