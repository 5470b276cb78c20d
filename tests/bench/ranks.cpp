// Solves of a box by ranks of MPI on hosts: least of several, the slowest rank's. Beside them one solver with as
// many threads as there are ranks, and the real transforms of FFTW-MPI there and back (its r2r of the kinds that
// solve the problem, planned with FFTW_MEASURE), if its library is there.
//
//     mpirun --bind-to none -n 2 ranks [POINTS [REPEAT]]
//
// (Bound to a core each, the threads of the one solver would share one.)
#include <dlfcn.h>
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "on_ranks.hpp"
#include "poisson3d/mpi.hpp"

using namespace poisson3d;

namespace {

/// Least seconds of `repeat` calls, each of which all ranks begin together.
template <class Body>
double least(int repeat, const Body& body) {
    double best = 1e300;
    for (int i = 0; i <= repeat; ++i) {
        MPI_Barrier(MPI_COMM_WORLD);
        const auto start = std::chrono::steady_clock::now();
        body();
        double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        if (i > 0) best = std::min(best, seconds);  // the first touches memory
    }
    return best;
}

void tell(const char* what, double seconds, double one) {
    if (rank_of_world() == 0) std::printf("%-44s %9.2f ms  %5.2f\n", what, 1e3 * seconds, seconds / one);
}

/// DST-II there and DST-III back of n³ numbers, in seconds; below 0: no library.
double fftw_pair(std::ptrdiff_t n, int repeat) {
    void* const serial = dlopen("libfftw3.so.3", RTLD_NOW | RTLD_GLOBAL);
    void* const library = serial == nullptr ? nullptr : dlopen("libfftw3_mpi.so.3", RTLD_NOW | RTLD_GLOBAL);
    if (library == nullptr) return -1.0;
    const auto find = [&]<class Function>(const char* name, Function*& function) {
        function = reinterpret_cast<Function*>(dlsym(library, name));
        if (function == nullptr) function = reinterpret_cast<Function*>(dlsym(serial, name));
    };
    void (*init)() = nullptr;
    std::ptrdiff_t (*size)(std::ptrdiff_t, std::ptrdiff_t, std::ptrdiff_t, MPI_Comm, std::ptrdiff_t*,
                           std::ptrdiff_t*) = nullptr;
    void* (*plan)(std::ptrdiff_t, std::ptrdiff_t, std::ptrdiff_t, double*, double*, MPI_Comm, int, int, int,
                  unsigned) = nullptr;
    void (*execute)(void*) = nullptr;
    find("fftw_mpi_init", init), find("fftw_mpi_local_size_3d", size), find("fftw_mpi_plan_r2r_3d", plan);
    find("fftw_execute", execute);
    if (init == nullptr || size == nullptr || plan == nullptr || execute == nullptr) return -1.0;
    constexpr int rodft10 = 9, rodft01 = 8;  // as fftw3.h numbers its kinds
    init();
    std::ptrdiff_t planes = 0, first = 0;
    std::vector<double> data(static_cast<std::size_t>(size(n, n, n, MPI_COMM_WORLD, &planes, &first)));
    void* const there = plan(n, n, n, data.data(), data.data(), MPI_COMM_WORLD, rodft10, rodft10, rodft10, 0);
    void* const back = plan(n, n, n, data.data(), data.data(), MPI_COMM_WORLD, rodft01, rodft01, rodft01, 0);
    std::fill(data.begin(), data.end(), 0.0);
    return least(repeat, [&] { execute(there), execute(back); });
}

/// Of a solver with so many threads, in this process alone.
double of_one_process(const Problem& problem, int threads, int repeat) {
    Field<double> f(problem.grid.points()), u(f.view().extents);
    std::fill_n(f.data(), f.size(), 0.25);
    Options options;
    options.engine = Engine::host;
    options.threads = threads;
    Solver<double> solver(problem, options);
    double best = 1e300;
    for (int i = 0; i <= repeat; ++i) {
        const auto start = std::chrono::steady_clock::now();
        solver.solve(f.view(), u.view());
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        if (i > 0) best = std::min(best, seconds);
    }
    return best;
}

void measure(Index n, int repeat) {
    Problem problem;
    for (Axis& axis : problem.grid.axes)
        axis = {n, 1.0 / static_cast<double>(n), 0.0, Centering::cell, Boundary::dirichlet, Boundary::dirichlet};
    const Extents points = problem.grid.points();
    const Communicator all = mpi(MPI_COMM_WORLD);
    const Decomposition parts = Decomposition::slabs(points, all.size());
    Field<double> f(parts.box(rank_of_world()).points), u(f.view().extents);
    for (Index i = 0; i < f.size(); ++i) f.data()[i] = static_cast<double>(i * 7919 % 1000) / 1000.0;
    const std::vector<FieldView<const double>> from{f.view()};
    const std::vector<FieldView<double>> to{u.view()};
    const double one = rank_of_world() == 0 ? of_one_process(problem, all.size(), repeat) : 0.0;
    wait_asleep();
    tell("one process, a thread for each rank", one, one);
    for (const Method method : {Method::eliminate, Method::transpose}) {
        DistributedSolver<double> solver(problem, parts, all, {.method = method, .threads = 1});
        const double seconds = least(repeat, [&] { solver.solve(std::span(from), std::span(to)); });
        tell(solver.description().c_str(), seconds, one);
    }
    if (const double fftw = fftw_pair(n, repeat); fftw > 0.0) tell("FFTW-MPI, r2r there and back", fftw, one);
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const Index points = argc > 1 ? std::atoi(argv[1]) : 256;
    const int repeat = argc > 2 ? std::atoi(argv[2]) : 7;
    measure(points, repeat);
    MPI_Finalize();
}
