// The start of the HDF5 library, which takes memory and does not expect to be refused.
#pragma once

namespace poisson3d {

/// Whether HDF5 is being started now. HDF5 1.10 crashes there when it gets no memory, and for no other reason: it has
/// read nothing yet. May be asked in a signal handler.
bool hdf5_is_starting() noexcept;

}  // namespace poisson3d
