/* What the C interface computes has the bits of the C++ interface: every function, both precisions, all memory
 * modes. */
#include "check.h"
#include "problems.h"
#include "reference.h"

#define real double
#define OF(name) poisson3d_##name
#define REFERENCE(name) reference_##name
#include "solve_laws.h"
#undef real
#undef OF
#undef REFERENCE

#define real float
#define OF(name) poisson3d_##name##_float
#define REFERENCE(name) reference_##name##_float
#include "solve_laws.h"

static void test_mixed(const poisson3d_problem* problem) {
    const size_t count = (size_t)size_of(problem);
    double* const f = take(count * sizeof(double));
    double* const u = take(count * sizeof(double));
    double* const expected = take(count * sizeof(double));
    for (size_t n = 0; n < count; ++n) f[n] = value_at((int64_t)n, 5);
    poisson3d_options options = {.size = sizeof options, .engine = POISSON3D_ENGINE_HOST, .threads = 1};
    poisson3d_boundary boundary;
    double* const face_memory = take(600 * sizeof(double));
    for (int n = 0; n < 600; ++n) face_memory[n] = value_at(n, 6);
    poisson3d_make_boundary(problem, &boundary, face_memory, 2);
    poisson3d_result found, wanted;
    for (int refinements = -1; refinements < 2; ++refinements) {
        poisson3d_mixed* mixed = NULL;
        DO(poisson3d_mixed_create(problem, &options, refinements, &mixed));
        poisson3d_info info = {.size = sizeof info};
        DO(poisson3d_mixed_get_info(mixed, &info));
        CHECK(refinements < 0 ? info.refinements > 1 : info.refinements == refinements, "%d", info.refinements);
        CHECK(info.workspace_bytes == reference_mixed_bytes(problem), "%zu", info.workspace_bytes);
        size_t bytes = 0;
        DO(poisson3d_mixed_workspace_bytes(problem, &options, &bytes));
        CHECK(info.workspace_bytes == bytes, "%zu", bytes);
        DO(poisson3d_mixed_solve(mixed, f, NULL, u, NULL, &boundary, -2, NULL));
        DO(poisson3d_mixed_get_result(mixed, NULL, &found));
        reference_mixed(problem, refinements, f, expected, &boundary, -2, &wanted);
        CHECK(memcmp(u, expected, count * sizeof(double)) == 0, "%d refinements", refinements);
        CHECK(found.singular == wanted.singular && found.mean_removed == wanted.mean_removed, "%g",
              found.mean_removed);
        poisson3d_mixed_destroy(mixed);
    }
    free(f), free(u), free(expected), free(face_memory);
}

/* Positions and Robin faces; widths of periodic nodes; coefficients. */
static const double faces[10] = {-1.0, -0.75, -0.625, 0.0, 0.5, 0.75, 1.75, 2.0, 2.5, 2.75};
static const double widths[6] = {0.5, 0.25, 1.0, 0.75, 0.5, 0.25};
static const double conductances[9] = {2.0, 1.0, 0.5, 3.0, 2.5, 1.5, 0.25, 4.0, 2.0};
static const double weights[8] = {0.5, 1.0, 0.75, 2.0, 0.25, 1.5, 1.0, 0.5};

static const poisson3d_problem uneven_problems[3] = {
    {.size = sizeof(poisson3d_problem),
     .axes = {{.points = 7, .spacing = 0.7},
              {.points = 9, .lower = POISSON3D_ROBIN, .upper = POISSON3D_NEUMANN},
              {.points = 5, .spacing = 0.4, .lower = POISSON3D_DIRICHLET, .upper = POISSON3D_NEUMANN}},
     .uneven = {{0}, {.positions = faces, .alpha = {2.0}, .beta = {0.5}}, {0}}},
    {.size = sizeof(poisson3d_problem),
     .axes = {{.points = 6, .centering = POISSON3D_NODE},
              {.points = 5, .spacing = 0.7, .lower = POISSON3D_NEUMANN, .upper = POISSON3D_NEUMANN},
              {.points = 4, .spacing = 0.3}},
     .uneven = {{.widths = widths}, {0}, {0}}},
    {.size = sizeof(poisson3d_problem),
     .axes = {{.points = 4, .spacing = 0.7},
              {.points = 5, .spacing = 0.7, .lower = POISSON3D_NEUMANN, .upper = POISSON3D_NEUMANN},
              {.points = 8, .spacing = 1.0, .lower = POISSON3D_DIRICHLET, .upper = POISSON3D_NEUMANN}},
     .helmholtz = 0.5,
     .uneven = {{0}, {0}, {.conductances = conductances, .weights = weights}}},
};

