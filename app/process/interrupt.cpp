#include "process/interrupt.hpp"

#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>

#include "poisson3d/error.hpp"
#include "poisson3d/hdf5_start.hpp"
#include "poisson3d/output_file.hpp"
#include "process/out_of_memory.hpp"

namespace poisson3d::app {

namespace {

volatile std::sig_atomic_t received = 0;
volatile std::sig_atomic_t remembers_one = 1;

// Handlers: only what may be called in the middle of anything.
extern "C" {

void remember(int signal) {
    if (received == 0 && remembers_one != 0) {
        received = signal;
        return;
    }
    remove_temporary_files();
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

void ignore(int) {}  // unlike SIG_IGN not inherited by the programs that this one starts

void crash(int) {
    remove_temporary_files();
    if (hdf5_is_starting()) _exit(end_without_memory());
    if (hdf5_is_reading())
        _exit(end_at_once(ErrorCode::file, "the HDF5 library crashed while reading the input: it is damaged"));
    _exit(end_at_once(ErrorCode::internal, "a defect of this program, please report it: it crashed"));
}
}

void take(int signal, void (*handler)(int), int flags) {
    struct sigaction before {};
    if (sigaction(signal, nullptr, &before) != 0 || before.sa_handler != SIG_DFL) return;
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = flags;
    sigaction(signal, &action, nullptr);
}

/// A stack of its own for crash(), which may come of a stack that is full.
void give_crashes_a_stack() {
    static std::array<char, 64 << 10> stack;
    stack_t alternative{};
    alternative.ss_sp = stack.data();
    alternative.ss_size = stack.size();
    sigaltstack(&alternative, nullptr);
}

}  // namespace

void catch_signals() {
    // All that end a process by default, but for those of a crash.
    for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF,
                             SIGXCPU, SIGPOLL, SIGPWR, SIGSTKFLT})
        take(signal, remember, SA_RESTART);
    for (int signal = SIGRTMIN; signal <= SIGRTMAX; ++signal) take(signal, remember, SA_RESTART);
    for (const int signal : {SIGPIPE, SIGXFSZ}) take(signal, ignore, SA_RESTART);
    give_crashes_a_stack();
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS})
        take(signal, crash, static_cast<int>(SA_ONSTACK | SA_RESETHAND));
}

void end_at_first_signal() {
    remembers_one = 0;
}

void stop_if_interrupted() {
    if (received != 0) throw Interrupted{received};
}

void die_of(const Interrupted& interrupted) {
    const char* const name = sigabbrev_np(interrupted.signal);
    write_line((std::string("ended by SIG") + (name != nullptr ? name : "RT") +
                ": temporary output was removed, other files are as before")
                   .c_str());
    std::signal(interrupted.signal, SIG_DFL);
    std::raise(interrupted.signal);
    std::_Exit(128 + interrupted.signal);
}

}  // namespace poisson3d::app
