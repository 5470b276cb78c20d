#include "interrupt.hpp"

#include <csignal>
#include <cstdlib>
#include <initializer_list>

namespace poisson3d::app {

namespace {

volatile std::sig_atomic_t received = 0;

extern "C" void remember(int signal) {
    received = signal;
}

}  // namespace

void catch_interrupts() {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction before {};
        sigaction(signal, nullptr, &before);
        if (before.sa_handler == SIG_IGN) continue;  // started with nohup: stays so
        struct sigaction action {};
        action.sa_handler = remember;
        action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);  // the second one meets the default
        sigaction(signal, &action, nullptr);
    }
    std::signal(SIGXFSZ, SIG_IGN);
}

void stop_if_interrupted() {
    if (received != 0) throw Interrupted{received};
}

void die_of(const Interrupted& interrupted) {
    std::signal(interrupted.signal, SIG_DFL);
    std::raise(interrupted.signal);
    std::_Exit(128 + interrupted.signal);
}

}  // namespace poisson3d::app
