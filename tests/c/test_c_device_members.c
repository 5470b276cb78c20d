/* Members on devices, through the C interface: on device 0 twice and three times, where there are two on both.
 * Skipped without one. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "check.h"
#include "on_device.h"
#include "problems.h"

#define real double
#define near 1e-12
#define OF(name) poisson3d_##name
#include "device_members_laws.h"
#undef real
#undef near
#undef OF

#define real float
#define near 2e-5
#define OF(name) poisson3d_##name##_float
#include "device_members_laws.h"

static void test_refusals(void) {
    const int numbers[2] = {0}, missing[2] = {0, 99};
    poisson3d_communicator* all = NULL;
    REFUSED(POISSON3D_USAGE, "members", poisson3d_communicator_devices(numbers, 0, &all));
    REFUSED(POISSON3D_USAGE, "no device 99", poisson3d_communicator_devices(missing, 2, &all));
    REFUSED(POISSON3D_USAGE, "numbers is a null pointer", poisson3d_communicator_devices(NULL, 2, &all));
    CHECK(all == NULL, "made");
    DO(poisson3d_communicator_devices(numbers, 2, &all));
    poisson3d_distributed* solver = NULL;
    DO(poisson3d_distributed_create(&problems[0], all, NULL, NULL, &solver));
    double u[315] = {0};
    double* const parts[2] = {u, u + 180};
    REFUSED(POISSON3D_USAGE, "memory",
            poisson3d_distributed_solve(solver, (const double* const*)parts, NULL, parts, NULL, NULL, 1));
    poisson3d_distributed_destroy(solver);
    poisson3d_communicator_destroy(all);
}

int main(void) {
    if (device_missing()) return 77;
    static const int lists[4][3] = {{0, 0}, {0, 0, 0}, {0, 1}, {1, 0, 1}};
    static const int counts[4] = {2, 3, 2, 3};
    for (int list = 0; list < (device_count() > 1 ? 4 : 2); ++list)
        for (int n = 0; n < problem_count; ++n)
            for (int method = POISSON3D_METHOD_AUTOMATIC; method <= POISSON3D_METHOD_TRANSPOSE; ++method) {
                if (method == POISSON3D_METHOD_ELIMINATE && problems[n].discretization == POISSON3D_SPECTRAL)
                    continue;
                const int before = failures;
                const int64_t points = problems[n].axes[0].points;
                const int64_t uneven[3] = {points > 2 ? 2 : 0,
                                           counts[list] == 3 ? 0 : points - (points > 2 ? 2 : 0),
                                           points - (points > 2 ? 2 : 0)};
                poisson3d_test_members_on_devices(&problems[n], lists[list], counts[list], method, NULL, n % 2);
                poisson3d_test_members_on_devices(&problems[n], lists[list], counts[list], method, uneven,
                                                  (n + 1) % 2);
                poisson3d_test_members_on_devices_float(&problems[n], lists[list], counts[list], method, uneven,
                                                        n % 2);
                if (failures != before) printf("in problem %d, list %d, by method %d\n", n, list, method);
            }
    device_use(0);
    test_refusals();
    return failures == 0 ? 0 : 1;
}
