// Gradients into fields as users have them: pitches, ghost layers, some components only, some planes only; with any
// number of threads. Everywhere the bits of the plain evaluation, and nothing else is touched. What is refused.
#include <gtest/gtest.h>

#include "expect_error.hpp"
#include "face_arrays.hpp"
#include "padded.hpp"
#include "test_gradient.hpp"

namespace poisson3d {
namespace {

using namespace test;

/// A sample of mixes with random values on all faces, at extents with whole and ragged blocks on every axis.
template <class T, class Body>
void for_each_problem(Body body) {
    const std::array<Extents, 3> sizes{{{9, 19, 13}, {20, 9, 8}, {3, 5, 34}}};
    for (int number = 0; number < combinations; number += 37) {
        const bool spectral = number % 2 == 1;
        const Problem problem = make_problem(combination(number), sizes[number % 3],
                                             spectral ? Discretization::spectral : Discretization::second_order);
        const FaceArrays<T> faces(problem.grid, [&](int axis, int side, auto at) {
            return uniform(((at[0] * 64 + at[1]) * 64 + at[2]) * 6 + axis * 2 + side, 5);
        });
        body(problem, spectral ? BoundaryData<T>{} : faces.data());
    }
}

template <class T>
class GradientViews : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(GradientViews, Precisions);

TYPED_TEST(GradientViews, PitchesAndGhostLayersAreNeitherReadNorWritten) {
    using T = TypeParam;
    for_each_problem<T>([](const Problem& problem, const BoundaryData<T>& boundary) {
        const Extents points = problem.grid.points();
        const Field<T> values = random_field<T>(points, 3);
        GradientFields<T> expected = gradient_of<T>(problem, read(values), boundary);
        Padded<T> u(points, {1, 2, 3}, {2, 0, 5});
        u.fill(read(values));
        const Padded<T> before = u;
        std::array<Padded<T>, 3> out{Padded<T>(points, {0, 1, 2}, {1, 0, 1}),
                                     Padded<T>(points, {2, 0, 1}, {0, 3, 4}),
                                     Padded<T>(points, {0, 0, 0}, {0, 0, 7})};
        TestGradient<T> gradient(problem);
        for (int again = 0; again < 2; ++again) {
            gradient.evaluate(u.view(), {out[0].view(), out[1].view(), out[2].view()}, boundary);
            for (int a = 0; a < 3; ++a) {
                EXPECT_EQ(different<T>(out[a].view(), read(expected.fields[a])), 0) << describe(problem) << a;
                EXPECT_EQ(out[a].damage(), 0) << describe(problem) << a;
            }
            EXPECT_EQ(u.differs_from(before), 0) << "u was written: " << describe(problem);
        }
    });
}

TYPED_TEST(GradientViews, ComponentsMayBeLeftOut) {
    using T = TypeParam;
    for_each_problem<T>([](const Problem& problem, const BoundaryData<T>& boundary) {
        const Field<T> u = random_field<T>(problem.grid.points(), 4);
        GradientFields<T> expected = gradient_of<T>(problem, read(u), boundary);
        TestGradient<T> gradient(problem);
        for (int wanted = 0; wanted < 8; ++wanted) {
            GradientFields<T> found(problem.grid.points());
            Components<T> views = found.views();
            for (int a = 0; a < 3; ++a)
                if ((wanted >> a & 1) == 0) views[a] = {};
            gradient.evaluate(read(u), views, boundary);
            const Field<T> untouched = filled_field<T>(problem.grid.points());
            for (int a = 0; a < 3; ++a) {
                const Field<T>& right = (wanted >> a & 1) == 0 ? untouched : expected.fields[a];
                EXPECT_EQ(different<T>(read(found.fields[a]), read(right)), 0) << describe(problem) << a;
            }
        }
    });
}

TYPED_TEST(GradientViews, PlanesAreThoseOfTheWhole) {
    using T = TypeParam;
    for_each_problem<T>([](const Problem& problem, const BoundaryData<T>& boundary) {
        if (problem.discretization == Discretization::spectral) return;
        const Extents points = problem.grid.points();
        const Field<T> u = random_field<T>(points, 6);
        GradientFields<T> expected = gradient_of<T>(problem, read(u), boundary);
        TestGradient<T> gradient(problem);
        for (Index first = 0; first < points[0]; ++first)
            for (const Index count : {Index{1}, Index{2}, points[0] - first}) {
                if (first + count > points[0]) continue;
                const Extents part{count, points[1], points[2]};
                Padded<T> x(part, {1, 0, 0}, {1, 0, 0});
                Padded<T> z(part, {1, 0, 0}, {1, 0, 0});
                gradient.evaluate_planes(read(u), first, {x.view(), FieldView<T>{}, z.view()}, boundary);
                EXPECT_EQ(different<T>(x.view(), read(expected.fields[0]).slab(first, count)), 0)
                    << describe(problem);
                EXPECT_EQ(different<T>(z.view(), read(expected.fields[2]).slab(first, count)), 0)
                    << describe(problem);
                EXPECT_EQ(x.damage() + z.damage(), 0) << describe(problem);
            }
    });
}

TYPED_TEST(GradientViews, ThreadsAndWorkspaceDoNotChangeBits) {
    using T = TypeParam;
    for_each_problem<T>([](const Problem& problem, const BoundaryData<T>& boundary) {
        const Field<T> u = random_field<T>(problem.grid.points(), 7);
        Options options = test_options();
        options.threads = 1;
        GradientFields<T> expected = gradient_of<T>(problem, read(u), boundary, options);
        options.threads = 3;
        const std::size_t bytes = Gradient<T>::workspace_bytes(problem, options);
        HostBuffer memory(on_device_under_test ? 0 : bytes);
        DeviceBuffer device_memory;
        if (on_device_under_test && bytes > 0) device_memory = DeviceBuffer(bytes);
        void* const workspace = on_device_under_test ? device_memory.data() : memory.data();
        options.workspace = {static_cast<std::byte*>(workspace), bytes};
        TestGradient<T> gradient(problem, options);
        EXPECT_EQ(gradient.plain().workspace(), bytes);
        EXPECT_EQ(gradient.plain().threads(), on_device_under_test ? 0 : 3);
        EXPECT_EQ(gradient.plain().engine(), engine_under_test);
        GradientFields<T> found(problem.grid.points());
        gradient.evaluate(read(u), found.views(), boundary);
        for (int a = 0; a < 3; ++a)
            EXPECT_EQ(different<T>(read(found.fields[a]), read(expected.fields[a])), 0) << describe(problem) << a;
    });
}

TEST(GradientRefuses, WhatMakesNoSense) {
    const Problem problem = make_problem({cell_p, cell_dd, node_nn}, {4, 5, 6});
    const Field<double> u = random_field<double>({4, 5, 6});
    GradientFields<double> out({4, 5, 6});
    TestGradient<double> gradient(problem);
    const auto refuse = [&](const std::vector<std::string>& words, FieldView<const double> from,
                            const Components<double>& to, const BoundaryData<double>& data = {}) {
        expect_error(ErrorCode::usage, words, [&] { gradient.evaluate(from, to, data); });
    };
    refuse({"field u", "null"}, FieldView<const double>(nullptr, {4, 5, 6}), out.views());
    refuse({"field u", "4 x 5 x 5", "4 x 5 x 6"}, FieldView<const double>(u.data(), {4, 5, 5}), out.views());
    Components<double> views = out.views();
    views[1].extents[0] = 3;
    refuse({"field d/dy", "3 x 5 x 6"}, read(u), views);
    views = out.views();
    views[2].strides = {30, 5, 1};
    refuse({"field d/dz", "strides 30 x 5 x 1"}, read(u), views);
    BoundaryData<double> data;
    data.faces[0][1].constant = 2.0;
    refuse({"x_upper", "periodic"}, read(u), out.views(), data);
    const auto planes = [&](Index first, Index count) {
        Components<double> part;
        part[0] = FieldView<double>(out.fields[0].data(), {count, 5, 6});
        expect_error(ErrorCode::usage, {"plane"}, [&] { gradient.evaluate_planes(read(u), first, part); });
    };
    planes(-1, 2);
    planes(3, 2);
    views = {};
    views[0] = FieldView<double>(out.fields[0].data(), {1, 5, 6});
    views[1] = FieldView<double>(out.fields[1].data(), {2, 5, 6});
    expect_error(ErrorCode::usage, {"d/dy"}, [&] { gradient.evaluate_planes(read(u), 0, views); });
    Options options = test_options();
    options.threads = -1;
    expect_error(ErrorCode::usage, {"threads"}, [&] { Gradient<double>(problem, options); });
}

TEST(GradientRefuses, WhatItCannotDo) {
    const Problem problem = make_problem({cell_p, cell_dd, node_nn}, {4, 5, 6}, Discretization::spectral);
    const Field<double> u = random_field<double>({4, 5, 6});
    GradientFields<double> out({4, 5, 6});
    TestGradient<double> gradient(problem);
    BoundaryData<double> data;
    data.faces[1][0].constant = 1.0;
    expect_error(ErrorCode::unsupported, {"boundary data", "second-order"},
                 [&] { gradient.evaluate(read(u), out.views(), data); });
    expect_error(ErrorCode::unsupported, {"plane by plane"},
                 [&] { gradient.evaluate_planes(read(u), 0, out.views()); });
    Options options = test_options();
    for (const Engine engine : {Engine::cufft, Engine::fused}) {
        if (engine_unavailable(engine).empty()) continue;
        options.engine = engine;
        EXPECT_THROW(Gradient<double>(problem, options), Error) << name(engine);
    }
    options = test_options();
    std::byte small[64];
    options.workspace = small;
    expect_error(ErrorCode::usage, {"workspace"}, [&] { Gradient<double>(problem, options); });
}

}  // namespace
}  // namespace poisson3d
