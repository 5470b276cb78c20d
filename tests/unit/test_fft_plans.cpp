// Plans of FFTs: where the elements of lines lie, whether kernels know them or not, and how many they take.
#include <gtest/gtest.h>

#include <set>

#include "axis_tables.hpp"
#include "problems.hpp"

namespace poisson3d::lines {
namespace {

/// Every element has a place of its own, and lines take no more than what tells whether they fit shared memory.
template <class T, class Format>
void expect_plans_to_fit(const Axis& axis) {
    if (!has_tables<Format>(axis, LineMethod::radix_steps)) return;
    const LineFfts ffts = line_ffts<Format>(axis);
    const auto plan =
        make_fft_plan<T, Format>(ffts.length, static_cast<int>(ffts.count), radices_of(ffts.length, ffts.first));
    SCOPED_TRACE(ffts.length);
    const std::set<int> places(plan.natural.begin(), plan.natural.end());
    EXPECT_EQ(places.size(), static_cast<std::size_t>(ffts.length));
    EXPECT_EQ(std::set<int>(plan.reversed.begin(), plan.reversed.end()), places);
    EXPECT_GE(*places.begin(), 0);
    EXPECT_LT(*places.rbegin(), plan.padded_length);
    EXPECT_LE(plan.count * plan.padded_length, plan.pitch);
    EXPECT_LE(plan.count * plan.padded_length, line_elements<Format>(axis, LineMethod::radix_steps));
    constexpr int banks = 64 / static_cast<int>(sizeof(T));
    EXPECT_LE(plan.pitch, line_elements<Format>(axis, LineMethod::radix_steps) + banks);
}

TEST(FftPlans, FitWhatLinesAreSaidToTake) {
    for (const int kind : {test::cell_p, test::cell_dd, test::cell_nd, test::node_dd, test::node_nd})
        for (Index n = 3; n < 1100; n += n < 130 ? 1 : 7) {
            const Axis axis = test::make_problem({kind, test::cell_p, test::cell_p}, {n, 4, 4}).grid.axes[0];
            expect_plans_to_fit<double, Compact>(axis);
            expect_plans_to_fit<float, Compact>(axis);
            expect_plans_to_fit<double, Plain>(axis);
        }
}

/// Those of the host, and of lines with prime steps.
TEST(FftPlans, OfTheHostHaveOddStrides) {
    const auto expect_odd = []<class Format>(const FftPlan<double, Format>& plan) {
        EXPECT_EQ(plan.samples_stride % 2, 1);
        for (int s = 0; s < plan.fft.steps; ++s) EXPECT_EQ(plan.fft.step[s].stride % 2, 1);
    };
    for (const Index n : {64, 100, 512, 900, 1000, 2304}) {
        const FftPlan<double, Plain> plan = make_fft_plan<double, Plain>(n, 1, radices_of(n));
        expect_odd(plan);
        const FftPlan<float, Plain> same = make_fft_plan<float, Plain>(n, 1, radices_of(n));
        EXPECT_EQ(plan.natural, same.natural);
    }
    for (const Index n : {29 * 36, 31 * 25, 8 * 61})
        expect_odd(make_fft_plan<double, Compact>(n, 1, radices_of(n)));
}

}  // namespace
}  // namespace poisson3d::lines
