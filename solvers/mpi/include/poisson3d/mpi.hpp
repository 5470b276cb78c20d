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

/// The same with fields in the memory of a GPU, `device` of each rank's process; ranks may share one. Solvers have
/// what members on devices() have (distributed.hpp), and the limits of these. Ways between ranks are
/// copies (of one host, if a trial proves it), nccl, mpi (if MPI says that it reads device memory and a trial
/// proves it) and staged: the first of them that all ranks have, but of the last two the faster one; a solver's
/// description() says which. With the last two each
/// exchange makes the calling thread wait for the passes before it and for the messages; solve() launches the last
/// passes when it returns, which result() waits for. It cannot be captured in a graph. Memory beside the plan's: by
/// staged and mpi what is sent and what is received in a solve, page-locked or on the device, by `transpose` four
/// times the rank's part of the field; by nccl what of it has gaps, and NCCL's own buffers; by copies none.
///
/// If one rank has no such device, all throw: it Error{device} without a GPU or a build with CUDA, Error{usage} for
/// a number that is none; the others RefusedElsewhere.
POISSON3D_API Communicator mpi(MPI_Comm ranks, int device);

/// A device for this rank: the ranks of a host take the devices that they see in turn. −1 where there is none. A
/// call of all ranks. Throws as mpi() does.
POISSON3D_API int device_of_rank(MPI_Comm ranks);

}  // namespace poisson3d
