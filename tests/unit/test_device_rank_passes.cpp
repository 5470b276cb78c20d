// Ranks with a device each that store in the passes what others need, kernels and words executed on the host: the
// bits of one member, and of one process with as many.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "devices_on_host.hpp"
#include "expect_error.hpp"
#include "face_arrays.hpp"
#include "members.hpp"
#include "pipeline_on_host.hpp"
#include "ranks_on_host.hpp"

namespace poisson3d {
namespace {

using namespace test;

constexpr double scale = -1.5;
constexpr double fast = 3e11, slow = 2e10;  ///< bytes a second, over links

/// Some fields of a batch in one memory, slab by slab.
template <class T>
std::vector<FieldBatch<T>> batches(const Decomposition& parts, FieldView<T> first, Index fields) {
    std::vector<FieldBatch<T>> all;
    for (int m = 0; m < parts.members(); ++m)
        all.emplace_back(first.slab(parts.first(m), parts.planes(m)), fields,
                         first.extents[0] * first.extents[1] * first.extents[2]);
    return all;
}

struct Solved {
    Field<double> u;
    std::vector<Result> results;
    Traffic sent;             ///< by the last member
    std::string description;  ///< of the first one
};

/// f: `fields` of them, one after the other; solved twice, the second time from what the first has left in buffers.
Solved solved_by_one_process(const Problem& problem, const Decomposition& parts, const Field<double>& f,
                             const DistributedOptions& options) {
    const Extents points = problem.grid.points();
    const Index fields = f.view().extents[0] / points[0];
    Solved solved{filled_field<double>(f.view().extents), {}, {}, {}};
    DistributedSolver<double> solver(problem, parts, devices_on_host(parts.members(), false), options);
    const auto from = batches<const double>(parts, f.view().slab(0, points[0]), fields);
    const auto to = batches<double>(parts, solved.u.view().slab(0, points[0]), fields);
    solver.solve(std::span(from), std::span(to), {}, scale);
    solved.results = solver.results();
    solved.sent = solver.sent_by(parts.members() - 1);
    return solved;
}

Solved solved_by_ranks(const Problem& problem, const Decomposition& parts, const Field<double>& f,
                       const DistributedOptions& options, double rate = fast) {
    const Extents points = problem.grid.points();
    const Index fields = f.view().extents[0] / points[0];
    Solved solved{filled_field<double>(f.view().extents), {}, {}, {}};
    const auto from = batches<const double>(parts, f.view().slab(0, points[0]), fields);
    const auto to = batches<double>(parts, solved.u.view().slab(0, points[0]), fields);
    std::vector<std::vector<Result>> results(static_cast<std::size_t>(parts.members()));
    const Index large = options.chunks == 1 ? Index{1} << 40 : 1;  // in the streams, or beside them
    for_each_rank(parts.members(), Index{1} << 40, rate, large, [&](int rank, const Communicator& all) {
        DistributedSolver<double> solver(problem, parts, all, options);
        const auto m = static_cast<std::size_t>(rank);
        for (int time = 0; time < 2; ++time)
            solver.solve(std::span(from).subspan(m, 1), std::span(to).subspan(m, 1), {}, scale);
        results[m] = solver.results();
        if (rank == 0) solved.description = solver.description();
        if (rank + 1 == parts.members()) solved.sent = solver.sent_by(rank);
    });
    solved.results = results.front();
    return solved;
}

void expect_same(const Solved& found, const Solved& expected, const std::string& what) {
    EXPECT_EQ(different(read(found.u), read(expected.u)), 0) << what;
    EXPECT_EQ(found.sent.bytes, expected.sent.bytes) << what;
    EXPECT_EQ(found.sent.messages, expected.sent.messages) << what;
    ASSERT_EQ(found.results.size(), expected.results.size()) << what;
    for (std::size_t b = 0; b < found.results.size(); ++b)
        EXPECT_EQ(found.results[b].mean_removed, expected.results[b].mean_removed) << what;
}

/// Two members, which have one field of the box, and more, which have two; even and uneven parts, none at all.
std::vector<Decomposition> decompositions(const Extents& points) {
    const Index n = points[0];
    return {Decomposition::slabs(points, 2), Decomposition::slabs(points, 3),
            Decomposition::slabs(points, std::vector<Index>{n - 1, 1}),
            Decomposition::slabs(points, std::vector<Index>{1, n - 3, 0, 2}), Decomposition::slabs(points, 5)};
}

/// Of kinds whose lines have outer steps at these lengths.
TEST(DeviceRankPasses, GiveTheBitsOfOneMember) {
    int served = 0;
    for (const int c : {0, 11, 22, 55, 617})
        for (const Index fields : {1, 4}) {
            Problem problem = make_problem(combination(c), {32, 36, 25});
            const Extents points = problem.grid.points();
            if (fields == 1 && singular(problem)) problem.gauge.point = {points[0] - 2, 3, 5};
            Field<double> f({fields * points[0], points[1], points[2]});
            for (Index i = 0; i < f.size(); ++i) f.data()[i] = std::sin(static_cast<double>(i * i % 1009 + c));
            const Solved one = solved_by_one_process(problem, Decomposition::slabs(points, 1), f,
                                                     {.method = Method::transpose, .batch = fields});
            int number = 0;
            for (const Decomposition& parts : decompositions(points))
                for (const double stored : {1.0, 0.4}) try {
                        const DistributedOptions options{.method = Method::transpose,
                                                         .batch = fields,
                                                         .chunks = number % 3 + 1,
                                                         .way = Way::passes,
                                                         .pieces = number++ % 2 + 1,
                                                         .stored = stored};
                        const std::string what = describe(problem) + ", " + std::to_string(parts.members()) +
                                                 " ranks, stored " + std::to_string(stored);
                        const Solved many = solved_by_ranks(problem, parts, f, options);
                        EXPECT_EQ(different(read(many.u), read(one.u)), 0) << what;
                        expect_same(many, solved_by_one_process(problem, parts, f, options), what);
                        EXPECT_NE(many.description.find(", passes, "), std::string::npos) << many.description;
                        ++served;
                    } catch (const Error& error) {
                        EXPECT_EQ(error.code(), ErrorCode::unsupported) << error.what();
                    }
        }
    EXPECT_GE(served, 60);
}

/// By themselves over fast links, where kernels can; else copies, or stores of kernels where they are asked for.
TEST(DeviceRankPasses, ArriveEveryWay) {
    const Problem problem = make_problem(combination(22), {32, 36, 25});
    const Extents points = problem.grid.points();
    const Field<double> f = random_field<double>(points, 3);
    const Solved one =
        solved_by_one_process(problem, Decomposition::slabs(points, 1), f, {.method = Method::transpose});
    for (const Decomposition& parts : decompositions(points))
        for (const auto& [way, rate, taken] :
             {std::tuple{Way::automatic, fast, "passes"}, std::tuple{Way::automatic, slow, "copies"},
              std::tuple{Way::copies, fast, "copies"}, std::tuple{Way::stores, fast, "stores"}}) {
            const Solved many = solved_by_ranks(problem, parts, f, {.method = Method::transpose, .way = way}, rate);
            EXPECT_EQ(different(read(many.u), read(one.u)), 0) << many.description;
            EXPECT_NE(many.description.find(std::string(", ") + taken), std::string::npos) << many.description;
        }
}

/// What has no such kernels is refused by all, or copied.
TEST(DeviceRankPasses, AreRefusedByAll) {
    const Problem problem = make_problem(combination(111), {9, 7, 18});  // lines of 7 have no outer steps
    const Extents points = problem.grid.points();
    const Decomposition parts = Decomposition::slabs(points, 3);
    std::array<int, 3> refused{};
    for_each_rank(3, Index{1} << 40, fast, 1, [&](int rank, const Communicator& all) {
        try {
            DistributedSolver<double>(problem, parts, all, {.method = Method::transpose, .way = Way::passes});
        } catch (const Error& error) {
            if (error.code() == ErrorCode::unsupported) ++refused[static_cast<std::size_t>(rank)];
        }
    });
    EXPECT_EQ(refused, (std::array{1, 1, 1}));
    const Field<double> f = random_field<double>(points, 3);
    const DistributedOptions options{.method = Method::transpose};
    const Solved many = solved_by_ranks(problem, parts, f, options);
    EXPECT_NE(many.description.find(", copies"), std::string::npos) << many.description;
    EXPECT_EQ(different(read(many.u), read(solved_by_one_process(problem, parts, f, options).u)), 0);
}

/// Straight into the memory of other ranks and from there, or packed in messages; boundary data, too.
TEST(DeviceRankBoxes, GiveTheBitsOfOneProcess) {
    for (const int c : {111, 222, 848, 166})
        for (const int members : {3, 6}) {
            const Problem problem = make_problem(combination(c), {9, 12, 16});
            const Extents points = problem.grid.points();
            int seed = c;
            Decomposition parts = Decomposition::boxes(points, random_boxes(points, members, seed));
            while (!parts.redistributed())
                parts = Decomposition::boxes(points, random_boxes(points, members, ++seed));
            const Field<double> f = random_field<double>(points, c);
            const FaceArrays<double> arrays(problem.grid, [](int axis, int side, std::array<Index, 3> at) {
                return uniform(static_cast<std::uint64_t>((at[0] * 100 + at[1]) * 100 + at[2] + axis), side);
            });
            const auto from = boxes_of<const double>(parts, f.view());
            const auto faces = data_of(parts, arrays.data());
            Field<double> expected = filled_field<double>(points);
            DistributedSolver<double> one(problem, parts, devices_on_host(members));
            const auto wanted = boxes_of<double>(parts, expected.view());
            one.solve(std::span(from), std::span(wanted), std::span(faces), scale);
            for (const Way way : {Way::automatic, Way::copies}) {
                Field<double> u = filled_field<double>(points);
                const auto to = boxes_of<double>(parts, u.view());
                for_each_rank(members, Index{1} << 40, fast, 1, [&](int rank, const Communicator& all) {
                    DistributedSolver<double> solver(problem, parts, all, {.way = way});
                    const auto m = static_cast<std::size_t>(rank);
                    for (int time = 0; time < 2; ++time)
                        solver.solve(std::span(from).subspan(m, 1), std::span(to).subspan(m, 1),
                                     std::span(faces).subspan(m, 1), scale);
                    EXPECT_EQ(solver.result().mean_removed, one.result().mean_removed);
                });
                EXPECT_EQ(different(read(u), read(expected)), 0) << describe(problem) << members;
            }
        }
}

}  // namespace
}  // namespace poisson3d
