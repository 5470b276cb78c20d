// What the HDF5 library is at, for handlers of signals.
#pragma once

namespace poisson3d {

/// Whether HDF5 is being started now. HDF5 1.10 crashes there when it gets no memory, and for no other reason: it
/// has read nothing yet. May be asked in a signal handler.
bool hdf5_is_starting() noexcept;

/// Whether an input is read now. What a damaged file does to HDF5's memory need not show in the trial that comes
/// first (FieldReader), but then it does here.
bool hdf5_is_reading() noexcept;

/// stderr goes to nowhere while an input is read: back, for who has to end the process there. May be called in a
/// signal handler.
void hdf5_show_stderr() noexcept;

}  // namespace poisson3d
