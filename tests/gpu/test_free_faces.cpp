// Free faces on a device: the solutions of the host, and values on the faces with which the equations hold.
#include <gtest/gtest.h>

#include "agreement.hpp"
#include "free_mixes.hpp"
#include "poisson3d/gradient.hpp"
#include "poisson3d/residual.hpp"
#include "tolerance.hpp"

namespace poisson3d {
namespace {

using namespace test;

class FreeFacesOnADevice : public testing::Test {
protected:
    void SetUp() override {
        if (engine_under_test != Engine::fused) GTEST_SKIP() << "only engine fused has free faces";
    }

    template <class Body>
    static void for_each_problem(const Extents& points, const Body& body) {
        int number = 0;
        for (const Mix& mix : free_mixes()) {
            const Problem problem =
                make_problem(mix, points, Discretization::second_order, number++ % 3 == 0 ? 0.4 : 0.0);
            body(problem, mix);
        }
    }
};

TEST_F(FreeFacesOnADevice, AgreeWithTheHost) {
    Agreement agreement;
    // Lines by radix steps, and others.
    for (const Extents& points : {Extents{9, 12, 10}, {16, 9, 15}})
        for_each_problem(points, [&](const Problem& problem, const Mix&) { agreement.check_all(problem); });
}

/// Few enough for tools that check every access.
TEST_F(FreeFacesOnADevice, AgreeWithTheHostInSmallBoxes) {
    Agreement agreement;
    const Kind& cells = free_kinds[cell_ff];
    for (const Extents& points : {Extents{5, 4, 7}, {1, 2, 3}, {15, 9, 16}}) {
        agreement.check(make_problem({cells, cells, cells}, points), Memory::fast, Memory::standard);
        agreement.check(make_problem({free_kinds[cell_df], kinds[cell_p], cells}, points), Memory::fast,
                        Memory::standard);
    }
}

TEST_F(FreeFacesOnADevice, AgreeWithTheHostInLargerBoxes) {
    Agreement agreement;
    const Mix cells{free_kinds[cell_ff], free_kinds[cell_ff], free_kinds[cell_ff]};
    for (const Extents& points : {Extents{64, 48, 80}, {37, 101, 20}, {130, 5, 66}, {135, 9, 300}, {18, 256, 9}}) {
        agreement.check_all(make_problem(cells, points));
        agreement.check_all(make_problem({free_kinds[cell_ff], kinds[cell_p], free_kinds[cell_fn]}, points));
        agreement.check_all(make_problem({kinds[node_dd], kinds[cell_nn], free_kinds[node_fd]}, points));
    }
}

/// Padded lines.
TEST_F(FreeFacesOnADevice, AgreeWithTheHostSpectrally) {
    Agreement agreement;
    int number = 0;
    for (const Mix& mix : free_mixes())
        agreement.check(make_problem(mix, {9, 12, 10}, Discretization::spectral, number++ % 3 == 0 ? 0.4 : 0.0),
                        Memory::fast, Memory::standard);
}

/// Few enough for tools that check every access.
TEST_F(FreeFacesOnADevice, AgreeWithTheHostSpectrallyInSmallBoxes) {
    Agreement agreement;
    const Kind& cells = free_kinds[cell_ff];
    for (const Extents& points : {Extents{5, 4, 7}, Extents{1, 2, 3}, Extents{32, 32, 3}, Extents{4, 3, 32}}) {
        agreement.check(make_problem({cells, cells, cells}, points, Discretization::spectral), Memory::fast,
                        Memory::standard);
        agreement.check(make_problem({free_kinds[cell_df], kinds[cell_p], cells}, points, Discretization::spectral),
                        Memory::fast, Memory::standard);
        agreement.check(
            make_problem({kinds[node_nd], free_kinds[node_nf], kinds[cell_dn]}, points, Discretization::spectral),
            Memory::fast, Memory::standard);
    }
}

/// With every kind of outer step, large primes, and in several slabs.
TEST_F(FreeFacesOnADevice, AgreeWithTheHostSpectrallyInLargerBoxes) {
    Agreement agreement;
    const Mix cells{free_kinds[cell_ff], free_kinds[cell_ff], free_kinds[cell_ff]};
    for (const Extents& points : {Extents{64, 48, 80}, {37, 101, 20}, {130, 5, 66}, {160, 160, 256}})
        agreement.check(make_problem(cells, points, Discretization::spectral), Memory::fast, Memory::standard);
    for (const Extents& points : {Extents{64, 48, 80}, {37, 101, 20}}) {
        agreement.check_all(make_problem({free_kinds[cell_ff], kinds[cell_p], free_kinds[cell_fn]}, points,
                                         Discretization::spectral));
        agreement.check_all(
            make_problem({kinds[node_dd], kinds[cell_nn], free_kinds[node_fd]}, points, Discretization::spectral));
        agreement.check_all(make_problem({free_kinds[node_nf], free_kinds[node_fd], kinds[cell_dn]}, points,
                                         Discretization::spectral));
    }
}

/// By DFTs of radix 8 along all axes: lines of known lengths and others, in several slabs, beside periodic axes.
TEST_F(FreeFacesOnADevice, AgreeWithTheHostByComplexLines) {
    Agreement agreement;
    const Kind &cells = free_kinds[cell_ff], &periodic = kinds[cell_p];
    for (const Extents& points : {Extents{32, 32, 512},
                                  {32, 512, 32},
                                  {512, 32, 32},
                                  {96, 128, 160},
                                  {256, 32, 64},
                                  {32, 32, 1024},
                                  {32, 1024, 32},
                                  {1024, 32, 32},
                                  {1024, 40, 36},
                                  {36, 1024, 40},
                                  {40, 36, 1024},
                                  {512, 512, 32}})
        agreement.check(make_problem({cells, cells, cells}, points, Discretization::spectral), Memory::fast,
                        Memory::low);
    for (const Mix& mix : {Mix{periodic, cells, cells}, Mix{cells, periodic, cells}, Mix{cells, cells, periodic},
                           Mix{periodic, cells, periodic}, Mix{cells, cells, kinds[cell_dn]}})
        agreement.check(make_problem(mix, {64, 128, 64}, Discretization::spectral, 0.3), Memory::fast,
                        Memory::standard);
    agreement.check(make_problem({cells, cells, periodic}, {512, 512, 64}, Discretization::spectral, 0.3),
                    Memory::low, Memory::standard);
}

/// Few enough for tools that check every access.
TEST_F(FreeFacesOnADevice, AgreeWithTheHostByShortComplexLines) {
    Agreement agreement;
    const Kind& cells = free_kinds[cell_ff];
    agreement.check(make_problem({cells, cells, cells}, {32, 32, 32}, Discretization::spectral), Memory::fast,
                    Memory::standard);
    agreement.check(make_problem({kinds[cell_p], cells, cells}, {64, 32, 32}, Discretization::spectral, 0.3),
                    Memory::fast, Memory::standard);
    agreement.check(make_problem({cells, cells, kinds[cell_dn]}, {16, 32, 5}, Discretization::spectral),
                    Memory::fast, Memory::standard);
    for (const Index n : {128, 256, 512})
        agreement.check(make_problem({cells, cells, kinds[cell_dn]}, {16, n, 5}, Discretization::spectral),
                        Memory::fast, Memory::standard);
    agreement.check(make_problem({cells, cells, cells}, {128, 128, 16}, Discretization::spectral), Memory::standard,
                    Memory::low);
}

/// The residual with what a solve found on free faces, each field of a batch with its own.
TEST_F(FreeFacesOnADevice, EquationsHoldWithTheValuesOfTheFaces) {
    for_each_problem({8, 11, 14}, [&](const Problem& problem, const Mix& mix) {
        const Extents points = problem.grid.points();
        Options options = test_options();
        options.batch = 2;
        Solver<double> solver(problem, options);
        const Index size = problem.grid.size();
        std::vector<double> f(static_cast<std::size_t>(2 * size)), u(f.size());
        for (std::size_t i = 0; i < f.size(); ++i) f[i] = uniform(i, 7);
        DeviceBuffer there(f.size() * sizeof(double)), back(f.size() * sizeof(double));
        copy_to_device(there.data(), f.data(), f.size() * sizeof(double));
        const FieldView<const double> from(static_cast<const double*>(there.data()), points);
        const FieldView<double> to(static_cast<double*>(back.data()), points);
        solver.solve({from, 2, size}, {to, 2, size});
        BoundaryData<double> faces = solver.faces();
        copy_to_host(u.data(), back.data(), u.size() * sizeof(double));
        for (Index b = 0; b < 2; ++b) {
            ResidualMeter<double> meter(problem, {u.data() + b * size, points}, 1.0, 0.0, faces);
            meter.add(0, FieldView<const double>(f.data() + b * size, points));
            EXPECT_LE(meter.result().backward, tolerance::backward<double>(points))
                << describe(mix) << ", field " << b;
            for (auto& axis : faces.faces)
                for (auto& face : axis)
                    if (face.data != nullptr) face.data += face.field_stride;
        }
    });
}

/// Fields in host memory have the bits of those in device memory.
TEST_F(FreeFacesOnADevice, SpectralSolvesOfHostFieldsAreTheSame) {
    for (const Mix& mix : {Mix{free_kinds[cell_ff], free_kinds[cell_fn], free_kinds[node_nf]},
                           Mix{kinds[cell_p], free_kinds[cell_ff], kinds[node_dn]}}) {
        const Problem problem = make_problem(mix, {12, 9, 14}, Discretization::spectral);
        const Extents points = problem.grid.points();
        const Field<double> f = random_field<double>(points, 3);
        Field<double> on_host = filled_field<double>(points), on_device = filled_field<double>(points);
        Options options = test_options();
        options.memory = Memory::fast;
        Solver<double>(problem, options).solve(f.view(), on_host.view());
        TestSolver<double>(problem, options).solve(f.view(), on_device.view());
        for (Index i = 0; i < f.size(); ++i) ASSERT_EQ(on_host.data()[i], on_device.data()[i]) << describe(mix);
    }
}

/// What `automatic` takes, without kernels that are asked for by name.
TEST_F(FreeFacesOnADevice, AutomaticTakesTheDeviceForSpectralSolves) {
    const Kind& cells = free_kinds[cell_ff];
    const Problem problem = make_problem({cells, cells, cells}, {32, 64, 32}, Discretization::spectral);
    const Extents points = problem.grid.points();
    const Field<double> f = random_field<double>(points, 3);
    std::array<Field<double>, 2> u{filled_field<double>(points), filled_field<double>(points)};
    Solver<double> automatic(problem);
    EXPECT_EQ(automatic.engine(), Engine::fused);
    automatic.solve(f.view(), u[0].view());
    Solver<double>(problem, test_options()).solve(f.view(), u[1].view());
    double difference = 0, largest = 0;
    for (Index i = 0; i < f.size(); ++i) {
        difference = std::max(difference, std::abs(u[0].data()[i] - u[1].data()[i]));
        largest = std::max(largest, std::abs(u[1].data()[i]));
    }
    EXPECT_LE(difference, tolerance::solve<double>(points) * largest);
}

/// From fields in device memory, the spectral gradient of the host from the same ones.
TEST_F(FreeFacesOnADevice, SpectralGradientsAreThoseOfTheHost) {
    const std::vector<Mix> mixes{{free_kinds[cell_ff], free_kinds[cell_ff], free_kinds[cell_ff]},
                                 {free_kinds[node_nf], free_kinds[cell_df], free_kinds[node_fd]},
                                 {kinds[cell_p], free_kinds[cell_fn], kinds[node_dn]},
                                 {free_kinds[node_ff], kinds[cell_nn], free_kinds[cell_ff]}};
    for (const Mix& mix : mixes) {
        const Problem problem = make_problem(mix, {12, 9, 14}, Discretization::spectral);
        const Extents points = problem.grid.points();
        const auto bytes = static_cast<std::size_t>(problem.grid.size()) * sizeof(double);
        const Field<double> f = random_field<double>(points, 3);
        Options options = test_options();
        Options on_host;
        on_host.engine = Engine::host;
        Field<double> u(points);
        Solver<double>(problem, on_host).solve(f.view(), u.view());
        std::array<Field<double>, 3> expected{Field<double>(points), Field<double>(points), Field<double>(points)};
        std::array<Field<double>, 3> found{Field<double>(points), Field<double>(points), Field<double>(points)};
        std::array<FieldView<double>, 3> views, there;
        std::vector<DeviceBuffer> buffers;
        for (int i = 0; i < 5; ++i) buffers.emplace_back(bytes);
        for (int a = 0; a < 3; ++a) {
            views[a] = expected[a].view();
            there[a] = {static_cast<double*>(buffers[a].data()), points};
        }
        copy_to_device(buffers[3].data(), u.data(), bytes);
        copy_to_device(buffers[4].data(), f.data(), bytes);
        Gradient<double>(problem, on_host).evaluate_with_source(u.view(), f.view(), 1.0, views);
        Gradient<double> gradient(problem, options);
        gradient.evaluate_with_source({static_cast<const double*>(buffers[3].data()), points},
                                      {static_cast<const double*>(buffers[4].data()), points}, 1.0, there);
        for (int a = 0; a < 3; ++a) {
            copy_to_host(found[a].data(), buffers[a].data(), bytes);
            double difference = 0, largest = 0;
            for (Index i = 0; i < f.size(); ++i) {
                difference = std::max(difference, std::abs(found[a].data()[i] - expected[a].data()[i]));
                largest = std::max(largest, std::abs(expected[a].data()[i]));
            }
            EXPECT_LE(difference, 4 * tolerance::solve<double>(points) * largest) << describe(mix) << ", " << a;
        }
    }
}

}  // namespace
}  // namespace poisson3d
