// Batches: every field of one is solved as it would be alone, to the bit, wherever the fields lie, and nothing
// between them is touched.
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "device_field.hpp"
#include "expect_error.hpp"
#include "face_arrays.hpp"
#include "padded.hpp"
#include "problems.hpp"
#include "test_solver.hpp"

namespace poisson3d {
namespace {

using namespace test;

/// How the fields of a batch lie in one block of memory.
struct Layout {
    Strides strides;
    Index next, total;

    /// One behind the other, with gaps between rows, planes and fields.
    static Layout apart(const Extents& n, Index count, const Extents& gaps) {
        const Index row = n[2] + gaps[2];
        const Index plane = (n[1] + gaps[1]) * row;
        const Index field = n[0] * plane + gaps[0];
        return {{plane, row, 1}, field, count * field};
    }
    /// The rows of all fields side by side.
    static Layout side_by_side(const Extents& n, Index count) {
        return {{n[1] * count * n[2], count * n[2], 1}, n[2], n[0] * n[1] * count * n[2]};
    }
};

/// Fields of a batch where the engine under test wants them, all else NaN.
template <class T>
class Block {
public:
    Block(const Extents& points, Index count, const Layout& layout)
        : points_(points), count_(count), layout_(layout), host_({1, 1, layout.total}) {
        for (Index i = 0; i < layout.total; ++i) host_.data()[i] = nan_of<T>(i);
        if (on_device_under_test) device_.emplace(host_);
    }

    void put(Index field, const Field<T>& values) {
        const FieldView<T> to = on_host()[field];
        for_each([&](Index i, Index j, Index k) { to(i, j, k) = values.view()(i, j, k); });
        if (on_device_under_test) device_->put(host_);
    }
    void fetch() {
        if (on_device_under_test) host_ = device_->get();
    }
    [[nodiscard]] FieldBatch<T> batch() {
        return {FieldView<T>(on_device_under_test ? device_->view().data : host_.data(), points_, layout_.strides),
                count_, layout_.next};
    }
    [[nodiscard]] FieldBatch<T> on_host() {
        return {FieldView<T>(host_.data(), points_, layout_.strides), count_, layout_.next};
    }
    /// Elements outside all fields that no longer hold their NaN.
    [[nodiscard]] Index damage() {
        std::vector<bool> inside(static_cast<std::size_t>(layout_.total), false);
        for (Index b = 0; b < count_; ++b)
            for_each([&](Index i, Index j, Index k) { inside[&on_host()[b](i, j, k) - host_.data()] = true; });
        Index count = 0;
        for (Index i = 0; i < layout_.total; ++i)
            count += inside[i] || same_bits(host_.data()[i], nan_of<T>(i)) ? 0 : 1;
        return count;
    }

private:
    template <class Body>
    void for_each(const Body& body) const {
        for (Index i = 0; i < points_[0]; ++i)
            for (Index j = 0; j < points_[1]; ++j)
                for (Index k = 0; k < points_[2]; ++k) body(i, j, k);
    }

