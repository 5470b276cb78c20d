/* Members that are ranks of MPI, through the C interface. */
#include <math.h>

#include "check.h"
#include "poisson3d_mpi.h"
#include "problems.h"

#define real double
#define near 1e-12
#define OF(name) poisson3d_##name
#include "distributed_laws.h"

/* What one rank cannot even call with, the others hear of. */
static void test_refusals(const poisson3d_communicator* all) {
    const poisson3d_problem* const problem = &problems[0];
    int members = 0, me = 0;
    poisson3d_distributed* solver = NULL;
    DO(poisson3d_communicator_get_members(all, &members, &me, NULL));
    const int last = me == members - 1;
    poisson3d_problem wrong = *problem;
    wrong.axes[1].centering = 99;
    REFUSED(POISSON3D_USAGE, last ? "centering" : "another member",
            poisson3d_distributed_create(last ? &wrong : problem, all, NULL, NULL, &solver));
    DO(poisson3d_distributed_create(problem, all, NULL, NULL, &solver));
    double* const u = take((size_t)size_of(problem) * sizeof *u);
    memset(u, 0, (size_t)size_of(problem) * sizeof *u);
    double* const to[1] = {u};
    const double* const from[1] = {u};
    const poisson3d_boundary unknown = {.size = 1};
    const poisson3d_boundary* const faces[1] = {&unknown};
    REFUSED(POISSON3D_USAGE, last ? "f is a null pointer" : "another member",
            poisson3d_distributed_solve(solver, last ? NULL : from, NULL, to, NULL, NULL, 1));
    REFUSED(POISSON3D_USAGE, last ? "u is a null pointer" : "another member",
            poisson3d_distributed_apply(solver, from, NULL, last ? NULL : to, NULL, 1));
    REFUSED(POISSON3D_USAGE, last ? "size" : "another member",
            poisson3d_distributed_solve(solver, from, NULL, to, NULL, last ? faces : NULL, 1));
    if (last)
        DO(poisson3d_distributed_refuse(solver, POISSON3D_DATA));
    else
        REFUSED(POISSON3D_DATA, "another member",
                poisson3d_distributed_solve(solver, from, NULL, to, NULL, NULL, 1));
    DO(poisson3d_distributed_solve(solver, from, NULL, to, NULL, NULL, 1));
    poisson3d_distributed_destroy(solver);
    solver = NULL;
    if (last)
        DO(poisson3d_communicator_refuse(all, POISSON3D_DATA));
    else
        REFUSED(POISSON3D_DATA, "another member", poisson3d_distributed_create(problem, all, NULL, NULL, &solver));
    free(u);
}

/* Pencils in the order of a Cartesian communicator whose first dimension is that of axis 1. */
static void test_cartesian(void) {
    int members = 0, me = 0, dims[2] = {0, 0}, periods[2] = {0, 0}, here[2];
    MPI_Comm cartesian;
    MPI_Comm_size(MPI_COMM_WORLD, &members);
    MPI_Dims_create(members, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &cartesian);
    MPI_Comm_rank(cartesian, &me);
    int order[16];
    for (int m = 0; m < members; ++m) {
        MPI_Cart_coords(cartesian, m, 2, here);
        order[m] = dims[0] * here[1] + here[0];
    }
    MPI_Cart_coords(cartesian, me, 2, here);
    poisson3d_communicator* all = NULL;
    poisson3d_distributed* solver = NULL;
    DO(poisson3d_communicator_mpi(cartesian, &all));
    const poisson3d_distributed_options options = {.size = sizeof options,
                                                   .decomposition = POISSON3D_DECOMPOSITION_PENCILS,
                                                   .rows = dims[1],
                                                   .columns = dims[0],
                                                   .order = order};
    poisson3d_box box;
    const poisson3d_problem* const problem = &problems[0];
    DO(poisson3d_distributed_create(problem, all, NULL, &options, &solver));
    DO(poisson3d_distributed_get_box(solver, me, &box));
    CHECK((here[0] == 0) == (box.first[1] == 0) && (here[1] == 0) == (box.first[0] == 0), "%d", me);
    const int at_end = box.first[1] + box.points[1] == problem->axes[1].points;
    CHECK((here[0] == dims[0] - 1) == at_end, "%d", me);
    poisson3d_distributed_destroy(solver);
    poisson3d_test_members(problem, all, NULL, POISSON3D_METHOD_AUTOMATIC, &options);
    poisson3d_communicator_destroy(all);
    MPI_Comm_free(&cartesian);
}

int main(int argc, char** argv) {
    poisson3d_communicator* all = NULL;
    REFUSED(POISSON3D_USAGE, "not initialised", poisson3d_communicator_mpi_fortran(0, &all));
    MPI_Init(&argc, &argv);
    REFUSED(POISSON3D_USAGE, "MPI_COMM_NULL", poisson3d_communicator_mpi(MPI_COMM_NULL, &all));
    CHECK(all == NULL, "made");
    for (int way = 0; way < 2; ++way) {
        if (way == 0)
            DO(poisson3d_communicator_mpi(MPI_COMM_WORLD, &all));
        else
            DO(poisson3d_communicator_mpi_fortran((int)MPI_Comm_c2f(MPI_COMM_WORLD), &all));
        for (int n = 0; n < problem_count; ++n) {
            poisson3d_test_members(&problems[n], all, NULL, POISSON3D_METHOD_AUTOMATIC, NULL);
            poisson3d_test_members(&problems[n], all, NULL, POISSON3D_METHOD_TRANSPOSE, NULL);
            poisson3d_test_boxes(&problems[n], all, POISSON3D_METHOD_AUTOMATIC);
            poisson3d_test_boxes(&problems[n], all, POISSON3D_METHOD_TRANSPOSE);
            if (failures != 0) printf("in problem %d\n", n);
        }
        test_refusals(all);
        poisson3d_communicator_destroy(all);
    }
    test_cartesian();
    int worst = failures;
    MPI_Allreduce(&failures, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return worst == 0 ? 0 : 1;
}
