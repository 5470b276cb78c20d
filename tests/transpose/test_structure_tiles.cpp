// The index maps of structures ↔ arrays in place, by brute force: which tiles there are, where they go, that
// nothing is left over, and that chains cut anywhere still carry every tile to its place.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "poisson3d/error.hpp"
#include "poisson3d/structures.hpp"
#include "rectangle/lagged_tiles.hpp"
#include "structures/chains.hpp"

namespace poisson3d {
namespace {

struct Shape {
    Index count;
    int fields, log;
};

std::vector<Shape> shapes() {
    std::vector<Shape> all;
    for (const int fields : {1, 2, 3, 4, 5, 7, 8, 13, 31, 32, 33, 63, 64})
        for (const int log : {0, 1, 3, 5})
            for (const Index count : {1, 2, 3, 8, 31, 32, 33, 64, 97, 100, 255, 256, 1000})
                if (count >> log > 0) all.push_back({count, fields, log});
    return all;
}

TEST(StructureTiles, TilesAndEdgesCoverEveryWordOnce) {
    for (const Shape& shape : shapes()) {
        const StructureTiles t(shape.count, shape.fields, shape.log);
        for (int f = 0; f < t.fields(); ++f) {
            std::vector<int> met(static_cast<std::size_t>(shape.count));
            for (Index j = 0; j < t.tiles(f); ++j)
                for (int i = 0; i < t.length(); ++i)
                    ++met.at(static_cast<std::size_t>(t.head(f) + j * t.length() + i));
            for (int e = 0; e < t.edge_room(); ++e)
                if (const Index s = t.edge(f, e); s < shape.count) ++met.at(static_cast<std::size_t>(s));
            EXPECT_EQ(met, std::vector<int>(met.size(), 1)) << shape.count << " × " << shape.fields;
            // The first of them begins a slot.
            EXPECT_EQ((f * shape.count + t.head(f)) % t.length(), 0);
            EXPECT_EQ((f * shape.count + t.head(f)) / t.length(), t.first_slot(f));
            EXPECT_LT(t.head(f), t.length());
        }
    }
}

TEST(StructureTiles, SlotsAndTilesAreEachOthersInverse) {
    for (const Shape& shape : shapes()) {
        const StructureTiles t(shape.count, shape.fields, shape.log);
        std::set<Slot> by_block, by_field;
        for (int f = 0; f < t.fields(); ++f)
            for (Index j = 0; j < t.tiles(f); ++j) {
                const Slot block_slot = t.slot_by_block({j, f});
                const Slot field_slot = t.slot_by_field({j, f});
                EXPECT_LT(block_slot, t.slots());
                EXPECT_LT(field_slot, t.slots());
                EXPECT_TRUE(by_block.insert(block_slot).second);
                EXPECT_TRUE(by_field.insert(field_slot).second);
                EXPECT_EQ(t.by_block(block_slot).block, j);
                EXPECT_EQ(t.by_block(block_slot).field, f);
                EXPECT_EQ(t.by_field(field_slot).block, j);
                EXPECT_EQ(t.by_field(field_slot).field, f);
            }
        for (Slot s = 0; s < t.slots(); ++s) {
            EXPECT_EQ(t.exists(t.by_block(s)), by_block.contains(s)) << s;
            EXPECT_EQ(t.exists(t.by_field(s)), by_field.contains(s)) << s;
        }
    }
}

TEST(StructureTiles, LargeSlotsAreExact) {
    // Near the most slots there can be, at both ends of every array.
    for (const int fields : {2, 3, 7, 31, 63, 64})
        for (const int log : {5, 7, 10})
            for (const Index below : {1, 2, 12345, 1 << 20}) {
                const Index count = ((Index{1} << (32 + log)) - below) / fields;
                const StructureTiles t(count, fields, log);
                ASSERT_LT(t.slots(), Index{1} << 32);
                for (int f = 0; f < fields; ++f)
                    for (const Index j : {Index{0}, Index{1}, t.tiles(f) / 2, t.tiles(f) - 1}) {
                        const auto of_field = t.by_field(t.slot_by_field({j, f}));
                        const auto of_block = t.by_block(t.slot_by_block({j, f}));
                        EXPECT_EQ(of_field.block, j);
                        EXPECT_EQ(of_field.field, f);
                        EXPECT_EQ(of_block.block, j);
                        EXPECT_EQ(of_block.field, f);
                    }
            }
}

/// Every worker by itself, in an order that would show a missing save: the last piece first, and the first.
void expect_moved(const TileMoves& moves, std::uint32_t longest, bool backwards) {
    const ChainPlan plan = plan_chains(moves, longest);
    const auto slots = static_cast<std::size_t>(moves.slots());
    std::vector<Slot> memory(slots);
    for (Slot s = 0; s < slots; ++s) memory[s] = s;
    std::vector<Slot> saved;
    for (const Slot s : plan.saved) saved.push_back(memory[s]);
    std::vector<ChainPiece> pieces = plan.pieces;
    if (backwards) std::reverse(pieces.begin(), pieces.end());
    for (const ChainPiece& piece : pieces) {
        ASSERT_GE(piece.moves, 1U);
        ASSERT_LE(piece.moves, longest);
        const Slot first = memory[piece.first];
        Slot s = piece.first;
        for (std::uint32_t m = 1; m < piece.moves; ++m) {
            memory[s] = memory[moves.source(s)];
            s = moves.source(s);
        }
        memory[s] = piece.end == ChainPiece::from_first  ? first
                    : piece.end == ChainPiece::from_slot ? memory[moves.source(s)]
                                                         : saved.at(static_cast<std::size_t>(piece.end));
    }
    for (Slot s = 0; s < slots; ++s)
        if (moves.is_target(s)) {
            ASSERT_EQ(memory[s], moves.source(s)) << s;
        }
}

TEST(StructureChains, CarryEveryTileHoweverTheyAreCut) {
    for (const Shape& shape : shapes())
        for (const bool aos_to_soa : {true, false})
            for (const std::uint32_t longest : {1, 2, 3, 10, 1000})
                for (const bool backwards : {true, false}) {
                    const StructureTiles t(shape.count, shape.fields, shape.log);
                    SCOPED_TRACE(std::to_string(shape.count) + " × " + std::to_string(shape.fields) +
                                 ", tiles of " + std::to_string(t.length()) + ", pieces of " +
                                 std::to_string(longest));
                    expect_moved({t, aos_to_soa}, longest, backwards);
                    if (testing::Test::HasFatalFailure()) return;
                }
}

/// Tiles by block that lie before their places: each has one, in memory or in scratch, and is carried from there.
TEST(StructureChains, CarryLaggingTiles) {
    for (const Shape& shape : shapes())
        for (const bool aos_to_soa : {true, false})
            for (const Index blocks : {Index{1}, shape.count >> shape.log >> 1, shape.count >> shape.log}) {
                const StructureTiles t(shape.count, shape.fields, shape.log);
                const TileMoves moves{t, aos_to_soa, static_cast<Slot>(blocks * t.fields())};
                SCOPED_TRACE(std::to_string(shape.count) + " × " + std::to_string(shape.fields) + ", tiles of " +
                             std::to_string(t.length()) + ", a lag of " + std::to_string(blocks) + " blocks");
                std::set<Slot> places;
                for (int f = 0; f < t.fields(); ++f)
                    for (Index j = 0; j < t.tiles(f); ++j) {
                        const Slot place = moves.lagging(t.slot_by_block({j, f}));
                        EXPECT_EQ(moves.in_scratch(place), j < blocks);
                        EXPECT_TRUE(places.insert(place).second);
                        EXPECT_TRUE(aos_to_soa ? moves.is_source(place) : moves.is_target(place));
                        const Slot field = t.slot_by_field({j, f});
                        EXPECT_EQ(moves.source(aos_to_soa ? field : place), aos_to_soa ? place : field);
                    }
                for (Slot s = 0; s < moves.slots(); ++s)
                    EXPECT_EQ(aos_to_soa ? moves.is_source(s) : moves.is_target(s), places.contains(s)) << s;
                for (const std::uint32_t longest : {1, 3, 1000}) expect_moved(moves, longest, longest == 3);
                if (testing::Test::HasFailure()) return;
            }
}

/// What a rectangle on a device takes beside its memory, and that tiles of whole groups lag.
TEST(LaggedCuts, StayWithinTheScratchMemoryAllowed) {
    const Index sides[][2] = {{12'007, 9001}, {20'000, 19'999}, {70'001, 65'537}, {10'000'000, 65}, {262'143, 512}};
    for (const auto& [n, k] : sides)
        for (const int word : {4, 8, 16})
            for (const Index tile : {256, 512}) {
                const Index allowed = std::max(Index{64} << 20, n * k * word / 50);
                const rectangle::LaggedCuts cuts = rectangle::lagged_cuts(n, k, word, tile, allowed);
                SCOPED_TRACE(std::to_string(n) + " × " + std::to_string(k) + " words of " + std::to_string(word) +
                             ", tiles of " + std::to_string(tile));
                EXPECT_GE(cuts.tiles.length() * word, tile);
                EXPECT_GE(cuts.group, 1);
                EXPECT_GE(cuts.lag_groups, 1);
                EXPECT_GE(cuts.groups() * cuts.group_rows(), cuts.tiles.blocks() * cuts.tiles.length());
                EXPECT_LT((cuts.groups() - 1) * cuts.group, cuts.tiles.blocks());
                EXPECT_EQ(cuts.lag() % k, 0);
                EXPECT_LE(cuts.lag(), cuts.tiles.blocks() * k);
                const Index edges = Index{cuts.tiles.edge_room()} * k * word;
                const Index pieces = (cuts.lag() + cuts.tiles.slots() / cuts.longest) * Index{sizeof(ChainPiece)};
                const Index saved = cuts.tiles.slots() / cuts.longest * cuts.tiles.length() * word;
                EXPECT_LE(edges + cuts.lag() * cuts.tiles.length() * word + saved + pieces, allowed);
            }
}

TEST(StructureErrors, SayWhatWasFound) {
    const auto refused = [](const StructureProblem& p, int threads, const std::string& word) {
        for (const bool in_place : {false, true}) try {
                if (in_place)
                    StructureTransposeInPlace{p, {Backend::host, threads}};
                else
                    StructureTranspose{p, {Backend::host, threads}};
                ADD_FAILURE() << "accepted, wanted a refusal that says " << word;
            } catch (const Error& error) {
                EXPECT_EQ(error.code(), ErrorCode::usage) << error.what();
                EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
            }
    };
    refused({0, 3, 8}, 1, "count of 0");
    refused({-5, 3, 8}, 1, "count of -5");
    refused({5, 0, 8}, 1, "0 words");
    refused({5, 65, 8}, 1, "65 words");
    for (const int bytes : {0, 1, 2, 3, 12, 32}) refused({5, 3, bytes}, 1, std::to_string(bytes) + " bytes");
    refused({Index{1} << 60, 3, 8}, 1, "2^62");
    refused({5, 3, 8}, -1, "-1 threads");

    const StructureTransposeInPlace plan({5, 3, 8});
    alignas(8) unsigned char data[121] = {};
    EXPECT_THROW(plan.execute(nullptr), Error);
    EXPECT_THROW(plan.execute(data + 1), Error);
    EXPECT_NO_THROW(plan.execute(data));
}

}  // namespace
}  // namespace poisson3d
