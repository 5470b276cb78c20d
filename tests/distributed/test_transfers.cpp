// Transfers cut into pieces that 32 bits can count: the same bytes, each once.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "transport.hpp"

namespace poisson3d {
namespace {

/// What a list does, on bytes; every byte is written once.
std::vector<int> moved(const std::vector<Transfer>& list, std::size_t size, const std::byte* source,
                       std::byte* target) {
    std::vector<int> from(size, -1);
    for (const Transfer& t : list)
        for (Index r = 0; r < t.runs; ++r)
            for (Index i = 0; i < t.run; ++i) {
                int& place = from[static_cast<std::size_t>(t.target - target + r * t.target_stride + i)];
                EXPECT_EQ(place, -1);
                place = static_cast<int>(t.source - source + r * t.source_stride + i);
            }
    return from;
}

TEST(Transfers, InPiecesAreTheSame) {
    std::vector<std::byte> source(4000), target(4000);
    const std::vector<Transfer> list{{0, 1, source.data() + 3, target.data() + 7, 100, 20, 130, 110},
                                     {1, 0, source.data() + 2900, target.data() + 2500, 997, 1, 0, 0}};
    const auto whole = moved(list, target.size(), source.data(), target.data());
    for (const Index most : {1, 7, 20, 99, 100, 101, 1000}) {
        const std::vector<Transfer> pieces = split(list, most);
        EXPECT_EQ(moved(pieces, target.size(), source.data(), target.data()), whole) << most;
        for (const Transfer& piece : pieces) EXPECT_TRUE(piece.run <= most && piece.runs <= most);
    }
}

/// Sizes above 2³², of which nothing is touched.
TEST(Transfers, OfHugeFieldsAreCut) {
    std::byte* const base = reinterpret_cast<std::byte*>(std::uintptr_t{1} << 40);
    constexpr Index run = (Index{5} << 32) + 13;
    const std::vector<Transfer> pieces = split({{0, 1, base, nullptr, run, 1, 0, 0}}, Index{1} << 30);
    ASSERT_EQ(pieces.size(), 21U);
    Index sum = 0;
    for (const Transfer& piece : pieces) {
        EXPECT_EQ(piece.source, base + sum);
        EXPECT_EQ(piece.target, nullptr);
        sum += piece.run;
    }
    EXPECT_EQ(sum, run);
}

}  // namespace
}  // namespace poisson3d
