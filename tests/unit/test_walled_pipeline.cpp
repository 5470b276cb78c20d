// Free space by the pipelines of a GPU, their kernels executed on the host: two or three free axes closed by walls,
// one eliminated. Against brute force in long double.
#include <gtest/gtest.h>

#include "accuracy.hpp"
#include "chain.hpp"
#include "free_mixes.hpp"
#include "free_space.hpp"
#include "pipeline_on_host.hpp"
#include "pipelines.hpp"
#include "random_values.hpp"
#include "tolerance.hpp"
#include "worst.hpp"

namespace poisson3d::walled {
namespace {

using namespace test;

constexpr double scale = -1.5;  // PipelineOnHost multiplies f with it

bool closes(const Problem& problem) {
    for (const Axis& axis : problem.grid.axes)
        if (axis.unbounded() && axis.centering == Centering::node) return false;
    return unbounded_axes(problem.grid) > 1;
}

template <class T>
std::unique_ptr<device::Pipeline<T>> make_pipeline(const Problem& problem, Memory memory, Index batch) {
    if (unbounded_axes(problem.grid) == 1)
        return fused::make_fused_pipeline<T>(problem, memory, batch, uneven_axis_to_eliminate(problem.grid));
    return make_walled_pipeline<T>(problem, batch,
                                   fused::make_fused_pipeline<T>(between_walls(problem), memory, 1));
}

/// |u − scale · K f| in units of max |K f|.
template <class T>
double error_of(const Problem& problem, FieldView<const T> f, FieldView<const T> u) {
    const Field<Real> field = FreeSpace(problem).solve(f);
    const FieldView<const Real> expected = field.view();
    Real worst = 0, largest = 0;
    for (Index i = 0; i < u.extents[0]; ++i)
        for (Index j = 0; j < u.extents[1]; ++j)
            for (Index k = 0; k < u.extents[2]; ++k) {
                const Real wanted = static_cast<Real>(scale) * expected(i, j, k);
                worst = std::max(worst, std::abs(static_cast<Real>(u(i, j, k)) - wanted));
                largest = std::max(largest, std::abs(wanted));
            }
    return static_cast<double>(worst / largest);
}

template <class T>
void check_mixes(const Extents& points) {
    Worst<T> worst("free axes");
    int number = 0;
    for (const Mix& mix : free_mixes()) {
        const Problem problem =
            make_problem(mix, points, Discretization::second_order, number % 3 == 0 ? 0.4 : 0.0);
        if (unbounded_axes(problem.grid) > 1 && !closes(problem)) continue;
        const Memory memory = std::array{Memory::fast, Memory::standard, Memory::low}[number++ % 3];
        PipelineOnHost<T> pipeline(problem, make_pipeline<T>(problem, memory, 1));
        const Field<T> f = random_field<T>(problem.grid.points(), number);
        Field<T> u(problem.grid.points());
        pipeline.solve(f.view(), u.view());
        // Where u grows like ln r it is itself a difference of larger numbers, in boxes of few points a small one.
        const double loss = grows_far_away(problem) && f.size() < 20 ? 6 : 2;
        worst.check(error_of<T>(problem, f.view(), u.view()), loss * tolerance::solve<T>(problem.grid.points()),
                    describe(mix) + " " + name(memory));
    }
    EXPECT_GT(number, 60);
}

TEST(WalledPipeline, SolvesEveryMixOfFreeAxes) {
    check_mixes<double>({6, 5, 7});
    check_mixes<float>({6, 5, 7});
}

TEST(WalledPipeline, SolvesWithOneTwoAndThreePoints) {
    check_mixes<double>({1, 2, 3});
    check_mixes<double>({3, 1, 2});
    check_mixes<double>({2, 3, 1});
}

/// f and u are one field, and each field of a batch has faces of its own.
TEST(WalledPipeline, SolvesInPlaceAndInBatches) {
    const Kind& cells = test::free_kinds[cell_ff];
    const Problem problem = make_problem({cells, test::free_kinds[cell_fn], cells}, {5, 6, 4});
    const Extents points = problem.grid.points();
    PipelineOnHost<double> pipeline(problem, make_pipeline<double>(problem, Memory::fast, 3));
    const Index size = points[0] * points[1] * points[2];
    std::vector<double> fields(static_cast<std::size_t>(3 * size)), copies;
    for (std::size_t i = 0; i < fields.size(); ++i) fields[i] = uniform(i, 3);
    copies = fields;
    const FieldView<double> u(fields.data(), points);
    pipeline.solve({u, 3, size}, {u, 3, size}, {});
    for (Index b = 0; b < 3; ++b)
        EXPECT_LT(error_of<double>(problem, {copies.data() + b * size, points}, {fields.data() + b * size, points}),
                  2 * tolerance::solve<double>(points));
}

}  // namespace
}  // namespace poisson3d::walled
