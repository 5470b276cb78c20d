// What keeps the calls of a plan apart: one at a time, in the process that made it, while other threads of Python
// run.
#pragma once

#include <nanobind/nanobind.h>
#include <mutex>

#include "poisson3d/home_process.hpp"

namespace poisson3d::python {

class PlanLock {
public:
    /// Throws Error{usage} in another process.
    void require_here() const { home_.require_here("this solver"); }

    /// work() without the interpreter's lock and with that of the plan.
    template <class Work>
    auto operator()(Work&& work) {
        require_here();  // before the lock, which may have been held at a fork()
        const nanobind::gil_scoped_release released;
        const std::lock_guard lock(mutex_);
        return work();
    }

private:
    HomeProcess home_;
    std::mutex mutex_;
};

}  // namespace poisson3d::python
