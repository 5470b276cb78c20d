// The process in which something was made: after a fork, threads and GPU contexts are not there in the child.
#pragma once

#include "poisson3d/export.hpp"

namespace poisson3d {

/// Remembers the process that made it. Asking costs the read of a number.
class POISSON3D_API HomeProcess {
public:
    HomeProcess() noexcept;
    /// Whether this is that process, not one forked from it since.
    [[nodiscard]] bool here() const noexcept;
    /// Throws Error{usage} elsewhere: "this solver was made before a fork, …".
    void require_here(const char* what) const;

private:
    unsigned forks_;
};

}  // namespace poisson3d
