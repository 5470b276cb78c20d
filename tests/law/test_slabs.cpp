// A solve of which a slab or a block is in memory, against one that has all of it: the same bits, however the field
// is cut; what it tells of its memory and its store is what it uses.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "expect_error.hpp"
#include "face_arrays.hpp"
#include "padded.hpp"
#include "poisson3d/slab_solver.hpp"
#include "problems.hpp"
#include "stretched_axis.hpp"

namespace poisson3d {
namespace {

using namespace test;

/// A store that knows what was written and how much was moved. What is read must have been written.
class VectorStore final : public SlabStore {
public:
    explicit VectorStore(std::uint64_t bytes)
        : bytes_(static_cast<std::size_t>(bytes)), written_(static_cast<std::size_t>(bytes)) {}

    void write(std::uint64_t place, const void* from, std::size_t bytes) override {
        ASSERT_LE(place + bytes, bytes_.size());
        std::memcpy(bytes_.data() + place, from, bytes);
        std::fill_n(written_.begin() + static_cast<std::ptrdiff_t>(place), bytes, true);
        moved += bytes;
        ++calls;
    }
    void read(std::uint64_t place, void* to, std::size_t bytes) override {
        ASSERT_LE(place + bytes, bytes_.size());
        for (std::size_t i = 0; i < bytes; ++i) ASSERT_TRUE(written_[place + i]) << "byte " << place + i;
        std::memcpy(to, bytes_.data() + place, bytes);
        moved += bytes;
        ++calls;
    }

