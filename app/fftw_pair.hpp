// What a solve is compared with: FFTW's own 3-D real transform of the same field, forward and back, nothing else.
#pragma once

#include <memory>
#include <string>

#include "poisson3d/grid.hpp"

namespace poisson3d::app {

/// Two plans made with FFTW_MEASURE: out of place, the kinds that diagonalise the grid's axes, on the unknowns of
/// the stored field (Dirichlet nodes left out, as the solver leaves them out).
template <class T>
class FftwPair {
public:
    /// Measures on these three dense fields of the grid's extents and overwrites them. Throws Error{unsupported}
    /// in a build without FFTW, Error{internal} if FFTW refuses the problem.
    FftwPair(const Grid& grid, int threads, T* in, T* middle, T* out);
    ~FftwPair();
    FftwPair(const FftwPair&) = delete;
    FftwPair& operator=(const FftwPair&) = delete;

    /// Forward from `in` to `middle`, back to `out`, unnormalised; `in` is kept. Fields aligned as those planned.
    void run(T* in, T* middle, T* out) const;

    [[nodiscard]] double plan_seconds() const noexcept;

private:
    struct Plans;
    std::unique_ptr<Plans> plans_;
};

}  // namespace poisson3d::app
