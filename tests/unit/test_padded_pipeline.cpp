// Padded lines by the passes of a GPU, their kernels executed on the host, against brute force in long double.
#include <gtest/gtest.h>

#include "accuracy.hpp"
#include "axis_kind.hpp"
#include "free_pipeline.hpp"
#include "known_kernels.hpp"
#include "padded_axis.hpp"
#include "padded_pass.hpp"
#include "pipeline_law.hpp"
#include "pipelines.hpp"
#include "random_values.hpp"
#include "shared_memory.hpp"
#include "tolerance.hpp"
#include "worst.hpp"

namespace poisson3d::fused {
namespace {

using namespace test;

/// `room`: bytes of planes; 1: as few as there may be in a slab, so that there are several.
template <class T>
PipelineOnHost<T> pipeline_of(const Problem& problem, Memory memory, std::size_t room = 0, bool radix8 = true) {
    return PipelineOnHost<T>(problem, make_padded_pipeline<T>(problem, memory, radix8, room));
}

template <class T>
double solved_error(const Problem& problem, Memory memory, std::uint64_t seed, std::size_t room = 0,
                    bool radix8 = true) {
    PipelineOnHost<T> pipeline = pipeline_of<T>(problem, memory, room, radix8);
    const Field<T> f = random_field<T>(problem.grid.points(), seed);
    Field<T> u = filled_field<T>(problem.grid.points());
    pipeline.solve(f.view(), u.view());
    return error_of<T>(problem, f.view(), u.view());
}

template <class T>
void check_mixes(const Extents& points, double loss = 1) {
    Worst<T> worst("padded lines");
    int number = 0;
    for (const Mix& mix : free_mixes())
        for (const Discretization discretization : {Discretization::spectral, Discretization::second_order}) {
            const double lambda = std::array{0.0, 1e-6, 0.0, 2.0, 0.0, 400.0, 30.0}[number % 7];
            const Problem problem = make_problem(mix, points, discretization, lambda);
            const Memory memory = std::array{Memory::fast, Memory::standard, Memory::low}[number++ % 3];
            worst.check(solved_error<T>(problem, memory, number), loss * tolerance::solve<T>(problem.grid.points()),
                        describe(mix) + " " + name(discretization) + " " + name(memory));
        }
    EXPECT_GT(number, 120);
}

TEST(PaddedPipeline, SolvesEveryMixOfFreeAxes) {
    check_mixes<double>({6, 5, 7});
    check_mixes<float>({6, 5, 7});
}

/// u may be small beside the terms of its constant.
TEST(PaddedPipeline, SolvesWithOneTwoAndThreePoints) {
    check_mixes<double>({1, 2, 3}, 3);
    check_mixes<double>({3, 1, 2}, 3);
    check_mixes<float>({2, 3, 1}, 3);
}

std::vector<Mix> longer_mixes() {
    const auto& free = test::free_kinds;
    return {{free[cell_ff], free[cell_ff], free[cell_ff]},   {free[node_nf], free[cell_df], free[node_fd]},
            {kinds[cell_p], free[cell_ff], free[node_nf]},   {free[cell_fn], free[node_ff], kinds[cell_dn]},
            {free[cell_ff], kinds[node_dd], kinds[cell_nn]}, {kinds[cell_dn], kinds[node_nd], free[cell_ff]}};
}

/// Lengths with every kind of outer step, a prime, a large one, and one without radices; several slabs, the last
/// one shorter and odd.
TEST(PaddedPipeline, SolvesLongerLinesInSlabs) {
    int number = 0;
    for (const Mix& mix : longer_mixes())
        for (const Extents& points : {Extents{16, 3, 20},
                                      {9, 16, 5},
                                      {29, 4, 13},
                                      {3, 37, 12},
                                      {8, 5, 64},
                                      {32, 3, 4},
                                      {3, 32, 4},
                                      {47, 4, 5},
                                      {4, 48, 3},
                                      {3, 5, 47}}) {
            const Problem problem =
                make_problem(mix, points, Discretization::spectral, number++ % 2 == 0 ? 0.0 : 0.4);
            const std::string what = describe(mix) + " " + std::to_string(number);
            EXPECT_LE(solved_error<double>(problem, Memory::fast, 3), tolerance::solve<double>(points)) << what;
            EXPECT_LE(solved_error<double>(problem, Memory::standard, 3, 1), tolerance::solve<double>(points))
                << what;
            EXPECT_LE(solved_error<float>(problem, Memory::standard, 4, 1, number % 2 == 0),
                      tolerance::solve<float>(points))
                << what;
        }
}

/// Padded, these lines have half periods of which there are kernels where all samples are there: by a chirp, 278
/// and 298, and without, 300.
TEST(PaddedPipeline, SolvesWhereWholeLinesHaveKernelsThatKnowThem) {
    for (const Mix& mix : {longer_mixes()[1], longer_mixes()[2], longer_mixes()[3]})
        for (const Extents& points : {Extents{139, 3, 4}, {3, 139, 4}, {4, 3, 149}, {150, 3, 4}, {3, 4, 150}}) {
            const Problem problem = make_problem(mix, points, Discretization::spectral, 0.4);
            EXPECT_LE(solved_error<double>(problem, Memory::standard, 3), tolerance::solve<double>(points))
                << describe(mix);
            EXPECT_LE(solved_error<float>(problem, Memory::standard, 4), tolerance::solve<float>(points))
                << describe(mix);
        }
}

/// Some of those above go by kernels of radix 8, as all lines of 2^n points do, between two free faces or cells
/// beside a wall.
TEST(PaddedPipeline, HasKernelsForPowersOfTwo) {
    for (const Index n : {32, 64, 128, 256, 512})
        for (const FreeKindName kind : {cell_ff, node_ff, cell_df, cell_fn}) {
            const Axis axis =
                make_problem({test::free_kinds[kind], kinds[cell_p], kinds[cell_p]}, {n, 2, 2}).grid.axes[0];
            EXPECT_TRUE(has_padded_kernels(lines::make_padded_tables<double, lines::Compact>(
                axis, Discretization::spectral, lines::LineMethod::radix_steps, nullptr)))
                << n;
        }
}

/// Slots of x two by two, the last slab and the last block of fewer lines than others, beside x of few slots.
TEST(PaddedPipeline, SolvesWithSlotsInPairs) {
    const auto& free = test::free_kinds;
    for (const Mix& mix :
         {Mix{free[cell_ff], free[node_ff], free[cell_ff]}, Mix{free[node_ff], free[cell_fn], kinds[cell_nn]},
          Mix{free[cell_ff], free[cell_df], free[node_nf]}})
        for (const Extents& points : {Extents{1, 32, 3}, {3, 64, 5}, {4, 32, 11}}) {
            const Problem problem = make_problem(mix, points, Discretization::spectral, 0.1);
            EXPECT_LE(solved_error<double>(problem, Memory::standard, 3, 1), tolerance::solve<double>(points))
                << describe(mix);
            EXPECT_LE(solved_error<float>(problem, Memory::fast, 3), tolerance::solve<float>(points))
                << describe(mix);
        }
}

/// The largest difference from what the kernels for any radices give, which brute force judges above.
template <class T>
double unlike_other_kernels(const Problem& problem, Memory memory, std::size_t room) {
    const Extents points = problem.grid.points();
    const Field<T> f = random_field<T>(points, 3);
    Field<T> u = filled_field<T>(points), expected = filled_field<T>(points);
    pipeline_of<T>(problem, memory, room).solve(f.view(), u.view());
    pipeline_of<T>(problem, memory, 0, false).solve(f.view(), expected.view());
    double difference = 0, largest = 0;
    for (Index i = 0; i < u.size(); ++i) {
        const double gap = std::abs(static_cast<double>(u.data()[i]) - static_cast<double>(expected.data()[i]));
        difference = std::isnan(gap) ? gap : std::max(difference, gap);
        largest = std::max(largest, std::abs(static_cast<double>(expected.data()[i])));
    }
    return difference / largest;
}

/// All lines with DFTs of radix 8: known lengths and others, blocks and slabs that are not full, axes that are
/// periodic.
TEST(PaddedPipeline, SolvesByComplexLines) {
    const auto& free = test::free_kinds;
    const Mix all{free[cell_ff], free[node_ff], free[cell_ff]};
    const std::pair<Mix, Extents> cases[] = {{all, {32, 32, 32}},
                                             {all, {32, 96, 32}},
                                             {all, {96, 32, 32}},
                                             {all, {32, 32, 160}},
                                             {all, {128, 32, 32}},
                                             {all, {32, 128, 32}},
                                             {all, {32, 32, 128}},
                                             {all, {32, 512, 32}},
                                             {all, {512, 32, 32}},
                                             {all, {32, 1024, 32}},
                                             {all, {1024, 32, 32}},
                                             {all, {32, 32, 1024}},
                                             {{kinds[cell_p], free[cell_ff], free[cell_ff]}, {64, 32, 32}},
                                             {{free[cell_ff], kinds[cell_p], free[cell_ff]}, {32, 64, 96}},
                                             {{free[cell_ff], free[cell_ff], kinds[cell_p]}, {32, 32, 64}},
                                             {{kinds[cell_p], free[cell_ff], kinds[cell_p]}, {64, 32, 192}},
                                             {{free[cell_ff], kinds[cell_p], kinds[cell_p]}, {32, 64, 64}}};
    int number = 0;
    for (const auto& [mix, points] : cases) {
        const Problem problem = make_problem(mix, points, Discretization::spectral, number++ % 2 == 0 ? 0.0 : 0.3);
        const std::string what = describe(mix) + " " + std::to_string(number);
        EXPECT_LE(unlike_other_kernels<double>(problem, Memory::standard, 1), 2 * tolerance::solve<double>(points))
            << what;
        EXPECT_LE(unlike_other_kernels<float>(problem, Memory::fast, 0), 2 * tolerance::solve<float>(points))
            << what;
    }
}

/// Columns of 256, 512 and 1024 in blocks that are not full, and with modes of z that are real numbers: of a wall,
/// or of lines too short for radix 8.
TEST(PaddedPipeline, SolvesByKnownColumns) {
    const auto& free = test::free_kinds;
    const std::pair<Mix, Index> alike[] = {{{free[cell_ff], free[cell_ff], free[cell_ff]}, 32},
                                           {{free[cell_ff], free[cell_ff], free[cell_ff]}, 16},
                                           {{free[cell_ff], free[cell_ff], kinds[cell_dn]}, 5}};
    for (const Extents& plane : {Extents{128, 128, 0}, {256, 128, 0}, {16, 512, 0}})
        for (const auto& [mix, z] : alike) {
            const Extents points{plane[0], plane[1], z};
            const Problem problem =
                make_problem(mix, points, Discretization::spectral, points[0] < points[1] ? 0.0 : 0.2);
            EXPECT_LE(unlike_other_kernels<double>(problem, Memory::standard, 1),
                      2 * tolerance::solve<double>(points))
                << describe(problem);
            EXPECT_LE(unlike_other_kernels<float>(problem, Memory::standard, 1),
                      2 * tolerance::solve<float>(points))
                << describe(problem);
        }
}

/// All planes in one launch; z padded, and periodic.
TEST(PaddedPipeline, SolvesPlaneByPlane) {
    const auto& free = test::free_kinds;
    const Mix all{free[cell_ff], free[cell_ff], free[cell_ff]}, two{free[cell_ff], free[node_ff], kinds[cell_p]};
    for (const auto& [mix, z] : {std::pair{all, Index{32}}, std::pair{two, Index{64}}}) {
        const Extents points{512, 512, z};
        const Problem problem = make_problem(mix, points, Discretization::spectral, z == 32 ? 0.0 : 0.2);
        EXPECT_NE(make_padded_pipeline<double>(problem, Memory::low)->name().find("planes"), std::string::npos);
        if (z == 32)
            EXPECT_LE(unlike_other_kernels<double>(problem, Memory::standard, 1),
                      2 * tolerance::solve<double>(points));
        else
            EXPECT_LE(unlike_other_kernels<float>(problem, Memory::fast, 1), 2 * tolerance::solve<float>(points));
    }
}

/// The same of long and flat boxes, with many terms.
TEST(PaddedPipeline, SolvesLongBoxesByComplexLines) {
    const auto& free = test::free_kinds;
    for (const Extents& longer : {Extents{1, 1, 20}, {20, 1, 1}, {1, 20, 1}, {1, 30, 30}})
        for (const Mix& mix :
             {Mix{free[cell_ff], free[cell_ff], free[cell_ff]}, Mix{free[cell_ff], free[cell_ff], kinds[cell_p]}}) {
            Problem problem = make_problem(mix, {32, 64, 32}, Discretization::spectral);
            for (int a = 0; a < 3; ++a) problem.grid.axes[a].spacing = static_cast<double>(longer[a]);
            EXPECT_LE(unlike_other_kernels<double>(problem, Memory::standard, 1),
                      2 * tolerance::solve<double>(problem.grid.points()))
                << describe(mix);
            EXPECT_LE(unlike_other_kernels<float>(problem, Memory::standard, 1),
                      2 * tolerance::solve<float>(problem.grid.points()))
                << describe(mix);
        }
}

/// Where sums of few terms do not fit a block beside its lines, all terms do.
TEST(PaddedPipeline, SolvesByAllTermsWhereSharedMemoryIsShort) {
    const auto& free = test::free_kinds;
    Problem problem =
        make_problem({free[cell_ff], free[cell_ff], free[cell_ff]}, {32, 64, 32}, Discretization::spectral);
    problem.grid.axes[0].spacing = problem.grid.axes[2].spacing = 0.5;
    for (const std::size_t bytes : {std::size_t{15} << 10, std::size_t{40} << 10}) {
        const SharedMemory limited(bytes);
        EXPECT_LE(unlike_other_kernels<double>(problem, Memory::standard, 1),
                  2 * tolerance::solve<double>(problem.grid.points()))
            << bytes << " bytes";
    }
}

/// Many terms: they are summed in parts.
TEST(PaddedPipeline, SolvesFlatAndLongBoxes) {
    for (const std::array<double, 3>& steps : {std::array{1.0, 1.0, 1000.0}, {0.001, 1.0, 1.0}, {1.0, 30.0, 900.0}})
        for (const Mix& mix : {Mix{test::free_kinds[cell_ff], test::free_kinds[cell_ff], test::free_kinds[cell_ff]},
                               Mix{test::free_kinds[cell_df], kinds[node_nn], test::free_kinds[cell_ff]},
                               Mix{test::free_kinds[node_nf], kinds[cell_dd], kinds[cell_p]}}) {
            Problem problem = make_problem(mix, {5, 6, 4}, Discretization::spectral);
            for (int a = 0; a < 3; ++a) problem.grid.axes[a].spacing = steps[a];
            EXPECT_LE(solved_error<double>(problem, Memory::fast, 3),
                      tolerance::solve<double>(problem.grid.points()))
                << describe(mix) << ", steps to " << steps[2];
        }
}

double largest_difference(const Field<double>& a, const Field<double>& b) {
    double difference = 0, largest = 0;
    for (Index i = 0; i < a.size(); ++i) {
        difference = std::max(difference, std::abs(a.data()[i] - b.data()[i]));
        largest = std::max(largest, std::abs(b.data()[i]));
    }
    return difference / largest;
}

/// The values of walls beside free faces are those that walls and faces take.
TEST(PaddedPipeline, TakesBoundaryData) {
    const auto& free = test::free_kinds;
    for (const Mix& mix :
         {Mix{kinds[cell_dd], free[cell_ff], free[cell_fn]}, Mix{free[cell_ff], kinds[cell_dn], free[cell_df]},
          Mix{free[cell_ff], free[cell_ff], kinds[node_nd]}, Mix{free[node_ff], free[cell_ff], kinds[node_dd]}})
        for (const Memory memory : {Memory::fast, Memory::standard}) {
            const Problem problem = make_problem(mix, {6, 5, 7});
            const Extents points = problem.grid.points();
            RandomFaces<double> faces(problem.grid);
            for (int a = 0; a < 3; ++a)
                for (int side = 0; side < 2; ++side)
                    if (is_free(problem.grid.axes[a], side)) faces.data.faces[a][side] = {};
            const Field<double> f = random_field<double>(points, 3);
            Field<double> u = filled_field<double>(points), expected = filled_field<double>(points);
            pipeline_of<double>(problem, memory, 1).solve(f.view(), u.view(), faces.data);
            PipelineOnHost<double>(
                problem, walled::make_walled_pipeline<double>(
                             problem, 1, make_fused_pipeline<double>(walled::between_walls(problem), memory, 1)))
                .solve(f.view(), expected.view(), faces.data);
            EXPECT_LE(largest_difference(u, expected), 2 * tolerance::solve<double>(points)) << describe(mix);
        }
}

TEST(PaddedPipeline, OtherGaugesAreConstantsAdded) {
    const Mix mix{test::free_kinds[cell_ff], kinds[cell_p], test::free_kinds[node_nf]};
    Problem problem = make_problem(mix, {6, 5, 4}, Discretization::spectral);
    const Field<double> f = random_field<double>(problem.grid.points(), 3);
    Field<double> far(problem.grid.points());
    pipeline_of<double>(problem, Memory::fast).solve(f.view(), far.view());
    const double most = std::abs(*std::max_element(far.data(), far.data() + far.size()));
    for (const bool mean : {true, false}) {
        problem.gauge = {};
        problem.gauge.mean = mean;
        if (!mean) problem.gauge.point = {{2, 3, 1}};
        Field<double> u = filled_field<double>(problem.grid.points());
        pipeline_of<double>(problem, Memory::standard).solve(f.view(), u.view());
        const double shift = far.data()[0] - u.data()[0];
        double sum = 0;
        for (Index i = 0; i < 6; ++i)
            for (Index j = 0; j < 5; ++j)
                for (Index k = 0; k < 4; ++k) sum += (k == 0 ? 0.5 : 1.0) * u.view()(i, j, k);
        for (Index i = 0; i < u.size(); ++i)
            ASSERT_NEAR(far.data()[i] - u.data()[i], shift, 16 * tolerance::eps<double> * most);
        EXPECT_LE(std::abs(mean ? sum : u.view()(2, 3, 1)), 1e-12 * most);
        EXPECT_GT(std::abs(shift), 1e-3 * most);
    }
}

/// Inside the workspace, where fields of the host go, and with f and u one field.
TEST(PaddedPipeline, SolvesFieldsInsideTheWorkspaceAndInPlace) {
    for (const Mix& mix : longer_mixes()) {
        const Problem problem = make_problem(mix, {6, 5, 7}, Discretization::spectral);
        const Extents points = problem.grid.points();
        const Field<double> f = random_field<double>(points, 3);
        Field<double> u(points), here = random_field<double>(points, 3);
        pipeline_of<double>(problem, Memory::fast).solve_staged(f.view(), u.view());
        pipeline_of<double>(problem, Memory::standard, 1).solve(here.view(), here.view());
        EXPECT_LE(error_of<double>(problem, f.view(), u.view()), tolerance::solve<double>(points)) << describe(mix);
        EXPECT_LE(error_of<double>(problem, f.view(), here.view()), tolerance::solve<double>(points))
            << describe(mix);
    }
}

/// Rows and planes of f and u may be padded, with numbers between that stay.
TEST(PaddedPipeline, WritesNothingBesideU) {
    for (const Mix& mix : free_mixes()) {
        const Problem problem = make_problem(mix, {4, 3, 5}, Discretization::spectral);
        const Extents points = problem.grid.points();
        const Strides strides{(points[1] + 2) * (points[2] + 3), points[2] + 3, 1};
        const Index size = points[0] * strides[0] + 64;
        std::vector<double> in(static_cast<std::size_t>(size), 3.0), out(in.size(), 77.0);
        const Field<double> f = random_field<double>(points, 3);
        const FieldView<double> from(in.data() + 31, points, strides), to(out.data() + 31, points, strides);
        for (Index i = 0; i < points[0]; ++i)
            for (Index j = 0; j < points[1]; ++j)
                for (Index k = 0; k < points[2]; ++k) from(i, j, k) = f.view()(i, j, k);
        pipeline_of<double>(problem, Memory::standard).solve(from, to);
        EXPECT_LE(error_of<double>(problem, from, to), 2 * tolerance::solve<double>(points)) << describe(mix);
        Index written = 0;
        for (const double value : out) written += value != 77.0 ? 1 : 0;
        EXPECT_EQ(written, points[0] * points[1] * points[2]) << describe(mix);
    }
}

/// Of planes a slab, whatever the lines: what is beside the field of modes stays small.
TEST(PaddedPipeline, HoldsAFieldOfModesAndASlab) {
    const test::Kind& cells = test::free_kinds[cell_ff];
    const Problem problem = make_problem({cells, cells, cells}, {320, 320, 320}, Discretization::spectral);
    const auto field = static_cast<double>(problem.grid.size()) * sizeof(double);
    const auto low = make_padded_pipeline<double>(problem, Memory::low);
    EXPECT_LE(static_cast<double>(low->workspace_bytes()), 2 * field + (std::size_t{66} << 20));
    const auto standard = make_padded_pipeline<double>(problem, Memory::standard);
    EXPECT_LE(static_cast<double>(standard->workspace_bytes()), 2.3 * field);
    EXPECT_TRUE(has_padded_pipeline(problem));
    EXPECT_FALSE(
        has_padded_pipeline(make_problem({cells, cells, cells}, {16, 8192, 16}, Discretization::spectral)));
    const auto fast = make_padded_pipeline<double>(problem, Memory::fast);
    EXPECT_LE(static_cast<double>(fast->workspace_bytes()), 3.06 * field);
}

}  // namespace
}  // namespace poisson3d::fused
