// The gradient on a device: that of the host to rounding, for whatever a field may look like; asynchronous, and
// captured in a CUDA graph.
#include <gtest/gtest.h>

#include <cmath>

#include "cuda_stream.hpp"
#include "face_arrays.hpp"
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
void compare(const Kinds& which, const Extents& points, Worst<T>& worst) {
    const Problem problem = make_problem(which, points);
    const Field<T> u = random_field<T>(points, 3);
    const FaceArrays<T> faces = random_faces<T>(problem.grid);
    Options on_host;
    on_host.engine = Engine::host;
    on_host.threads = 1;
    GradientFields<T> expected(points);
    Gradient<T>(problem, on_host).evaluate(read(u), expected.views(), faces.data());
    GradientFields<T> found = gradient_of<T>(problem, read(u), faces.data());
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
TEST(DeviceGradient, MayBeCapturedInAGraph) {
    const Extents points{17, 33, 65};
    const Problem problem = make_problem({cell_dd, node_dn, cell_p}, points);
    const std::size_t bytes = static_cast<std::size_t>(points[0] * points[1] * points[2]) * sizeof(double);
    Gradient<double> gradient(problem, test_options());
    DeviceBuffer u(bytes);
    const std::array<DeviceBuffer, 3> out{DeviceBuffer(bytes), DeviceBuffer(bytes), DeviceBuffer(bytes)};
    Components<double> views;
    for (int a = 0; a < 3; ++a) views[a] = {static_cast<double*>(out[a].data()), points};
    const FieldView<const double> from(static_cast<const double*>(u.data()), points);
    BoundaryData<double> boundary;
    boundary.faces[0][1].constant = 0.75;

    const CudaStream stream;
    gradient.evaluate(from, views, boundary, stream);  // loads the kernel, which cannot be captured
    synchronize(stream);
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    check(cudaStreamBeginCapture(stream.handle(), cudaStreamCaptureModeGlobal), "begin of capture");
    gradient.evaluate(from, views, boundary, stream);
    check(cudaStreamEndCapture(stream.handle(), &graph), "end of capture");
    check(cudaGraphInstantiate(&executable, graph, 0), "graph");
    std::size_t nodes = 0;
    check(cudaGraphGetNodes(graph, nullptr, &nodes), "nodes");
    EXPECT_EQ(nodes, 1U);
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

}  // namespace
}  // namespace poisson3d
