#include "poisson3d/home_process.hpp"

#include <pthread.h>

#include <atomic>
#include <string>

#include "poisson3d/error.hpp"

namespace poisson3d {

namespace {

/// Forks between the process that loaded the library and this one.
std::atomic<unsigned> forks{0};

/// Counted from the first call on; earlier forks do not matter, since no object existed yet.
unsigned forks_so_far() noexcept {
    [[maybe_unused]] static const int counting =
        pthread_atfork(nullptr, nullptr, [] { forks.fetch_add(1, std::memory_order_relaxed); });
    return forks.load(std::memory_order_relaxed);
}

}  // namespace

HomeProcess::HomeProcess() noexcept : forks_(forks_so_far()) {}

bool HomeProcess::here() const noexcept {
    return forks_ == forks.load(std::memory_order_relaxed);
}

void HomeProcess::require_here(const char* what) const {
    if (!here())
        throw Error(ErrorCode::usage,
                    std::string(what) +
                        " was made before a fork, in another process: its threads and its GPU are "
                        "not there in this one; make a new one here");
}

}  // namespace poisson3d
