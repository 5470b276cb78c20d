// What the HDF5 library is doing now, for signal handlers.
#pragma once

namespace poisson3d {

/// Whether HDF5 is being started now. HDF5 1.10 crashes there when it gets no memory, and for no other reason: it
/// has read nothing yet. May be asked in a signal handler.
bool hdf5_is_starting() noexcept;

/// Whether an input is read now: a crash then is due to a damaged file that the trial in a child process
/// (FieldReader) did not crash on.
bool hdf5_is_reading() noexcept;

/// Restores stderr, which is /dev/null while an input is read, for a process that must end then and say why. May be
/// called in a signal handler.
void hdf5_show_stderr() noexcept;

}  // namespace poisson3d
