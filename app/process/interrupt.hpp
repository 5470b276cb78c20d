// Signals: Ctrl-C and its like end the program between two slabs, so that temporary files are removed.
#pragma once

namespace poisson3d::app {

/// Thrown by stop_if_interrupted(). It is no Error, since nothing failed.
struct Interrupted {
    int signal;
};

/// From now on signals that people and batch systems end programs with are only remembered; a second one ends the
/// process at once. Writing to a pipe that nobody reads, or past a file size limit, becomes an error of the write,
/// as a full disk is. A crash is exit 7 and one line on stderr. What was ignored or handled before stays so.
void catch_signals();
/// From now on the first of these signals ends the process as a second one does: another rank that this one waits
/// for may be gone.
void end_at_first_signal();
void stop_if_interrupted();
/// Ends the process by the signal itself, as the shell expects it.
[[noreturn]] void die_of(const Interrupted& interrupted);

}  // namespace poisson3d::app
