/* Members on threads, through the C interface. */
#include <math.h>
#include <stddef.h>

#include "check.h"
#include "problems.h"

#define real double
#define near 1e-12
#define OF(name) poisson3d_##name
#include "distributed_laws.h"
#undef real
#undef near
#undef OF

#define real float
#define near 2e-5
#define OF(name) poisson3d_##name##_float
#include "distributed_laws.h"

static void test_refusals(void) {
    const poisson3d_problem* const problem = &problems[0];
    poisson3d_communicator* all = NULL;
    poisson3d_distributed* solver = NULL;
    REFUSED(POISSON3D_USAGE, "0", poisson3d_communicator_threads(0, &all));
    CHECK(all == NULL, "made");
    REFUSED(POISSON3D_USAGE, "communicator is a null pointer", poisson3d_communicator_threads(1, NULL));
    REFUSED(POISSON3D_USAGE, "communicator is a null pointer",
            poisson3d_distributed_create(problem, NULL, NULL, NULL, &solver));
    DO(poisson3d_communicator_threads(2, &all));
    const int64_t too_many[2] = {4, 4};
    REFUSED(POISSON3D_USAGE, "wanted 0 to 3", poisson3d_distributed_create(problem, all, too_many, NULL, &solver));
    poisson3d_distributed_options options = {.size = sizeof options, .method = 3};
    REFUSED(POISSON3D_USAGE, "options.method", poisson3d_distributed_create(problem, all, NULL, &options, &solver));
    options.method = 0, options.way = 7;
    REFUSED(POISSON3D_USAGE, "options.way", poisson3d_distributed_create(problem, all, NULL, &options, &solver));
    options.way = POISSON3D_WAY_STAGED;
    REFUSED(POISSON3D_UNSUPPORTED, "found the way staged of members that are not on devices",
            poisson3d_distributed_create(problem, all, NULL, &options, &solver));
    options.way = POISSON3D_WAY_AUTOMATIC, options.chunks = -2;
    REFUSED(POISSON3D_USAGE, "found -2 chunks",
            poisson3d_distributed_create(problem, all, NULL, &options, &solver));
    options.chunks = 0;
    options.method = POISSON3D_METHOD_ELIMINATE;
    REFUSED(POISSON3D_UNSUPPORTED, "eliminated",
            poisson3d_distributed_create(&problems[4], all, NULL, &options, &solver));
    CHECK(solver == NULL, "made");
    options = (poisson3d_distributed_options){.size = sizeof options, .decomposition = 4};
    REFUSED(POISSON3D_USAGE, "options.decomposition",
            poisson3d_distributed_create(problem, all, NULL, &options, &solver));
    options.decomposition = POISSON3D_DECOMPOSITION_OWN;
    REFUSED(POISSON3D_USAGE, "options.boxes is a null pointer",
            poisson3d_distributed_create(problem, all, NULL, &options, &solver));
    const poisson3d_box same[2] = {{{0, 0, 0}, {1, 1, 1}}, {{0, 0, 0}, {1, 1, 1}}};
    options.boxes = same;
    REFUSED(POISSON3D_USAGE, "overlap", poisson3d_distributed_create(problem, all, NULL, &options, &solver));
    options.decomposition = POISSON3D_DECOMPOSITION_PENCILS;
    REFUSED(POISSON3D_USAGE, "planes of members",
            poisson3d_distributed_create(problem, all, too_many, &options, &solver));
    options.row_points = too_many;
    REFUSED(POISSON3D_USAGE, "options.rows", poisson3d_distributed_create(problem, all, NULL, &options, &solver));
    options.rows = 2, options.columns = 1;
    REFUSED(POISSON3D_USAGE, "row 1: found 4", poisson3d_distributed_create(problem, all, NULL, &options, &solver));
    options.row_points = NULL, options.columns = 2;
    REFUSED(POISSON3D_USAGE, "4 members", poisson3d_distributed_create(problem, all, NULL, &options, &solver));
    options.columns = 1, options.order = (const int[2]){1, 1};
    REFUSED(POISSON3D_USAGE, "each once", poisson3d_distributed_create(problem, all, NULL, &options, &solver));
    /* What knew less of the options had slabs. */
    options.size = offsetof(poisson3d_distributed_options, decomposition);
    options.decomposition = 77;
    DO(poisson3d_distributed_create(problem, all, NULL, &options, &solver));
    poisson3d_distributed_destroy(solver);

    DO(poisson3d_distributed_create(problem, all, NULL, NULL, &solver));
    poisson3d_communicator_destroy(all); /* the solver keeps what it needs */
    double u[315] = {0};
    double* const parts[2] = {u, u + 180};
    const double* const from[2] = {u, NULL};
    poisson3d_result results[2];
    REFUSED(POISSON3D_USAGE, "f is a null pointer",
            poisson3d_distributed_solve(solver, NULL, NULL, parts, NULL, NULL, 1));
    REFUSED(POISSON3D_USAGE, "member 1", poisson3d_distributed_solve(solver, from, NULL, parts, NULL, NULL, 1));
    double slopes[315];
    double* const components[6] = {slopes, NULL, NULL, slopes + 180};
    REFUSED(POISSON3D_USAGE, "components is a null pointer",
            poisson3d_distributed_gradient(solver, (const double* const*)parts, NULL, NULL, NULL, NULL));
    REFUSED(POISSON3D_USAGE, "u of member 1",
            poisson3d_distributed_gradient(solver, from, NULL, components, NULL, NULL));
    DO(poisson3d_distributed_gradient(solver, (const double* const*)parts, NULL, components, NULL, NULL));
    REFUSED(POISSON3D_USAGE, "wanted 0 to 1", poisson3d_distributed_get_planes(solver, 2, NULL, NULL));
    poisson3d_box box;
    REFUSED(POISSON3D_USAGE, "wanted 0 to 1", poisson3d_distributed_get_box(solver, 2, &box));
    REFUSED(POISSON3D_USAGE, "box is a null pointer", poisson3d_distributed_get_box(solver, 0, NULL));
    double bytes = 0;
    REFUSED(POISSON3D_USAGE, "wanted 0 to 1", poisson3d_distributed_get_sent(solver, 2, NULL, &bytes));
    REFUSED(POISSON3D_USAGE, "plan is a null pointer", poisson3d_distributed_get_sent(NULL, 0, NULL, &bytes));
    DO(poisson3d_distributed_get_sent(solver, 1, NULL, &bytes)); /* two planes of 5·9, and the mean's line maybe */
    CHECK(bytes >= 2 * 5 * 9 * 8 / 2, "%g", bytes);
    REFUSED(POISSON3D_USAGE, "status: found 0", poisson3d_distributed_refuse(solver, 0));
    DO(poisson3d_distributed_refuse(solver, POISSON3D_USAGE)); /* alone */
    REFUSED(POISSON3D_USAGE, "not of the kind",
            poisson3d_distributed_get_planes_float((poisson3d_distributed_float*)solver, 0, NULL, NULL));
    DO(poisson3d_distributed_solve(solver, (const double* const*)parts, NULL, parts, NULL, NULL, 1));
    REFUSED(POISSON3D_USAGE, "had 1 field", poisson3d_distributed_get_results(solver, results, 2));
    poisson3d_distributed_destroy(solver);
    poisson3d_distributed_destroy(NULL);
    poisson3d_communicator_destroy(NULL);
}

