// Boxes of one point along an axis, or a few, by the fused pipeline on the host (host_passes.cpp).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "axis_rules.hpp"
#include "pipeline_law.hpp"
#include "pipelines.hpp"

namespace poisson3d::fused {
namespace {

using namespace test;

constexpr Memory modes_of_memory[] = {Memory::fast, Memory::standard, Memory::low};

template <class T>
void check_thin(const Problem& problem, bool in_place, bool with_data, int eliminated = -1) {
    SCOPED_TRACE(describe(problem));
    for (const Memory memory : modes_of_memory) {
        SCOPED_TRACE(name(memory));
        check_pipeline<T>(
            problem, [&](const Problem& p) { return make_fused_pipeline<T>(p, memory, 1, eliminated); }, in_place,
            with_data);
    }
    check_staged(problem, make_fused_pipeline<double>(problem, Memory::fast, 1, eliminated));
}

/// Boxes whose axes have as many points as their kinds want.
bool possible(const Problem& problem) {
    bool all = true;
    for (const Axis& axis : problem.grid.axes) all = all && axis.points >= fewest_points(axis);
    return all;
}

constexpr Extents thin_boxes[] = {{64, 38, 1}, {1, 64, 38}, {64, 1, 38}, {33, 35, 1}, {1, 35, 33}, {35, 1, 33},
                                  {130, 1, 1}, {1, 37, 1},  {1, 1, 67},  {1, 1, 1},   {96, 40, 4}, {33, 35, 2},
                                  {5, 7, 3},   {4, 40, 96}, {33, 2, 35}, {131, 7, 1}, {7, 131, 1}, {7, 1, 131},
                                  {64, 38, 2}, {9, 37, 16}, {34, 15, 15}};

/// Those whose lines along z are multiplied in registers.
constexpr Extents turned_boxes[] = {{64, 64, 4}, {33, 131, 2},  {65, 67, 3}, {64, 70, 8},
                                    {66, 65, 5}, {31, 134, 16}, {60, 72, 13}};

/// Every kind along every axis of them, some singular, some with a gauge point.
TEST(ThinBoxes, AreSolved) {
    int number = 0, solved = 0;
    std::vector<Extents> boxes(std::begin(thin_boxes), std::end(thin_boxes));
    boxes.insert(boxes.end(), std::begin(turned_boxes), std::end(turned_boxes));
    for (const Extents& points : boxes)
        for (int kind = 0; kind < 10; ++kind, ++number) {
            Kinds kinds{cell_nn, cell_nn, cell_nn};
            kinds[static_cast<std::size_t>(number % 3)] = kind;
            if (number % 4 == 1) kinds[static_cast<std::size_t>((number + 1) % 3)] = cell_dd;
            Problem problem =
                make_problem(kinds, points, Discretization::second_order, number % 5 == 1 ? 0.7 : 0.0);
            if (!possible(problem)) continue;
            if (number % 2 == 0 && kind != node_dd)
                problem.gauge.point = {points[0] / 2, points[1] - 1, points[2] / 3};
            number % 4 < 2 ? check_thin<double>(problem, number % 7 < 3, number % 3 != 0)
                           : check_thin<float>(problem, number % 7 < 3, number % 3 != 0);
            ++solved;
        }
    EXPECT_GT(solved, 150);
}

TEST(ThinBoxes, AreSolvedWithAnAxisEliminated) {
    int number = 0;
    for (const Extents& points : thin_boxes)
        for (int eliminated = 0; eliminated < 3; ++eliminated, ++number) {
            Problem problem = make_problem({cell_nn, number % 2 == 0 ? cell_nn : cell_dd, cell_nn}, points);
            if (number % 3 == 0) problem.gauge.point = {points[0] - 1, points[1] / 2, points[2] - 1};
            number % 4 < 2 ? check_thin<double>(problem, number % 7 < 3, number % 3 != 0, eliminated)
                           : check_thin<float>(problem, number % 7 < 3, number % 3 != 0, eliminated);
        }
}

/// Fields with ghost layers: neither rows nor points follow each other.
TEST(ThinBoxes, AreSolvedInFieldsWithGaps) {
    for (const Extents& points :
         {Extents{33, 38, 1}, Extents{1, 38, 33}, Extents{33, 1, 38}, Extents{37, 1, 1}, Extents{66, 65, 5}})
        for (const bool gaps_in_u : {false, true})
            for (const bool with_data : {false, true})
                for (const Memory memory : modes_of_memory) {
                    if (gaps_in_u && memory != Memory::fast) continue;
                    Problem problem = make_problem({cell_nn, cell_dn, cell_nn}, points);
                    SCOPED_TRACE(describe(problem));
                    SCOPED_TRACE(name(memory));
                    const Extents with_ghosts{points[0] + 2, points[1] + 2, points[2] + 2};
                    const auto inside = [&](Field<double>& field) {
                        const Strides strides = dense_strides(with_ghosts);
                        return FieldView<double>(field.data() + strides[0] + strides[1] + 1, points, strides);
                    };
                    Field<double> f = random_field<double>(with_ghosts, 5), u = filled_field<double>(with_ghosts);
                    Field<double> dense = filled_field<double>(points);
                    const FieldView<double> to = gaps_in_u ? inside(u) : dense.view();
                    const RandomFaces<double> faces(problem.grid);
                    const Field<double> before = random_field<double>(with_ghosts, 5);
                    PipelineOnHost<double> pipeline(problem, make_fused_pipeline<double>(problem, memory));
                    const BoundaryData<double> data = with_data ? faces.data : BoundaryData<double>{};
                    const FieldView<const double> from = inside(f), solution = to;
                    pipeline.solve(from, to, data);
                    pipeline.expect_solution(from, solution, data);
                    Index changed = 0;
                    for (Index i = 0; i < f.size(); ++i) changed += f.data()[i] == before.data()[i] ? 0 : 1;
                    EXPECT_EQ(changed, 0) << "f";
                    if (!gaps_in_u) continue;
                    Index written = 0;  // of ghosts
                    const Field<double> filled = filled_field<double>(with_ghosts);
                    for (Index i = 0; i < with_ghosts[0]; ++i)
                        for (Index j = 0; j < with_ghosts[1]; ++j)
                            for (Index k = 0; k < with_ghosts[2]; ++k) {
                                const bool ghost =
                                    i == 0 || j == 0 || k == 0 || i > points[0] || j > points[1] || k > points[2];
                                const double now = u.view()(i, j, k), then = filled.view()(i, j, k);
                                written += ghost && now != then && (now == now || then == then) ? 1 : 0;
                            }
                    EXPECT_EQ(written, 0);
                }
}

/// Three of four fields, to the bit as each alone, with data of its own on a face.
TEST(ThinBoxes, AreSolvedInBatches) {
    for (const Extents& points :
         {Extents{33, 38, 1}, Extents{1, 38, 33}, Extents{33, 1, 38}, Extents{37, 1, 1}, Extents{66, 65, 5}}) {
        const Problem problem = make_problem({cell_nn, cell_nn, cell_nn}, points);
        SCOPED_TRACE(describe(problem));
        constexpr Index count = 3;
        PipelineOnHost<double> pipeline(problem, make_fused_pipeline<double>(problem, Memory::fast, 4));
        const Field<double> f = random_field<double>({count * points[0], points[1], points[2]}, 5);
        Field<double> u = filled_field<double>(f.extents());
        const FieldBatch<double> to(u.data(), points, count);
        const FieldBatch<const double> from(f.data(), points, count);
        const auto [rows, columns] = extents_of_face(points, 0);
        const Field<double> values = random_field<double>({count, rows, columns + 1}, 6);
        const auto data = [&](Index b) {
            BoundaryData<double> all;
            const Index next = rows * (columns + 1);
            all.faces[0][1] = {0.0, values.data() + b * next, columns + 1, next};
            return all;
        };
        pipeline.solve(from, to, data(0));
        for (Index b = 0; b < count; ++b) {
            Field<double> alone = filled_field<double>(points);
            pipeline.solve(from[b], alone.view(), data(b));
            Index wrong = 0;
            for (Index i = 0; i < alone.size(); ++i) wrong += alone.data()[i] == to[b].data[i] ? 0 : 1;
            EXPECT_EQ(wrong, 0) << "field " << b;
        }
    }
}

/// Rows shorter than 128 bytes are not padded to them; boxes that are turned or rotated have two fields in mode
/// fast. Copies of faces are of fields on the host, in that mode.
TEST(ThinBoxes, WantNoMoreThanTheirFields) {
    for (const Extents& points :
         {Extents{512, 640, 1}, Extents{1, 512, 640}, Extents{512, 1, 640}, Extents{640, 512, 2},
          Extents{300, 500, 3}, Extents{320, 512, 4}, Extents{200, 300, 7}, Extents{512, 640, 15}}) {
        const Problem problem = make_problem({cell_dd, cell_dd, cell_dd}, points);
        const Index row = points[2] == 1 ? 1 : (points[2] + 1) / 2 * 2;
        const auto field = static_cast<double>(points[0] * points[1] * row) * sizeof(double);
        const auto faces = static_cast<double>(device::face_points(problem.grid)) * sizeof(double);
        const auto bytes = [&](Memory memory) {
            return static_cast<double>(make_fused_pipeline<double>(problem, memory)->workspace_bytes());
        };
        constexpr double tables = 1 << 18;
        EXPECT_LE(bytes(Memory::fast), (points[2] > 1 ? 2.02 : 1.02) * field + faces + tables) << describe(problem);
        EXPECT_LE(bytes(Memory::standard), 1.02 * field + tables) << describe(problem);
        EXPECT_LE(bytes(Memory::low), tables) << describe(problem);
    }
}

/// By cuFFT's way, with spectral eigenvalues, too.
TEST(ThinBoxes, AreSolvedAsByTheOtherEngine) {
    int number = 0;
    for (const Extents& points :
         {Extents{64, 38, 1}, Extents{1, 64, 38}, Extents{64, 1, 38}, Extents{65, 67, 3}, Extents{33, 131, 2},
          Extents{66, 65, 5}, Extents{64, 70, 8}, Extents{31, 134, 16}})
        for (const Discretization discretization : discretizations)
            for (const int kind : {cell_p, cell_dd, cell_nn, cell_dn, node_p, node_nn, node_nd}) {
                Problem problem = make_problem({kind, cell_dn, cell_p}, points, discretization);
                problem.grid.axes[2] = make_axis(kind, points[2], 0.45);
                problem.grid.axes[0] = make_axis(++number % 2 == 0 ? cell_p : cell_nn, points[0], 0.7);
                if (!possible(problem)) continue;
                SCOPED_TRACE(describe(problem));
                const Field<double> f = random_field<double>(points, 5);
                Field<double> u = filled_field<double>(points), expected = filled_field<double>(points);
                PipelineOnHost<double>(problem, make_fused_pipeline<double>(problem, Memory::fast))
                    .solve(read(f), u.view());
                PipelineOnHost<double>(problem, cufft::make_cufft_pipeline<double>(problem, Memory::fast))
                    .solve(read(f), expected.view());
                double most = 0, difference = 0;
                for (Index i = 0; i < u.size(); ++i) {
                    most = std::max(most, std::abs(expected.data()[i]));
                    difference = std::max(difference, std::abs(u.data()[i] - expected.data()[i]));
                }
                EXPECT_LE(difference, 100 * tolerance::eps<double> * most);
            }
}

/// No pass goes along an axis of one point.
TEST(ThinBoxes, TakeThreePassesInAPlane) {
    for (const Extents& points : {Extents{64, 48, 1}, Extents{1, 64, 48}, Extents{64, 1, 48}}) {
        const Problem problem = make_problem({cell_dd, cell_nn, cell_p}, points);
        const auto pipeline = make_fused_pipeline<double>(problem, Memory::fast);
        const std::vector<std::string> parts = pipeline->parts({'x', 'y', 'z'});
        ASSERT_EQ(parts.size(), 3U) << describe(problem);
        for (const std::string& part : parts)
            for (int a = 0; a < 3; ++a)
                EXPECT_EQ(points[a] == 1 && part.find(std::string(1, "xyz"[a]) + " ") != std::string::npos, false)
                    << part;
        EXPECT_EQ(pipeline->traffic()[2], 2.0 * sizeof(double) * static_cast<double>(problem.grid.size()));
        EXPECT_EQ(pipeline->traffic()[3], 0.0);
    }
}

}  // namespace
}  // namespace poisson3d::fused
