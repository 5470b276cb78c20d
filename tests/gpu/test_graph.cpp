// A solve captured in a CUDA graph: replays give the bits of plain solves, for whatever the field holds by then.
#include <gtest/gtest.h>

#include <vector>

#include "cuda_stream.hpp"
#include "device_field.hpp"
#include "padded.hpp"
#include "poisson3d/device_graph.hpp"
#include "poisson3d/mixed_solver.hpp"
#include "test_solver.hpp"

namespace poisson3d {
namespace {

using namespace test;

/// What was called between construction and finish(), to be launched as one.
class Graph {
public:
    Graph(const CudaStream& stream, cudaStreamCaptureMode mode) : stream_(stream) {
        check(cudaStreamBeginCapture(stream.handle(), mode), "begin of capture");
        capturing_ = true;
    }
    ~Graph() {
        if (capturing_) cudaStreamEndCapture(stream_.handle(), &graph_);  // a call between threw
        if (executable_ != nullptr) cudaGraphExecDestroy(executable_);
        if (graph_ != nullptr) cudaGraphDestroy(graph_);
        cudaGetLastError();
    }
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;

    void finish() {
        capturing_ = false;
        check(cudaStreamEndCapture(stream_.handle(), &graph_), "end of capture");
        check(cudaGraphInstantiate(&executable_, graph_, 0), "graph");
    }
    void launch() const { check(cudaGraphLaunch(executable_, stream_.handle()), "launch of a graph"); }

