// What a call costs beside the solve, from C++: n³ doubles between walls on a GPU; the row that belongs above those
// of python_overheads.py.
//
//     call [points]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "poisson3d/device_memory.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/solver.hpp"

using namespace poisson3d;

int main(int count, char** words) try {
    const Index n = count > 1 ? std::strtol(words[1], nullptr, 10) : 64;
    Problem problem;
    for (Axis& axis : problem.grid.axes) {
        axis = {n, 0.1};
        axis.lower = axis.upper = Boundary::dirichlet;
    }
    Options options;
    options.engine = Engine::fused;
    Solver<double> solver(problem, options);
    const Extents points = problem.grid.points();
    const auto bytes = static_cast<std::size_t>(n * n * n) * sizeof(double);
    const DeviceBuffer f(bytes), u(bytes);
    fill_on_device(f.data(), 0, bytes);
    const FieldView<const double> from(static_cast<const double*>(f.data()), points);
    const FieldView<double> to(static_cast<double*>(u.data()), points);
    std::vector<double> calls, waits;
    const auto now = [] { return std::chrono::steady_clock::now(); };
    const auto microseconds = [](auto time) { return std::chrono::duration<double, std::micro>(time).count(); };
    for (int i = 0; i < 550; ++i) {
        const auto start = now();
        solver.solve(from, to);
        const auto called = now();
        synchronize();
        if (i < 50) continue;
        calls.push_back(microseconds(called - start));
        waits.push_back(microseconds(now() - start));
    }
    std::sort(calls.begin(), calls.end());
    std::sort(waits.begin(), waits.end());
    std::printf("%-32s call %8.1f  and wait %8.1f us   least %8.1f us\n", "C++, Solver::solve",
                calls[calls.size() / 2], waits[waits.size() / 2], waits[0]);
    return 0;
} catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return error.code() == ErrorCode::device || error.code() == ErrorCode::unsupported ? 77 : 1;
}
