// Modes as they are found, of an axis of volumes D, to matrices:  backward_jk = v_k(j) √ΣD,  forward_kj = D_j
// backward_jk / ΣD  for Σ_j D_j v_k(j)² = 1.
#pragma once

#include <vector>

#include "chain_modes.hpp"

namespace poisson3d::lines {

class ModeMatrices {
public:
    explicit ModeMatrices(const std::vector<double>& volumes);

    /// v_k(j), where Σ D v² = 1 for D in other units, whose sum has this root.
    void put(std::size_t k, std::size_t j, double v, double root_of_total) {
        const double value = root_of_total * v;
        modes.backward[j * n_ + k] = value;
        modes.forward[k * n_ + j] = value * weights_[j];
    }
    /// Mode 0: the constant, of eigenvalue 0.
    void put_constant();
    /// Takes from modes what they hold of those before them, whose eigenvalues are close. False if one was the
    /// same.
    bool separate();

    ChainModes modes;

private:
    [[nodiscard]] double product(std::size_t k, std::size_t l) const;

    std::size_t n_;
    std::vector<double> weights_;  ///< D/ΣD
};

/// Rounded once.
double exact_sum(const std::vector<double>& numbers);

}  // namespace poisson3d::lines
