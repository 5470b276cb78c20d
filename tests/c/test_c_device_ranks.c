/* Members that are ranks of MPI with a GPU each, which they may share, through the C interface: each rank's planes
 * against those of one solver on the host. Skipped without a GPU. */
#include <math.h>

#include "check.h"
#include "on_device.h"
#include "poisson3d_mpi.h"
#include "problems.h"

#define real double
#define OF(name) poisson3d_##name
#include "parts.h"

/* A solve with data on faces in a stream of its own, then one in place in the default one. */
static void test_solves(const poisson3d_problem* problem, const poisson3d_communicator* all, int me, int method) {
    const int64_t row = problem->axes[1].points * problem->axes[2].points, points = size_of(problem);
    double* const f = take((size_t)points * sizeof(double));
    double* const u = take((size_t)points * sizeof(double));
    double* const expected = take((size_t)points * sizeof(double));
    double* const walls = take(1200 * sizeof(double));
    char* const mine = take((size_t)points);
    for (int64_t n = 0; n < points; ++n) f[n] = value_at(n, 3);
    for (int n = 0; n < 1200; ++n) walls[n] = value_at(n, 4);

    const poisson3d_options alone = {.size = sizeof alone, .engine = POISSON3D_ENGINE_HOST, .threads = 1};
    const poisson3d_distributed_options options = {.size = sizeof options, .method = method};
    poisson3d_plan* plan = NULL;
    poisson3d_distributed* solver = NULL;
    int64_t first = 0, planes = 0;
    DO(poisson3d_create(problem, &alone, &plan));
    DO(poisson3d_distributed_create(problem, all, NULL, &options, &solver));
    DO(poisson3d_distributed_get_planes(solver, me, &first, &planes));
    const size_t bytes = (size_t)(planes * row) * sizeof(double);
    memset(mine, 0, (size_t)points);
    memset(mine + first * row, 1, (size_t)(planes * row));

    const int64_t whole[3] = {0, 0, 0}, here[3] = {first, 0, 0};
    poisson3d_boundary faces, part;
    poisson3d_make_part_of_boundary(problem, whole, walls, &faces);
    double* const walls_here = device_take(1200 * sizeof(double), walls);
    poisson3d_make_part_of_boundary(problem, here, walls_here, &part);
    double* const from = device_take(bytes + sizeof(double), f); /* room for none; filled below */
    double* const to = device_take(bytes + sizeof(double), f);
    void* stream = device_stream_make();
    device_write(from, f + first * row, bytes, stream);
    const double* const given[1] = {from};
    double* const wanted[1] = {to};
    const poisson3d_boundary* const boundary[1] = {&part};
    DO(poisson3d_distributed_set_streams(solver, &stream));
    DO(poisson3d_distributed_solve(solver, given, NULL, wanted, NULL, boundary, -2));
    poisson3d_result result, alone_result;
    DO(poisson3d_distributed_get_results(solver, &result, 1));
    device_read(u + first * row, to, bytes, stream);
    DO(poisson3d_solve(plan, f, NULL, expected, NULL, &faces, -2, NULL));
    DO(poisson3d_get_results(plan, NULL, &alone_result, 1));
    double largest = 0;
    double off = poisson3d_distance(u, expected, mine, points, &largest);
    CHECK(off <= 1e-12 * largest, "method %d: %g of %g", method, off, largest);
    CHECK(result.singular == alone_result.singular, "%d", result.singular);

    double* const in_place[1] = {from};
    DO(poisson3d_distributed_set_streams(solver, NULL));
    DO(poisson3d_distributed_solve(solver, given, NULL, in_place, NULL, NULL, 1));
    DO(poisson3d_distributed_get_results(solver, &result, 1));
    device_read(u + first * row, from, bytes, NULL);
    DO(poisson3d_solve(plan, f, NULL, expected, NULL, NULL, 1, NULL));
    off = poisson3d_distance(u, expected, mine, points, &largest);
    CHECK(off <= 1e-12 * largest, "in place, method %d: %g of %g", method, off, largest);
    poisson3d_distributed_info info = {.size = sizeof info};
    DO(poisson3d_distributed_get_info(solver, &info));
    CHECK(strstr(info.description, " on device") != NULL || strstr(info.description, " on a device") != NULL, "%s",
          info.description);
    poisson3d_distributed_destroy(solver);
    poisson3d_destroy(plan);
    device_give_back(from), device_give_back(to), device_give_back(walls_here);
    device_stream_end(stream);
    free(f), free(u), free(expected), free(walls), free(mine);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int members = 0, me = 0, device = -2, missing = device_missing();
    MPI_Allreduce(MPI_IN_PLACE, &missing, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    DO(poisson3d_mpi_device_of_rank(MPI_COMM_WORLD, &device));
    CHECK(missing ? device >= -1 : device >= 0, "device %d", device);
    poisson3d_communicator* all = NULL;
    if (missing) {
        REFUSED(POISSON3D_DEVICE, "cannot be on a device",
                poisson3d_communicator_mpi_device(MPI_COMM_WORLD, 0, &all));
        CHECK(all == NULL, "made");
    } else {
        device_use(device);
        MPI_Comm_size(MPI_COMM_WORLD, &members);
        MPI_Comm_rank(MPI_COMM_WORLD, &me);
        const int last = me == members - 1;
        REFUSED(POISSON3D_USAGE, last ? "no device 99" : "another member",
                poisson3d_communicator_mpi_device(MPI_COMM_WORLD, last ? 99 : device, &all));
        for (int way = 0; way < 2; ++way) {
            if (way == 0)
                DO(poisson3d_communicator_mpi_device(MPI_COMM_WORLD, device, &all));
            else
                DO(poisson3d_communicator_mpi_device_fortran((int)MPI_Comm_c2f(MPI_COMM_WORLD), device, &all));
            for (int n = 0; n < problem_count; ++n)
                for (int method = POISSON3D_METHOD_ELIMINATE; method <= POISSON3D_METHOD_TRANSPOSE; ++method)
                    if (method == POISSON3D_METHOD_TRANSPOSE || problems[n].discretization != POISSON3D_SPECTRAL)
                        test_solves(&problems[n], all, me, method);
            poisson3d_communicator_destroy(all);
        }
    }
    int worst = failures;
    MPI_Allreduce(&failures, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return worst != 0 ? 1 : missing ? 77 : 0;
}
