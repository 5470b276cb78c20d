// ResidualMeter and the check of boundary data as C sees them: host memory, no plan.
#include <array>
#include <vector>

#include "arguments.hpp"
#include "error_guard.hpp"
#include "field_checks.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/free_space.hpp"
#include "poisson3d/residual.hpp"

namespace poisson3d::c {

namespace {

/// Boundary data in double, for the meter, which works in double. `memory` holds the arrays.
BoundaryData<double> widen(const Grid&, const BoundaryData<double>& boundary, std::vector<double>&) {
    return boundary;
}

BoundaryData<double> widen(const Grid& grid, const BoundaryData<float>& boundary, std::vector<double>& memory) {
    const auto size_of_face = [&](int axis) {
        const std::array<Index, 2> extents = extents_of_face(grid.points(), axis);
        return static_cast<std::size_t>(extents[0] * extents[1]);
    };
    memory.reserve(2 * (size_of_face(0) + size_of_face(1) + size_of_face(2)));  // nothing moves below
    BoundaryData<double> wide;
    for (int axis = 0; axis < 3; ++axis)
        for (int side = 0; side < 2; ++side) {
            const FaceValues<float>& face = boundary.faces[axis][side];
            const std::array<Index, 2> extents = extents_of_face(grid.points(), axis);
            FaceValues<double>& to = wide.faces[axis][side];
            to.constant = static_cast<double>(face.constant);
            if (face.data == nullptr) continue;
            to.data = memory.data() + memory.size();
            to.stride = extents[1];
            for (Index a = 0; a < extents[0]; ++a)
                for (Index b = 0; b < extents[1]; ++b)
                    memory.push_back(static_cast<double>(face.data[a * face.stride + b]));
        }
    return wide;
}

template <class T>
void measure_residual(const poisson3d_problem* given, const T* f, const std::int64_t* f_strides, const T* u,
                      const std::int64_t* u_strides, const Boundaries<T>* boundary_given, T scale, double mean,
                      poisson3d_residual* residual) {
    require_pointer(residual, "residual");
    const Problem problem = read_problem(given);
    validate(problem);
    if (problem.discretization == Discretization::spectral)
        throw Error(ErrorCode::unsupported,
                    "the residual of the spectral discretization is not local: compare f with what "
                    "poisson3d_apply makes of u");
    const Extents points = problem.grid.points();
    const FieldView<const T> rhs = read_field(points, f, f_strides);
    const FieldView<const T> solution = read_field(points, u, u_strides);
    require_view(points, rhs, "f");
    require_view(points, solution, "u");
    const BoundaryData<T> boundary = read_boundary<T>(problem.grid, boundary_given);
    require_possible(problem, boundary);
    std::vector<double> memory;
    ResidualMeter<T> meter(problem, solution, static_cast<double>(scale), mean,
                           widen(problem.grid, boundary, memory));
    meter.add(0, rhs);
    const Residual found = meter.result();
    *residual = {found.max, found.l2, found.relative, found.backward, found.max_rhs, found.max_solution};
}

template <class T>
void measure_freeness(const poisson3d_problem* given, const T* u, const std::int64_t* u_strides,
                      const Boundaries<T>* faces, double* found) {
    require_pointer(found, "freeness");
    const Problem problem = read_problem(given);
    validate(problem);
    const FieldView<const T> solution = read_field(problem.grid.points(), u, u_strides);
    require_view(problem.grid.points(), solution, "u");
    *found = freeness<T>(problem, solution, read_boundary<T>(problem.grid, faces));
}

template <class T>
void check_boundary(const poisson3d_problem* given, const Boundaries<T>* boundary) {
    const Problem problem = read_problem(given);
    validate(problem);
    validate(problem.grid, read_boundary<T>(problem.grid, boundary));
}

}  // namespace

}  // namespace poisson3d::c

using poisson3d::c::guarded;

int poisson3d_measure_residual(const poisson3d_problem* problem, const double* f, const int64_t f_strides[3],
                               const double* u, const int64_t u_strides[3], const poisson3d_boundary* boundary,
                               double scale, double mean, poisson3d_residual* residual) {
    return guarded([&] {
        poisson3d::c::measure_residual(problem, f, f_strides, u, u_strides, boundary, scale, mean, residual);
    });
}

int poisson3d_measure_residual_float(const poisson3d_problem* problem, const float* f, const int64_t f_strides[3],
                                     const float* u, const int64_t u_strides[3],
                                     const poisson3d_boundary_float* boundary, float scale, double mean,
                                     poisson3d_residual* residual) {
    return guarded([&] {
        poisson3d::c::measure_residual(problem, f, f_strides, u, u_strides, boundary, scale, mean, residual);
    });
}

int poisson3d_measure_freeness(const poisson3d_problem* problem, const double* u, const int64_t u_strides[3],
                               const poisson3d_boundary* faces, double* freeness) {
    return guarded([&] { poisson3d::c::measure_freeness<double>(problem, u, u_strides, faces, freeness); });
}

int poisson3d_measure_freeness_float(const poisson3d_problem* problem, const float* u, const int64_t u_strides[3],
                                     const poisson3d_boundary_float* faces, double* freeness) {
    return guarded([&] { poisson3d::c::measure_freeness<float>(problem, u, u_strides, faces, freeness); });
}

int poisson3d_check_boundary(const poisson3d_problem* problem, const poisson3d_boundary* boundary) {
    return guarded([&] { poisson3d::c::check_boundary<double>(problem, boundary); });
}

int poisson3d_check_boundary_float(const poisson3d_problem* problem, const poisson3d_boundary_float* boundary) {
    return guarded([&] { poisson3d::c::check_boundary<float>(problem, boundary); });
}
