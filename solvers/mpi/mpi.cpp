#include "poisson3d/mpi.hpp"

#include "device_ranks.hpp"
#include "mpi_calls.hpp"
#include "mpi_transport.hpp"
#include "poisson3d/device.hpp"
#include "poisson3d/error.hpp"

namespace poisson3d {

namespace {

void require_ranks(MPI_Comm ranks) {
    if (!alive())
        throw Error(ErrorCode::usage, "MPI is not initialised, or finalised already: wanted a call between");
    if (ranks == MPI_COMM_NULL) throw Error(ErrorCode::usage, "found MPI_COMM_NULL, wanted a communicator");
}

}  // namespace

Communicator mpi(MPI_Comm ranks) {
    require_ranks(ranks);
    return Communicator(std::make_shared<MpiTransport>(ranks));
}

Communicator mpi(MPI_Comm ranks, int device) {
    require_ranks(ranks);
    return Communicator(std::make_shared<DeviceRanks>(ranks, device));
}

int device_of_rank(MPI_Comm ranks) {
    require_ranks(ranks);
    const int rank = RanksOfHost(ranks).rank(), count = count_devices();
    return count > 0 ? rank % count : -1;
}

}  // namespace poisson3d
