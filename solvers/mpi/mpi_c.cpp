// The C interface of communicators whose members are ranks.
#include "communicator.hpp"
#include "poisson3d/mpi.hpp"
#include "poisson3d_mpi.h"

int poisson3d_communicator_mpi(MPI_Comm ranks, poisson3d_communicator** communicator) {
    return poisson3d_communicator_make([&] { return poisson3d::mpi(ranks); }, communicator);
}

int poisson3d_communicator_mpi_fortran(int ranks, poisson3d_communicator** communicator) {
    return poisson3d_communicator_make(
        [&] {
            int initialised = 0;
            MPI_Initialized(&initialised);  // handles mean nothing before
            return poisson3d::mpi(initialised == 0 ? MPI_COMM_NULL : MPI_Comm_f2c(static_cast<MPI_Fint>(ranks)));
        },
        communicator);
}
