// A solve on device fields only queues work: it returns while its stream is held up, and holds up no other stream.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "cuda_stream.hpp"
#include "device_field.hpp"
#include "padded.hpp"
#include "test_solver.hpp"

namespace poisson3d {
namespace {

using namespace test;
using Clock = std::chrono::steady_clock;

/// Holds up a stream until released, or for two seconds: a call that waits for the stream shows, and ends.
class Hold {
public:
    explicit Hold(const CudaStream& stream) : stream_(stream) {
        check(cudaLaunchHostFunc(stream.handle(), &wait, &released_), "host function");
    }
    ~Hold() {
        released_ = true;
        if (cudaStreamSynchronize(stream_.handle()) != cudaSuccess) cudaGetLastError();
    }
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;

    void release() { released_ = true; }

private:
    static void CUDART_CB wait(void* data) {
        const auto& released = *static_cast<std::atomic<bool>*>(data);
        const auto end = Clock::now() + std::chrono::seconds(2);
        while (!released && Clock::now() < end) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }

    const CudaStream& stream_;
    std::atomic<bool> released_{false};
};

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

const std::vector<Problem>& sample() {
    static const std::vector<Problem> problems = [] {
        std::vector<Problem> all{
            make_problem({cell_p, cell_p, cell_p}, {64, 80, 96}),
            make_problem({cell_dd, cell_nn, cell_dn}, {64, 81, 97}),
            make_problem({node_dd, node_nn, node_dd}, {65, 97, 49}),
            make_problem({node_nn, node_nn, node_nn}, {65, 97, 49}, Discretization::spectral),
        };
        all.back().gauge.point = {64, 0, 7};
        return all;
    }();
    return problems;
}

template <class T>
class Asynchrony : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(Asynchrony, Precisions);

TYPED_TEST(Asynchrony, CallsReturnWhileTheirStreamIsHeldUp) {
    using T = TypeParam;
    for (const Problem& problem : sample())
        for (const Memory memory : {Memory::fast, Memory::standard}) {
            SCOPED_TRACE(describe(problem) + ", " + name(memory));
            Options options = test_options();
            options.memory = memory;
            Solver<T> solver(problem, options);
            const CudaStream stream;
            const DeviceField<T> f(random_field<T>(problem.grid.points()));
            DeviceField<T> u(problem.grid.points());
            DeviceField<T> applied(problem.grid.points());
            solver.apply(f.view(), applied.view(), T(1), stream);  // kernels are loaded when first called
            const Field<T> expected_applied = applied.get(stream);
            solver.solve(f.view(), u.view(), T(1), stream);
            const Field<T> expected = u.get(stream);
            u.poison(stream);
            applied.poison(stream);
            {
                Hold hold(stream);
                const Clock::time_point start = Clock::now();
                solver.apply(f.view(), applied.view(), T(1), stream);
                solver.solve(f.view(), u.view(), T(1), stream);
                const double taken = seconds_since(start);
                EXPECT_EQ(cudaStreamQuery(stream.handle()), cudaErrorNotReady);
                EXPECT_LT(taken, 0.05) << "a call waited for its stream";
                hold.release();
            }
            EXPECT_EQ(different<T>(u.get(stream).view(), read(expected)), 0);
            EXPECT_EQ(different<T>(applied.get(stream).view(), read(expected_applied)), 0);
        }
}

TYPED_TEST(Asynchrony, OtherStreamsGoOn) {
    using T = TypeParam;
    for (const Problem& problem : sample()) {
        SCOPED_TRACE(describe(problem));
        const DeviceField<T> f(random_field<T>(problem.grid.points()));
        DeviceField<T> u(problem.grid.points());
        DeviceField<T> v(problem.grid.points());
        Solver<T> held(problem, test_options());
        Solver<T> free(problem, test_options());
        const CudaStream stream;
        const CudaStream other;
        held.solve(f.view(), u.view(), T(1), stream);
        free.solve(f.view(), v.view(), T(1), other);
        const Field<T> expected = v.get(other);
        EXPECT_EQ(different<T>(u.get(stream).view(), read(expected)), 0);
        u.poison(stream);
        v.poison(other);
        Hold hold(stream);
        const Clock::time_point start = Clock::now();
        held.solve(f.view(), u.view(), T(1), stream);
        free.solve(f.view(), v.view(), T(1), other);
        (void)free.result(other);
        EXPECT_EQ(cudaStreamQuery(stream.handle()), cudaErrorNotReady);
        EXPECT_LT(seconds_since(start), 0.5) << "one stream waited for the other";
        EXPECT_EQ(different<T>(v.get(other).view(), read(expected)), 0);
        hold.release();
        EXPECT_EQ(different<T>(u.get(stream).view(), read(expected)), 0);
    }
}

}  // namespace
}  // namespace poisson3d
