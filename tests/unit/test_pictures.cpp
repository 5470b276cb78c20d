// What pictures show, as numbers: contour lines, ticks, colour ranges.
#include <gtest/gtest.h>

#include <cmath>

#include "pictures/colour_scale.hpp"
#include "pictures/contour.hpp"
#include "pictures/ticks.hpp"
#include "poisson3d/error.hpp"

namespace poisson3d::app {
namespace {

template <class Function>
std::vector<double> sampled(std::size_t rows, std::size_t columns, const Function& function) {
    std::vector<double> values;
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < columns; ++c)
            values.push_back(function(static_cast<double>(r), static_cast<double>(c)));
    return values;
}

TEST(Contour, OfALinearFieldIsItsLine) {
    const auto field = [](double r, double c) { return 0.7 * r - 1.3 * c + 0.1; };
    for (const double level : {-9.0, -1.234, 0.0, 3.3}) {
        const auto lines = contour(sampled(11, 13, field), 11, 13, level);
        ASSERT_EQ(lines.size(), 1U);
        for (const auto& [c, r] : lines[0]) EXPECT_NEAR(field(r, c), level, 1e-13);
    }
}

TEST(Contour, OfACircleIsClosedAndOnItsEdges) {
    const auto field = [](double r, double c) { return std::hypot(r - 8.2, c - 7.9); };
    const auto values = sampled(17, 17, field);
    const auto lines = contour(values, 17, 17, 5.0);
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_EQ(lines[0].front(), lines[0].back());
    EXPECT_EQ(lines[0].size(), crossed_cells(values, 17, 17, 5.0) + 1);
    for (const auto& [c, r] : lines[0]) EXPECT_NEAR(field(r, c), 5.0, 0.03);  // h²/8 of the curvature
}

TEST(Contour, SaddlesFollowTheMean) {
    for (const double corner : {2.0, 0.5}) {
        const std::vector<double> values{corner, 0.0, 0.0, corner};
        const auto lines = contour(values, 2, 2, 0.4);
        ASSERT_EQ(lines.size(), 2U);
        for (const auto& line : lines) {  // both ends at the same corner: 0 0 and 1 1, or the two others
            const double row = 0.5 * (line[0][1] + line[1][1]), column = 0.5 * (line[0][0] + line[1][0]);
            EXPECT_EQ((row < 0.5) == (column < 0.5), corner < 0.8);
        }
    }
}

TEST(Contour, SmallAndNotFinite) {
    EXPECT_TRUE(contour({1.0}, 1, 1, 0.5).empty());
    EXPECT_TRUE(contour({0.0, 1.0}, 1, 2, 0.5).empty());
    EXPECT_TRUE(contour({0.0, 1.0, NAN, 1.0}, 2, 2, 0.5).empty());
}

TEST(Ticks, AreRound) {
    const Ticks ticks = round_ticks(-0.31, 0.29, 8);
    ASSERT_EQ(ticks.list.size(), 6U);
    EXPECT_EQ(ticks.list.front().label, "−0.3");
    EXPECT_EQ(ticks.list[3].label, "0.0");
    EXPECT_EQ(ticks.list.back().label, "0.2");
    EXPECT_EQ(round_ticks(0.0, 4e-6, 4).exponent, -6);
    EXPECT_EQ(round_ticks(0.0, 4e-6, 4).list.back().label, "4");
    EXPECT_TRUE(round_ticks(1.0, 1.0, 8).list.empty());
    for (const double size : {1e-300, 1e-3, 1.0, 1e5, 1e300})
        for (int most = 2; most < 9; ++most) {
            const Ticks some = round_ticks(-0.37 * size, size, most);
            EXPECT_LE(some.list.size(), static_cast<std::size_t>(most) + 1);
            EXPECT_GE(some.list.size(), 1U);
        }
    EXPECT_EQ(short_number(-1.5e-5, 3), "−1.5×10⁻⁵");
}

TEST(ColourScale, IsSymmetricWhereSignsMix) {
    const ColourScale scale({-1.0, 0.5, {-1.0, -0.2, 0.0, 0.1, 0.5}}, {});
    EXPECT_TRUE(scale.diverging());
    EXPECT_EQ(scale.bar().high(), 1.0);
    EXPECT_EQ(scale(0.0), diverging_map[5]);
    EXPECT_FALSE(scale.cut_above() || scale.cut_below());
}

TEST(ColourScale, CutsAFewLargeValues) {
    Values values{0.0, 100.0, {}};
    for (int i = 0; i < 1000; ++i) values.sample.push_back(i * 1e-3);
    values.sample.push_back(100.0);
    const ColourScale chosen(values, {});
    EXPECT_LT(chosen.bar().high(), 1.0);
    EXPECT_TRUE(chosen.cut_above());
    EXPECT_FALSE(ColourScale(values, {.percent = 100.0}).cut_above());
    EXPECT_EQ(ColourScale(values, {.limits = {{-3.0, 7.0}}}).bar().low(), -3.0);
    EXPECT_THROW(ColourScale(values, {.limits = {{-3.0, 7.0}}, .logarithmic = true}), Error);
    EXPECT_EQ(chosen(NAN), not_finite);
}

}  // namespace
}  // namespace poisson3d::app