    Extents points_;
    Index count_;
    Layout layout_;
    Field<T> host_;
    std::optional<DeviceField<T>> device_;
};

/// Random fields, the last with a constant that singular problems lose.
template <class T>
std::vector<Field<T>> right_hand_sides(const Extents& points, Index count) {
    std::vector<Field<T>> all;
    for (Index b = 0; b < count; ++b) all.push_back(random_field<T>(points, 11 + static_cast<int>(b)));
    for (Index i = 0; i < all.back().size(); ++i) all.back().data()[i] += T(100);
    return all;
}

/// Solves `count` fields alone and together, f and u in the given layouts; the same block if `in_place`.
template <class T>
void check(const Problem& problem, Options options, Index count, const Layout& from, const Layout& to,
           bool in_place = false) {
    SCOPED_TRACE(describe(problem) + ", memory " + name(options.memory));
    const Extents points = problem.grid.points();
    const std::vector<Field<T>> f = right_hand_sides<T>(points, count);
    options.batch = count;
    Solver<T> solver(problem, options);
    EXPECT_EQ(solver.workspace(), Solver<T>::workspace_bytes(problem, options));
    TestSolver<T> alone(std::move(solver));
    std::vector<Field<T>> expected;
    std::vector<Result> removed;
    for (const Field<T>& one : f) {
        expected.push_back(filled_field<T>(points));
        alone.solve(one.view(), expected.back().view(), T(2));
        removed.push_back(alone.result());
    }
    const std::vector<PassReport> of_one = alone.passes();

    Block<T> in(points, count, from);
    for (Index b = 0; b < count; ++b) in.put(b, f[b]);
    Block<T> out(points, count, to);
    Block<T>& result = in_place ? in : out;
    alone.solver().solve(in.batch(), result.batch(), {}, T(2));
    const std::vector<Result> results = alone.solver().results();
    result.fetch();
    ASSERT_EQ(results.size(), static_cast<std::size_t>(count));
    for (Index b = 0; b < count; ++b) {
        EXPECT_EQ(different<T>(result.on_host()[b], read(expected[b])), 0) << "field " << b;
        EXPECT_EQ(results[b].singular, singular(problem));
        EXPECT_EQ(results[b].mean_removed, removed[b].mean_removed) << "field " << b;
    }
    EXPECT_EQ(alone.result().mean_removed, removed[0].mean_removed);
    EXPECT_EQ(result.damage(), 0);
    for (std::size_t p = 0; p < of_one.size(); ++p)
        EXPECT_EQ(alone.passes()[p].bytes, static_cast<double>(count) * of_one[p].bytes);
}

template <class T>
class Batches : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(Batches, Precisions);

TYPED_TEST(Batches, AreFieldsSolvedAlone) {
    const std::array<Extents, 4> sizes{{{9, 19, 13}, {20, 9, 8}, {3, 5, 34}, {23, 16, 12}}};
    for (int number = 0; number < combinations; number += 29) {
        const Extents points = sizes[number % 4];
        Problem problem = make_problem(combination(number), points, discretizations[number % 2]);
        if (number % 2 == 1) problem.gauge.point = {2, 4, 5};
        for (const Memory memory : all_memories) {
            Options options = test_options();
            options.memory = memory;
            options.threads = 2;
            const Index count = 2 + number % 4;
            const Layout dense = Layout::apart(points, count, {0, 0, 0});
            const Layout gaps = Layout::apart(points, count, {7, 1, 3});
            const Layout even = Layout::apart(points, count, {2, 2, points[2] % 2});
            const Layout rows = Layout::side_by_side(points, count);
            const bool needs_dense = needs_dense_solution(memory);
            check<TypeParam>(problem, options, count, dense, dense);
            check<TypeParam>(problem, options, count, rows, needs_dense ? dense : gaps);
            check<TypeParam>(problem, options, count, even, needs_dense ? dense : rows);
            check<TypeParam>(problem, options, count, needs_dense ? dense : gaps, gaps, true);
        }
    }
}

// More than goes through a pass together on a device.
TYPED_TEST(Batches, MayBeLarge) {
    const Extents points = on_device_under_test ? Extents{320, 361, 400} : Extents{64, 61, 72};
    const Index count = on_device_under_test
                            ? (Index{5} << 28) / (points[0] * points[1] * points[2] * Index{sizeof(TypeParam)})
                            : 7;
    const Layout dense = Layout::apart(points, count, {0, 0, 0});
    Options options = test_options();
    options.memory = Memory::fast;
    check<TypeParam>(make_problem({cell_nn, node_nn, cell_p}, points), options, count, dense, dense);
}

// More than a launch on a device has blocks in its third dimension.
TYPED_TEST(Batches, MayHaveVeryManyFields) {
    using T = TypeParam;
    const Problem problem = make_problem({cell_nn, cell_dn, cell_p}, {2, 3, 2});
    const Extents points = problem.grid.points();
    constexpr Index count = 66'000;
    const Layout dense = Layout::apart(points, count, {0, 0, 0});
    const Field<T> f = random_field<T>(points, 3);
    for (const Memory memory : all_memories) {
        Options options = test_options();
        options.memory = memory;
        options.batch = count;
        TestSolver<T> solver(problem, options);
        Field<T> expected = filled_field<T>(points);
        solver.solve(f.view(), expected.view());
        Block<T> in(points, 1, Layout::apart(points, 1, {0, 0, 0}));
        in.put(0, f);
        Block<T> out(points, count, dense);
        solver.solver().solve({in.batch().first, count, 0}, out.batch());
        out.fetch();
        Index wrong = 0;
        for (Index b = 0; b < count; ++b) wrong += different<T>(out.on_host()[b], read(expected)) == 0 ? 0 : 1;
        EXPECT_EQ(wrong, 0) << name(memory);
    }
}

// Fewer fields than planned, and one f for all.
TYPED_TEST(Batches, MayBeShortAndShareTheirRightHandSide) {
    using T = TypeParam;
    const Problem problem = make_problem({cell_nn, node_dn, cell_p}, {8, 10, 12});
    const Extents points = problem.grid.points();
    Options options = test_options();
    options.batch = 7;
    TestSolver<T> solver(problem, options);
    const Field<T> f = random_field<T>(points, 3);
    Field<T> expected = filled_field<T>(points);
    solver.solve(f.view(), expected.view());
    Block<T> in(points, 1, Layout::apart(points, 1, {0, 0, 0}));
    in.put(0, f);
    Block<T> out(points, 3, Layout::apart(points, 3, {0, 0, 0}));
    solver.solver().solve({in.batch().first, 3, 0}, out.batch());
    EXPECT_EQ(solver.solver().results().size(), 3U);
    out.fetch();
    for (Index b = 0; b < 3; ++b) EXPECT_EQ(different<T>(out.on_host()[b], read(expected)), 0) << b;
}

// Every field has data of its own on one face, all share that of the others.
TYPED_TEST(Batches, HaveBoundaryDataEachOrTogether) {
    using T = TypeParam;
    for (const Kinds& kinds :
         {Kinds{node_dd, cell_dn, node_dn}, {cell_nn, node_nn, node_dd}, {cell_dd, cell_dd, cell_nn}})
        for (const Extents& points : {Extents{9, 11, 13}, {8, 6, 17}, {24, 9, 6}}) {
            const Problem problem = make_problem(kinds, points);
            SCOPED_TRACE(describe(problem));
            constexpr Index count = 3;
            Options options = test_options();
            options.batch = count;
            TestSolver<T> solver(problem, options);
            const std::vector<Field<T>> f = right_hand_sides<T>(points, count);
            for (int axis = 0; axis < 3; ++axis) {
                const auto [rows, columns] = extents_of_face(points, axis);
                const Field<T> own = random_field<T>({count, rows, columns}, 5);
                const Field<T> shared = random_field<T>({1, rows, columns}, 6);
                const auto data = [&](const T* own_data, const T* shared_data, Index field) {
                    BoundaryData<T> all;
                    all.faces[axis][0] = {T(0), own_data + field * rows * columns, columns, rows * columns};
                    all.faces[axis][1] = {T(0), shared_data, columns, 0};
                    all.faces[(axis + 1) % 3][1].constant = T(0.5);
                    return all;
                };
                std::vector<Field<T>> expected;
                for (Index b = 0; b < count; ++b) {
                    expected.push_back(filled_field<T>(points));
                    solver.solve(f[b].view(), expected.back().view(), data(own.data(), shared.data(), b), T(-2));
                }
                const Layout dense = Layout::apart(points, count, {0, 0, 0});
                Block<T> in(points, count, dense);
                for (Index b = 0; b < count; ++b) in.put(b, f[b]);
                Block<T> out(points, count, dense);
                if (on_device_under_test) {
                    const DeviceField<T> own_there(own);
                    const DeviceField<T> shared_there(shared);
                    solver.solver().solve(in.batch(), out.batch(),
                                          data(own_there.view().data, shared_there.view().data, 0), T(-2));
                    (void)solver.result();  // waits: the arrays go
                } else {
                    solver.solver().solve(in.batch(), out.batch(), data(own.data(), shared.data(), 0), T(-2));
                }
                out.fetch();
                for (Index b = 0; b < count; ++b)
                    EXPECT_EQ(different<T>(out.on_host()[b], read(expected[b])), 0) << "field " << b;
            }
        }
}

TEST(BatchErrors, NameWhatWasFound) {
    const Problem problem = make_problem({cell_nn, cell_dd, cell_p}, {4, 5, 6});
    Options options = test_options();
    options.batch = 0;
    expect_error(ErrorCode::usage, {"found a batch of 0", "1 or more"}, [&] { Solver<double>(problem, options); });
    options.batch = 2;
    Solver<double> solver(problem, options);
    Block<double> f({4, 5, 6}, 3, Layout::apart({4, 5, 6}, 3, {0, 0, 0}));
    FieldBatch<double> two = f.batch();
    two.count = 2;
    FieldBatch<double> none = f.batch();
    none.count = 0;
    expect_error(ErrorCode::usage, {"batch of 3 fields", "1 to 2"}, [&] { solver.solve(f.batch(), f.batch()); });
    expect_error(ErrorCode::usage, {"3 fields f", "2 fields u"}, [&] { solver.solve(f.batch(), two); });
    expect_error(ErrorCode::usage, {"batch of 0 fields"}, [&] { solver.solve(none, none); });
    f.fetch();
    EXPECT_TRUE(same_bits(f.on_host()[0](0, 0, 0), nan_of<double>(0))) << "a refused call wrote";
}

}  // namespace
}  // namespace poisson3d
