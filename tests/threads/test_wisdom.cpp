// What the planner of FFTW knows belongs to whoever taught it: measured plans of ours use nothing of it and leave
// nothing there, and an estimate gives the same bits whatever was measured before.
#include <fftw3.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <set>
#include <sstream>
#include <string>

#include "padded.hpp"
#include "poisson3d/gradient.hpp"
#include "problems.hpp"

namespace poisson3d {
namespace {

using namespace test;

/// Line by line, in whatever order.
std::multiset<std::string> wisdom() {
    const std::unique_ptr<char, decltype(&std::free)> text(fftw_export_wisdom_to_string(), &std::free);
    std::istringstream lines(text.get());
    std::multiset<std::string> all;
    for (std::string line; std::getline(lines, line);) all.insert(line);
    return all;
}

Field<double> slope(const Problem& problem, PlanEffort effort) {
    Options options;
    options.engine = Engine::host;
    options.effort = effort;
    options.threads = 1;
    Gradient<double> gradient(problem, options);
    const Field<double> u = random_field<double>(problem.grid.points());
    Field<double> x(u.extents());
    gradient.evaluate(u.view(),
                      {x.view(), FieldView<double>(nullptr, u.extents()), FieldView<double>(nullptr, u.extents())});
    return x;
}

TEST(Wisdom, OfOthersStaysAsItWasAndServesNoEstimate) {
    setenv("XDG_CACHE_HOME", "/dev/null", 1);  // NOLINT(concurrency-mt-unsafe): measured plans are not kept
    const std::unique_ptr<fftw_complex, decltype(&fftw_free)> line(fftw_alloc_complex(3 * 5 * 64), &fftw_free);
    const fftw_plan plan = fftw_plan_dft_1d(3 * 5 * 64, line.get(), line.get(), FFTW_FORWARD, FFTW_MEASURE);
    const std::multiset<std::string> before = wisdom();
    EXPECT_GT(before.size(), 2U) << "the planner learned nothing";
    const Problem problem = make_problem({cell_p, node_dd, cell_nn}, {360, 17, 20}, Discretization::spectral);
    const Field<double> first = slope(problem, PlanEffort::estimate);
    EXPECT_EQ(wisdom(), before);
    (void)slope(problem, PlanEffort::measure);
    EXPECT_EQ(wisdom(), before);
    const Field<double> second = slope(problem, PlanEffort::estimate);
    EXPECT_EQ(different<double>(first.view(), second.view()), 0);
    EXPECT_EQ(wisdom(), before);
    fftw_destroy_plan(plan);
}

}  // namespace
}  // namespace poisson3d
