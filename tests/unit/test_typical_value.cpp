// What is taken from the right-hand side of a singular problem before anything else.
#include <gtest/gtest.h>

#include <limits>

#include "problems.hpp"
#include "typical_value.hpp"

namespace poisson3d {
namespace {

using namespace test;

template <class T>
double typical(const Field<T>& f) {
    const Constant<T> found = typical_value(f.data(), read(f).strides, f.extents());
    return static_cast<double>(found.high) + static_cast<double>(found.low);
}

template <class T>
Field<T> around(T constant, const Extents& points, T size) {
    Field<T> f = random_field<T>(points, 3);
    for (Index i = 0; i < f.size(); ++i) f.data()[i] = constant + size * f.data()[i];
    return f;
}

TEST(TypicalValue, IsNearAConstantThatIsLargerThanTheRest) {
    for (const Extents& points : {Extents{1, 1, 1}, Extents{2, 3, 5}, Extents{16, 9, 30}, Extents{1, 1, 1000}})
        for (const float constant : {1000.0F, -30.0F}) {
            EXPECT_NEAR(typical(around<float>(constant, points, 1.0F)), constant, 1.0F);
            EXPECT_NEAR(typical(around<double>(constant, points, 1.0)), constant, 1.0);
        }
}

// A single value, or a median of nine of them, is off by about what f varies by.
TEST(TypicalValue, IsAMeanOfManyValuesHoweverLargeItIs) {
    const Extents points{128, 128, 128};
    for (const float constant : {0.5F, -3.0F, 1e3F, 1e7F}) {
        const Field<float> f = around<float>(constant, points, 1.0F);
        double mean = 0;
        for (Index i = 0; i < f.size(); ++i)
            mean += static_cast<double>(f.data()[i]) / static_cast<double>(f.size());
        EXPECT_NEAR(typical(f), mean, 0.08) << constant;  // 1024 samples: 1.25 · 0.58 / 32 = 0.02, and chance
    }
}

TEST(TypicalValue, IsTheMeanWhereTheMedianIsNot) {
    Field<float> f({64, 64, 64});
    for (Index i = 0; i < f.size(); ++i) f.data()[i] = hash(i, 1) % 7 == 0 ? 1.0F : 0.0F;
    EXPECT_NEAR(typical(f), 1.0 / 7, 0.08);
}

TEST(TypicalValue, IsNothingWhereThereIsNoConstant) {
    Field<float> wave({12, 13, 14});
    for (Index i = 0; i < wave.size(); ++i) wave.data()[i] = i % 2 == 0 ? 1.0F : -1.0F;
    EXPECT_EQ(typical(wave), 0.0);
}

TEST(TypicalValue, DoesNotSeeAFewOutliersAndIsExactBesideThem) {
    const Extents points{40, 40, 40};
    Field<double> f = filled_field<double>(points, 0.0);
    Field<double> g = filled_field<double>(points, 0.3);
    for (Index i = 0; i < f.size(); i += 3001) f.data()[i] = g.data()[i] = 1e6;
    EXPECT_EQ(typical(f), 0.0);
    EXPECT_EQ(typical(g), 0.3);
}

TEST(TypicalValue, OfTheLargestNumbersDoesNotOverflow) {
    const Field<float> f = filled_field<float>({20, 20, 20}, 3e38F);
    EXPECT_EQ(typical(f), static_cast<double>(3e38F));
}

TEST(TypicalValue, OfNotANumberIsNothing) {
    const Field<double> f = filled_field<double>({4, 5, 6}, std::numeric_limits<double>::quiet_NaN());
    EXPECT_EQ(typical(f), 0.0);
}

TEST(TypicalValue, ReadsViewsWithGaps) {
    Field<double> whole = filled_field<double>({6, 8, 10}, -1e9);
    const FieldView<double> view{&whole.view()(1, 2, 3), {4, 5, 6}, whole.view().strides};
    for (Index i = 0; i < 4; ++i)
        for (Index j = 0; j < 5; ++j)
            for (Index k = 0; k < 6; ++k) view(i, j, k) = 7.0;
    EXPECT_EQ(typical_value<double>(view.data, view.strides, view.extents).high, 7.0);
}

}  // namespace
}  // namespace poisson3d
