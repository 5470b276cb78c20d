// The fused pipeline with its kernels executed on the host (host_passes.cpp): layout, tables, FFTs and tasks for
// all kinds of axis. The law is the residual of the difference operator.
#include <gtest/gtest.h>

#include "chain.hpp"
#include "pipeline_law.hpp"
#include "pipelines.hpp"
#include "stretched_axis.hpp"

namespace poisson3d::fused {
namespace {

using namespace test;

template <class T>
void check(const Problem& problem, bool in_place = false, bool with_data = false, int eliminated = -1,
           double loss = 1.0) {
    SCOPED_TRACE(describe(problem));
    for (const Memory memory : {Memory::fast, Memory::standard, Memory::low}) {
        SCOPED_TRACE(name(memory));
        check_pipeline<T>(
            problem, [&](const Problem& p) { return make_fused_pipeline<T>(p, memory, 1, eliminated); }, in_place,
            with_data, loss);
    }
}

/// Points with which every kind has FFTs of small primes only.
Extents graceful(const Kinds& kinds, const Extents& lengths) {
    Extents points = lengths;
    for (int a = 0; a < 3; ++a)
        if (kinds[a] >= node_dd) points[a] += 1;
    return points;
}

TEST(FusedPipeline, SolvesEveryMixOfKinds) {
    for (int number = 0; number < combinations; ++number) {
        const Kinds kinds = combination(number);
        Problem problem = make_problem(kinds, graceful(kinds, {5, 4, 7}), Discretization::second_order,
                                       number % 3 == 1 ? 0.7 : 0.0);
        if (number % 2 == 0) problem.gauge.point = {3, 2, 5};
        const bool with_data = number % 5 < 3;
        number % 2 == 0 ? check<double>(problem, number % 4 == 0, with_data)
                        : check<float>(problem, number % 4 == 1, with_data);
    }
}

/// A line without a neighbour beside the constant mode: what stands for one must not keep the mean of f, which is
/// 10²⁴ times as large as the solution.
TEST(FusedPipeline, SolvesWithOnePointBesideTinySpacings) {
    for (const int kind : {cell_nn, cell_p}) {
        Problem problem = make_problem({kind, cell_nn, cell_p}, {1, 12, 10});
        for (Axis& axis : problem.grid.axes) axis.spacing = 1e-12;
        check<double>(problem);
        for (Axis& axis : problem.grid.axes) axis.spacing = 1e-7;
        check<float>(problem);
    }
}

TEST(FusedPipeline, SolvesWithOneLongAxis) {
    for (int kind = 0; kind < 10; ++kind)
        for (const Index n : {11,  13,  16,  18,  32,  35,  36,  48,  64,  98,  100, 121, 128, 135, 143, 147,
                              176, 180, 192, 225, 256, 320, 343, 384, 448, 480, 500, 512, 572, 576, 768, 960})
            for (int a = 0; a < 3; ++a) {
                Kinds which{cell_nn, node_dd, cell_p};
                Extents lengths{3, 5, 4};
                which[a] = kind;
                lengths[a] = n;
                check<double>(make_problem(which, graceful(which, lengths)));
            }
}

TEST(FusedPipeline, SolvesWithAVeryLongAxis) {
    for (int kind = 0; kind < 10; ++kind)
        for (const Index n : {1000, 1024, 1280, 2016, 2048}) {
            const int a = static_cast<int>((n + kind) % 3);
            Kinds which{cell_dn, cell_p, node_nn};
            Extents lengths{3, 4, 2};
            which[a] = kind;
            lengths[a] = n;
            check<double>(make_problem(which, graceful(which, lengths)));
            check<float>(make_problem(which, graceful(which, lengths)));
        }
}

/// Lines of which a block has one, beside others that turn the field; boundary data, a gauge point, host fields.
TEST(FusedPipeline, SolvesWithRowsInTheMiddle) {
    constexpr std::array<Index, 10> long_ones{8192, 8000, 7680, 8064, 7776, 8100, 8192, 8000, 7776, 7680};
    for (int kind = 0; kind < 10; ++kind)
        for (int a = 0; a < 3; ++a) {
            Kinds which{cell_nn, cell_nn, cell_nn};
            Extents lengths{6, 16, 9};
            which[a] = kind;
            lengths[a] = long_ones[static_cast<std::size_t>(kind)];
            Problem problem = make_problem(which, graceful(which, lengths));
            if (kind % 2 == 0) problem.gauge.point = {3, 5, 7};
            check<double>(problem, kind % 3 == 0, kind % 2 == 1);
            check_staged(problem, make_fused_pipeline<double>(problem, Memory::fast));
        }
}

/// Every kind with each of these lengths on each axis, in both types.
void check_long_axes(const std::vector<Index>& lengths_of_axis) {
    for (int kind = 0; kind < 10; ++kind)
        for (const Index n : lengths_of_axis)
            for (int a = 0; a < 3; ++a) {
                Kinds which{cell_nn, node_dd, cell_p};
                Extents lengths{3, 5, 4};
                which[a] = kind;
                lengths[a] = n;
                const Problem problem = make_problem(which, graceful(which, lengths));
                check<double>(problem, false, n < 200);
                check<float>(problem, true, n < 200);
            }
}

/// Primes in registers, and by convolutions; two of them; twice one, and type IV of that.
TEST(FusedPipeline, SolvesWithPrimeSteps) {
    check_long_axes({17, 19, 34, 73, 127, 254, 323, 511, 517, 530, 961, 1088});
}

/// Points with which no kind has FFTs of small primes only; type IV of even length transforms half of it.
Extents clumsy(const Kinds& kinds) {
    return graceful(kinds, {131, 137, 262});
}

TEST(FusedPipeline, SolvesEveryMixOfKindsByChirps) {
    for (int number = 0; number < combinations; ++number) {
        const Kinds kinds = combination(number);
        Extents points = graceful(kinds, {4, 6, 5});
        const int a = number / 7 % 3;
        points[a] = clumsy(kinds)[a];
        Problem problem = make_problem(kinds, points, Discretization::second_order, number % 3 == 1 ? 0.7 : 0.0);
        if (number % 2 == 0) problem.gauge.point = {3, 2, 5};
        const bool with_data = number % 5 < 3;
        number % 2 == 0 ? check<double>(problem, number % 4 == 0, with_data)
                        : check<float>(problem, number % 4 == 1, with_data);
    }
}

TEST(FusedPipeline, SolvesWithOneAxisByAChirp) {
    check_long_axes({131, 139, 262, 298, 509});
}

TEST(FusedPipeline, SolvesNodesOfOddHalfPeriod) {
    for (const int kind : {node_dd, node_nn})
        for (int a = 0; a < 3; ++a) {
            Kinds which{kind, kind, kind};
            which[a] = cell_dn;
            const Problem problem = make_problem(which, graceful(which, {11, 13, 17}));
            check<double>(problem, false, true);
            check<float>(problem);
        }
}

// Every choice of the axes that go by chirps.
TEST(FusedPipeline, SolvesFieldsInsideItsWorkspace) {
    for (int ways = 0; ways < 8; ++ways) {
        const Kinds kinds{node_nn, node_dd, node_nn};
        Extents lengths{};
        for (int a = 0; a < 3; ++a) lengths[a] = (ways >> a & 1) != 0 ? Extents{137, 131, 139}[a] : 8;
        const Problem problem = make_problem(kinds, graceful(kinds, lengths));
        check_staged(problem, make_fused_pipeline<double>(problem, Memory::fast));
    }
}

TEST(FusedPipeline, FindsTheGaugePoint) {
    const auto fused = [](const Problem& p) { return make_fused_pipeline<double>(p, Memory::fast); };
    check_gauge({5, 40, 61}, fused);
    check_gauge({5, 40, 64}, fused);
}

/// Three fields of a batch of four at once, to the bit as each of them alone; one face has data for each.
template <class T>
void check_batch(const Problem& problem, int eliminated = -1) {
    SCOPED_TRACE(describe(problem));
    const Extents points = problem.grid.points();
    constexpr Index count = 3;
    PipelineOnHost<T> pipeline(problem, make_fused_pipeline<T>(problem, Memory::fast, 4, eliminated));
    ASSERT_EQ(pipeline.fields_at_once(), 4);
    Field<T> f = random_field<T>({count * points[0], points[1], points[2]}, 5);
    for (Index i = 0; i < f.size() / count; ++i) f.data()[f.size() / count + i] += T(1000);  // of the second field
    Field<T> u = filled_field<T>(f.extents());
    const FieldBatch<const T> from(f.data(), points, count);
    const FieldBatch<T> to(u.data(), points, count);
    const auto [rows, columns] = extents_of_face(points, 1);
    const Field<T> values = random_field<T>({count, rows, columns}, 6);
    const auto data = [&](Index b) {
        BoundaryData<T> all;
        if (problem.grid.axes[1].periodic()) return all;
        all.faces[1][0] = {T(0), values.data() + b * rows * columns, columns, rows * columns};
        return all;
    };
    pipeline.solve(from, to, data(0));
    std::vector<std::array<T, 3>> removed;
    for (Index b = 0; b < count; ++b) removed.push_back(pipeline.removed(b));
    for (Index b = 0; b < count; ++b) {
        Field<T> alone = filled_field<T>(points);
        pipeline.solve(from[b], alone.view(), data(b));
        Index wrong = 0;
        for (Index i = 0; i < alone.size(); ++i) wrong += alone.data()[i] == to[b].data[i] ? 0 : 1;
        EXPECT_EQ(wrong, 0) << "field " << b;
        EXPECT_TRUE(!singular(problem) || pipeline.removed(0) == removed[b]) << "field " << b;
    }
}

TEST(FusedPipeline, SolvesFieldsOfABatchTogether) {
    for (int number = 0; number < combinations; number += 51) {
        const Kinds kinds = combination(number);
        Extents points = graceful(kinds, {5, 4, 8});
        const int a = number / 7 % 4;  // by chirps along one axis, or two, or none
        for (int b = a; b < 3; b += 2) points[b] = clumsy(kinds)[b];
        Problem problem = make_problem(kinds, points);
        if (number % 2 == 0) problem.gauge.point = {3, 2, 5};
        number % 4 < 2 ? check_batch<double>(problem) : check_batch<float>(problem);
        number % 4 < 2 ? check_batch<double>(problem, number % 3) : check_batch<float>(problem, number % 3);
    }
}

template <class T>
void check_eliminated(const Problem& problem, int axis, bool in_place = false, bool with_data = false,
                      double loss = 1.0) {
    SCOPED_TRACE(std::string("eliminated: ") + problem.grid.labels[axis]);
    check<T>(problem, in_place, with_data, axis, loss);
}

/// Two axes of the same modes have one matrix; another length, or other steps, another.
TEST(FusedPipeline, MultipliesEqualAxes) {
    for (int eliminated = 0; eliminated < 3; ++eliminated)
        for (const bool other_steps : {false, true}) {
            Kinds which{cell_dd, cell_dd, cell_dd};
            Extents lengths{139, 139, 139};
            lengths[eliminated] = 4;
            Problem problem = make_problem(which, lengths);
            problem.grid.axes[(eliminated + 1) % 3].origin = 0.25;
            if (other_steps) problem.grid.axes[(eliminated + 2) % 3].spacing *= 3;
            check_eliminated<double>(problem, eliminated);
        }
}

/// Beside an eliminated axis those of slow FFTs are multiplied with matrices, folded where modes are even or odd.
TEST(FusedPipeline, MultipliesUniformAxes) {
    for (int kind = 0; kind < 10; ++kind)
        for (int axis = 0; axis < 3; ++axis)
            for (const Index n : {17, 131, 262}) {
                const int eliminated = (axis + 1 + kind % 2) % 3;
                Kinds which{cell_nn, node_dd, cell_p};
                Extents lengths{3, 5, 4};
                which[axis] = kind;
                lengths[axis] = n;
                Problem problem = make_problem(which, graceful(which, lengths), Discretization::second_order,
                                               n == 131 ? 0.0 : 0.7);
                problem.gauge.point = {2, 3, 2};
                check_eliminated<double>(problem, eliminated, n == 17, n != 262);
                check_eliminated<float>(problem, eliminated, n != 17, n != 262);
            }
}

/// Two of them.
TEST(FusedPipeline, MultipliesTwoUniformAxes) {
    for (int number = 0; number < combinations; number += 7) {
        const Kinds kinds = combination(number);
        Problem problem = make_problem(kinds, graceful(kinds, {17, 19, 23}), Discretization::second_order,
                                       number % 3 == 1 ? 0.7 : 0.0);
        check_eliminated<double>(problem, number % 3, number % 4 == 0, number % 5 < 3);
    }
}

TEST(FusedPipeline, EliminatesAnAxisOfEveryMixOfKinds) {
    for (int number = 0; number < combinations; ++number) {
        const Kinds kinds = combination(number);
        Problem problem = make_problem(kinds, graceful(kinds, {5, 4, 7}), Discretization::second_order,
                                       number % 3 == 1 ? 0.7 : 0.0);
        if (number % 2 == 0) problem.gauge.point = {3, 2, 5};
        const bool with_data = number % 5 < 3;
        number % 2 == 0 ? check_eliminated<double>(problem, number % 3, number % 4 == 0, with_data)
                        : check_eliminated<float>(problem, number % 3, number % 4 == 1, with_data);
    }
}

/// Lengths about the ends of sections, and lines that do not fill a block; rows that may and may not be taken in
/// twos.
TEST(FusedPipeline, EliminatesAxesOfAnySpacing) {
    std::uint64_t number = 0;
    for (const Index n : {1,  2,  3,   4,   5,   7,   8,   9,   15,  16,  17,  31,  32,   33,   63,
                          64, 65, 127, 128, 129, 255, 256, 257, 300, 511, 512, 513, 1000, 2049, 8192})
        for (int axis = 0; axis < 3; ++axis)
            for (const Centering centering : {Centering::cell, Centering::node})
                for (const Walls& walls : all_walls()) {
                    ++number;
                    if (n > 600 && number % 7 != 0) continue;
                    Extents points = graceful({cell_p, node_nn, cell_nn}, {8, 4, 10});
                    points[axis] = n;
                    Problem problem = make_problem({cell_p, node_nn, cell_nn}, points, Discretization::second_order,
                                                   number % 3 == 1 ? 0.7 : 0.0);
                    problem.grid.axes[axis] = stretched_axis(centering, walls, n, 5.0, number);
                    if (n < fewest_points(problem.grid.axes[axis])) continue;
                    const bool with_data = number % 2 == 0 && n < 40;
                    number % 4 < 2 ? check_eliminated<double>(problem, axis, number % 2 == 0, with_data)
                                   : check_eliminated<float>(problem, axis, number % 2 == 1, with_data);
                }
}

/// Two and three axes of any spacing: the others are multiplied with matrices.
TEST(FusedPipeline, MultipliesBesideAnEliminatedAxis) {
    const std::vector<Walls> walls = all_walls();
    for (int number = 0; number < 400; ++number) {
        const int uniform = number % 4;  // 3: none
        Problem problem = make_problem({number % 10, (number + 3) % 10, (number + 7) % 10},
                                       {7 + number % 3, 9 + number % 4, 8 + number % 5},
                                       Discretization::second_order, number % 3 == 1 ? 0.7 : 0.0);
        for (int a = 0; a < 3; ++a)
            if (a != uniform)
                problem.grid.axes[a] = stretched_axis(
                    (number / (1 << a)) % 2 == 0 ? Centering::cell : Centering::node,
                    number % 5 == 0 ? walls[0]
                                    : walls[static_cast<std::size_t>(number * (a + 1) + 3 * a) % walls.size()],
                    problem.grid.axes[a].points, 3.0, static_cast<std::uint64_t>(10 * number + a));
        const int axis = uneven_axis_to_eliminate(problem.grid);
        if (singular(problem) && number % 2 == 0) problem.gauge.point = {3, 2, 5};
        constexpr double loss = 4.0;  // of sums over whole lines, as in test_several_uneven_axes
        number % 4 < 2 ? check_eliminated<double>(problem, axis, number % 8 < 4, number % 7 < 3, loss)
                       : check_eliminated<float>(problem, axis, number % 8 < 4, number % 7 < 3, loss);
    }
}

TEST(FusedPipeline, EliminatesInsideItsWorkspace) {
    for (int axis = 0; axis < 3; ++axis)
        for (const Index n : {37, 40}) {
            Extents points{8, 10, 9};
            points[axis] = n;
            Problem problem = make_problem({node_nn, cell_nn, cell_dd}, points);
            check_staged(problem, make_fused_pipeline<double>(problem, Memory::fast, 1, axis));
            for (const int a : {axis, (axis + 1) % 3})
                problem.grid.axes[a] = stretched_axis(Centering::cell, all_walls()[1], points[a], 3.0,
                                                      static_cast<std::uint64_t>(n + a));
            check_staged(problem, make_fused_pipeline<double>(problem, Memory::fast, 1, axis));
        }
}

TEST(FusedPipeline, FindsTheGaugePointBesideAnEliminatedAxis) {
    for (int axis = 0; axis < 3; ++axis)
        check_gauge({5, 40, 61},
                    [axis](const Problem& p) { return make_fused_pipeline<double>(p, Memory::fast, 1, axis); });
}

/// More unknowns than threads of a block eliminate, and lines of more than 10⁸ elements.
TEST(FusedPipeline, LeavesOthersToOthers) {
    EXPECT_EQ(
        make_fused_pipeline<double>(make_problem({cell_nn, cell_p, cell_dd}, {8, 8193, 8}), Memory::fast, 1, 1),
        nullptr);
    EXPECT_EQ(
        make_fused_pipeline<double>(make_problem({cell_nn, cell_p, cell_dd}, {1, Index{1} << 28, 1}), Memory::fast),
        nullptr);
}

}  // namespace
}  // namespace poisson3d::fused