/* The gradient of a solution beside free faces, where members and one solver know what the last solve found, or,
 * with the spectral discretization, are told f. */
static void test_free_faces(int discretization) {
    enum { points = 7 * 5 * 9, plane = 5 * 9 };
    poisson3d_problem problem = problems[0];
    problem.axes[0].lower = problem.axes[0].upper = POISSON3D_FREE;
    problem.discretization = discretization;
    const int spectral = discretization == POISSON3D_SPECTRAL;
    poisson3d_options options = {.size = sizeof options, .engine = POISSON3D_ENGINE_HOST};
    double f[points], u[points], expected[3][points], found[3][points];
    for (int n = 0; n < points; ++n) f[n] = value_at(n, 3);
    poisson3d_plan* plan = NULL;
    poisson3d_gradient* gradient = NULL;
    poisson3d_boundary faces = {.size = sizeof faces};
    DO(poisson3d_create(&problem, &options, &plan));
    DO(poisson3d_solve(plan, f, NULL, u, NULL, NULL, 1, NULL));
    DO(poisson3d_gradient_create(&problem, &options, &gradient));
    double* const one[3] = {expected[0], expected[1], expected[2]};
    if (spectral) {
        DO(poisson3d_gradient_evaluate_with_source(gradient, u, NULL, f, NULL, 1, one, NULL, NULL, NULL));
    } else {
        DO(poisson3d_get_faces(plan, NULL, NULL, &faces));
        DO(poisson3d_gradient_evaluate(gradient, u, NULL, one, NULL, &faces, NULL));
    }
    poisson3d_gradient_destroy(gradient);
    poisson3d_destroy(plan);

    poisson3d_communicator* all = NULL;
    poisson3d_distributed* solver = NULL;
    DO(poisson3d_communicator_threads(3, &all));
    DO(poisson3d_distributed_create(&problem, all, NULL, NULL, &solver));
    poisson3d_communicator_destroy(all);
    const double* from[3];
    double *to[3], *slopes[9];
    for (int m = 0; m < 3; ++m) {
        int64_t first = 0, planes = 0;
        DO(poisson3d_distributed_get_planes(solver, m, &first, &planes));
        from[m] = f + first * plane, to[m] = u + first * plane;
        for (int a = 0; a < 3; ++a) slopes[3 * m + a] = found[a] + first * plane;
    }
    DO(poisson3d_distributed_solve(solver, from, NULL, to, NULL, NULL, 1));
    const double* const* const solution = (const double* const*)to;
    if (spectral) {
        REFUSED(POISSON3D_UNSUPPORTED, "spectral gradient beside free faces",
                poisson3d_distributed_gradient(solver, solution, NULL, slopes, NULL, NULL));
        REFUSED(
            POISSON3D_USAGE, "f is a null pointer",
            poisson3d_distributed_gradient_with_source(solver, solution, NULL, NULL, NULL, 1, slopes, NULL, NULL));
        DO(poisson3d_distributed_gradient_with_source(solver, solution, NULL, from, NULL, 1, slopes, NULL, NULL));
    } else {
        DO(poisson3d_distributed_gradient(solver, solution, NULL, slopes, NULL, NULL));
    }
    for (int a = 0; a < 3; ++a) {
        double most = 0, off = 0;
        for (int n = 0; n < points; ++n) {
            most = fmax(most, fabs(expected[a][n]));
            off = fmax(off, fabs(found[a][n] - expected[a][n]));
        }
        CHECK(off <= 1e-12 * most, "component %d: %g of %g", a, off, most);
    }
    poisson3d_distributed_destroy(solver);
}