/* u = 1 + 2x is exact on any grid; what a wrong order of positions or faces would miss. */
static void test_linear(void) {
    poisson3d_problem problem = uneven_problems[0];
    problem.axes[2].lower = problem.axes[2].upper = POISSON3D_PERIODIC;
    poisson3d_boundary walls = {.size = sizeof walls};
    walls.faces[1][0].constant = 2.0 * (1.0 - 2.0) - 0.5 * 2.0; /* α u − β u', x = −1 */
    walls.faces[1][1].constant = 2.0;
    poisson3d_plan* plan = NULL;
    poisson3d_options options = {.size = sizeof options, .middle = POISSON3D_MIDDLE_ELIMINATE};
    DO(poisson3d_create(&problem, &options, &plan));
    double u[7 * 9 * 5] = {0};
    DO(poisson3d_solve(plan, u, NULL, u, NULL, &walls, 1.0, NULL));
    for (int n = 0; n < 7 * 9 * 5; ++n) {
        const int j = n / 5 % 9;
        const double wanted = 1.0 + (faces[j] + faces[j + 1]);
        CHECK(u[n] > wanted - 1e-13 && u[n] < wanted + 1e-13, "%g, %g at %d", u[n], wanted, n);
    }
    poisson3d_info info = {.size = sizeof info};
    DO(poisson3d_get_info(plan, &info));
    CHECK(strstr(info.description, "y eliminated") != NULL, "%s", info.description);
    poisson3d_destroy(plan);
}

/* A charge over a conducting plane, and the far field of a line of charges: residual and freeness with what was
 * found on the faces; a gauge only moves u. */
