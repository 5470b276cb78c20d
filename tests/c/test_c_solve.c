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

int main(void) {
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
