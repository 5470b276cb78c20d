// Ctrl-C and its like end the program between two slabs, so that temporary files are removed.
#pragma once

namespace poisson3d::app {

/// Thrown by stop_if_interrupted(); not an error of anybody.
struct Interrupted {
    int signal;
};

/// From now on SIGINT, SIGTERM and SIGHUP are only remembered; a second one ends the process at once. Writing
/// past a file size limit becomes an error of the write, as a full disk is, instead of a signal.
void catch_interrupts();
void stop_if_interrupted();
/// Ends the process by the signal itself, as the shell expects it.
[[noreturn]] void die_of(const Interrupted& interrupted);

}  // namespace poisson3d::app
