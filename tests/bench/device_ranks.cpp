// Solves of a box by ranks of MPI with a GPU each, by every way between their devices that is there: least of
// several, the slowest rank's, from call to result. Beside them one GPU, and as many GPUs of one process.
//
//     mpirun -n 2 device_ranks [POINTS [REPEAT]]
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "on_ranks.hpp"
#include "poisson3d/device.hpp"
#include "poisson3d/device_memory.hpp"
#include "poisson3d/mpi.hpp"

using namespace poisson3d;

namespace {

void tell(const std::string& what, double seconds, double one) {
    if (rank_of_world() != 0) return;
    std::printf("%-150s %9.3f ms  %5.2f\n", what.c_str(), 1e3 * seconds, one / seconds);
    std::fflush(stdout);
}

/// Least seconds of `repeat` calls.
template <class Body>
double least(int repeat, const Body& body) {
    double best = 1e300;
    for (int i = 0; i < repeat + 2; ++i) {
        const auto start = std::chrono::steady_clock::now();
        body();
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        if (i > 1) best = std::min(best, seconds);  // the first load kernels
    }
    return best;
}

/// The same, where all ranks begin a call together, of the slowest.
template <class Body>
double least_of_ranks(int repeat, const Body& body) {
    double best = 1e300;
    for (int i = 0; i < repeat + 2; ++i) {
        MPI_Barrier(MPI_COMM_WORLD);
        const auto start = std::chrono::steady_clock::now();
        body();
        double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        if (i > 1) best = std::min(best, seconds);
    }
    return best;
}

/// A field of numbers in the memory of a device.
class OnDevice {
public:
    OnDevice(int device, const Extents& points) : points_(points) {
        const DeviceScope scope(device);
        const auto count = static_cast<std::size_t>(points[0] * points[1] * points[2]);
        std::vector<double> numbers(std::min(count, std::size_t{1} << 20));
        for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i * 7919 % 1000) / 1000.0;
        memory_ = DeviceBuffer(count * sizeof(double));
        auto* const first = static_cast<double*>(memory_.data());
        copy_to_device(first, numbers.data(), numbers.size() * sizeof(double));
        for (std::size_t there = numbers.size(); there < count; there = std::min(count, 2 * there))
            copy_on_device(first + there, first, std::min(there, count - there) * sizeof(double));
        synchronize();
    }
    [[nodiscard]] FieldView<double> view() const { return {static_cast<double*>(memory_.data()), points_}; }

private:
    Extents points_;
    DeviceBuffer memory_;
};

/// By members with these devices, all of this process; in place.
void of_one_process(const Problem& problem, const std::vector<int>& numbers, int repeat, double one) {
    const Decomposition parts = Decomposition::slabs(problem.grid.points(), static_cast<int>(numbers.size()));
    std::vector<std::unique_ptr<OnDevice>> fields;
    std::vector<FieldView<double>> u;
    for (std::size_t m = 0; m < numbers.size(); ++m) {
        fields.push_back(std::make_unique<OnDevice>(numbers[m], parts.box(static_cast<int>(m)).points));
        u.push_back(fields.back()->view());
    }
    const std::vector<FieldView<const double>> f(u.begin(), u.end());
    const Communicator all = devices(numbers);
    for (const Method method : {Method::eliminate, Method::transpose})
        for (const Way way : {Way::automatic, Way::nccl, Way::staged}) try {
                DistributedSolver<double> solver(problem, parts, all, {.method = method, .way = way});
                const double seconds = least(repeat, [&] {
                    solver.solve(std::span(f), std::span(u));
                    static_cast<void>(solver.result());
                });
                tell(solver.description(), seconds, one);
            } catch (const Error& error) {
                if (error.code() != ErrorCode::unsupported) throw;
                std::printf("%s\n", error.what());
            }
}

double of_one_device(const Problem& problem, int device, int repeat) {
    const OnDevice field(device, problem.grid.points());
    Options options;
    options.engine = Engine::fused;
    options.device = device;
    Solver<double> solver(problem, options);
    return least(repeat, [&] {
        solver.solve(field.view(), field.view());
        static_cast<void>(solver.result());
    });
}

void measure(Index n, int repeat) {
    Problem problem;
    for (Axis& axis : problem.grid.axes)
        axis = {n, 1.0 / static_cast<double>(n), 0.0, Centering::cell, Boundary::dirichlet, Boundary::dirichlet};
    const int device = device_of_rank(MPI_COMM_WORLD);
    const DeviceScope scope(device);
    const Communicator all = mpi(MPI_COMM_WORLD, device);
    double one = 0.0;
    if (rank_of_world() == 0) {
        one = of_one_device(problem, device, repeat);
        tell(std::to_string(n) + "^3 double, one GPU", one, one);
        std::vector<int> numbers(static_cast<std::size_t>(all.size()));
        std::iota(numbers.begin(), numbers.end(), 0);
        if (all.size() <= count_devices()) of_one_process(problem, numbers, repeat, one);
    }
    wait_asleep();
    const Decomposition parts = Decomposition::slabs(problem.grid.points(), all.size());
    const OnDevice mine(device, parts.box(rank_of_world()).points);
    const std::vector<FieldView<double>> u{mine.view()};
    const std::vector<FieldView<const double>> f(u.begin(), u.end());
    for (const Method method : {Method::eliminate, Method::transpose})
        for (const Way way : {Way::automatic, Way::copies, Way::nccl, Way::mpi, Way::staged}) try {
                DistributedSolver<double> solver(problem, parts, all, {.method = method, .way = way});
                const double seconds = least_of_ranks(repeat, [&] {
                    solver.solve(std::span(f), std::span(u));
                    static_cast<void>(solver.result());
                });
                tell(name(way) + (": " + solver.description()), seconds, one);
            } catch (const Error& error) {
                if (error.code() != ErrorCode::unsupported) throw;
                if (rank_of_world() == 0) std::printf("%s\n", error.what());
            }
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int without = missing_device().empty() ? 0 : 1;
    MPI_Allreduce(MPI_IN_PLACE, &without, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (without == 0) measure(argc > 1 ? std::atoi(argv[1]) : 256, argc > 2 ? std::atoi(argv[2]) : 9);
    MPI_Finalize();
    return without == 0 ? 0 : 77;
}
