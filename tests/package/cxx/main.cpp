// A stranger's program: solves one problem with the installed library and checks the answer. An
// error of the library is caught by its type.
#include <poisson3d/error.hpp>
#include <poisson3d/residual.hpp>
#include <poisson3d/solver.hpp>

#include <cstdio>

using namespace poisson3d;

int main() {
    Problem problem;
    problem.grid.axes = {Axis{9, 0.5, 0.0, Centering::node, Boundary::dirichlet, Boundary::neumann},
                         Axis{12, 0.25, 0.0, Centering::cell, Boundary::neumann, Boundary::neumann}, Axis{7, 0.4}};
    Field<double> f(problem.grid.points());
    Field<double> u(problem.grid.points());
    for (Index i = 0; i < f.size(); ++i) f.data()[i] = static_cast<double>(i * 7919 % 1009) / 1009.0 - 0.5;
    Solver<double> solver(problem);
    solver.solve(f.view(), u.view());
    ResidualMeter<double> meter(problem, u.view(), 1.0, solver.result().mean_removed);
    meter.add(0, f.view());
    const double backward = meter.result().backward;
    std::printf("%s: backward error %.2g\n", solver.description().c_str(), backward);

    bool refused = false;
    try {
        problem.grid.axes[0].spacing = -1;
        Solver<float> none(problem);
    } catch (const Error& error) {
        refused = error.code() == ErrorCode::data;
    }
    return refused && backward < 1e-14 && meter.result().max_solution > 0.01 ? 0 : 1;
}
