/* Variable coefficients in C: the stencil, written once more, of the solution is the right-hand side; both
 * precisions, coefficients at points and on faces, λ that varies, fields with gaps. By the host, or with "fused" behind
 * the program's name by a GPU, fields in host memory all the same; skipped without one. */
#include "check.h"

static const int64_t box[3] = {5, 7, 6};
static int engine = POISSON3D_ENGINE_HOST;
static const double steps[3] = {0.7, 0.5, 0.9};
static const poisson3d_problem problem = {
    .size = sizeof(poisson3d_problem),
    .axes = {{.points = 5, .spacing = 0.7},
             {.points = 7, .spacing = 0.5, .lower = POISSON3D_DIRICHLET, .upper = POISSON3D_NEUMANN},
             {.points = 6, .spacing = 0.9, .lower = POISSON3D_NEUMANN, .upper = POISSON3D_NEUMANN}}};

#define real double
#define OF(name) poisson3d_##name
#define allowed 1e-10
#include "variable_laws.h"
#undef real
#undef OF
#undef allowed

#define real float
#define OF(name) poisson3d_##name##_float
#define allowed 1e-4
#include "variable_laws.h"

int main(int count, char** words) {
    if (count > 1 && strcmp(words[1], "fused") == 0) {
        const poisson3d_options options = {.size = sizeof options, .engine = engine = POISSON3D_ENGINE_FUSED};
        poisson3d_variable* solver = NULL;
        const int code = poisson3d_variable_create(&problem, &options, -1.0, &solver);
        poisson3d_variable_destroy(solver);
        if (code == POISSON3D_DEVICE || code == POISSON3D_UNSUPPORTED) {
            printf("skipped: %s\n", poisson3d_last_message());
            return 77;
        }
    }
    poisson3d_test_variable();
    poisson3d_test_variable_float();
    return failures > 0;
}
