// MixedSolver as C sees it.
#include "poisson3d/mixed_solver.hpp"

#include <optional>

#include "plan.hpp"

struct poisson3d_mixed : poisson3d::c::Plan<poisson3d::MixedSolver, poisson3d::c::Tag::mixed> {
    using Plan::Plan;
};

using namespace poisson3d::c;

int poisson3d_mixed_create(const poisson3d_problem* problem, const poisson3d_options* options, int refinements,
                           poisson3d_mixed** mixed) {
    return make_plan(problem, options, mixed, "mixed",
                     refinements < 0 ? std::nullopt : std::optional<int>(refinements));
}

#define POISSON3D_OF_MIXED(function) poisson3d_mixed_##function
POISSON3D_PLAN_FUNCTIONS(poisson3d_mixed, POISSON3D_OF_MIXED, "mixed")

int poisson3d_mixed_solve(poisson3d_mixed* mixed, const double* f, const int64_t f_strides[3], double* u,
                          const int64_t u_strides[3], const poisson3d_boundary* boundary, double scale,
                          void* stream) {
    return guarded([&] {
        poisson3d_mixed& p = checked(mixed, "mixed");
        const poisson3d::Extents points = p.grid.points();
        p.planned.solve(read_field(points, f, f_strides), read_field(points, u, u_strides),
                        read_boundary<double>(p.grid, boundary), scale, poisson3d::Stream{stream});
    });
}

int poisson3d_mixed_get_result(poisson3d_mixed* mixed, void* stream, poisson3d_result* result) {
    return guarded([&] {
        poisson3d_mixed& p = checked(mixed, "mixed");
        require_pointer(result, "result");
        *result = to_c(p.planned.result(poisson3d::Stream{stream}));
    });
}