    std::uint64_t moved = 0, calls = 0;

private:
    std::vector<std::byte> bytes_;
    std::vector<bool> written_;
};

template <class T>
void copy_planes(FieldView<const T> from, FieldView<T> to) {
    ASSERT_EQ(from.extents, to.extents);
    std::copy_n(from.data, from.size(), to.data);
}

template <class T>
struct Solved {
    Field<T> u;
    Result result;
};

template <class T>
Solved<T> solved_whole(const Problem& problem, const Field<T>& f, Middle middle, const BoundaryData<T>& data,
                       T scale) {
    Options options;
    options.engine = Engine::host;
    options.middle = middle;
    options.threads = 2;
    Solver<T> solver(problem, options);
    Solved<T> found{random_field<T>(problem.grid.points(), 99), {}};
    solver.solve(f.view(), found.u.view(), data, scale);
    found.result = solver.result();
    return found;
}

template <class T>
Solved<T> solved_in_slabs(SlabSolver<T>& solver, const Field<T>& f, const BoundaryData<T>& data, T scale) {
    const Extents points = f.extents();
    VectorStore store(solver.plan().store);
    Solved<T> found{filled_field<T>(points), {}};
    solver.forward(
        store,
        [&](Index first, FieldView<T> planes) {
            EXPECT_LE(planes.extents[0], solver.plan().planes);
            copy_planes<T>(f.view().slab(first, planes.extents[0]), planes);
        },
        data, scale);
    solver.middle(store);
    Index next = 0;
    solver.backward(store, [&](Index first, FieldView<const T> planes) {
        EXPECT_EQ(first, next);
        next = first + planes.extents[0];
        copy_planes<T>(planes, found.u.view().slab(first, planes.extents[0]));
    });
    EXPECT_EQ(next, points[0]);
    found.result = solver.result();
    // The slab of a gauge point is read once more.
    EXPECT_GE(store.moved, solver.plan().moved);
    EXPECT_LT(store.moved, solver.plan().moved + solver.plan().store + 1);
    return found;
}

/// The least bytes with which there is a plan.
template <class T>
std::size_t least_bytes(const Problem& problem, Middle middle) {
    std::size_t low = 0, high = std::size_t{1} << 26;
    while (low + 1 < high) {
        const std::size_t tried = (low + high) / 2;
        try {
            SlabSolver<T>::plan(problem, {.bytes = tried, .middle = middle});
            high = tried;
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::out_of_memory);
            low = tried;
        }
    }
    return high;
}

/// With the least memory, with some more, and with enough; by one thread and by two, which share planes of other
/// slabs.
template <class T>
void compare(const Problem& problem, Middle middle, const BoundaryData<T>& data = {}, T scale = T(1)) {
    const Field<T> f = random_field<T>(problem.grid.points(), 7);
    const Solved<T> whole = solved_whole<T>(problem, f, middle, data, scale);
    const std::size_t least = least_bytes<T>(problem, middle);
    int threads = 1;
    for (const std::size_t bytes : {least, least, least + least / 3, 2 * least + 100, std::size_t{1} << 30}) {
        threads = 3 - threads;
        SlabSolver<T> solver(problem, {.bytes = bytes, .threads = threads, .middle = middle});
        const SlabPlan plan = solver.plan();
        const std::string about = describe(problem) + ", " + std::to_string(plan.slabs) + " slabs, " +
                                  std::to_string(plan.blocks) + " blocks, middle " + name(middle);
        EXPECT_LE(plan.buffers, bytes) << about;
        for (int repeat = 0; repeat < 2; ++repeat) {
            const Solved<T> found = solved_in_slabs<T>(solver, f, data, scale);
            EXPECT_EQ(different(read(found.u), read(whole.u)), 0) << about;
            EXPECT_EQ(found.result.singular, whole.result.singular) << about;
            EXPECT_EQ(found.result.mean_removed, whole.result.mean_removed) << about;
        }
    }
}

template <class T>
class Slabs : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(Slabs, Types);

/// A sample of the mixes of kinds, which every kind on every axis is in.
TYPED_TEST(Slabs, HaveTheBitsOfTheWhole) {
    using T = TypeParam;
    for (int c = 0; c < combinations; c += 7)
        compare<T>(make_problem(combination(c), {11, 6, 17}, discretizations[c % 3 == 0], c % 4 == 0 ? 0.7 : 0.0),
                   Middle::transform, {}, T(c % 5 == 0 ? -2.5 : 1.0));
}

/// Thin boxes, whose lines lie across other axes, and the smallest.
TYPED_TEST(Slabs, MayBeThin) {
    using T = TypeParam;
    for (const int c : {0, 111, 222, 275, 666, 777, 838, 949})
        for (const Extents& points : {Extents{3, 3, 3},
                                      {41, 5, 3},
                                      {5, 41, 3},
                                      {37, 41, 3},
                                      {3, 4, 67},
                                      {70, 3, 33},
                                      {67, 35, 5},
                                      {4, 3, 5}})
            compare<T>(make_problem(combination(c), points), Middle::transform);
    for (const int c : {0, 222})
        for (const Extents& points : {Extents{1, 1, 1}, {1, 2, 3}, {3, 1, 2}, {2, 3, 1}, {29, 1, 1}, {1, 1, 29}})
            compare<T>(make_problem(combination(c), points), Middle::transform);
}

/// Larger ones, odd and prime, in which an axis is eliminated by itself: each of them.
TYPED_TEST(Slabs, EliminateAnAxis) {
    using T = TypeParam;
    for (const int c : {0, 111, 222, 333, 441, 627, 777})
        for (const Extents& points : {Extents{67, 40, 36}, {40, 67, 36}, {40, 36, 67}, {45, 101, 5}, {71, 36, 3}})
            for (const Middle middle : {Middle::automatic, Middle::eliminate})
                compare<T>(
                    make_problem(combination(c), points, Discretization::second_order, c % 2 == 0 ? 0.0 : 0.9),
                    middle);
}

TYPED_TEST(Slabs, MayBeUneven) {
    using T = TypeParam;
    const std::vector<Walls> walls = all_walls();
    for (int number = 0; number < 24; ++number) {
        Problem problem = make_problem({number % 10, (number + 3) % 10, (number + 7) % 10}, {19, 36, 21},
                                       Discretization::second_order, number % 3 == 0 ? 0.3 : 0.0);
        const bool several = number >= 12;
        for (int a = 0; a < 3; ++a)
            if (a == number % 3 || (several && a != number / 3 % 3))
                problem.grid.axes[a] =
                    stretched_axis(number % 2 == 0 ? Centering::cell : Centering::node,
                                   walls[static_cast<std::size_t>(number * (a + 1)) % walls.size()],
                                   problem.grid.axes[a].points, 5.0, 10 * number + a);
        compare<T>(problem, Middle::automatic);
    }
}

TYPED_TEST(Slabs, TakeBoundaryData) {
    using T = TypeParam;
    for (const int c : {111, 222, 333, 444, 166, 616, 661, 777, 848, 289, 973}) {
        const Problem problem = make_problem(combination(c), {9, 7, 18});
        const Extents points = problem.grid.points();
        const FaceArrays<T> faces(problem.grid, [&](int axis, int side, std::array<Index, 3> at) {
            at[axis] = side == 0 ? 0 : points[axis] - 1;
            return uniform(static_cast<std::uint64_t>((at[0] * 100 + at[1]) * 100 + at[2]), 5);
        });
        for (const Middle middle : {Middle::transform, Middle::eliminate})
            compare<T>(problem, middle, faces.data(), T(0.5));
    }
}

/// The constant: 0 at a point of any slab, exactly.
TYPED_TEST(Slabs, FixTheGauge) {
    using T = TypeParam;
    for (const int c : {0, 222, 555, 777, 250})
        for (const Middle middle : {Middle::transform, Middle::eliminate})
            for (const Extents& points : {Extents{13, 8, 19}, {37, 41, 3}})
                for (const Index plane : {Index{0}, points[0] / 2, points[0] - 1}) {
                    Problem problem = make_problem(combination(c), points);
                    problem.gauge.point = {plane, 5, 2};
                    compare<T>(problem, middle);
                }
}

/// Which axis is eliminated makes no difference to the value at the gauge point.
TYPED_TEST(Slabs, FixTheGaugeOfAnyMiddle) {
    using T = TypeParam;
    for (const Extents& points : {Extents{67, 12, 9}, {12, 67, 9}, {12, 9, 67}}) {
        Problem problem = make_problem(combination(222), points);
        problem.gauge.point = {7, 3, 4};
        compare<T>(problem, Middle::eliminate);
    }
}

/// L u, and L⁻¹ L u.
TYPED_TEST(Slabs, Multiply) {
    using T = TypeParam;
    for (const int c : {0, 111, 237, 666, 498})
        for (const Middle middle : {Middle::transform, Middle::automatic}) {
            const Problem problem = make_problem(combination(c), {43, 9, 20}, Discretization::second_order, 0.4);
            const Field<T> u = random_field<T>(problem.grid.points(), 3);
            Options options;
            options.engine = Engine::host;
            options.middle = middle;
            Field<T> expected = filled_field<T>(problem.grid.points());
            Field<T> found = filled_field<T>(problem.grid.points());
            Solver<T>(problem, options).apply(u.view(), expected.view(), T(2));
            SlabSolver<T> solver(problem, {.bytes = 2 * least_bytes<T>(problem, middle), .middle = middle});
            VectorStore store(solver.plan().store);
            solver.forward_product(
                store,
                [&](Index first, FieldView<T> planes) {
                    copy_planes<T>(u.view().slab(first, planes.extents[0]), planes);
                },
                T(2));
            solver.middle(store);
            solver.backward(store, [&](Index first, FieldView<const T> planes) {
                copy_planes<T>(planes, found.view().slab(first, planes.extents[0]));
            });
            EXPECT_EQ(different(read(found), read(expected)), 0) << describe(problem);
        }
}

/// Slabs are whole chunks, as far as memory allows.
TEST(SlabPlans, KeepChunksTogether) {
    const Problem problem = make_problem(combination(0), {96, 32, 32});
    const std::size_t plane = 32 * 32 * sizeof(double);
    for (const Index planes : {2, 3, 5, 8}) {
        const SlabPlan plan = SlabSolver<double>::plan(problem, {.bytes = 24 * plane, .planes = planes});
        EXPECT_EQ(plan.planes % planes, 0);
        EXPECT_GE(plan.planes, planes);
    }
    EXPECT_LE(SlabSolver<double>::plan(problem, {.bytes = 24 * plane, .planes = 50}).planes, 24);
}

/// Runs of many kilobytes from little memory: 1 TiB through 4 GiB.
TEST(SlabPlans, MoveLongRuns) {
    const Problem problem = make_problem(combination(222), {5120, 5120, 5120});
    const SlabPlan plan = SlabSolver<double>::plan(problem, {.bytes = std::size_t{4} << 30});
    EXPECT_EQ(plan.store, 5120ULL * 5120 * 5120 * 8);
    EXPECT_EQ(plan.moved, 4 * plan.store);
    EXPECT_LE(plan.buffers, std::size_t{4} << 30);
    EXPECT_GT(plan.store / static_cast<std::uint64_t>(plan.slabs * plan.blocks), 4U << 20);
    // More than is of use is not taken.
    EXPECT_LT(SlabSolver<double>::plan(problem, {.bytes = std::size_t{100} << 30}).buffers, std::size_t{4} << 30);
}

TEST(SlabPlans, SayWhatTheyLack) {
    const Problem problem = make_problem(combination(222), {64, 1000, 1000});
    expect_error(ErrorCode::out_of_memory, {"plane of axis x", "MiB", "KiB"},
                 [&] { SlabSolver<double>(problem, {.bytes = 100 << 10}); });
    Problem free = make_problem(combination(222), {8, 9, 10});
    free.grid.axes[1].lower = Boundary::free;
    expect_error(ErrorCode::unsupported, {"free faces", "axis y"}, [&] { SlabSolver<double> solver(free); });
}

}  // namespace
}  // namespace poisson3d
