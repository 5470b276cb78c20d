/* Variable coefficients in C: the stencil, written once more, of the solution is the right-hand side; both
 * precisions, coefficients at points and on faces, λ that varies, fields with gaps. */
#include "check.h"

static const int64_t box[3] = {5, 7, 6};
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

int main(void) {
    poisson3d_test_variable();
    poisson3d_test_variable_float();
    return failures > 0;
}
