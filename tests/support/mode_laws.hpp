// What modes of an axis are (chain_modes.hpp): orthonormal, solutions of their equation, and eigenvalues right to
// their last digits. Sums in long double.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "chain_modes.hpp"
#include "matrix.hpp"
#include "tolerance.hpp"

namespace poisson3d::test {

using lines::ChainModes;

/// The largest element of forward · backward − 1.
inline double loss_of_orthogonality(const ChainModes& modes) {
    const std::size_t n = modes.eigenvalues.size();
    double loss = 0.0;
    for (std::size_t k = 0; k < n; ++k)
        for (std::size_t l = 0; l < n; ++l) {
            Real sum = k == l ? -1 : 0;
            for (std::size_t j = 0; j < n; ++j) sum += Real(modes.forward[k * n + j]) * modes.backward[j * n + l];
            loss = std::max(loss, static_cast<double>(std::abs(sum)));
        }
    return loss;
}

struct Equation {
    double residual = 0.0;  ///< the largest |D^−½ (K − μD) v| over |D^½ v| and the largest μ
    double quotient =
        0.0;  ///< the largest difference of μ and Σ g (Δv)²/Σ D v², over μ + eps μ_max, since v is rounded
};

inline Equation equation(const Chain& chain, const ChainModes& modes) {
    const std::size_t n = chain.volumes.size();
    Equation worst;
    for (std::size_t k = 0; k < n; ++k) {
        const auto v = [&](std::size_t j) { return Real(modes.backward[j * n + k]); };
        Real energy = chain.ground[0] * v(0) * v(0) + chain.ground[1] * v(n - 1) * v(n - 1);
        Real norm = 0, square = 0;
        for (std::size_t j = 0; j < n; ++j) {
            Real current = -Real(modes.eigenvalues[k]) * chain.volumes[j] * v(j);
            if (j == 0) current += chain.ground[0] * v(j);
            if (j + 1 == n) current += chain.ground[1] * v(j);
            const std::size_t before = j > 0 ? j - 1 : n - 1, after = (j + 1) % n;  // links of a chain's ends are 0
            current += chain.links[j] * (v(j) - v(before)) + chain.links[j + 1] * (v(j) - v(after));
            energy += chain.links[j] * (v(j) - v(before)) * (v(j) - v(before));
            square += current * current / chain.volumes[j];
            norm += chain.volumes[j] * v(j) * v(j);
        }
        const Real largest = modes.eigenvalues[n - 1];
        if (largest > 0)
            worst.residual = std::max(worst.residual, static_cast<double>(std::sqrt(square / norm) / largest));
        const Real difference = std::abs(energy / norm - modes.eigenvalues[k]);
        if (difference > 0)
            worst.quotient = std::max(
                worst.quotient,
                static_cast<double>(difference / (modes.eigenvalues[k] + tolerance::eps<double> * largest)));
    }
    return worst;
}

inline void check_modes(const Chain& chain, const ChainModes& modes, const std::string& what) {
    constexpr double eps = tolerance::eps<double>;
    EXPECT_TRUE(std::ranges::is_sorted(modes.eigenvalues)) << what;
    EXPECT_LE(loss_of_orthogonality(modes), 8 * eps) << what;
    const Equation found = equation(chain, modes);
    EXPECT_LE(found.residual, 2 * eps) << what;
    EXPECT_LE(found.quotient, 4 * eps) << what;
}

}  // namespace poisson3d::test
