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

/* The same with fields in the memory of a GPU, `device` of each rank's process, and what members on devices have
 * (poisson3d_distributed_set_streams). They exchange by copies within a host whose devices read each other's
 * memory, else by NCCL, else by the faster one of MPI from device memory and page-locked memory;
 * info.description says how. The call returns when all is launched; a graph captures none. If one rank has no such
 * device all fail: it with DEVICE, or USAGE for a number that is none, the others with the same status. */
POISSON3D_C_API int poisson3d_communicator_mpi_device(MPI_Comm ranks, int device,
                                                      poisson3d_communicator** communicator);
POISSON3D_C_API int poisson3d_communicator_mpi_device_fortran(int ranks, int device,
                                                              poisson3d_communicator** communicator);

/* *device := a device for this rank: the ranks of a host take the devices that they see in turn; -1 where there is
 * none. A call of all ranks. */
POISSON3D_C_API int poisson3d_mpi_device_of_rank(MPI_Comm ranks, int* device);
POISSON3D_C_API int poisson3d_mpi_device_of_rank_fortran(int ranks, int* device);

#ifdef __cplusplus
}
#endif

#endif