    [[nodiscard]] std::vector<cudaGraphNodeType> nodes() const {
        std::size_t count = 0;
        check(cudaGraphGetNodes(graph_, nullptr, &count), "nodes");
        std::vector<cudaGraphNode_t> handles(count);
        check(cudaGraphGetNodes(graph_, handles.data(), &count), "nodes");
        std::vector<cudaGraphNodeType> types(count);
        for (std::size_t i = 0; i < count; ++i) check(cudaGraphNodeGetType(handles[i], &types[i]), "node");
        return types;
    }

private:
    const CudaStream& stream_;
    cudaGraph_t graph_ = nullptr;
    cudaGraphExec_t executable_ = nullptr;
    bool capturing_ = false;
};

std::vector<Problem> sample() {
    std::vector<Problem> problems{
        make_problem({cell_p, cell_p, cell_p}, {48, 40, 64}),
        make_problem({cell_dd, cell_nn, cell_dn}, {48, 41, 65}, Discretization::spectral, 0.3),
        make_problem({node_dd, node_nn, node_dd}, {49, 33, 65}),
        make_problem({node_nn, cell_p, node_nn}, {49, 33, 65}),
        make_problem({node_nd, node_dn, cell_nd}, {19, 34, 26}),
        make_problem({cell_p, cell_dd, node_nn}, {1, 37, 300}),
        make_problem({cell_dd, cell_p, cell_nn}, {16411, 3, 4}),
    };
    problems[3].gauge.point = {48, 0, 31};
    return problems;
}

template <class T>
class Graphs : public testing::Test {
protected:
    /// Captures one call, solve or apply, and replays it with other fields.
    template <class Call>
    static void check_replays(const Problem& problem, Memory memory, bool in_place, cudaStreamCaptureMode mode,
                              Call call) {
        SCOPED_TRACE(describe(problem) + ", " + name(memory) + (in_place ? ", in place" : ""));
        Options options = test_options();
        options.memory = memory;
        const Extents points = problem.grid.points();
        // Another plan, whose plain solves also load every kernel: that cannot be captured.
        Solver<T> plain(problem, options);
        DeviceField<T> f(points);
        DeviceField<T> other(points);
        DeviceField<T>& u = in_place ? f : other;
        std::vector<Field<T>> expected;
        std::vector<double> means;
        for (int turn = 0; turn < 3; ++turn) {
            f.put(random_field<T>(points, turn));
            call(plain, f.view(), u.view(), Stream{});
            expected.push_back(u.get());
            means.push_back(plain.result().mean_removed);
        }
        Solver<T> solver(problem, options);
        const CudaStream stream;
        f.poison();
        u.poison();
        Graph graph(stream, mode);
        call(solver, f.view(), u.view(), Stream(stream));
        graph.finish();
        EXPECT_FALSE(graph.nodes().empty());
        for (const cudaGraphNodeType type : graph.nodes()) {
            EXPECT_NE(type, cudaGraphNodeTypeMemAlloc) << "a solve allocates";
            EXPECT_NE(type, cudaGraphNodeTypeHost) << "a solve waits for the host";
        }
        for (const int turn : {2, 0, 1}) {
            u.poison(stream);
            f.put(random_field<T>(points, turn), stream);
            graph.launch();
            EXPECT_EQ(different<T>(u.get(stream).view(), read(expected[turn])), 0) << "replay of field " << turn;
            EXPECT_EQ(solver.result(stream).mean_removed, means[turn]) << "replay of field " << turn;
        }
        // The solver itself goes on beside its graph.
        f.put(random_field<T>(points, 0), stream);
        call(solver, f.view(), u.view(), Stream(stream));
        EXPECT_EQ(different<T>(u.get(stream).view(), read(expected[0])), 0) << "plain solve after the graph";
    }
};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(Graphs, Precisions);

constexpr std::array<cudaStreamCaptureMode, 2> modes{cudaStreamCaptureModeThreadLocal,
                                                     cudaStreamCaptureModeRelaxed};

TYPED_TEST(Graphs, ReplaySolves) {
    using T = TypeParam;
    int turn = 0;
    for (const Problem& problem : sample())
        for (const Memory memory : {Memory::fast, Memory::standard})
            for (const bool in_place : {false, true})
                this->check_replays(problem, memory, in_place, modes[turn++ / 2 % 2],
                                    [](Solver<T>& solver, FieldView<const T> f, FieldView<T> u, Stream stream) {
                                        solver.solve(f, u, T(-2.5), stream);
                                    });
}

TYPED_TEST(Graphs, ReplayApplications) {
    using T = TypeParam;
    for (const Problem& problem : sample())
        for (const Memory memory : {Memory::fast, Memory::standard})
            this->check_replays(problem, memory, false, cudaStreamCaptureModeRelaxed,
                                [](Solver<T>& solver, FieldView<const T> f, FieldView<T> u, Stream stream) {
                                    solver.apply(f, u, T(0.5), stream);
                                });
}

// What a time step is: two solves and a copy between them, captured as one.
TYPED_TEST(Graphs, HoldSeveralSolvers) {
    using T = TypeParam;
    const Problem first = make_problem({cell_p, node_nn, cell_nn}, {24, 33, 20});
    const Problem second = make_problem({cell_dd, node_dn, cell_nd}, {24, 33, 20});
    const Extents points = first.grid.points();
    const Field<T> start = random_field<T>(points, 5);
    const Field<T> expected = solved(second, solved(first, start));
    Solver<T> one(first, test_options());
    Solver<T> two(second, test_options());
    const CudaStream stream;
    DeviceField<T> f(points);
    DeviceField<T> between(points);
    DeviceField<T> u(points);
    Graph graph(stream, cudaStreamCaptureModeRelaxed);
    one.solve(f.view(), f.view(), T(1), stream);
    copy_on_device(between.view().data, f.view().data, static_cast<std::size_t>(start.size()) * sizeof(T), stream);
    two.solve(between.view(), u.view(), T(1), stream);
    graph.finish();
    for (int again = 0; again < 3; ++again) {
        f.put(start, stream);
        between.poison(stream);
        u.poison(stream);
        graph.launch();
        EXPECT_EQ(different<T>(u.get(stream).view(), read(expected)), 0) << "replay " << again;
    }
}

// The library's own graphs: launched in any stream; what throws while it is recorded leaves nothing behind.
TYPED_TEST(Graphs, OfTheLibraryReplaySolves) {
    using T = TypeParam;
    const Problem problem = make_problem({cell_p, node_nn, cell_nn}, {24, 33, 20});
    const Extents points = problem.grid.points();
    Solver<T> solver(problem, test_options());
    DeviceField<T> f(points), u(points);
    std::vector<Field<T>> expected;
    for (int turn = 0; turn < 2; ++turn) {
        f.put(random_field<T>(points, turn));
        solver.solve(f.view(), u.view());
        expected.push_back(u.get());
    }
    EXPECT_THROW(DeviceGraph([&](Stream stream) {
                     solver.solve(f.view(), u.view(), T(1), stream);
                     throw Error(ErrorCode::usage, "not recorded to the end");
                 }),
                 Error);
    const DeviceGraph graph([&](Stream stream) { solver.solve(f.view(), u.view(), T(1), stream); });
    for (const int turn : {1, 0, 1}) {
        const CudaStream stream;
        u.poison(stream);
        f.put(random_field<T>(points, turn), stream);
        graph.launch(Stream(stream));
        EXPECT_EQ(different<T>(u.get(stream).view(), read(expected[static_cast<std::size_t>(turn)])), 0) << turn;
    }
}

// Mixed precision finds its factor and its mean on the device: a replay finds those of the field it meets.
TEST(MixedGraph, ReplaysSolves) {
    for (const Kinds& which : {Kinds{cell_p, node_nn, cell_nn}, {cell_dd, node_dn, cell_p}}) {
        const Problem problem = make_problem(which, {24, 33, 40});
        const Extents points = problem.grid.points();
        BoundaryData<double> boundary;
        boundary.faces[1][1].constant = 0.5;
        MixedSolver plain(problem, test_options());
        MixedSolver solver(problem, test_options());
        DeviceField<double> f(points);
        DeviceField<double> u(points);
        std::vector<Field<double>> expected;
        std::vector<double> means;
        for (int turn = 0; turn < 3; ++turn) {
            f.put(random_field<double>(points, turn));
            plain.solve(f.view(), u.view(), boundary, turn == 0 ? 1e200 : 1.0);
            expected.push_back(u.get());
            means.push_back(plain.result().mean_removed);
        }
        const CudaStream stream;
        f.poison();
        u.poison();
        Graph graph(stream, cudaStreamCaptureModeThreadLocal);
        solver.solve(f.view(), u.view(), boundary, 1.0, Stream(stream));
        graph.finish();
        for (const cudaGraphNodeType type : graph.nodes()) {
            EXPECT_NE(type, cudaGraphNodeTypeMemAlloc) << "a solve allocates";
            EXPECT_NE(type, cudaGraphNodeTypeHost) << "a solve waits for the host";
        }
        for (const int turn : {2, 1}) {
            u.poison(stream);
            f.put(random_field<double>(points, turn), stream);
            graph.launch();
            EXPECT_EQ(different<double>(u.get(stream).view(), read(expected[turn])), 0) << "replay " << turn;
            EXPECT_EQ(solver.result(stream).mean_removed, means[turn]) << "replay " << turn;
        }
    }
}

}  // namespace
}  // namespace poisson3d