static void test_free(void) {
    poisson3d_problem problem = {.size = sizeof problem};
    problem.axes[0] =
        (poisson3d_axis){.points = 5, .spacing = 0.5, .lower = POISSON3D_FREE, .upper = POISSON3D_FREE};
    problem.axes[1] =
        (poisson3d_axis){.points = 6, .spacing = 0.25, .lower = POISSON3D_DIRICHLET, .upper = POISSON3D_FREE};
    problem.axes[2] = (poisson3d_axis){
        .points = 4, .spacing = 0.5, .centering = POISSON3D_NODE, .lower = POISSON3D_FREE, .upper = POISSON3D_FREE};
    poisson3d_options options = {.size = sizeof options, .engine = POISSON3D_ENGINE_HOST};
    double f[5 * 6 * 4] = {0}, u[5 * 6 * 4], far_u[5 * 6 * 4];
    float f_float[5 * 6 * 4] = {0}, u_float[5 * 6 * 4];
    f[1 * 24 + 3 * 4 + 2] = 1, f_float[1 * 24 + 3 * 4 + 2] = 1;
    poisson3d_plan* plan = NULL;
    DO(poisson3d_create(&problem, &options, &plan));
    DO(poisson3d_solve(plan, f, NULL, u, NULL, NULL, -1, NULL));
    poisson3d_boundary found = {.size = sizeof found};
    DO(poisson3d_get_faces(plan, NULL, NULL, &found));
    CHECK(found.faces[0][0].data != NULL && found.faces[1][0].data == NULL && found.faces[2][1].data != NULL,
          "faces");
    poisson3d_residual residual;
    DO(poisson3d_measure_residual(&problem, f, NULL, u, NULL, &found, -1, 0, &residual));
    CHECK(residual.backward < 4 * 2.2e-16, "%g", residual.backward);
    double freeness = 1;
    DO(poisson3d_measure_freeness(&problem, u, NULL, &found, &freeness));
    CHECK(freeness < 4 * 2.2e-16, "%g", freeness);
    DO(poisson3d_measure_freeness(&problem, u, NULL, NULL, &freeness));
    CHECK(freeness > 1e-4, "%g", freeness);
    poisson3d_boundary wrong = {.size = sizeof wrong};
    wrong.faces[0][1].constant = 1;
    REFUSED(POISSON3D_USAGE, "x_upper: the face is free",
            poisson3d_solve(plan, f, NULL, u, NULL, &wrong, -1, NULL));
    wrong.size = 8;
    REFUSED(POISSON3D_USAGE, "faces.size 8", poisson3d_get_faces(plan, NULL, NULL, &wrong));
    REFUSED(POISSON3D_USAGE, "freeness is a null pointer",
            poisson3d_measure_freeness(&problem, u, NULL, &found, NULL));
    poisson3d_destroy(plan);

    poisson3d_plan_float* plan_float = NULL;
    DO(poisson3d_create_float(&problem, &options, &plan_float));
    DO(poisson3d_solve_float(plan_float, f_float, NULL, u_float, NULL, NULL, -1, NULL));
    poisson3d_boundary_float faces_float = {.size = sizeof faces_float};
    DO(poisson3d_get_faces_float(plan_float, NULL, NULL, &faces_float));
    DO(poisson3d_measure_freeness_float(&problem, u_float, NULL, &faces_float, &freeness));
    CHECK(freeness < 4 * 1.2e-7, "%g", freeness);
    poisson3d_destroy_float(plan_float);

    problem.axes[1].lower = problem.axes[1].upper = POISSON3D_PERIODIC;
    for (int gauge = POISSON3D_GAUGE_BOX_MEAN; gauge >= 0; --gauge) {
        problem.gauge = gauge;
        problem.gauge_point[0] = 2;
        DO(poisson3d_create(&problem, &options, &plan));
        DO(poisson3d_solve(plan, f, NULL, u, NULL, NULL, -1, NULL));
        poisson3d_destroy(plan);
        double mean = 0;
        for (int n = 0; n < 120; ++n) mean += u[n] / 120;
        if (gauge == POISSON3D_GAUGE_BOX_MEAN) CHECK(mean > -1e-15 && mean < 1e-15, "%g", mean);
        if (gauge == POISSON3D_GAUGE_FAR) memcpy(far_u, u, sizeof u);
        if (gauge == POISSON3D_GAUGE_POINT) CHECK(u[2 * 24] > -1e-15 && u[2 * 24] < 1e-15, "%g", u[2 * 24]);
        if (gauge == POISSON3D_GAUGE_MEAN) CHECK(memcmp(far_u, u, sizeof u) == 0, "far by default");
    }
}

int main(void) {
    test_free();
    for (int n = 0; n < 3; ++n) {
        poisson3d_test_solves(&uneven_problems[n], POISSON3D_MEMORY_FAST);
        poisson3d_test_solves_float(&uneven_problems[n], POISSON3D_MEMORY_FAST);
        test_mixed(&uneven_problems[n]);
    }
    test_linear();
    for (int n = 0; n < problem_count; ++n)
        for (int memory = POISSON3D_MEMORY_FAST; memory <= POISSON3D_MEMORY_LOW; ++memory) {
            const int before = failures;
            poisson3d_test_solves(&problems[n], memory);
            poisson3d_test_solves_float(&problems[n], memory);
            if (failures != before) printf("in problem %d, memory mode %d\n", n, memory);
        }
    for (int n = 0; n < problem_count; ++n)
        if (problems[n].discretization == POISSON3D_SECOND_ORDER) test_mixed(&problems[n]);
    return failures == 0 ? 0 : 1;
}
