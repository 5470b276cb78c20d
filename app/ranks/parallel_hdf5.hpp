// Collective hyperslabs of the parallel HDF5.
#pragma once

#include <mpi.h>

#include "ranks/shared_planes.hpp"

namespace poisson3d::app {

/// Whether this build has it.
bool has_parallel_hdf5() noexcept;

/// Calls of all ranks, which return when all have read, or when what all have written is in the file. Numbers are
/// converted to the type of the data set, or from it. Throw Error{file} or Error{output} naming the file and the
/// data set on each rank where a step fails; a step that fails on one is the last of all.
void read_collectively(MPI_Comm ranks, const SharedPlanes& planes);
void write_collectively(MPI_Comm ranks, const SharedPlanes& planes);

}  // namespace poisson3d::app