int main(void) {
    for (int n = 0; n < problem_count; ++n) {
        const int64_t points = problems[n].axes[0].points;
        const int64_t uneven[3] = {points > 2 ? 2 : 0, 0, points - (points > 2 ? 2 : 0)};
        poisson3d_communicator* all = NULL;
        DO(poisson3d_communicator_threads(3, &all));
        for (int method = POISSON3D_METHOD_AUTOMATIC; method <= POISSON3D_METHOD_TRANSPOSE; ++method) {
            if (method == POISSON3D_METHOD_ELIMINATE && problems[n].discretization == POISSON3D_SPECTRAL) continue;
            poisson3d_test_members(&problems[n], all, NULL, method, NULL);
            poisson3d_test_members(&problems[n], all, uneven, method, NULL);
            poisson3d_test_members_float(&problems[n], all, uneven, method, NULL);
            poisson3d_test_boxes(&problems[n], all, method);
            poisson3d_test_boxes_float(&problems[n], all, method);
            if (failures != 0) printf("in problem %d by method %d\n", n, method);
        }
        poisson3d_communicator_destroy(all);
    }
    test_refusals();
    test_free_faces(POISSON3D_SECOND_ORDER);
    test_free_faces(POISSON3D_SPECTRAL);
    return failures == 0 ? 0 : 1;
}
