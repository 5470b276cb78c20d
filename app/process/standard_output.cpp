#include "process/standard_output.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "poisson3d/error.hpp"

namespace poisson3d::app {

namespace {

[[noreturn]] void fail(int number) {
    const std::string cause = number != 0 ? std::string(": ") + std::strerror(number) : std::string();
    throw Error(ErrorCode::output, "cannot write to standard output" + cause);
}

}  // namespace

void print(const std::string& text) {
    errno = 0;
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) fail(errno);
    flush_standard_output();
}

void flush_standard_output() {
    errno = 0;
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) fail(errno);
}

void close_standard_output() {
    flush_standard_output();
    // The number stays taken, so that no file gets it.
    const int copy = dup(STDOUT_FILENO);
    if (copy >= 0 && close(copy) != 0 && errno != EINTR) fail(errno);
}

}  // namespace poisson3d::app
