// Ranks of MPI with a GPU each, run by mpirun with any number of them, which may share GPUs: what each of them has
// is compared with its planes of a solution of one device, and to the bit with those of one member.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "device_ranks.hpp"
#include "expect_error.hpp"
#include "face_arrays.hpp"
#include "gradients.hpp"
#include "member_mixes.hpp"
#include "one_solver.hpp"
#include "rank_tests.hpp"
#include "tolerance.hpp"
#include "transport.hpp"
#include "worst.hpp"

namespace poisson3d {
namespace {

using namespace test;

/// Why ranks do not have the way that is asked for; empty if they do.
std::string missing_way() try {
    const Communicator all = mpi(MPI_COMM_WORLD, device_of_rank(MPI_COMM_WORLD));
    static_cast<void>(all.transport().choose(way_under_test(), 1));
    return {};
} catch (const Error& error) {
    if (error.code() != ErrorCode::unsupported) throw;
    return error.what();
}

using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(DeviceRanks, Types);

TYPED_TEST(DeviceRanks, SolveWhatOneDeviceSolves) {
    using T = TypeParam;
    Worst<T> worst("ranks on devices");
    int number = 0;
    for (const Extents& points : {Extents{18, 14, 22}, Extents{33, 29, 65}})
        for (const int c : {0, 22, 33, 55, 77, 270, 502, 941}) {
            ++number;
            const bool spectral = number % 5 == 0;
            Problem problem = make_problem(combination(c), points,
                                           spectral ? Discretization::spectral : Discretization::second_order,
                                           number % 3 == 0 ? 0.7 : 0.0);
            if (number % 2 == 0 && singular(problem)) problem.gauge.point = {points[0] - 2, 3, 5};
            const Field<T> f = random_field<T>(points, c);
            const FaceArrays<T> faces(problem.grid, [&](int axis, int side, std::array<Index, 3> at) {
                at[axis] = side == 0 ? 0 : points[axis] - 1;
                return uniform(static_cast<std::uint64_t>((at[0] * 100 + at[1]) * 100 + at[2]), 5);
            });
            const BoundaryData<T> data = number % 4 < 2 && !spectral ? faces.data() : BoundaryData<T>{};
            Result one, many;
            const Field<T> expected = this->solved_by_one_device(problem, f, data, one);
            const Field<T> whole = this->solved(problem, Decomposition::slabs(points, 1), devices({this->device_}),
                                                f, data, Method::transpose, many, Way::automatic);
            for (const Decomposition& parts :
                 {Decomposition::slabs(points, this->all_.size()), uneven(points, this->all_.size())})
                for (const Method method : {Method::transpose, Method::eliminate}) {
                    if (spectral && method == Method::eliminate) continue;
                    const Field<T> u = this->solved(problem, parts, this->all_, f, data, method, many);
                    const std::string what = describe(problem) + ", " + name(method);
                    EXPECT_EQ(one.singular, many.singular);
                    EXPECT_NEAR(one.mean_removed, many.mean_removed, 16 * tolerance::eps<T>) << what;
                    worst.check(largest_difference(u, this->mine(parts, expected)) / largest(expected),
                                2 * tolerance::solve<T>(points), what);
                    if (method == Method::transpose) {
                        EXPECT_TRUE(equal(u, this->mine(parts, whole))) << what;
                    }
                }
        }
}

/// Pencils, by both methods; of boxes of their own the bits of those that they are solved in.
TYPED_TEST(DeviceRanks, SolveInPencilsAndBoxes) {
    using T = TypeParam;
    Worst<T> worst("pencils of ranks on devices");
    const int ranks = this->all_.size();
    for (const int c : {0, 22, 55, 270, 502, 941}) {
        Problem problem =
            make_problem(combination(c), {19, 14, 37}, Discretization::second_order, c == 502 ? 0.7 : 0.0);
        const Extents points = problem.grid.points();
        if (c % 2 == 0 && singular(problem)) problem.gauge.point = {points[0] - 2, 3, 5};
        const Field<T> f = random_field<T>(points, c);
        const FaceArrays<T> faces(problem.grid, [&](int axis, int side, std::array<Index, 3> at) {
            at[axis] = side == 0 ? 0 : points[axis] - 1;
            return uniform(static_cast<std::uint64_t>((at[0] * 100 + at[1]) * 100 + at[2]), 5);
        });
        Result one, many;
        const Field<T> expected = this->solved_by_one_device(problem, f, faces.data(), one);
        std::vector<Decomposition> all{Decomposition::pencils(points, {1, ranks}),
                                       Decomposition::boxes(points, random_boxes(points, ranks, 7))};
        if (ranks % 2 == 0) all.push_back(Decomposition::pencils(points, {ranks / 2, 2}));
        for (const Decomposition& parts : all)
            for (const Method method : {Method::transpose, Method::eliminate}) {
                const Field<T> u = this->solved(problem, parts, this->all_, f, faces.data(), method, many);
                worst.check(largest_difference(u, this->mine(parts, expected)) / largest(expected),
                            2 * tolerance::solve<T>(points), describe(problem) + name(method));
                EXPECT_NEAR(one.mean_removed, many.mean_removed, 16 * tolerance::eps<T>) << describe(problem);
            }
    }
}

/// Copies within a host; NCCL where these are not; and what is there always.
TYPED_TEST(DeviceRanks, TakeTheFirstWayThatIsThere) {
    Transport& transport = this->all_.transport();
    const Way found = transport.choose(Way::automatic, 1 << 20).way;
    if (this->all_.size() == 1) {
        EXPECT_EQ(found, Way::automatic);
        return;
    }
    for (const Way way : {Way::copies, Way::nccl}) try {
            static_cast<void>(transport.choose(way, 1 << 20));
            EXPECT_EQ(found, way);
            return;
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::unsupported) << error.what();
        }
    EXPECT_TRUE(found == Way::mpi || found == Way::staged) << name(found);
}

/// All of them or none: those that are there give the bits of one member, the others are refused.
TYPED_TEST(DeviceRanks, GoEveryWay) {
    using T = TypeParam;
    const bool apart = count_devices() >= this->all_.size();  // of one host, as are the ranks of this test
    for (const int c : {33, 77, 502}) {
        Problem problem = make_problem(combination(c), {33, 29, 65});
        const Extents points = problem.grid.points();
        if (singular(problem)) problem.gauge.point = {points[0] - 2, 3, 5};
        const Field<T> f = random_field<T>(points, c);
        Result result;
        const Field<T> whole = this->solved(problem, Decomposition::slabs(points, 1), devices({this->device_}), f,
                                            {}, Method::transpose, result, Way::automatic);
        const Field<T> expected = this->mine(uneven(points, this->all_.size()), whole);
        std::optional<Field<T>> eliminated;
        int mapped = 0;
        for (const Way way : {Way::staged, Way::nccl, Way::mpi, Way::copies, Way::stores}) {
            const auto solve = [&](Method method) {
                return this->solved(problem, uneven(points, this->all_.size()), this->all_, f, {}, method, result,
                                    way, method == Method::transpose ? 3 : 0);
            };
            try {
                EXPECT_TRUE(equal(solve(Method::transpose), expected)) << name(way);
                Field<T> u = solve(Method::eliminate);
                if (eliminated) {
                    EXPECT_TRUE(equal(u, *eliminated)) << name(way);
                } else {
                    eliminated.emplace(std::move(u));
                }
                if (way == Way::copies || way == Way::stores) ++mapped;
            } catch (const Error& error) {
                EXPECT_EQ(error.code(), ErrorCode::unsupported) << error.what();
                EXPECT_NE(way, Way::staged) << error.what();
                if (apart) {
                    EXPECT_NE(way, Way::nccl) << error.what();
                }
            }
        }
        EXPECT_NE(mapped, 1);  // both or neither
    }
}

/// So large that parts are exchanged in chunks, beside passes; many times in a row.
TYPED_TEST(DeviceRanks, ExchangeInChunks) {
    using T = TypeParam;
    const Problem problem = make_problem(combination(117), {131, 200, sizeof(T) == 8 ? 160 : 320});
    const Extents points = problem.grid.points();
    const Field<T> f = random_field<T>(points, 3);
    Result result;
    const Field<T> whole = this->solved(problem, Decomposition::slabs(points, 1), devices({this->device_}), f, {},
                                        Method::transpose, result, Way::automatic);
    const Decomposition parts = Decomposition::slabs(points, this->all_.size());
    for (const Method method : {Method::transpose, Method::eliminate}) {
        DistributedSolver<T> solver(problem, parts, this->all_, {.method = method, .way = way_under_test()});
        OnDevice<T> there(parts, this->me_, f, {});
        for (int time = 0; time < 5; ++time)
            solver.solve(std::span(there.from), std::span(there.to), T(-1.5), there.streams);
        static_cast<void>(solver.result());
        const Field<T> u = there.solution(), expected = this->mine(parts, whole);
        EXPECT_LE(largest_difference(u, expected), largest(whole) * 2 * tolerance::solve<T>(points));
        if (method == Method::transpose) {
            EXPECT_TRUE(equal(u, expected)) << solver.description();
        }
    }
}

/// Solves and products in place, each of which needs what the one before left.
TYPED_TEST(DeviceRanks, WaitForEachOther) {
    using T = TypeParam;
    const Problem problem = make_problem(combination(217), {40, 48, 64});
    const Extents points = problem.grid.points();
    const Decomposition parts = Decomposition::slabs(points, this->all_.size());
    const Field<T> f = random_field<T>(points, 3);
    for (const Method method : {Method::transpose, Method::eliminate}) {
        DistributedSolver<T> solver(problem, parts, this->all_, {.method = method, .way = way_under_test()});
        OnDevice<T> once(parts, this->me_, f, {}), often(parts, this->me_, f, {});
        const auto solve_twice = [&](const OnDevice<T>& fields) {
            const std::vector<FieldView<const T>> again(fields.to.begin(), fields.to.end());
            solver.solve(std::span(fields.from), std::span(fields.to), T(1), fields.streams);
            solver.solve(std::span(again), std::span(fields.to), T(1), fields.streams);
        };
        solve_twice(once);
        static_cast<void>(solver.result());
        for (int time = 0; time < 5; ++time) {
            solver.apply(std::span(often.from), std::span(often.to), T(1), often.streams);
            solve_twice(often);
        }
        static_cast<void>(solver.result());
        EXPECT_TRUE(equal(often.solution(), once.solution())) << solver.description();
    }
}

/// Free faces that are closed by walls.
TYPED_TEST(DeviceRanks, CloseFreeFaces) {
    using T = TypeParam;
    Worst<T> worst("closed faces of ranks on devices");
    for (int mix = 0; mix < 1000; mix += 73) {
        const Problem problem = member_mix(mix, {18, 14, 22});
        if (unbounded_axes(problem.grid) == 0) continue;
        const Extents points = problem.grid.points();
        const Field<T> f = random_field<T>(points, mix);
        Options options;
        options.engine = Engine::host;
        options.threads = 1;
        Solver<T> one(problem, options);
        Field<T> expected = filled_field<T>(points);
        one.solve(f.view(), expected.view(), T(-1.5));
        for (const Decomposition& parts :
             {Decomposition::slabs(points, this->all_.size()), uneven(points, this->all_.size())}) {
            Result result;
            const Field<T> u =
                this->solved(problem, parts, this->all_, f, BoundaryData<T>{}, Method::automatic, result);
            if (u.size() == 0) continue;
            worst.check(largest_difference(u, this->mine(parts, expected)) / largest(expected),
                        4 * tolerance::solve<T>(points), describe(problem));
        }
    }
}

/// Free axes that are padded with zeros, and gauges that members find together.
TYPED_TEST(DeviceRanks, PadFreeAxes) {
    using T = TypeParam;
    Worst<T> worst("padded axes of ranks on devices");
    for (int mix = 0; mix < 1000; mix += 71) {
        Problem problem = member_mix(mix, mix % 2 == 0 ? Extents{18, 14, 22} : Extents{32, 32, 64});
        if (mix % 5 != 4 || unbounded_axes(problem.grid) == 1) problem.discretization = Discretization::spectral;
        if (unbounded_axes(problem.grid) == 0) continue;
        const Extents points = problem.grid.points();
        if (grows_far_away(problem) && mix % 3 == 1) problem.gauge.mean = true;
        if (grows_far_away(problem) && mix % 3 == 2) problem.gauge.point = {points[0] - 2, 3, 5};
        const Field<T> f = random_field<T>(points, mix);
        Options options;
        options.engine = Engine::host;
        options.threads = 1;
        Solver<T> one(problem, options);
        Field<T> expected = filled_field<T>(points);
        one.solve(f.view(), expected.view(), T(-1.5));
        for (const Decomposition& parts :
             {Decomposition::slabs(points, this->all_.size()), uneven(points, this->all_.size())}) {
            Result result;
            const Field<T> u =
                this->solved(problem, parts, this->all_, f, BoundaryData<T>{}, Method::automatic, result);
            if (u.size() == 0) continue;
            worst.check(largest_difference(u, this->mine(parts, expected)) / largest(expected),
                        4 * tolerance::solve<T>(points), describe(problem));
        }
    }
}

/// Gradients, evaluated twice, against the host's.
TYPED_TEST(DeviceRanks, Differentiate) {
    using T = TypeParam;
    Worst<T> worst("gradients by ranks on devices");
    for (const int c : {0, 222, 617, 760})
        for (const Discretization discretization : discretizations) {
            const Problem problem = make_problem(combination(c), {18, 14, 22}, discretization);
            const Extents points = problem.grid.points();
            const bool spectral = discretization == Discretization::spectral;
            const Field<T> u = random_field<T>(points, c);
            const FaceArrays<T> faces(problem.grid, [](int axis, int side, std::array<Index, 3> at) {
                return uniform(static_cast<std::uint64_t>(at[0] * 101 + at[1] * 11 + at[2]), 2 * axis + side);
            });
            const BoundaryData<T> data = spectral ? BoundaryData<T>{} : faces.data();
            const Gradients<T> expected = gradient_of_one(problem, u, data);
            for (const Decomposition& parts :
                 {Decomposition::slabs(points, this->all_.size()), uneven(points, this->all_.size()),
                  Decomposition::pencils(points, {1, this->all_.size()}),
                  Decomposition::boxes(points, random_boxes(points, this->all_.size(), 5))}) {
                DistributedGradient<T> gradient(problem, parts, this->all_, {.way = way_under_test()});
                OnDevice<T> there(parts, this->me_, u, data);
                std::vector<std::unique_ptr<DeviceField<T>>> fields;
                std::vector<std::array<FieldView<T>, 3>> to(1);
                for (FieldView<T>& component : to[0]) {
                    fields.push_back(std::make_unique<DeviceField<T>>(parts.box(this->me_).points));
                    component = fields.back()->view();
                }
                for (int time = 0; time < 2; ++time)
                    gradient.evaluate(std::span(there.from), std::span(std::as_const(to)), std::span(there.faces),
                                      there.streams);
                for (std::size_t a = 0; a < 3; ++a) {
                    const Field<T> found = fields[a]->get(there.streams[0]);
                    if (found.size() == 0 || largest(expected[a]) == 0.0) continue;
                    worst.check(largest_difference(found, this->mine(parts, expected[a])) / largest(expected[a]),
                                tolerance::solve<T>(points), describe(problem));
                }
            }
        }
}

/// What one rank refuses all refuse.
TYPED_TEST(DeviceRanks, FailTogether) {
    using T = TypeParam;
    const int last = this->all_.size() - 1;
    const Problem problem = make_problem(combination(111), {16, 6, 8});
    const Extents points = problem.grid.points();
    const Decomposition parts = Decomposition::slabs(points, this->all_.size());
    DistributedSolver<T> solver(problem, parts, this->all_, {.way = way_under_test()});
    EXPECT_NE(solver.description().find("(" + device_name(this->device_) + "), "), std::string::npos);
    const Field<T> f = random_field<T>(points);
    OnDevice<T> there(parts, this->me_, f, {});
    Field<T> on_host = this->mine(parts, f);
    std::vector<FieldView<T>> to = there.to;
    if (this->me_ == last) to[0] = on_host.view();
    expect_error(ErrorCode::usage, {this->me_ == last ? "in the memory of the host" : "another member"}, [&] {
        solver.solve(std::span(there.from), std::span<const FieldView<T>>(to), T(1), there.streams);
    });
    solver.solve(std::span(there.from), std::span(there.to), T(1), there.streams);
    static_cast<void>(solver.result());
    expect_error(ErrorCode::usage, {this->me_ == last ? "there is no device 99" : "another member"},
                 [&] { mpi(MPI_COMM_WORLD, this->me_ == last ? 99 : this->device_); });
}

}  // namespace
}  // namespace poisson3d

/// Every rank runs all tests; 77 without a device, which skips them.
int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    testing::InitGoogleTest(&argc, argv);
    int without = poisson3d::missing_device().empty() ? 0 : 1;
    MPI_Allreduce(MPI_IN_PLACE, &without, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (without != 0) {
        if (poisson3d::test::rank_of_world() == 0)
            std::printf("skipped: %s\n", poisson3d::missing_device().c_str());
        MPI_Finalize();
        return 77;
    }
    if (const std::string why = poisson3d::missing_way(); !why.empty()) {
        if (poisson3d::test::rank_of_world() == 0) std::printf("skipped: %s\n", why.c_str());
        MPI_Finalize();
        return 77;
    }
    return poisson3d::test::run_on_all_ranks();
}
