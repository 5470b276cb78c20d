/* poisson3d for C with MPI: communicators whose members are ranks, in the library poisson3d_mpi. */
#ifndef POISSON3D_MPI_H
#define POISSON3D_MPI_H

#include <mpi.h>

#include "poisson3d.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A member for each rank of `ranks`, in their order; this process's is mine. A call of all ranks, which duplicates
 * the communicator; the copy is freed with the last object that uses it, a call of all ranks again unless MPI is
 * finalized by then. USAGE if MPI is not initialised or `ranks` is MPI_COMM_NULL, DEVICE with MPI's words where a
 * call fails. */
POISSON3D_C_API int poisson3d_communicator_mpi(MPI_Comm ranks, poisson3d_communicator** communicator);

/* The same by the handle of Fortran: an integer, or what `mpi_f08` keeps in MPI_VAL. */
POISSON3D_C_API int poisson3d_communicator_mpi_fortran(int ranks, poisson3d_communicator** communicator);

#ifdef __cplusplus
}
#endif

#endif
