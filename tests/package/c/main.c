/* A stranger's program in C: solves one problem with the installed library and checks the answer. */
#include <poisson3d.h>
#include <stdio.h>

static int failed(int status) {
    if (status != POISSON3D_OK) fprintf(stderr, "%s: %s\n", poisson3d_message(status), poisson3d_last_message());
    return status != POISSON3D_OK;
}

int main(void) {
    static double f[9 * 12 * 7], u[9 * 12 * 7];
    poisson3d_problem problem = {.size = sizeof problem};
    problem.axes[0] = (poisson3d_axis){.points = 9,
                                       .spacing = 0.5,
                                       .centering = POISSON3D_NODE,
                                       .lower = POISSON3D_DIRICHLET,
                                       .upper = POISSON3D_NEUMANN};
    problem.axes[1] =
        (poisson3d_axis){.points = 12, .spacing = 0.25, .lower = POISSON3D_NEUMANN, .upper = POISSON3D_NEUMANN};
    problem.axes[2] = (poisson3d_axis){.points = 7, .spacing = 0.4};
    for (int n = 0; n < 9 * 12 * 7; ++n) f[n] = n * 7919 % 1009 / 1009.0 - 0.5;

    poisson3d_plan* plan;
    poisson3d_info info = {.size = sizeof info};
    poisson3d_result result;
    poisson3d_residual residual;
    if (failed(poisson3d_create(&problem, NULL, &plan)) || failed(poisson3d_get_info(plan, &info)) ||
        failed(poisson3d_solve(plan, f, NULL, u, NULL, NULL, 1.0, NULL)) ||
        failed(poisson3d_get_results(plan, NULL, &result, 1)) ||
        failed(poisson3d_measure_residual(&problem, f, NULL, u, NULL, NULL, 1.0, result.mean_removed, &residual)))
        return 1;
    printf("C, version %s, %s: backward error %.2g\n", poisson3d_version(), info.description, residual.backward);
    poisson3d_destroy(plan);
    return residual.backward < 1e-14 && residual.max_solution > 0.01 ? 0 : 1;
}
