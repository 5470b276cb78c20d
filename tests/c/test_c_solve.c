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

int main(void) {
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
