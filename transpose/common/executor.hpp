// Who moves the data. A plan checks what was asked for, then has executors made by the host's or the CUDA files of
// its folder.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "poisson3d/in_place.hpp"
#include "poisson3d/transpose.hpp"

namespace poisson3d {

/// One planned movement: owns the threads, tables and scratch memory it needs.
struct PlannedMovement {
    PlannedMovement() = default;
    PlannedMovement(const PlannedMovement&) = delete;
    PlannedMovement& operator=(const PlannedMovement&) = delete;
    virtual ~PlannedMovement() = default;
    [[nodiscard]] virtual std::string description() const = 0;  ///< "aligned, strips of 64 columns"
};

// Pointers are aligned to the element, and out of place they do not overlap: the plan has checked that. run()
// allocates nothing. On the host it returns when all is done. With CUDA it is asynchronous on `stream` and throws
// Error{device} if a launch is refused.

struct Executor : PlannedMovement {
    virtual void run(const void* in, void* out, Stream stream) const = 0;
    [[nodiscard]] virtual Algorithm algorithm() const noexcept = 0;  ///< the one chosen, never automatic
};

struct InPlaceMovement : PlannedMovement {
    virtual void run(void* data, Stream stream) const = 0;
    [[nodiscard]] virtual std::size_t scratch_bytes() const noexcept { return 0; }
};

struct InPlaceExecutor : InPlaceMovement {
    [[nodiscard]] virtual InPlaceAlgorithm algorithm() const noexcept = 0;  ///< the one chosen, never automatic
};

/// Throws unless CUDA can be used: Error{unsupported} in a build without it, Error{device} without a device.
/// `what`: "a transpose".
void require_cuda(const std::string& what);

}  // namespace poisson3d
