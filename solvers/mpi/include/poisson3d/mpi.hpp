// Members of a DistributedSolver that are the ranks of an MPI communicator. In the library poisson3d::mpi.
#pragma once

#include <mpi.h>

#include "poisson3d/distributed.hpp"

namespace poisson3d {

/// A member for each rank of `ranks`, in their order; this process's is mine. Call it on all ranks: it duplicates
/// the communicator, so that messages of solvers meet no others, and frees the copy with the last one that uses it,
/// which is a call of all ranks again (if MPI is not finalized yet). Solvers are planned and called on all ranks in
/// the same order, each process from one thread; MPI_THREAD_FUNNELED is enough. Throws Error{usage} if MPI is not
/// initialised or `ranks` is MPI_COMM_NULL, Error{device} with MPI's words where a call fails.
POISSON3D_API Communicator mpi(MPI_Comm ranks);

}  // namespace poisson3d
