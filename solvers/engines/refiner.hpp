// Who executes the sweeps of mixed precision (refinement.hpp), and holds the field in single precision.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "poisson3d/stream.hpp"
#include "refinement.hpp"

namespace poisson3d {

class Refiner {
public:
    virtual ~Refiner() = default;
    Refiner(const Refiner&) = delete;
    Refiner& operator=(const Refiner&) = delete;

    /// The dense field that residuals are left in and corrections are taken from.
    [[nodiscard]] float* field() const noexcept { return field_; }

    /// Finds mean, factor and start. The sweeps below belong to the same `r`; u, f and boundary data lie where
    /// this one works. A device works asynchronously on the stream.
    virtual void measure(const Refinement& r, Stream stream) = 0;
    /// single := s (f̃ − mean − L u) at all unknowns; `first`: u is a constant and not read.
    virtual void residual(const Refinement& r, bool first, Stream stream) = 0;
    /// The mean of `single` becomes the excess that correct() takes out. For problems without Dirichlet faces.
    virtual void centre(const Refinement& r, Stream stream) = 0;
    /// u := u + single/s; `first`: u is not read but begins here, and Dirichlet nodes get what they hold.
    virtual void correct(const Refinement& r, bool first, Stream stream) = 0;

    /// The mean of the last measure(), 0 before it. Waits for the stream.
    [[nodiscard]] virtual double mean(Stream stream) const = 0;

protected:
    Refiner() = default;
    /// Where these lie in refiner_bytes() of memory.
    void bind(std::byte* memory, const Extents& points) noexcept;

    float* field_ = nullptr;
    Partial* partials_ = nullptr;  ///< of each part of the field (refinement.hpp)
    Scalars* scalars_ = nullptr;
};

/// Bytes a refiner wants, on either side.
std::size_t refiner_bytes(const Extents& points) noexcept;

/// `memory` has refiner_bytes(), aligned as the engine wants its workspace; empty: they are allocated.
std::unique_ptr<Refiner> make_host_refiner(const Extents& points, int threads, std::span<std::byte> memory);
/// For every engine whose fields are on a device. In a build without CUDA Error{unsupported}.
std::unique_ptr<Refiner> make_device_refiner(const Extents& points, int device, std::span<std::byte> memory);

}  // namespace poisson3d
