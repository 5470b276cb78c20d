/* Members that are ranks of MPI, through the C interface. */
#include <math.h>

#include "check.h"
#include "poisson3d_mpi.h"
#include "problems.h"

#define real double
#define near 1e-12
#define OF(name) poisson3d_##name
#include "distributed_laws.h"

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
            poisson3d_test_members(&problems[n], all, NULL, POISSON3D_METHOD_AUTOMATIC);
            poisson3d_test_members(&problems[n], all, NULL, POISSON3D_METHOD_TRANSPOSE);
            if (failures != 0) printf("in problem %d\n", n);
        }
        poisson3d_communicator_destroy(all);
    }
    int worst = failures;
    MPI_Allreduce(&failures, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return worst == 0 ? 0 : 1;
}
