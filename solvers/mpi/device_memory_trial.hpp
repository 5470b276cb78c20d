// Whether this MPI sends and receives memory of devices.
#pragma once

#include <mpi.h>

namespace poisson3d {

/// A call of all ranks, with the device of each. An MPI that says it can is tried: every rank sends numbers from
/// its device to the next one's. True on all ranks or on none. An MPI that does not say so is not tried, since it
/// would read the memory as if it were the host's, and the process would end.
bool reads_device_memory(MPI_Comm ranks, int device);

}  // namespace poisson3d
