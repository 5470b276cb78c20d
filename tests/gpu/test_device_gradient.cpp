// The gradient on a device: that of the host to rounding, for whatever a field may look like; asynchronous, and
// captured in a CUDA graph.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "cuda_stream.hpp"
#include "device_field.hpp"
#include "face_arrays.hpp"
#include "padded.hpp"
#include "test_gradient.hpp"
#include "worst.hpp"

namespace poisson3d {
namespace {

using namespace test;

/// Random values on all faces.
template <class T>
FaceArrays<T> random_faces(const Grid& grid) {
    return FaceArrays<T>(grid, [&](int axis, int side, auto at) {
        return uniform(((at[0] * 8192 + at[1]) * 8192 + at[2]) * 6 + axis * 2 + side, 2);
    });
}

template <class T>
GradientFields<T> of_host(const Problem& problem, const Field<T>& u, const BoundaryData<T>& boundary = {}) {
    Options options;
    options.engine = Engine::host;
    options.threads = 1;
    GradientFields<T> gradient(u.extents());
    Gradient<T>(problem, options).evaluate(read(u), gradient.views(), boundary);
    return gradient;
}

template <class T>
void compare(const Kinds& which, const Extents& points, Worst<T>& worst) {
    const Problem problem = make_problem(which, points);
    const Field<T> u = random_field<T>(points, 3);
    const FaceArrays<T> faces = random_faces<T>(problem.grid);
    const GradientFields<T> expected = of_host(problem, u, faces.data());
    const GradientFields<T> found = gradient_of<T>(problem, read(u), faces.data());
    for (int a = 0; a < 3; ++a) {
        double difference = 0.0;
        for (Index i = 0; i < u.size(); ++i) {
            const double distance = std::abs(static_cast<double>(found.fields[a].data()[i]) -
                                             static_cast<double>(expected.fields[a].data()[i]));
            difference = distance <= difference ? difference : distance;
        }
        // Values up to 1 with weights up to 8 in all, and data up to 1.
        worst.check(difference, 8 * tolerance::eps<T> * (1 / problem.grid.axes[a].spacing + 1), describe(problem));
    }
}

/// The same through the modes, where all points have a part in every value: ‖difference‖ against ‖u‖ times the
/// largest κ.
template <class T>
void compare_spectral(const Kinds& which, Extents points, Worst<T>& worst) {
    for (int a = 0; a < 3; ++a) points[a] = std::max(points[a], smallest_points(which)[a]);
    const Problem problem = make_problem(which, points, Discretization::spectral);
    const Field<T> u = random_field<T>(points, 3);
    const GradientFields<T> expected = of_host(problem, u);
    const GradientFields<T> found = gradient_of<T>(problem, read(u));
    double norm = 0.0;
    for (Index i = 0; i < u.size(); ++i) norm += std::pow(static_cast<double>(u.data()[i]), 2);
    for (int a = 0; a < 3; ++a) {
        double difference = 0.0;
        for (Index i = 0; i < u.size(); ++i)
            difference += std::pow(
                static_cast<double>(found.fields[a].data()[i]) - static_cast<double>(expected.fields[a].data()[i]),
                2);
        const double steepest = std::numbers::pi / problem.grid.axes[a].spacing;
        worst.check(std::sqrt(difference), 2 * tolerance::solve<T>(points) * steepest * std::sqrt(norm),
                    describe(problem) + ", component " + std::to_string(a));
    }
}

TEST(DeviceGradient, IsThatOfTheHostForEveryMix) {
    Worst<double> worst("gradient");
    Worst<float> worst_float("gradient");
    for (int number = 0; number < combinations; ++number) {
        const Kinds which = combination(number);
        Extents points{5, 3, 7};
        points[number % 3] = smallest_points(which)[number % 3];
        compare<double>(which, points, worst);
        compare<float>(which, points, worst_float);
    }
}

TEST(DeviceGradient, IsThatOfTheHostAtManySizes) {
    Worst<double> worst("gradient");
    Worst<float> worst_float("gradient");
    const std::array<Extents, 9> sizes{{{33, 47, 129},
                                        {64, 64, 64},
                                        {31, 2, 3},
                                        {2049, 3, 5},
                                        {3, 1500, 2},
                                        {3, 2, 4099},
                                        {101, 7, 53},
                                        {2, 3, 257},
                                        {5, 4, 256}}};
    for (int kind = 0; kind < 10; ++kind)
        for (Extents points : sizes) {
            const Kinds which{kind, (kind + 3) % 10, (kind + 6) % 10};
            for (int a = 0; a < 3; ++a) points[a] = std::max(points[a], smallest_points(which)[a]);
            compare<double>(which, points, worst);
            compare<float>(which, points, worst_float);
        }
}

TEST(DeviceGradient, ThroughTheModesIsThatOfTheHost) {
    Worst<double> worst("gradient");
    Worst<float> worst_float("gradient");
    const std::array<Extents, 7> sizes{
        {{33, 47, 129}, {101, 7, 53}, {31, 2, 3}, {1021, 3, 5}, {3, 1500, 2}, {3, 2, 2053}, {1, 1, 1}}};
    for (int kind = 0; kind < 10; ++kind)
        for (const Extents& points : sizes) {
            const Kinds which{kind, (kind + 3) % 10, (kind + 6) % 10};
            compare_spectral<double>(which, points, worst);
            compare_spectral<float>(which, points, worst_float);
        }
}

// More than 64 MiB: the field goes through in several slabs, of which the last one overlaps the one before.
TEST(DeviceGradient, ThroughTheModesIsThatOfTheHostInSeveralSlabs) {
    Worst<double> worst("gradient");
    Worst<float> worst_float("gradient");
    compare_spectral<double>({cell_dd, node_dd, cell_p}, {203, 211, 223}, worst);
    compare_spectral<float>({node_nn, cell_dn, node_nd}, {271, 257, 263}, worst_float);
}

// The same plan for fields of other strides: nothing of the one before is left.
TEST(DeviceGradient, ThroughTheModesTakesAnyStridesInTurn) {
    const Extents points{13, 17, 19};
    const Problem problem = make_problem({cell_dn, node_nn, cell_p}, points, Discretization::spectral);
    const Field<double> u = random_field<double>(points, 8);
    const GradientFields<double> expected = gradient_of<double>(problem, read(u));
    TestGradient<double> gradient(problem);
    for (const Index gap : {0, 3, 0, 1, 3}) {
        Padded<double> from(points, {0, 0, 0}, {0, gap, 2 * gap});
        from.fill(read(u));
        std::array<Padded<double>, 3> out{Padded<double>(points, {0, 0, gap}, {0, 0, 0}),
                                          Padded<double>(points, {0, 0, 0}, {0, 0, gap}),
                                          Padded<double>(points, {0, gap, 0}, {0, 0, 0})};
        gradient.evaluate(from.view(), {out[0].view(), out[1].view(), out[2].view()});
        for (int a = 0; a < 3; ++a) {
            EXPECT_EQ(different<double>(out[a].view(), read(expected.fields[a])), 0) << a;
            EXPECT_EQ(out[a].damage(), 0) << a;
        }
    }
}

// An engine that was chosen for the caller takes device memory with the first fields there.
TEST(DeviceGradient, OfAnAutomaticPlanTakesFieldsOnBothSides) {
    const Extents points{9, 8, 7};
    const Problem problem = make_problem({cell_dd, node_dn, cell_p}, points, Discretization::spectral);
    const Field<double> u = random_field<double>(points);
    Gradient<double> gradient(problem);
    EXPECT_NE(gradient.engine(), Engine::host);
    EXPECT_EQ(gradient.workspace(), 0U);
    const GradientFields<double> expected = of_host(problem, u);
    GradientFields<double> found(points);
    gradient.evaluate(read(u), found.views());
    for (int a = 0; a < 3; ++a) EXPECT_EQ(different<double>(read(found.fields[a]), read(expected.fields[a])), 0);
    const std::size_t of_threads = gradient.workspace();
    const DeviceField<double> from(u);
    const DeviceField<double> to(points);
    gradient.evaluate(from.view(), {FieldView<double>{}, to.view(), FieldView<double>{}});
    EXPECT_EQ(gradient.workspace(), of_threads + Gradient<double>::workspace_bytes(problem));
    const GradientFields<double> there = gradient_of<double>(problem, read(u));
    EXPECT_EQ(different<double>(read(to.get()), read(there.fields[1])), 0);
}

// Fields in host memory are differentiated there, by the same plan.
TEST(DeviceGradient, TakesFieldsInHostMemory) {
    const Problem problem = make_problem({cell_dd, node_dn, cell_p}, {9, 8, 7});
    const Field<double> u = random_field<double>({9, 8, 7});
    Gradient<double> gradient(problem, test_options());
    GradientFields<double> found({9, 8, 7});
    gradient.evaluate(read(u), found.views());
    Options on_host;
    on_host.engine = Engine::host;
    GradientFields<double> expected({9, 8, 7});
    Gradient<double>(problem, on_host).evaluate(read(u), expected.views());
    for (int a = 0; a < 3; ++a) EXPECT_EQ(different<double>(read(found.fields[a]), read(expected.fields[a])), 0);
    GradientFields<double> elsewhere({9, 8, 7});
    DeviceBuffer device(u.size() * sizeof(double));
    Components<double> views = elsewhere.views();
    views[1].data = static_cast<double*>(device.data());
    try {
        gradient.evaluate(read(u), views);
        ADD_FAILURE() << "fields on both sides were taken";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::usage);
    }
}

// A capture refuses every allocation and every wait.
void capture(const Problem& problem, const BoundaryData<double>& boundary, std::size_t wanted_nodes) {
    const Extents points = problem.grid.points();
    const std::size_t bytes = static_cast<std::size_t>(points[0] * points[1] * points[2]) * sizeof(double);
    Gradient<double> gradient(problem, test_options());
    DeviceBuffer u(bytes);
    const std::array<DeviceBuffer, 3> out{DeviceBuffer(bytes), DeviceBuffer(bytes), DeviceBuffer(bytes)};
    Components<double> views;
    for (int a = 0; a < 3; ++a) views[a] = {static_cast<double*>(out[a].data()), points};
    const FieldView<const double> from(static_cast<const double*>(u.data()), points);

    const CudaStream stream;
    gradient.evaluate(from, views, boundary, stream);  // loads the kernels, which cannot be captured
    synchronize(stream);
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    check(cudaStreamBeginCapture(stream.handle(), cudaStreamCaptureModeGlobal), "begin of capture");
    gradient.evaluate(from, views, boundary, stream);
    check(cudaStreamEndCapture(stream.handle(), &graph), "end of capture");
    check(cudaGraphInstantiate(&executable, graph, 0), "graph");
    std::size_t nodes = 0;
    check(cudaGraphGetNodes(graph, nullptr, &nodes), "nodes");
    if (wanted_nodes > 0) {
        EXPECT_EQ(nodes, wanted_nodes);
    }
    for (std::uint64_t seed = 0; seed < 2; ++seed) {
        const Field<double> values = random_field<double>(points, seed);
        copy_to_device(u.data(), values.data(), bytes, stream);
        check(cudaGraphLaunch(executable, stream.handle()), "launch of a graph");
        GradientFields<double> expected = gradient_of<double>(problem, read(values), boundary);
        for (int a = 0; a < 3; ++a) {
            Field<double> found(points);
            copy_to_host(found.data(), out[a].data(), bytes, stream);
            EXPECT_EQ(different<double>(read(found), read(expected.fields[a])), 0) << a;
        }
    }
    check(cudaGraphExecDestroy(executable), "graph");
    check(cudaGraphDestroy(graph), "graph");
}

TEST(DeviceGradient, MayBeCapturedInAGraph) {
    BoundaryData<double> boundary;
    boundary.faces[0][1].constant = 0.75;
    capture(make_problem({cell_dd, node_dn, cell_p}, {17, 33, 65}), boundary, 1);
}

TEST(DeviceGradient, ThroughTheModesMayBeCapturedInAGraph) {
    capture(make_problem({cell_dd, node_nn, cell_p}, {17, 33, 65}, Discretization::spectral), {}, 0);
    // All derivatives along x are 0.
    capture(make_problem({node_nn, node_dn, cell_dd}, {2, 31, 37}, Discretization::spectral), {}, 0);
}

}  // namespace
}  // namespace poisson3d
