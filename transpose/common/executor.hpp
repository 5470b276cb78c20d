// Who moves the data: one interface, a factory per backend. The plan has been checked before a factory is called:
// validate() has passed, the element is one of 1, 2, 4, 8, 16 bytes, the block order is one of a full rectangle.
#pragma once

#include <memory>
#include <string>

#include "out_of_place/movement.hpp"
#include "poisson3d/stream.hpp"
#include "poisson3d/transpose.hpp"

namespace poisson3d {

/// One planned movement. Owns whatever it needs (threads, scratch); run() allocates nothing.
struct Executor {
    Executor() = default;
    Executor(const Executor&) = delete;
    Executor& operator=(const Executor&) = delete;
    virtual ~Executor() = default;

    /// Moves one batch. Pointers are aligned to the element and do not overlap (the caller has checked).
    /// cuda: asynchronous on `stream`, throws Error{device} if a launch is refused. host: returns when it is done.
    virtual void run(const void* in, void* out, Stream stream) const = 0;
    [[nodiscard]] virtual Algorithm algorithm() const noexcept = 0;  ///< the one chosen, never automatic
    [[nodiscard]] virtual std::string description() const = 0;       ///< "aligned, 64-column strips"
};

/// Throws Error{out_of_memory} if a thread cannot be started.
std::unique_ptr<Executor> make_host_executor(const Movement& movement, int element_bytes,
                                             const TransposeOptions& options);
/// Throws Error{unsupported} in a build without CUDA, Error{device} without a device.
std::unique_ptr<Executor> make_cuda_executor(const Movement& movement, int element_bytes,
                                             const TransposeOptions& options);

}  // namespace poisson3d
