// Free space by the pipelines of a GPU, their kernels executed on the host: two or three free axes closed by walls,
// one eliminated. Against brute force in long double.
#include <gtest/gtest.h>

#include "accuracy.hpp"
#include "axis_kind.hpp"
#include "chain.hpp"
#include "free_mixes.hpp"
#include "free_pipeline.hpp"
#include "known_kernels.hpp"
#include "pipeline_on_host.hpp"
#include "pipelines.hpp"
#include "random_values.hpp"
#include "tolerance.hpp"
#include "worst.hpp"

namespace poisson3d::walled {
namespace {

using namespace test;

/// A way through the passes that can do nothing but run, so that free faces take two solves.
template <class T>
class OnlyRuns final : public device::Pipeline<T> {
public:
    using Removed = typename device::Pipeline<T>::Removed;

    explicit OnlyRuns(std::unique_ptr<device::Pipeline<T>> other) : other_(std::move(other)) {}
    [[nodiscard]] std::string name() const override { return other_->name(); }
    [[nodiscard]] Schedule schedule() const override { return other_->schedule(); }
    [[nodiscard]] std::size_t workspace_bytes() const noexcept override { return other_->workspace_bytes(); }
    void bind(std::byte* workspace) override { other_->bind(workspace); }
    void run(const Call<T>& call, Removed* removed, Stream stream, const device::PassClock& clock) override {
        other_->run(call, removed, stream, clock);
    }
    [[nodiscard]] FieldView<T> staging() const noexcept override { return other_->staging(); }
    [[nodiscard]] FieldView<T> result_staging() const noexcept override { return other_->result_staging(); }
    [[nodiscard]] T* face_staging() const noexcept override { return other_->face_staging(); }
    [[nodiscard]] std::array<double, 5> traffic() const noexcept override { return other_->traffic(); }
    [[nodiscard]] bool needs_dense_solution() const noexcept override { return other_->needs_dense_solution(); }
    [[nodiscard]] bool works_in_solution() const noexcept override { return other_->works_in_solution(); }

private:
    std::unique_ptr<device::Pipeline<T>> other_;
};

template <class T>
std::unique_ptr<device::Pipeline<T>> make_pipeline(const Problem& problem, Memory memory, Index batch) {
    if (unbounded_axes(problem.grid) == 1)
        return fused::make_fused_pipeline<T>(problem, memory, batch, uneven_axis_to_eliminate(problem.grid));
    return make_walled_pipeline<T>(problem, batch,
                                   fused::make_fused_pipeline<T>(between_walls(problem), memory, 1));
}

template <class T>
std::unique_ptr<device::Pipeline<T>> make_two_solves(const Problem& problem, Memory memory) {
    auto walls = std::make_unique<OnlyRuns<T>>(fused::make_fused_pipeline<T>(between_walls(problem), memory, 1));
    return make_walled_pipeline<T>(problem, 1, std::move(walls));
}

template <class T>
void check_mixes(const Extents& points) {
    Worst<T> worst("free axes");
    int number = 0;
    for (const Mix& mix : free_mixes()) {
        const Problem problem =
            make_problem(mix, points, Discretization::second_order, number % 3 == 0 ? 0.4 : 0.0);
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

std::vector<Mix> mixes_with_two() {
    const auto& free = test::free_kinds;
    return {{free[cell_ff], free[node_ff], kinds[cell_p]},
            {free[node_nf], kinds[node_nn], free[cell_fn]},
            {kinds[cell_nn], free[cell_ff], free[node_nf]}};
}

/// The equations hold with the values found on the faces, cells or nodes, whatever the gauge.
void expect_equations(const Problem& problem, const PipelineOnHost<double>& pipeline, const Field<double>& f,
                      const Field<double>& u, const std::string& what) {
    ResidualMeter<double> meter(problem, u.view(), scale, 0.0, pipeline.faces());
    meter.add(0, FieldView<const double>(f.view()));
    EXPECT_LE(meter.result().backward, tolerance::backward<double>(problem.grid.points())) << what;
}

TEST(WalledPipeline, EquationsHoldWithTheValuesOfTheFaces) {
    for (const Mix& mix : free_mixes()) {
        const Problem problem = make_problem(mix, {6, 5, 7});
        if (unbounded_axes(problem.grid) < 2) continue;
        PipelineOnHost<double> pipeline(problem, make_pipeline<double>(problem, Memory::fast, 1));
        const auto f = random_field<double>(problem.grid.points(), 3);
        Field<double> u(problem.grid.points());
        pipeline.solve(f.view(), u.view());
        expect_equations(problem, pipeline, f, u, describe(mix));
    }
}

TEST(WalledPipeline, OtherGaugesAreConstantsAddedToUAndItsFaces) {
    for (const Mix& mix : mixes_with_two()) {
        Problem problem = make_problem(mix, {6, 5, 7});
        const auto f = random_field<double>(problem.grid.points(), 7);
        Field<double> far(problem.grid.points());
        PipelineOnHost<double>(problem, make_pipeline<double>(problem, Memory::fast, 1))
            .solve(f.view(), far.view());
        for (const bool mean : {true, false}) {
            problem.gauge = {};
            problem.gauge.mean = mean;
            if (!mean) problem.gauge.point = {{2, 3, 1}};
            PipelineOnHost<double> pipeline(problem, make_pipeline<double>(problem, Memory::standard, 1));
            Field<double> u(problem.grid.points());
            pipeline.solve(f.view(), u.view());
            const double shift = far.data()[0] - u.data()[0];
            double sum = 0, most = 0, largest = 0;
            for (Index i = 0; i < u.size(); ++i) {
                most = std::max(most, std::abs(far.data()[i] - u.data()[i] - shift));
                largest = std::max(largest, std::abs(far.data()[i]));
            }
            std::array<std::vector<double>, 3> weights;
            for (int a = 0; a < 3; ++a) weights[a] = mean_weights(problem.grid.axes[a]);
            for (Index i = 0; i < 6; ++i)
                for (Index j = 0; j < 5; ++j)
                    for (Index k = 0; k < 7; ++k)
                        sum += weights[0][i] * weights[1][j] * weights[2][k] * u.view()(i, j, k);
            EXPECT_LE(most, 8 * tolerance::eps<double> * largest) << describe(mix);
            EXPECT_LE(std::abs(mean ? sum : u.view()(2, 3, 1)), 1e-12 * largest) << describe(mix);
            EXPECT_GT(std::abs(shift), 1e-3 * largest) << describe(mix);
            expect_equations(problem, pipeline, f, u, describe(mix));
        }
    }
}

/// Where fields of the host go: of two solves f comes twice.
TEST(WalledPipeline, SolvesFieldsInsideTheWorkspace) {
    for (const Mix& mix : mixes_with_two())
        for (const Memory memory : {Memory::fast, Memory::standard})
            for (const bool two_solves : {false, true}) {
                const Problem problem = make_problem(mix, {6, 5, 7});
                auto made = two_solves ? make_two_solves<double>(problem, memory)
                                       : make_pipeline<double>(problem, memory, 1);
                PipelineOnHost<double> pipeline(problem, std::move(made));
                const auto f = random_field<double>(problem.grid.points(), 3);
                Field<double> u(problem.grid.points());
                pipeline.solve_staged(f.view(), u.view());
                EXPECT_LT(error_of<double>(problem, f.view(), u.view()),
                          2 * tolerance::solve<double>(problem.grid.points()))
                    << describe(mix) << " " << name(memory) << (two_solves ? " two solves" : "");
            }
}

/// Lines of all kinds with as many points have outer radix steps, so that mode fast rotates the field.
Extents points_that_rotate(const Mix& mix, Extents points) {
    for (int a = 0; a < 3; ++a) {
        const Kind& kind = mix[a];
        const bool walls =
            kind.lower != Boundary::periodic && kind.lower != Boundary::free && kind.upper != Boundary::free;
        if (kind.centering == Centering::node && walls) ++points[a];
    }
    return points;
}

/// In mode fast passes 1 and 2 are done once and the middle one twice, in modes standard and low this one stops in
/// modes: both are two solves. How much more memory than between walls modes fast and standard take.
template <class T>
std::array<std::size_t, 2> compare_schedules(const Problem& problem, const std::string& what) {
    const auto f = random_field<T>(problem.grid.points(), 3);
    Field<T> expected(problem.grid.points());
    PipelineOnHost<T>(problem, make_two_solves<T>(problem, Memory::standard)).solve(f.view(), expected.view());
    std::array<std::size_t, 3> more{};
    int number = 0;
    for (const Memory memory : {Memory::fast, Memory::standard, Memory::low}) {
        auto walls = fused::make_fused_pipeline<T>(between_walls(problem), memory, 1);
        EXPECT_EQ(walls->middle_twice() != nullptr, memory == Memory::fast) << what;
        EXPECT_EQ(walls->mode_stop() != nullptr, memory != Memory::fast) << what;
        const std::size_t bytes = walls->workspace_bytes();
        auto made = make_walled_pipeline<T>(problem, 1, std::move(walls));
        more[number++] = made->workspace_bytes() - bytes;
        PipelineOnHost<T> pipeline(problem, std::move(made));
        Field<T> u(problem.grid.points());
        pipeline.solve(f.view(), u.view());
        if constexpr (std::is_same_v<T, double>) expect_equations(problem, pipeline, f, u, what);
        double difference = 0, largest = 0;
        for (Index i = 0; i < f.size(); ++i) {
            difference = std::max(difference, static_cast<double>(std::abs(u.data()[i] - expected.data()[i])));
            largest = std::max(largest, static_cast<double>(std::abs(expected.data()[i])));
        }
        EXPECT_LE(difference, 2 * tolerance::solve<T>(problem.grid.points()) * largest)
            << what << " " << name(memory);
    }
    return {more[0], more[1]};
}

TEST(WalledPipeline, OnceThroughTheOuterPassesIsTwoSolves) {
    int number = 0;
    for (const Mix& mix : free_mixes())
        for (const Extents& points : {Extents{9, 15, 18}, Extents{15, 9, 9}}) {
            const Problem problem = make_problem(mix, points_that_rotate(mix, points), Discretization::second_order,
                                                 number % 3 == 0 ? 0.4 : 0.0);
            if (unbounded_axes(problem.grid) < 2) continue;
            compare_schedules<double>(problem, describe(mix));
            compare_schedules<float>(problem, describe(mix));
            ++number;
        }
    EXPECT_GT(number, 80);
}

/// The first of two solves is what a call is prepared by; where f is read once there is none.
TEST(WalledPipeline, FieldsAreReadAsOftenAsIsSaid) {
    const Kind& cells = test::free_kinds[cell_ff];
    const Problem problem = make_problem({cells, cells, cells}, {9, 15, 18});
    const auto f = random_field<double>(problem.grid.points(), 3);
    Field<double> u(problem.grid.points());
    for (const Memory memory : {Memory::fast, Memory::standard, Memory::low})
        for (const bool two_solves : {false, true}) {
            auto made =
                two_solves ? make_two_solves<double>(problem, memory) : make_pipeline<double>(problem, memory, 1);
            EXPECT_EQ(made->reads_twice(), two_solves);
            EXPECT_EQ(PipelineOnHost<double>(problem, std::move(made)).prepares_something(f.view(), u.view()),
                      two_solves);
        }
}

TEST(WalledPipeline, OnceThroughTheOuterPassesIsRight) {
    const auto& free = test::free_kinds;
    for (const Mix& mix :
         {Mix{free[cell_ff], free[node_nf], free[cell_df]}, Mix{free[cell_fn], kinds[node_dd], free[node_ff]},
          Mix{kinds[cell_p], free[cell_ff], free[cell_ff]}}) {
        const Problem problem = make_problem(mix, points_that_rotate(mix, {9, 12, 9}));
        PipelineOnHost<double> pipeline(problem, make_pipeline<double>(problem, Memory::fast, 1));
        const auto f = random_field<double>(problem.grid.points(), 3);
        Field<double> u(problem.grid.points());
        pipeline.solve(f.view(), u.view());
        EXPECT_LT(error_of<double>(problem, f.view(), u.view()),
                  2 * tolerance::solve<double>(problem.grid.points()))
            << describe(mix);
    }
}

/// Sums over modes are of several tiles, whole and ragged ones.
TEST(WalledPipeline, AddsUpManyModes) {
    const auto compare = [](const Mix& mix, const Extents& points) {
        compare_schedules<double>(make_problem(mix, points_that_rotate(mix, points)), describe(mix));
    };
    compare({free_kinds[cell_ff], kinds[cell_p], free_kinds[node_nf]}, {256, 9, 135});
    compare({free_kinds[node_ff], free_kinds[cell_fn], free_kinds[cell_ff]}, {140, 9, 128});
    compare({kinds[node_nn], free_kinds[cell_ff], free_kinds[cell_ff]}, {128, 9, 300});
}

/// Where lines of the middle pass are known it adds what the faces give while it reads, to the same result as a
/// sweep.
TEST(WalledPipeline, MiddlePassAddsWhatFacesGive) {
    const auto& free = test::free_kinds;
    for (const Mix& mix :
         {Mix{free[cell_ff], free[cell_ff], free[cell_ff]}, Mix{free[cell_df], free[cell_ff], free[node_ff]},
          Mix{kinds[cell_p], free[cell_ff], free[cell_fn]}, Mix{free[cell_fn], free[cell_ff], kinds[cell_p]},
          Mix{free[cell_ff], kinds[cell_nn], free[cell_df]}}) {
        const Problem problem = make_problem(mix, {18, 256, 9});
        const auto f = random_field<double>(problem.grid.points(), 3);
        std::array<Field<double>, 2> u{Field<double>(problem.grid.points()), Field<double>(problem.grid.points())};
        for (const bool swept : {false, true}) {
            KnownKernels::forbidden = swept;
            const int before = KnownKernels::launched;
            PipelineOnHost<double> pipeline(problem, make_pipeline<double>(problem, Memory::fast, 1));
            pipeline.solve(f.view(), u[swept].view());
            expect_equations(problem, pipeline, f, u[swept], describe(mix));
            EXPECT_EQ(KnownKernels::launched - before, swept ? 0 : 1) << describe(mix);
        }
        KnownKernels::forbidden = false;
        double difference = 0, largest = 0;
        for (Index i = 0; i < f.size(); ++i) {
            difference = std::max(difference, std::abs(u[0].data()[i] - u[1].data()[i]));
            largest = std::max(largest, std::abs(u[1].data()[i]));
        }
        EXPECT_LE(difference, tolerance::solve<double>(problem.grid.points()) * largest) << describe(mix);
        compare_schedules<float>(problem, describe(mix));
    }
}

/// A box so large that a field of it has room for the face operator, in mode fast.
TEST(WalledPipeline, WorksInAFieldThatNothingIsIn) {
    const Mix mix{free_kinds[cell_ff], free_kinds[cell_fn], kinds[cell_p]};
    const auto more = compare_schedules<double>(make_problem(mix, {48, 48, 40}), describe(mix));
    EXPECT_LT(more[0], more[1] + std::size_t{15000} * sizeof(double));
}

/// Closed nodes have a point more, which no field has.
TEST(WalledPipeline, WritesNothingBesideU) {
    for (const Mix& mix : free_mixes())
        for (const Memory memory : {Memory::fast, Memory::standard, Memory::low}) {
            const Problem problem = make_problem(mix, {4, 3, 5});
            if (unbounded_axes(problem.grid) < 2) continue;
            const Extents points = problem.grid.points();
            const Index size = points[0] * points[1] * points[2];
            PipelineOnHost<double> pipeline(problem, make_pipeline<double>(problem, memory, 1));
            std::vector<double> block(static_cast<std::size_t>(3 * size), 77.0);
            const auto f = random_field<double>(points, 3);
            pipeline.solve(f.view(), {block.data() + size, points});
            for (Index i = 0; i < size; ++i)
                ASSERT_TRUE(block[i] == 77.0 && block[2 * size + i] == 77.0)
                    << describe(mix) << " " << name(memory);
        }
}

/// f and u are one field, and each field of a batch has faces of its own.
TEST(WalledPipeline, SolvesInPlaceAndInBatches) {
    const Kind& cells = test::free_kinds[cell_ff];
    const Problem problem = make_problem({cells, test::free_kinds[cell_fn], cells}, {5, 6, 4});
    const Extents points = problem.grid.points();
    const Index size = points[0] * points[1] * points[2];
    for (const Memory memory : {Memory::fast, Memory::standard, Memory::low}) {
        PipelineOnHost<double> pipeline(problem, make_pipeline<double>(problem, memory, 3));
        std::vector<double> fields(static_cast<std::size_t>(3 * size)), copies;
        for (std::size_t i = 0; i < fields.size(); ++i) fields[i] = uniform(i, 3);
        copies = fields;
        const FieldView<double> u(fields.data(), points);
        pipeline.solve({u, 3, size}, {u, 3, size}, {});
        for (Index b = 0; b < 3; ++b)
            EXPECT_LT(
                error_of<double>(problem, {copies.data() + b * size, points}, {fields.data() + b * size, points}),
                2 * tolerance::solve<double>(points))
                << name(memory);
    }
}

}  // namespace
}  // namespace poisson3d::walled
