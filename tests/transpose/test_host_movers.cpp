// The host's inner loops, of every instruction set this processor has, with ordinary and with streaming stores:
// what the public class chooses between must be right everywhere, not only where it is chosen.
#include <gtest/gtest.h>

#include <cctype>
#include <ostream>
#include <string>
#include <vector>

#include "exactness.hpp"
#include "out_of_place/host.hpp"

namespace poisson3d {
namespace {

using test::Gaps;
using test::problem_of;

struct Variant {
    Instructions instructions;
    bool stream;
    int element_bytes;

    friend std::ostream& operator<<(std::ostream& out, const Variant& v) {
        return out << host_transpose::movers(v.instructions).name << (v.stream ? ", streaming" : ", ordinary")
                   << " stores, elements of " << v.element_bytes << " bytes";
    }
};

std::vector<Variant> variants() {
    std::vector<Variant> all;
    for (int set = 0; set <= static_cast<int>(best_instructions()); ++set)
        for (const bool stream : {false, true})
            for (const int bytes : {1, 2, 4, 8, 16}) all.push_back({static_cast<Instructions>(set), stream, bytes});
    return all;
}

std::string variant_name(const testing::TestParamInfo<Variant>& test) {
    std::string text;
    for (const char letter : std::string(host_transpose::movers(test.param.instructions).name))
        if (std::isalnum(static_cast<unsigned char>(letter)) != 0) text += letter;
    return text + (test.param.stream ? "Streaming" : "Ordinary") + std::to_string(test.param.element_bytes);
}

class EveryVariant : public testing::TestWithParam<Variant> {
protected:
    void expect_exact(const Extents& extents, const Permutation& permutation, Index batch, Gaps in, Gaps out,
                      Algorithm algorithm, test::Shifts shifts) const {
        const TransposeProblem problem = problem_of(extents, permutation, GetParam().element_bytes, batch, in, out);
        TransposeOptions options;
        options.algorithm = algorithm;
        const host_transpose::Setting setting{GetParam().element_bytes, 1, GetParam().stream,
                                              GetParam().instructions};
        const auto walk = host_transpose::make_executor(classify(problem), setting, options);
        SCOPED_TRACE(test::describe(problem) + ", " + walk->description());
        test::expect_exact(problem, Backend::host, {shifts},
                           [&](const void* from, void* to) { walk->run(from, to, {}); });
    }
};
INSTANTIATE_TEST_SUITE_P(Host, EveryVariant, testing::ValuesIn(variants()), variant_name);

Index pick(std::uint64_t index, std::uint64_t seed, Index first, Index last) {
    return first + static_cast<Index>(test::hash(index, seed) % static_cast<std::uint64_t>(last - first + 1));
}

TEST_P(EveryVariant, MatricesOfAllSizes) {
    constexpr Permutation swap_yz{0, 2, 1};
    for (Index rows = 1; rows <= 80; rows += 1 + rows / 20)
        for (Index columns = 1; columns <= 80; columns += 1 + columns / 20) {
            const auto seed = static_cast<std::uint64_t>(100 * rows + columns);
            const auto shift = static_cast<int>(pick(seed, 1, 0, 63));
            for (const Algorithm algorithm : {Algorithm::aligned, Algorithm::thin, Algorithm::tile})
                expect_exact({1, rows, columns}, swap_yz, 1, {}, {}, algorithm, {3, shift});
            if (HasFatalFailure()) return;
        }
}

TEST_P(EveryVariant, MatricesWithPitches) {
    constexpr Permutation swap_yz{0, 2, 1};
    for (std::uint64_t i = 0; i < 200; ++i) {
        const Gaps in{pick(i, 2, 0, 9), 0, 0};
        const Gaps out{pick(i, 3, 0, 9), pick(i, 4, 0, 2), 0};
        expect_exact({pick(i, 5, 1, 3), pick(i, 6, 1, 150), pick(i, 7, 1, 150)}, swap_yz, 1, in, out,
                     i % 2 == 0 ? Algorithm::aligned : Algorithm::tile,
                     {static_cast<int>(i % 5), static_cast<int>(i % 9)});
        if (HasFatalFailure()) return;
    }
}

/// Several panels, several ranges of rows, several strips.
TEST_P(EveryVariant, TallAndWideMatrices) {
    constexpr Permutation swap_yz{0, 2, 1};
    for (const auto& [rows, columns] : std::vector<std::array<Index, 2>>{
             {300, 70}, {1500, 3}, {5, 5000}, {70001, 5}, {20011, 33}, {9000, 130}, {131, 900}, {32, 2049}}) {
        expect_exact({1, rows, columns}, swap_yz, 1, {}, {}, Algorithm::aligned, {0, 1});
        expect_exact({1, rows, columns}, swap_yz, 1, {2, 0, 0}, {1, 0, 0}, Algorithm::aligned, {1, 0});
        if (rows < 40) expect_exact({3, rows, columns}, swap_yz, 1, {}, {}, Algorithm::thin, {0, 5});
        if (HasFatalFailure()) return;
    }
}

/// Output rows of up to 2 KiB that lie behind each other.
TEST_P(EveryVariant, RunsOfOutputRows) {
    for (const Index rows : {63, 65, 127, 129, 255, 257, 511, 513})
        for (const Index columns : {3, 7, 43}) {
            expect_exact({5, rows, columns}, {0, 2, 1}, 1, {}, {}, Algorithm::automatic,
                         {2, static_cast<int>(rows % 11)});
            if (HasFatalFailure()) return;
        }
}

TEST(OutputRows, AreOneRunUpToAFewLines) {
    const auto description = [](const Extents& extents, int bytes) {
        return Transpose(problem_of(extents, {0, 2, 1}, bytes)).description();
    };
    EXPECT_EQ(description({9, 511, 7}, 4), "thin, output rows of 511 written as one run");
    EXPECT_EQ(description({9, 512, 7}, 4), "aligned, strips of 7 columns");
    EXPECT_EQ(description({9, 255, 7}, 8), "thin, output rows of 255 written as one run");
    EXPECT_EQ(description({9, 256, 7}, 8), "aligned, strips of 7 columns");
    EXPECT_EQ(description({9, 64, 7}, 16), "aligned, strips of 7 columns");
}

TEST_P(EveryVariant, RowsOfAllLengths) {
    constexpr Permutation swap_xy{1, 0, 2};
    for (Index length = 1; length <= 200; length += 1 + length / 40) {
        expect_exact({7, 9, length}, swap_xy, 1, {}, {}, Algorithm::automatic, {1, static_cast<int>(length % 11)});
        expect_exact({7, 9, length}, swap_xy, 2, {3, 0, 0}, {length % 2, 5, 0}, Algorithm::automatic, {0, 1});
        if (HasFatalFailure()) return;
    }
    expect_exact({2, 3, 200003}, swap_xy, 1, {}, {}, Algorithm::automatic, {1, 2});
    expect_exact({1, 1, 3000017}, identity_order, 1, {}, {}, Algorithm::automatic, {2, 1});
}

/// Rows in another order are elements of a matrix, as long as they are short and dense.
TEST_P(EveryVariant, ShortRowsInAnotherOrder) {
    constexpr Permutation swap_xy{1, 0, 2};
    for (const Index length : {1, 2, 3, 5, 7, 12, 13, 31, 33, 63, 65, 127, 130}) {
        const auto shift = static_cast<int>(length % 7);
        expect_exact({131, 29, length}, swap_xy, 1, {}, {}, Algorithm::automatic, {1, shift});
        expect_exact({3, 230, length}, swap_xy, 2, {}, {}, Algorithm::automatic, {0, shift});
        expect_exact({700, 3, length}, swap_xy, 1, {0, length, 0}, {0, 2 * length, 0}, Algorithm::automatic,
                     {2, 1});
        expect_exact({40, 31, length}, swap_xy, 1, {1, 0, 0}, {}, Algorithm::automatic, {1, 0});
        if (HasFatalFailure()) return;
    }
}

TEST(ShortRows, AreElementsOfAMatrix) {
    const auto description = [](const Extents& extents, int bytes) {
        return Transpose(problem_of(extents, {1, 0, 2}, bytes)).description();
    };
    EXPECT_EQ(description({500, 300, 3}, 8), "aligned, strips of 38 columns");
    EXPECT_EQ(description({5, 300, 3}, 8), "thin, output rows of 5 written as one run");
    EXPECT_EQ(description({500, 300, 256}, 8), "rows of 2048 bytes copied");
    EXPECT_EQ(description({500, 300, 301}, 1), "rows of 301 bytes copied");  // 64 of them to fill whole lines
}

/// Fewer columns than a square has: squares read on into the next rows, but not beyond the last one.
TEST_P(EveryVariant, NarrowMatrices) {
    constexpr Permutation swap_yz{0, 2, 1};
    for (Index columns = 1; columns <= 20; ++columns)
        for (const Index rows : {17, 1031, 5003}) {
            expect_exact({1, rows, columns}, swap_yz, 1, {}, {}, Algorithm::aligned,
                         {0, static_cast<int>(rows % 9)});
            if (HasFatalFailure()) return;
        }
}

TEST(Views, AreTransposedInOneCall) {
    const Extents extents{3, 4, 5};
    std::vector<float> in(3 * 4 * 5);
    std::vector<float> out(in.size());
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i);
    const FieldView<const float> from(in.data(), extents);
    const FieldView<float> to(out.data(), permute(extents, rotation));
    transpose(from, to, rotation);
    for (Index i = 0; i < 3; ++i)
        for (Index j = 0; j < 4; ++j)
            for (Index k = 0; k < 5; ++k) EXPECT_EQ(to(j, k, i), from(i, j, k));
}

}  // namespace
}  // namespace poisson3d
