// MixedSolver as C sees it.
#include <optional>

#include "arguments.hpp"
#include "error_guard.hpp"
#include "poisson3d/mixed_solver.hpp"

struct poisson3d_mixed {
    static constexpr poisson3d::c::Tag kind = poisson3d::c::Tag::mixed;

    poisson3d::c::Tag found = kind;  // first: require_tag
    poisson3d::Grid grid;
    poisson3d::MixedSolver solver;
    poisson3d::c::Description description;

    poisson3d_mixed(const poisson3d::Problem& problem, const poisson3d::Options& options, int refinements)
        : grid(problem.grid),
          solver(problem, options, refinements < 0 ? std::nullopt : std::optional<int>(refinements)) {
        description.engine = solver.engine();
        description.memory = solver.memory();
        description.threads = solver.threads();
        description.refinements = solver.refinements();
        description.workspace = solver.workspace();
        description.text = solver.description();
    }
    static std::size_t workspace_bytes(const poisson3d::Problem& problem, const poisson3d::Options& options) {
        return poisson3d::MixedSolver::workspace_bytes(problem, options);
    }
};

using namespace poisson3d::c;

int poisson3d_mixed_create(const poisson3d_problem* problem, const poisson3d_options* options, int refinements,
                           poisson3d_mixed** mixed) {
    return guarded([&] { make_plan(problem, options, mixed, "mixed", refinements); });
}

void poisson3d_mixed_destroy(poisson3d_mixed* mixed) {
    delete mixed;
}

int poisson3d_mixed_workspace_bytes(const poisson3d_problem* problem, const poisson3d_options* options,
                                    size_t* bytes) {
    return guarded([&] { tell_workspace_bytes<poisson3d_mixed>(problem, options, bytes); });
}

int poisson3d_mixed_get_info(const poisson3d_mixed* mixed, poisson3d_info* info) {
    return guarded([&] { write_info(checked(mixed, "mixed").description, info); });
}

int poisson3d_mixed_solve(poisson3d_mixed* mixed, const double* f, const int64_t f_strides[3], double* u,
                          const int64_t u_strides[3], const poisson3d_boundary* boundary, double scale,
                          void* stream) {
    return guarded([&] {
        poisson3d_mixed& p = checked(mixed, "mixed");
        const poisson3d::Extents points = p.grid.points();
        p.solver.solve(read_field(points, f, f_strides), read_field(points, u, u_strides),
                       read_boundary<double>(p.grid, boundary), scale, poisson3d::Stream{stream});
    });
}

int poisson3d_mixed_get_result(poisson3d_mixed* mixed, void* stream, poisson3d_result* result) {
    return guarded([&] {
        poisson3d_mixed& p = checked(mixed, "mixed");
        require_pointer(result, "result");
        const poisson3d::Result found = p.solver.result(poisson3d::Stream{stream});
        *result = {found.singular ? 1 : 0, 0, found.mean_removed};
    });
}
