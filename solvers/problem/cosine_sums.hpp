// Cosine sums of a window in long double, of any length:
//
//     X_k = x_0 + 2 Σ_{j=1}^{M−1} x_j cos(πjk/M) + (−1)^k x_M,   k = 0 … M          (DCT-I)
//
// Real even lines of 2M values: two of them are one complex DFT, whose real and imaginary parts are their sums.
#pragma once

#include <memory>
#include <span>

#include "poisson3d/grid.hpp"

namespace poisson3d {

class CosineSums {
public:
    explicit CosineSums(Index window);
    ~CosineSums();
    CosineSums(CosineSums&&) noexcept;
    CosineSums& operator=(CosineSums&&) noexcept;

    /// Replaces two lines of window + 1 values by their sums.
    void operator()(std::span<long double> first, std::span<long double> second);

private:
    struct Plan;
    std::unique_ptr<Plan> plan_;
};

}  // namespace poisson3d
