// Members on devices with pencils and with boxes of their own, several of them on one device and on all there are:
// the solution of one device, and the bits of those that own boxes are solved in.
#include <gtest/gtest.h>

#include <dlfcn.h>

#include "accuracy.hpp"
#include "face_arrays.hpp"
#include "gradients.hpp"
#include "on_devices.hpp"
#include "one_solver.hpp"
#include "stretched_axis.hpp"
#include "worst.hpp"

namespace poisson3d {
namespace {

using namespace test;

/// So many members, in turn on all devices.
std::vector<int> spread(int members) {
    std::vector<int> list;
    for (int m = 0; m < members; ++m) list.push_back(m % count_devices());
    return list;
}

/// Even, uneven, with empty members, in another order.
std::vector<Decomposition> pencils(const Extents& points) {
    const Index n = points[0], m = points[1];
    return {Decomposition::pencils(points, {2, 2}), Decomposition::pencils(points, {1, 3}),
            Decomposition::pencils(points, {n - 1, 1}, {1, m - 1}),
            Decomposition::pencils(points, {1, 0, n - 1}, {m - 1, 0, 1}),
            Decomposition::pencils(points, {2, 3}).in_order_of({0, 2, 4, 1, 3, 5})};
}

/// Four times, in streams of the members, then as one graph; and in default ones.
template <class T>
Field<T> solved(const Problem& problem, const Decomposition& parts, const Field<T>& f, const BoundaryData<T>& data,
                Method method, Result& result, Way way = Way::automatic) {
    const std::vector<int> list = spread(parts.members());
    DistributedSolver<T> solver(problem, parts, devices(list), {.method = method, .way = way});
    OnDevices<T> there(parts, list, f, data);
    for (int time = 0; time < 4; ++time) {
        solver.solve(std::span(there.from), std::span(there.to), std::span(there.faces), T(-1.5), there.streams);
        if (time % 2 == 1) result = solver.result();
    }
    solver.solve(std::span(there.from), std::span(there.to), std::span(there.faces), T(-1.5));
    result = solver.result();
    return there.solution();
}

template <class T>
class DeviceBoxes : public testing::Test {
protected:
    void SetUp() override {
        if (const std::string reason = missing_device(); !reason.empty()) GTEST_SKIP() << reason;
    }
    Field<T> solved_by_one(const Problem& problem, const Field<T>& f, const BoundaryData<T>& data, Result& result) {
        Options options;
        options.engine = Engine::fused;
        options.memory = Memory::standard;
        Solver<T> solver(problem, options);
        OnDevices<T> one(Decomposition::slabs(f.view().extents, 1), {0}, f, data);
        solver.solve(one.from[0], one.to[0], one.faces[0], T(-1.5));
        result = solver.result();
        return one.solution();
    }
};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(DeviceBoxes, Types);

template <class T>
FaceArrays<T> faces_of(const Problem& problem) {
    const Extents points = problem.grid.points();
    return FaceArrays<T>(problem.grid, [points](int axis, int side, std::array<Index, 3> at) {
        at[axis] = side == 0 ? 0 : points[axis] - 1;
        return uniform(static_cast<std::uint64_t>((at[0] * 100 + at[1]) * 100 + at[2]), 5);
    });
}

TYPED_TEST(DeviceBoxes, SolveInPencils) {
    using T = TypeParam;
    Worst<T> worst("pencils on devices");
    int number = 0;
    for (const Extents& n : {Extents{18, 14, 22}, Extents{33, 29, 65}, Extents{48, 40, 128}})
        for (const int c : {0, 11, 22, 33, 55, 77, 270, 502, 617, 941}) {
            ++number;
            const bool spectral = number % 5 == 0;
            Problem problem =
                make_problem(combination(c), n, discretizations[spectral], number % 3 == 0 ? 0.7 : 0.0);
            const Extents points = problem.grid.points();
            if (number % 2 == 0 && singular(problem)) problem.gauge.point = {points[0] - 2, 3, 5};
            const FaceArrays<T> faces = faces_of<T>(problem);
            const BoundaryData<T> data = number % 4 < 2 && !spectral ? faces.data() : BoundaryData<T>{};
            const Field<T> f = random_field<T>(points, c);
            Result one, many;
            const Field<T> expected = this->solved_by_one(problem, f, data, one);
            for (const Decomposition& parts : pencils(points))
                for (const Method method : {Method::transpose, Method::eliminate}) {
                    if (spectral && method == Method::eliminate) continue;
                    const Field<T> u = solved(problem, parts, f, data, method, many);
                    const std::string what = describe(problem) + ", " + name(method);
                    EXPECT_EQ(one.singular, many.singular);
                    EXPECT_NEAR(one.mean_removed, many.mean_removed, 16 * tolerance::eps<T>) << what;
                    worst.check(relative_error(read(u), long_field(expected).view()),
                                2 * tolerance::solve<T>(points), what);
                }
        }
}

/// Boxes that are neither slabs nor pencils.
Decomposition moved_boxes(const Extents& points, int members, int seed) {
    for (;; seed += 1000) {
        const Decomposition parts = Decomposition::boxes(points, random_boxes(points, members, seed));
        if (parts.redistributed()) return parts;
    }
}

/// Blocks of the last axis, all rows of which are whole vectors.
Decomposition blocks(const Extents& points, int members) {
    std::vector<Box> boxes;
    const Index each = points[2] / members;
    for (int m = 0; m < members; ++m) boxes.push_back({{0, 0, m * each}, {points[0], points[1], each}});
    return Decomposition::boxes(points, boxes);
}

/// All ways that there are give the same bits.
TYPED_TEST(DeviceBoxes, GoEveryWay) {
    using T = TypeParam;
    std::vector<Way> ways{Way::copies, Way::stores, Way::staged};
    void* const library = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
    if (library != nullptr && count_devices() >= 4) ways.push_back(Way::nccl);
    if (library != nullptr) dlclose(library);
    for (const int c : {117, 55}) {
        const Problem problem = make_problem(combination(c), {65, 80, 96});
        const Extents points = problem.grid.points();
        const Field<T> f = random_field<T>(points, 3);
        for (const Decomposition& parts :
             {Decomposition::pencils(points, {2, 2}), moved_boxes(points, 4, 5), blocks(points, 4)})
            for (const Method method : {Method::transpose, Method::eliminate}) {
                Result result;
                const Field<T> expected = solved(problem, parts, f, {}, method, result);
                for (const Way way : ways)
                    EXPECT_TRUE(equal(solved(problem, parts, f, {}, method, result, way), expected)) << name(way);
            }
    }
}

/// Boxes of any kind, with data, against those that they are solved in.
TYPED_TEST(DeviceBoxes, SolveInBoxesOfTheirOwn) {
    using T = TypeParam;
    for (const int c : {0, 111, 222, 444, 166, 661, 848, 973})
        for (const int members : {2, 5, 8}) {
            Problem problem = make_problem(combination(c), {19, 17, 40});
            const Extents points = problem.grid.points();
            if (members == 5 && singular(problem)) problem.gauge.point = {points[0] - 2, 3, 5};
            const FaceArrays<T> faces = faces_of<T>(problem);
            BoundaryData<T> data = faces.data();
            if (members == 8)
                for (std::size_t a = 0; a < 3; ++a)
                    data.faces[a][1] = {problem.grid.axes[a].periodic() ? T(0) : T(1), nullptr, 0, 0};
            const Decomposition parts = moved_boxes(points, members, c + members);
            const Field<T> f = random_field<T>(points, c);
            for (const Method method : {Method::transpose, Method::eliminate}) {
                Result own, inner;
                const Field<T> u = solved(problem, parts, f, data, method, own);
                EXPECT_TRUE(equal(u, solved(problem, parts.solved_in(), f, data, method, inner)))
                    << describe(problem) << members;
                EXPECT_EQ(own.mean_removed, inner.mean_removed);
            }
        }
}

/// Gradients in pencils and any boxes, with the bits of one member by differences.
TYPED_TEST(DeviceBoxes, Differentiate) {
    using T = TypeParam;
    Worst<T> worst("gradients of boxes on devices");
    for (const int c : {0, 222, 617, 760})
        for (const Discretization discretization : discretizations) {
            const Problem problem = make_problem(combination(c), {18, 14, 22}, discretization);
            const Extents points = problem.grid.points();
            const bool spectral = discretization == Discretization::spectral;
            const Field<T> u = random_field<T>(points, c);
            const FaceArrays<T> faces = faces_of<T>(problem);
            const BoundaryData<T> data = spectral ? BoundaryData<T>{} : faces.data();
            const auto gradient_in = [&](const Decomposition& parts) {
                const std::vector<int> list = spread(parts.members());
                DistributedGradient<T> gradient(problem, parts, devices(list));
                OnDevices<T> there(parts, list, u, data);
                std::vector<std::unique_ptr<OnDevices<T>>> out;
                std::vector<std::array<FieldView<T>, 3>> to(list.size());
                for (std::size_t a = 0; a < 3; ++a) {
                    out.push_back(std::make_unique<OnDevices<T>>(parts, list, u));
                    for (std::size_t m = 0; m < list.size(); ++m) to[m][a] = out[a]->to[m];
                }
                for (int time = 0; time < 2; ++time)
                    gradient.evaluate(std::span(there.from), std::span(std::as_const(to)), std::span(there.faces),
                                      there.streams);
                for (std::size_t m = 0; m < list.size(); ++m) {
                    const DeviceScope scope(list[m]);
                    synchronize(there.streams[m]);
                }
                std::vector<Field<T>> found;
                for (const auto& component : out) found.push_back(component->solution());
                return found;
            };
            const std::vector<Field<T>> expected = gradient_in(Decomposition::slabs(points, 1));
            std::vector<Decomposition> all = pencils(points);
            for (const int members : {3, 8})
                all.push_back(Decomposition::boxes(points, random_boxes(points, members, c + members)));
            for (const Decomposition& parts : all) {
                const std::vector<Field<T>> found = gradient_in(parts);
                for (std::size_t a = 0; a < 3; ++a) {
                    if (spectral && largest(expected[a]) > 0.0)
                        worst.check(largest_difference(found[a], expected[a]) / largest(expected[a]),
                                    tolerance::solve<T>(points), describe(problem));
                    if (!spectral) {
                        EXPECT_TRUE(equal(found[a], expected[a])) << describe(problem) << a;
                    }
                }
            }
        }
}

}  // namespace
}  // namespace poisson3d
