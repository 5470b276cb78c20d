#include "reference.h"

#include <optional>
#include <type_traits>

#include "poisson3d/gradient.hpp"
#include "poisson3d/mixed_solver.hpp"
#include "poisson3d/residual.hpp"
#include "poisson3d/solver.hpp"

using namespace poisson3d;

namespace {

Boundary boundary_of(int number) {
    if (number == POISSON3D_DIRICHLET) return Boundary::dirichlet;
    if (number == POISSON3D_ROBIN) return Boundary::robin;
    return number == POISSON3D_NEUMANN ? Boundary::neumann : Boundary::periodic;
}

Problem problem_of(const poisson3d_problem& c) {
    Problem problem;
    for (int a = 0; a < 3; ++a) {
        Axis& axis = problem.grid.axes[a];
        axis.points = c.axes[a].points;
        axis.spacing = c.axes[a].spacing;
        axis.origin = c.axes[a].origin;
        axis.centering = c.axes[a].centering == POISSON3D_NODE ? Centering::node : Centering::cell;
        axis.lower = boundary_of(c.axes[a].lower);
        axis.upper = boundary_of(c.axes[a].upper);
        const poisson3d_uneven_axis& uneven = c.uneven[a];
        const auto fill = [](std::vector<double>& to, const double* from, Index count) {
            if (from != nullptr) to.assign(from, from + count);
        };
        const Index steps = step_count(axis);
        fill(axis.positions, uneven.positions, steps + 1);
        fill(axis.widths, uneven.widths, steps);
        fill(axis.custom.conductances, uneven.conductances, steps + (axis.centering == Centering::cell ? 1 : 0));
        fill(axis.custom.weights, uneven.weights, axis.points);
        for (int side = 0; side < 2; ++side) axis.robin[side] = {uneven.alpha[side], uneven.beta[side]};
    }
    if (c.discretization == POISSON3D_SPECTRAL) problem.discretization = Discretization::spectral;
    problem.helmholtz = c.helmholtz;
    if (c.gauge == POISSON3D_GAUGE_POINT)
        problem.gauge.point = std::array<Index, 3>{c.gauge_point[0], c.gauge_point[1], c.gauge_point[2]};
    return problem;
}

Options options_of(int memory) {
    Options options;
    options.engine = Engine::host;
    options.threads = 1;
    if (memory == POISSON3D_MEMORY_FAST) options.memory = Memory::fast;
    if (memory == POISSON3D_MEMORY_STANDARD) options.memory = Memory::standard;
    if (memory == POISSON3D_MEMORY_LOW) options.memory = Memory::low;
    return options;
}

template <class T, class Boundaries>
BoundaryData<T> data_of(const poisson3d_problem& c, const Boundaries* boundary) {
    BoundaryData<T> data;
    if (boundary == nullptr) return data;
    for (int a = 0; a < 3; ++a)
        for (int side = 0; side < 2; ++side) {
            const auto& face = boundary->faces[a][side];
            FaceValues<T>& to = data.faces[a][side];
            to.constant = static_cast<T>(face.constant);
            to.data = face.data;
            to.stride = face.stride != 0 ? face.stride : c.axes[a == 2 ? 1 : 2].points;
        }
    return data;
}

void tell(const Result& result, poisson3d_result* to) {
    to->singular = result.singular;
    to->mean_removed = result.mean_removed;
}

}  // namespace

#define DEFINE_REFERENCES(Real, BoundaryStruct, suffix)                                                        \
    void reference_solve##suffix(const poisson3d_problem* c, int memory, const Real* f, Real* u,               \
                                 const BoundaryStruct* boundary, Real scale, poisson3d_result* result) {       \
        const Problem problem = problem_of(*c);                                                                \
        const Extents n = problem.grid.points();                                                               \
        Solver<Real> solver(problem, options_of(memory));                                                      \
        solver.solve({f, n}, {u, n}, data_of<Real>(*c, boundary), scale);                                      \
        tell(solver.result(), result);                                                                         \
    }                                                                                                          \
    void reference_apply##suffix(const poisson3d_problem* c, int memory, const Real* f, Real* u, Real scale) { \
        const Problem problem = problem_of(*c);                                                                \
        const Extents n = problem.grid.points();                                                               \
        Solver<Real>(problem, options_of(memory)).apply({f, n}, {u, n}, scale);                                \
    }                                                                                                          \
    void reference_gradient##suffix(const poisson3d_problem* c, const Real* u, Real* const components[3],      \
                                    const BoundaryStruct* boundary) {                                          \
        const Problem problem = problem_of(*c);                                                                \
        const Extents n = problem.grid.points();                                                               \
        const FieldView<Real> x(components[0], n), y(components[1], n), z(components[2], n);                   \
        Gradient<Real>(problem, options_of(0)).evaluate({u, n}, {x, y, z}, data_of<Real>(*c, boundary));       \
    }                                                                                                          \
    void reference_residual##suffix(const poisson3d_problem* c, const Real* f, const Real* u, double scale,    \
                                    double mean, poisson3d_residual* residual) {                               \
        const Problem problem = problem_of(*c);                                                                \
        const Extents n = problem.grid.points();                                                               \
        ResidualMeter<Real> meter(problem, {u, n}, scale, mean);                                               \
        meter.add(0, FieldView<const Real>(f, n));                                                             \
        const Residual r = meter.result();                                                                     \
        *residual = {r.max, r.l2, r.relative, r.backward, r.max_rhs, r.max_solution};                          \
    }                                                                                                          \
    size_t reference_bytes##suffix(const poisson3d_problem* c, int memory) {                                   \
        return Solver<Real>::workspace_bytes(problem_of(*c), options_of(memory));                              \
    }                                                                                                          \
    size_t reference_gradient_bytes##suffix(const poisson3d_problem* c) {                                      \
        return Gradient<Real>::workspace_bytes(problem_of(*c), options_of(0));                                 \
    }

DEFINE_REFERENCES(double, poisson3d_boundary, )
DEFINE_REFERENCES(float, poisson3d_boundary_float, _float)

void reference_mixed(const poisson3d_problem* c, int refinements, const double* f, double* u,
                     const poisson3d_boundary* boundary, double scale, poisson3d_result* result) {
    const Problem problem = problem_of(*c);
    const Extents n = problem.grid.points();
    MixedSolver solver(problem, options_of(0), refinements < 0 ? std::nullopt : std::optional<int>(refinements));
    solver.solve({f, n}, {u, n}, data_of<double>(*c, boundary), scale);
    tell(solver.result(), result);
}

size_t reference_mixed_bytes(const poisson3d_problem* c) {
    return MixedSolver::workspace_bytes(problem_of(*c), options_of(0));
}
