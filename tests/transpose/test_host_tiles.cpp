// Matrices in place by tiles on the host, of every instruction set that this processor has: words of any size, any
// number of fields, tiles of all lengths, by a team and by one thread. Bitwise, nothing beside the matrix touched.
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "exactness.hpp"
#include "poisson3d/memory.hpp"
#include "structures/host_tiles.hpp"

namespace poisson3d {
namespace {

struct Shape {
    Index count;
    int fields;
    Index word;
    int log;
    Index ranges;
    std::uint32_t longest;

    friend std::ostream& operator<<(std::ostream& out, const Shape& s) {
        return out << s.count << " structures of " << s.fields << " words of " << s.word << " bytes, tiles of "
                   << (Index{1} << s.log) << " words, " << s.ranges << " ranges, pieces of " << s.longest;
    }
};

/// Bytes of a word that no other word has.
void write_word(unsigned char* to, Index number, Index word) {
    for (Index k = 0; k < word; k += 4) test::write_element(to + k, number * ((word + 3) / 4) + k / 4, 4);
}

/// The structures, and the arrays that they become, in surroundings that must stay.
struct Images {
    test::Image structures, arrays;

    Images(const Shape& s, int shift)
        : structures(s.count * s.fields * (s.word / 4), 4, shift, 1), arrays(structures) {
        for (Index i = 0; i < s.count; ++i)
            for (Index f = 0; f < s.fields; ++f) {
                write_word(&structures.bytes[at(i * s.fields + f, s.word)], i * s.fields + f, s.word);
                write_word(&arrays.bytes[at(f * s.count + i, s.word)], i * s.fields + f, s.word);
            }
    }
    [[nodiscard]] std::size_t at(Index number, Index word) const {
        return structures.start + static_cast<std::size_t>(number * word);
    }
};

void expect_moved(const Shape& s, Instructions set, int threads, int shift) {
    SCOPED_TRACE(testing::Message() << s << ", " << host_transpose::movers(set).name << ", " << threads
                                    << " threads");
    const Images images(s, shift);
    StructureCuts cuts{StructureTiles(s.count, s.fields, s.log), s.ranges, s.longest};
    cuts.ranges = (cuts.tiles.blocks() + cuts.blocks_per_range() - 1) / cuts.blocks_per_range();
    ThreadTeam team(threads);
    HostBuffer memory(images.arrays.bytes.size());
    auto* const bytes = static_cast<unsigned char*>(memory.data());
    for (const StructureMove move : {StructureMove::aos_to_soa, StructureMove::soa_to_aos}) {
        const bool there = move == StructureMove::aos_to_soa;
        const HostTileTranspose plan(cuts, move, s.word, threads, set);
        const HostBuffer scratch(plan.scratch_bytes());
        std::memset(scratch.data(), 0xa5, scratch.size());
        const test::Bytes& before = there ? images.structures.bytes : images.arrays.bytes;
        std::copy(before.begin(), before.end(), bytes);
        plan.run(reinterpret_cast<char*>(bytes) + images.arrays.start, static_cast<char*>(scratch.data()),
                 threads == 1 ? nullptr : &team);
        const test::Bytes found(bytes, bytes + memory.size());
        test::expect_equal(found, there ? images.arrays.bytes : images.structures.bytes, images.arrays.start,
                           there ? "the arrays" : "the structures");
        if (testing::Test::HasFatalFailure()) return;
    }
}

class EveryInstructionSet : public testing::TestWithParam<int> {
protected:
    [[nodiscard]] static Instructions set() { return static_cast<Instructions>(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Host, EveryInstructionSet, testing::Range(0, static_cast<int>(best_instructions()) + 1));

/// Around the sides of squares, of groups of fields and of strips; ends of blocks, of 0 to B − 1 structures.
TEST_P(EveryInstructionSet, MovesAnyNumberOfFields) {
    std::uint64_t number = 0;
    for (const int fields :
         {2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 33, 41, 47, 48, 63, 65, 79, 95, 97, 129, 131, 257, 300})
        for (const Index word : {4, 8, 16})
            for (int log = 1; word << log <= 512; log += 2) {
                const std::uint64_t pick = test::hash(++number);
                const Index count = (Index{1} << log) * (1 + static_cast<Index>(pick % 5)) +
                                    static_cast<Index>(pick / 5 % (std::uint64_t{1} << log));
                expect_moved({count, fields, word, log, 1 + static_cast<Index>(pick / 1000 % 3),
                              1 + static_cast<std::uint32_t>(pick / 3000 % 9)},
                             set(), 1 + static_cast<int>(pick / 30000 % 3), static_cast<int>(pick / 90000 % 17));
                if (HasFatalFailure()) return;
            }
}

TEST_P(EveryInstructionSet, MovesWordsOfAnySize) {
    for (const Index word : {4, 12, 20, 24, 28, 60, 64, 68, 100, 132, 264})
        for (const int log : {0, 1, 3, 5})
            for (const int fields : {2, 7, 19, 70}) {
                expect_moved({97, fields, word, log, 2, 5}, set(), 2, static_cast<int>(word % 7));
                if (HasFatalFailure()) return;
            }
}

TEST_P(EveryInstructionSet, SharesRangesAndPieces) {
    for (const int threads : {1, 2, 3, 5})
        for (const Index ranges : {1, 2, 3, 7, 20}) {
            expect_moved({1351, 61, 8, 4, ranges, 16}, set(), threads, 3);
            expect_moved({2048, 131, 4, 5, ranges, 300}, set(), threads, 0);  // no shear
            expect_moved({641, 150, 16, 3, ranges, 1}, set(), threads, 1);
            if (HasFatalFailure()) return;
        }
}

/// Blocks that are stored past the caches, on lines and beside them.
TEST_P(EveryInstructionSet, StoresLongBlocks) {
    for (const int shift : {0, 16, 1}) {
        expect_moved({331, 1201, 8, 5, 2, 50}, set(), 2, shift);
        expect_moved({515, 2403, 4, 6, 2, 50}, set(), 2, shift);
    }
}

}  // namespace
}  // namespace poisson3d
