/* The C interface on fields in device memory, with both engines of a GPU. Skipped without one. */
#include "check.h"
#include "on_device.h"
#include "problems.h"

#define real double
#define OF(name) poisson3d_##name
#include "device_laws.h"
#undef real
#undef OF

#define real float
#define OF(name) poisson3d_##name##_float
#include "device_laws.h"

static void test_mixed(const poisson3d_problem* problem, int engine, void* stream) {
    const size_t count = (size_t)size_of(problem);
    double* const f = take(count * sizeof(double));
    double* const u = take(count * sizeof(double));
    for (size_t n = 0; n < count; ++n) f[n] = value_at((int64_t)n, 5);
    double* const device_f = device_take(count * sizeof(double), f);
    double* const device_u = device_take(count * sizeof(double), f);
    poisson3d_options options = {.size = sizeof options, .engine = engine};
    poisson3d_mixed* mixed = NULL;
    DO(poisson3d_mixed_create(problem, &options, -1, &mixed));
    DO(poisson3d_mixed_solve(mixed, device_f, NULL, device_u, NULL, NULL, 1, stream));
    poisson3d_result result;
    DO(poisson3d_mixed_get_result(mixed, stream, &result));
    device_read(u, device_u, count * sizeof(double), stream);
    poisson3d_residual residual;
    DO(poisson3d_measure_residual(problem, f, NULL, u, NULL, NULL, 1, result.mean_removed, &residual));
    CHECK(residual.backward < 1e-14, "%g", residual.backward);
    REFUSED(POISSON3D_USAGE, "host memory", poisson3d_mixed_solve(mixed, f, NULL, u, NULL, NULL, 1, stream));
    poisson3d_mixed_destroy(mixed);
    device_give_back(device_f);
    device_give_back(device_u);
    free(f), free(u);
}

int main(void) {
    if (device_missing()) return 77;
    void* const streams[2] = {NULL, device_stream_make()};
    for (int engine = POISSON3D_ENGINE_CUFFT; engine <= POISSON3D_ENGINE_FUSED; ++engine)
        for (int n = 0; n < problem_count; ++n) {
            const int before = failures;
            poisson3d_test_device(&problems[n], engine, streams[n % 2]);
            poisson3d_test_device_float(&problems[n], engine, streams[n % 2]);
            if (problems[n].discretization == POISSON3D_SECOND_ORDER)
                test_mixed(&problems[n], engine, streams[n % 2]);
            if (failures != before) printf("in problem %d, engine %d\n", n, engine);
        }
    device_stream_end(streams[1]);
    return failures == 0 ? 0 : 1;
}
