// Members on devices, several of them on one and on all there are, against a solver on one device: the same
// solution, and the bits of one member where lines along x are whole.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <optional>
#include <set>

#include "accuracy.hpp"
#include "cuda_stream.hpp"
#include "device_field.hpp"
#include "expect_error.hpp"
#include "face_arrays.hpp"
#include "member_mixes.hpp"
#include "members.hpp"
#include "on_devices.hpp"
#include "one_solver.hpp"
#include "poisson3d/device.hpp"
#include "poisson3d/device_stream.hpp"
#include "stretched_axis.hpp"
#include "test_solver.hpp"
#include "worst.hpp"

namespace poisson3d {
namespace {

using namespace test;

/// Even, with one plane, with none.
std::vector<Decomposition> decompositions(const Extents& points, int members) {
    std::vector<Index> planes(static_cast<std::size_t>(members), 1);
    if (members > 2) planes[1] = 0;
    planes[0] = points[0];
    for (std::size_t m = 1; m < planes.size(); ++m) planes[0] -= planes[m];
    return {Decomposition::slabs(points, members), Decomposition::slabs(points, planes)};
}

template <class T>
Field<T> solved_by_one_device(const Problem& problem, const Field<T>& f, const BoundaryData<T>& data,
                              Result* result = nullptr) {
    Options options;
    options.engine = Engine::fused;
    options.memory = Memory::standard;
    options.middle = Middle::transform;
    Solver<T> solver(problem, options);
    OnDevices<T> one(Decomposition::slabs(f.view().extents, 1), {0}, f, data);
    solver.solve(one.from[0], one.to[0], one.faces[0], T(-1.5));
    const Result found = solver.result();
    if (result != nullptr) *result = found;
    return one.solution();
}

/// Twice, in streams of the members' and in default ones.
template <class T>
Field<T> solved_by_devices(const Problem& problem, const Decomposition& parts, const std::vector<int>& list,
                           const Field<T>& f, const BoundaryData<T>& data, Method method, Result& result) {
    DistributedSolver<T> solver(problem, parts, devices(list), {.method = method});
    OnDevices<T> there(parts, list, f, data);
    for (const auto& streams : {std::span<const Stream>(there.streams), std::span<const Stream>()}) {
        solver.solve(std::span(there.from), std::span(there.to), std::span(there.faces), T(-1.5), streams);
        result = solver.result();  // waits: one solve at a time, and nothing else orders these streams
    }
    return there.solution();
}

template <class T>
class DeviceMembers : public testing::Test {
protected:
    void SetUp() override {
        if (const std::string reason = missing_device(); !reason.empty()) GTEST_SKIP() << reason;
    }
};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(DeviceMembers, Types);

TYPED_TEST(DeviceMembers, SolveWhatOneDeviceSolves) {
    using T = TypeParam;
    Worst<T> worst("members on devices");
    int number = 0;
    for (const Extents& points : {Extents{18, 14, 22}, Extents{33, 29, 65}, Extents{48, 40, 32}})
        for (const int c : {0, 11, 22, 33, 44, 55, 66, 77, 88, 99, 270, 502, 617, 941}) {
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
            const Field<T> expected = solved_by_one_device(problem, f, data, &one);
            const Field<T> whole =
                solved_by_devices(problem, Decomposition::slabs(points, 1), {0}, f, data, Method::transpose, many);
            for (const std::vector<int>& list : device_lists())
                for (const Decomposition& parts : decompositions(points, static_cast<int>(list.size())))
                    for (const Method method : {Method::transpose, Method::eliminate}) {
                        if (spectral && method == Method::eliminate) continue;
                        const Field<T> u = solved_by_devices(problem, parts, list, f, data, method, many);
                        const std::string what = describe(problem) + ", " + name(method) + ", " +
                                                 std::to_string(list.size()) + " members";
                        EXPECT_EQ(one.singular, many.singular);
                        EXPECT_NEAR(one.mean_removed, many.mean_removed, 16 * tolerance::eps<T>) << what;
                        worst.check(relative_error(read(u), long_field(expected).view()),
                                    2 * tolerance::solve<T>(points), what);
                        if (method != Method::transpose) continue;
                        EXPECT_EQ(different(read(u), read(whole)), 0) << what;
                    }
        }
}

/// More members than a run of separators has nodes, some without planes.
TYPED_TEST(DeviceMembers, AreMany) {
    using T = TypeParam;
    Worst<T> worst("many members on devices");
    const Extents points{83, 12, 70};
    for (const int members : {17, 33})
        for (const int c : {0, 111, 752}) {
            const Problem problem = make_problem(combination(c), points);
            const Field<T> f = random_field<T>(points, c);
            const Field<T> expected = solved_by_one_device<T>(problem, f, {});
            std::vector<Index> planes(static_cast<std::size_t>(members), 1);
            planes[3] = 0;
            planes.back() = points[0] - members + 2;
            std::vector<int> list;
            for (int m = 0; m < members; ++m) list.push_back(m % count_devices());
            for (const Method method : {Method::transpose, Method::eliminate}) {
                Result result;
                const Field<T> u = solved_by_devices<T>(problem, Decomposition::slabs(points, planes), list, f, {},
                                                        method, result);
                worst.check(relative_error(read(u), long_field(expected).view()), 2 * tolerance::solve<T>(points),
                            describe(problem) + ", " + name(method));
            }
        }
}

/// So large that parts are exchanged in chunks, beside passes.
TYPED_TEST(DeviceMembers, ExchangeInChunks) {
    using T = TypeParam;
    const Problem problem = make_problem(combination(117), {257, 200, sizeof(T) == 8 ? 160 : 320});
    const Extents points = problem.grid.points();
    const Field<T> f = random_field<T>(points, 3);
    Result result;
    const Field<T> one = solved_by_one_device(problem, f, BoundaryData<T>{});
    const Field<T> expected = solved_by_devices(problem, Decomposition::slabs(points, 1), {0}, f, BoundaryData<T>{},
                                                Method::transpose, result);
    EXPECT_LE(largest_difference(one, expected), largest(one) * 2 * tolerance::solve<T>(points));
    for (const std::vector<int>& list : {std::vector<int>{0, 0}, {0, count_devices() - 1}, {0, 0, 0}}) {
        const Decomposition parts = Decomposition::slabs(points, static_cast<int>(list.size()));
        for (const auto& [chunks, pieces] : {std::pair{0, 0}, {2, 4}, {1, 7}}) {
            DistributedSolver<T> solver(problem, parts, devices(list),
                                        {.method = Method::transpose, .chunks = chunks, .pieces = pieces});
            OnDevices<T> there(parts, list, f);
            for (int time = 0; time < 5; ++time)
                solver.solve(std::span(there.from), std::span(there.to), T(-1.5), there.streams);
            static_cast<void>(solver.result());
            EXPECT_EQ(different(read(there.solution()), read(expected)), 0)
                << solver.description() << ", " << pieces << " pieces";
        }
    }
}

/// Solves in a row, f of the next one written where that of the last one was: no member is ahead of another.
TYPED_TEST(DeviceMembers, WaitForEachOther) {
    using T = TypeParam;
    const Problem problem = make_problem(combination(217), {40, 48, 64});
    const Extents points = problem.grid.points();
    for (const std::vector<int>& list : device_lists())
        for (const Method method : {Method::transpose, Method::eliminate}) {
            const Decomposition parts = Decomposition::slabs(points, static_cast<int>(list.size()));
            DistributedSolver<T> solver(problem, parts, devices(list), {.method = method});
            const Field<T> f = random_field<T>(points, 3);
            OnDevices<T> once(parts, list, f), often(parts, list, f);
            const auto solve_twice = [&](const OnDevices<T>& fields) {
                const std::vector<FieldView<const T>> again(fields.to.begin(), fields.to.end());
                solver.solve(std::span(fields.from), std::span(fields.to), T(1), fields.streams);
                solver.solve(std::span(again), std::span(fields.to), T(1), fields.streams);
            };
            solve_twice(once);
            static_cast<void>(solver.result());
            for (int time = 0; time < 20; ++time) {
                solver.apply(std::span(often.from), std::span(often.to), T(1), often.streams);
                solve_twice(often);
            }
            static_cast<void>(solver.result());
            EXPECT_EQ(different(read(often.solution()), read(once.solution())), 0) << solver.description();
            for (int time = 0; time < 3; ++time)
                solver.apply(std::span(often.from), std::span(often.to), T(1), often.streams);
            static_cast<void>(solver.result());
            Field<T> expected = filled_field<T>(points);
            Options host;
            host.engine = Engine::host;
            Solver<T>(problem, host).apply(f.view(), expected.view());
            EXPECT_LE(relative_error(read(often.solution()), long_field(expected).view()),
                      2 * tolerance::solve<T>(points))
                << solver.description();
        }
}

/// What one solver on the host finds on free faces, of each field of a batch; the same when it is asked for again.
TYPED_TEST(DeviceMembers, TellWhatStandsOnFreeFaces) {
    using T = TypeParam;
    Worst<T> worst("free faces of members on devices");
    for (int number = 0; number < 8; ++number) {
        const Problem problem = free_problem(number, {12, 9, 18});
        const Extents points = problem.grid.points();
        const Field<T> f = random_field<T>(points, number);
        for (const std::vector<int>& list : device_lists())
            for (const Decomposition& parts : decompositions(points, static_cast<int>(list.size()))) {
                DistributedSolver<T> solver(problem, parts, devices(list));
                OnDevices<T> there(parts, list, f);
                for (int time = 0; time < 2; ++time)
                    solver.solve(std::span(there.from), std::span(there.to), T(1), there.streams);
                for (int time = 0; time < 2; ++time) {
                    const BoundaryData<T> faces = solver.faces();
                    const Field<T> u = there.solution();
                    const auto [error, defect] = error_of_faces(problem, f, read(u), faces);
                    worst.check(error, 2 * tolerance::solve<T>(points), describe(problem));
                    worst.check(defect, 2 * tolerance::solve<T>(points), describe(problem));
                }
            }
    }
}

/// Free axes that are padded with zeros, of radix 8 and of other lines: the bits of one device. A gauge where a
/// constant is left open.
TYPED_TEST(DeviceMembers, PadFreeAxes) {
    using T = TypeParam;
    Worst<T> worst("padded axes of members on devices");
    int checked = 0;
    for (int mix = 0; mix < 1000; mix += 53) {
        Problem problem = member_mix(mix, mix % 2 == 0 ? Extents{18, 14, 22} : Extents{32, 64, 32});
        problem.discretization = Discretization::spectral;
        if (unbounded_axes(problem.grid) == 0) continue;
        const Extents points = problem.grid.points();
        if (grows_far_away(problem) && mix % 3 == 1) problem.gauge.mean = true;
        if (grows_far_away(problem) && mix % 3 == 2) problem.gauge.point = {points[0] - 2, 3, 5};
        const bool far = !problem.gauge.mean && !problem.gauge.point;
        const Field<T> f = random_field<T>(points, mix);
        Options options;
        options.engine = Engine::fused;
        Solver<T> one(problem, options);
        Field<T> expected = filled_field<T>(points);
        one.solve(f.view(), expected.view());
        for (const std::vector<int>& list : device_lists())
            for (const Decomposition& parts : decompositions(points, static_cast<int>(list.size()))) {
                DistributedSolver<T> solver(problem, parts, devices(list), {.chunks = checked % 4});
                OnDevices<T> there(parts, list, f);
                for (int time = 0; time < 3; ++time)  // the third time as a graph
                    solver.solve(std::span(there.from), std::span(there.to), T(1), there.streams);
                static_cast<void>(solver.result());
                const Field<T> u = there.solution();
                if (far) {
                    EXPECT_TRUE(equal(u, expected)) << describe(problem) << "; " << solver.description();
                }
                worst.check(largest_difference(u, expected) / largest(expected), 2 * tolerance::solve<T>(points),
                            describe(problem));
                ++checked;
            }
    }
    EXPECT_GT(checked, 20);
}

/// Free faces that are closed by walls, one to three axes of them: the solution of one solver, which sees none of
/// the kernels, and what it finds on the faces; the freeness. Where a constant is left open, it is that of far
/// away, or u has the mean 0 or is 0 at a point.
TYPED_TEST(DeviceMembers, CloseFreeFaces) {
    using T = TypeParam;
    Worst<T> worst("closed faces of members on devices");
    int checked = 0;
    for (int mix = 0; mix < 1000; mix += 29) {
        Problem problem = member_mix(mix, mix % 2 == 0 ? Extents{18, 14, 22} : Extents{17, 32, 13});
        if (unbounded_axes(problem.grid) == 0) continue;
        const Extents points = problem.grid.points();
        if (grows_far_away(problem) && mix % 4 == 0) problem.gauge.mean = true;
        if (grows_far_away(problem) && mix % 4 == 2) problem.gauge.point = {points[0] - 2, 3, 5};
        const Field<T> f = random_field<T>(points, mix);
        Options options;
        options.engine = Engine::host;
        options.threads = 1;
        Solver<T> one(problem, options);
        Field<T> expected = filled_field<T>(points);
        one.solve(f.view(), expected.view());
        for (const std::vector<int>& list : device_lists())
            for (const Decomposition& parts : decompositions(points, static_cast<int>(list.size()))) {
                const Method method = checked % 3 == 2 ? Method::transpose : Method::automatic;
                DistributedSolver<T> solver(problem, parts, devices(list), {.method = method});
                OnDevices<T> there(parts, list, f);
                for (int time = 0; time < 3; ++time)  // the third time as a graph
                    solver.solve(std::span(there.from), std::span(there.to), T(1), there.streams);
                const BoundaryData<T> faces = solver.faces();
                const Field<T> u = there.solution();
                const std::string what = describe(problem) + solver.description();
                worst.check(relative_error(read(u), long_field(expected).view()), 2 * tolerance::solve<T>(points),
                            what);
                if (const double defect = freeness(problem, read(u), faces); defect == defect)
                    worst.check(defect, 2 * tolerance::solve<T>(points), what);
                const auto mine = solver.member_faces();
                EXPECT_EQ(mine.size(), list.size());
                ++checked;
            }
    }
    EXPECT_GT(checked, 20);
}

/// Ways that these devices have.
std::vector<Way> ways_of(const std::vector<int>& list) {
    std::vector<Way> ways{Way::automatic, Way::copies, Way::stores, Way::staged};
    const std::set<int> different(list.begin(), list.end());
    void* const library = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
    if (library != nullptr && different.size() == list.size()) ways.push_back(Way::nccl);
    if (library != nullptr) dlclose(library);
    return ways;
}

std::vector<Way> with_passes(const std::vector<int>& list) {
    std::vector<Way> ways = ways_of(list);
    ways.push_back(Way::passes);
    return ways;
}

/// Exchanges in chunks, small ones, and those of elimination, of fields one after the other.
TYPED_TEST(DeviceMembers, HaveTheSameBitsByEveryWay) {
    using T = TypeParam;
    std::vector<std::vector<int>> lists = device_lists();
    if (count_devices() > 1) lists.push_back({1, 0});
    for (const std::vector<int>& list : lists) {
        const Communicator members = devices(list);
        for (const Extents& points : {Extents{129, 80, 160}, Extents{19, 13, 37}})
            for (const int c : {117, 55})
                for (const Method method : {Method::transpose, Method::eliminate}) {
                    const Problem problem = make_problem(combination(c), points);
                    const Extents stored = problem.grid.points();
                    const Decomposition parts = decompositions(stored, static_cast<int>(list.size())).front();
                    const Field<T> f = random_field<T>(stored, 3);
                    std::optional<Field<T>> expected;
                    for (const Way way : ways_of(list)) {
                        const int chunks = way == Way::automatic ? 0 : 3;
                        DistributedSolver<T> solver(
                            problem, parts, members,
                            {.method = method, .chunks = chunks, .way = way, .pieces = chunks});
                        OnDevices<T> there(parts, list, f);
                        for (int time = 0; time < 4; ++time)
                            solver.solve(std::span(there.from), std::span(there.to), T(-1.5), there.streams);
                        static_cast<void>(solver.result());
                        const Field<T> u = there.solution();
                        if (!expected) {
                            const Field<T> one = solved_by_one_device(problem, f, BoundaryData<T>{});
                            EXPECT_LE(relative_error(read(u), long_field(one).view()),
                                      2 * tolerance::solve<T>(stored));
                            expected.emplace(stored);
                            std::copy_n(u.data(), u.size(), expected->data());
                        }
                        EXPECT_EQ(different(read(u), read(*expected)), 0) << solver.description();
                        const bool told = solver.description().find(name(way)) != std::string::npos;
                        EXPECT_TRUE(told || way == Way::automatic) << solver.description();
                    }
                }
    }
}

/// What is sent in one field is on its way while the next one is begun, nothing waits for the host.
TYPED_TEST(DeviceMembers, SolveBatchesByEveryWay) {
    using T = TypeParam;
    const Problem problem = make_problem(combination(11), {64, 36, 64});
    const Extents points = problem.grid.points();
    const Index size = points[0] * points[1] * points[2];
    for (const std::vector<int>& list : device_lists())
        for (const Way way : with_passes(list)) {
            const Decomposition parts = decompositions(points, static_cast<int>(list.size())).front();
            DistributedSolver<T> solver(problem, parts, devices(list),
                                        {.method = Method::transpose,
                                         .batch = 3,
                                         .chunks = 2,
                                         .way = way,
                                         .pieces = way == Way::copies ? 1 : 3});
            std::vector<std::unique_ptr<DeviceBuffer>> memory;
            std::vector<FieldBatch<const T>> from;
            std::vector<FieldBatch<T>> to;
            for (int m = 0; m < parts.members(); ++m) {
                const DeviceScope scope(list[static_cast<std::size_t>(m)]);
                const Extents box = parts.box(m).points;
                const Index part = box[0] * box[1] * box[2];
                memory.push_back(std::make_unique<DeviceBuffer>(static_cast<std::size_t>(3 * part) * sizeof(T)));
                auto* const data = static_cast<T*>(memory.back()->data());
                for (int b = 0; b < 3; ++b) {
                    const Field<T> f = random_field<T>(points, b);
                    copy_to_device(data + b * part, f.view().slab(parts.first(m), 0).data,
                                   static_cast<std::size_t>(part) * sizeof(T));
                }
                from.push_back({FieldView<const T>{data, box}, 3, part});
                to.push_back({FieldView<T>{data, box}, 3, part});
            }
            solver.solve(std::span<const FieldBatch<const T>>(from), std::span<const FieldBatch<T>>(to));
            static_cast<void>(solver.result());
            for (int b = 0; b < 3; ++b) {
                Result result;
                const Field<T> expected =
                    solved_by_devices(problem, Decomposition::slabs(points, 1), {0}, random_field<T>(points, b),
                                      BoundaryData<T>{}, Method::transpose, result);
                Field<T> u(points);
                for (int m = 0; m < parts.members(); ++m) {
                    const DeviceScope scope(list[static_cast<std::size_t>(m)]);
                    const Index part = parts.planes(m) * points[1] * points[2];
                    copy_to_host(u.view().slab(parts.first(m), 0).data,
                                 static_cast<const T*>(memory[static_cast<std::size_t>(m)]->data()) + b * part,
                                 static_cast<std::size_t>(part) * sizeof(T));
                }
                ASSERT_EQ(u.size(), size);
                for (Index i = 0; i < size; ++i) u.data()[i] *= T(-1.5);  // solved_by_devices scales f
                EXPECT_LE(relative_error(read(u), long_field(expected).view()), 4 * tolerance::eps<T>)
                    << solver.description();
            }
        }
}

/// Passes that store into the memory of other members, of the same device or of others; solves in a row, none ahead
/// of another, from the second one on as one graph.
TYPED_TEST(DeviceMembers, StoreInPasses) {
    using T = TypeParam;
    std::vector<std::vector<int>> lists{{0}, {0, 0}, {0, 0, 0}};
    if (count_devices() > 1) lists.insert(lists.end(), {{0, 1}, {1, 0}});
    if (count_devices() > 3) lists.insert(lists.end(), {{0, 1, 2, 3}, {3, 0, 2, 1}});
    for (const Extents& n : {Extents{128, 32, 36}, Extents{25, 256, 36}, Extents{32, 36, 64}, Extents{64, 64, 25}})
        for (const int c : {0, 11, 22, 33, 44, 55}) {
            const Problem problem = make_problem(combination(c), n);
            const Extents points = problem.grid.points();
            const Field<T> f = random_field<T>(points, 3);
            Result result;
            const Field<T> expected = solved_by_devices(problem, Decomposition::slabs(points, 1), {0}, f,
                                                        BoundaryData<T>{}, Method::transpose, result);
            for (const std::vector<int>& list : lists)
                for (const Index first : {points[0] / 2, Index{1}}) {
                    const auto others = static_cast<Index>(list.size()) - 1;
                    std::vector<Index> planes{points[0]};
                    for (Index m = others; m > 0; --m) {  // the first one has `first`, or as many as are left
                        planes.push_back((points[0] - first) / others);
                        planes[0] -= planes.back();
                    }
                    const Decomposition parts = Decomposition::slabs(points, planes);
                    DistributedSolver<T> solver(problem, parts, devices(list),
                                                {.method = Method::transpose,
                                                 .chunks = 2,
                                                 .way = Way::passes,
                                                 .pieces = 3,
                                                 .stored = first == 1 || c % 2 == 0 ? 1.0 : 0.4});
                    OnDevices<T> there(parts, list, f);
                    const std::vector<FieldView<const T>> again(there.to.begin(), there.to.end());
                    for (int time = 0; time < 4; ++time) {
                        if (time > 0) solver.solve(std::span(again), std::span(there.to), T(1), there.streams);
                        solver.solve(std::span(there.from), std::span(there.to), T(-1.5), there.streams);
                    }
                    const double mean = solver.result().mean_removed;
                    EXPECT_EQ(different(read(there.solution()), read(expected)), 0)
                        << describe(problem) << solver.description();
                    EXPECT_EQ(mean, result.mean_removed) << solver.description();
                }
        }
}

/// What comes again is launched as a graph: of the fields that it is called with, whatever else was solved or
/// applied between, and told of as the last call.
TYPED_TEST(DeviceMembers, SolveWhatComesAgain) {
    using T = TypeParam;
    for (const std::vector<int>& list : device_lists())
        for (const Method method : {Method::transpose, Method::eliminate}) {
            const Problem problem = make_problem(combination(0), {64, 36, 64});
            const Extents points = problem.grid.points();
            const Decomposition parts = Decomposition::slabs(points, static_cast<int>(list.size()));
            DistributedSolver<T> solver(problem, parts, devices(list), {.method = method});
            const Field<T> first = random_field<T>(points, 1), second = random_field<T>(points, 2);
            OnDevices<T> one(parts, list, first), other(parts, list, second);
            const std::vector<FieldView<const T>> solved(one.to.begin(), one.to.end());
            std::optional<Field<T>> solution, product;
            double mean = 0.0;
            for (int time = 0; time < 5; ++time) {
                solver.solve(std::span(one.from), std::span(one.to), T(2), one.streams);
                const double found = solver.result().mean_removed;
                if (time == 0) mean = found;
                EXPECT_EQ(found, mean) << time;
                solver.apply(std::span(solved), std::span(other.to), T(1), one.streams);
                EXPECT_EQ(solver.result().mean_removed, 0.0) << time;
                if (time == 0) {
                    solution.emplace(one.solution());
                    product.emplace(other.solution());
                }
                EXPECT_EQ(different(read(one.solution()), read(*solution)), 0) << time << solver.description();
                EXPECT_EQ(different(read(other.solution()), read(*product)), 0) << time << solver.description();
                // The same views with other numbers in them, in other streams; and another scale.
                one.put(time % 2 == 0 ? second : first);
                solver.solve(std::span(one.from), std::span(one.to), T(2), other.streams);
                static_cast<void>(solver.result());
                EXPECT_EQ(different(read(one.solution()), read(*solution)) == 0, time % 2 == 1) << time;
                one.put(first);
                solver.solve(std::span(one.from), std::span(one.to), T(2 + time), one.streams);
                EXPECT_NEAR(solver.result().mean_removed, mean * (2 + time) / 2, 1e-5 * std::abs(mean)) << time;
            }
        }
}

TEST(Devices, RefuseWaysThatAreNotThere) {
    const Problem problem = make_problem(combination(111), {8, 8, 8});
    const Decomposition parts = Decomposition::slabs(problem.grid.points(), 2);
    expect_error(ErrorCode::unsupported, {"found the way stores of members that are not on devices"},
                 [&] { DistributedSolver<double>(problem, parts, threads(2), {.way = Way::stores}); });
    if (const std::string reason = missing_device(); !reason.empty()) GTEST_SKIP() << reason;
    expect_error(ErrorCode::unsupported, {"members cannot exchange by NCCL: found"}, [&] {
        DistributedSolver<double>(problem, parts, devices({0, 0}), {.way = Way::nccl});
    });
    expect_error(ErrorCode::usage, {"found -1 chunks"}, [&] {
        DistributedSolver<double>(problem, parts, devices({0, 0}), {.chunks = -1});
    });
}

TYPED_TEST(DeviceMembers, AreCapturedInOneGraph) {
    using T = TypeParam;
    const Problem problem = make_problem(combination(222), {36, 32, 64});
    const Extents points = problem.grid.points();
    const Field<T> f = random_field<T>(points, 3);
    for (const std::vector<int>& list : device_lists())
        for (const auto& [method, way] : {std::pair{Method::transpose, Way::copies},
                                          {Method::transpose, Way::stores},
                                          {Method::transpose, Way::staged},
                                          {Method::transpose, Way::passes},
                                          {Method::eliminate, Way::copies},
                                          {Method::eliminate, Way::stores}}) {
            const Decomposition parts = Decomposition::slabs(points, static_cast<int>(list.size()));
            DistributedSolver<T> solver(problem, parts, devices(list), {.method = method, .way = way});
            OnDevices<T> there(parts, list, f);
            const auto solve = [&] {
                solver.solve(std::span(there.from), std::span(there.to), T(1), there.streams);
            };
            solve();  // loads every kernel
            static_cast<void>(solver.result());
            const Field<T> expected = there.solution();
            const DeviceScope scope(list[0]);
            const auto queue = static_cast<cudaStream_t>(there.streams[0].handle);
            cudaGraph_t graph = nullptr;
            cudaGraphExec_t executable = nullptr;
            check(cudaStreamBeginCapture(queue, cudaStreamCaptureModeRelaxed), "begin of capture");
            solve();
            check(cudaStreamEndCapture(queue, &graph), "end of capture");
            check(cudaGraphInstantiate(&executable, graph, 0), "graph");
            for (int time = 0; time < 3; ++time) check(cudaGraphLaunch(executable, queue), "launch of a graph");
            synchronize(there.streams[0]);
            EXPECT_EQ(different(read(there.solution()), read(expected)), 0) << solver.description();
            cudaGraphExecDestroy(executable);
            cudaGraphDestroy(graph);
        }
}

TEST(Devices, AreCheckedBeforeTheyAreUsed) {
    if (const std::string reason = missing_device(); !reason.empty()) GTEST_SKIP() << reason;
    expect_error(ErrorCode::usage, {"there is no device 99"}, [] { devices({0, 99}); });
    expect_error(ErrorCode::usage, {"found 0 members"}, [] { devices({}); });
    const Problem problem = make_problem(combination(111), {8, 8, 8});
    const Decomposition parts = Decomposition::slabs(problem.grid.points(), 2);
    DistributedSolver<double> solver(problem, parts, devices({0, 0}));
    Field<double> u = filled_field<double>({8, 8, 8});
    const auto to = boxes_of<double>(parts, u.view());
    const auto from = boxes_of<const double>(parts, u.view());
    expect_error(ErrorCode::usage, {"f of member 0: found it in the memory of the host, wanted that of device 0"},
                 [&] { solver.solve(std::span(from), std::span(to)); });
}

}  // namespace
}  // namespace poisson3d
