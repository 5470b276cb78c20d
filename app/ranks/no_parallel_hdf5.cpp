// In a build without the parallel HDF5 rank 0 reads and writes for all.
#include "poisson3d/error.hpp"
#include "ranks/parallel_hdf5.hpp"

namespace poisson3d::app {

bool has_parallel_hdf5() noexcept {
    return false;
}
void read_collectively(MPI_Comm, const SharedPlanes&) {
    throw Error(ErrorCode::internal, "this build has no parallel HDF5");
}
void write_collectively(MPI_Comm, const SharedPlanes&) {
    throw Error(ErrorCode::internal, "this build has no parallel HDF5");
}

}  // namespace poisson3d::app
