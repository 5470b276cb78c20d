// The C interface of communicators whose members are ranks.
#include "communicator.hpp"
#include "poisson3d/mpi.hpp"
#include "poisson3d_mpi.h"

namespace {

/// Of a handle of Fortran, which means nothing before MPI is initialised.
MPI_Comm from_fortran(int ranks) {
    int initialised = 0;
    MPI_Initialized(&initialised);
    return initialised == 0 ? MPI_COMM_NULL : MPI_Comm_f2c(static_cast<MPI_Fint>(ranks));
}

}  // namespace

int poisson3d_communicator_mpi(MPI_Comm ranks, poisson3d_communicator** communicator) {
    return poisson3d_communicator_make([&] { return poisson3d::mpi(ranks); }, communicator);
}

int poisson3d_communicator_mpi_fortran(int ranks, poisson3d_communicator** communicator) {
    return poisson3d_communicator_mpi(from_fortran(ranks), communicator);
}

int poisson3d_communicator_mpi_device(MPI_Comm ranks, int device, poisson3d_communicator** communicator) {
    return poisson3d_communicator_make([&] { return poisson3d::mpi(ranks, device); }, communicator);
}

int poisson3d_communicator_mpi_device_fortran(int ranks, int device, poisson3d_communicator** communicator) {
    return poisson3d_communicator_mpi_device(from_fortran(ranks), device, communicator);
}

int poisson3d_mpi_device_of_rank(MPI_Comm ranks, int* device) {
    return poisson3d_guarded([&] {
        const int found = poisson3d::device_of_rank(ranks);
        poisson3d::c::require_pointer(device, "device");
        *device = found;
    });
}

int poisson3d_mpi_device_of_rank_fortran(int ranks, int* device) {
    return poisson3d_mpi_device_of_rank(from_fortran(ranks), device);
}
