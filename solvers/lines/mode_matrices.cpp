#include "mode_matrices.hpp"

#include <cmath>

#include "double_double.hpp"

namespace poisson3d::lines {

namespace {

constexpr double close_distance = 0x1p-24;  ///< relative: modes of nearer eigenvalues may hold parts of each other
constexpr double negligible = 0x1p-51;      ///< such a part is rounding

}  // namespace

double exact_sum(const std::vector<double>& numbers) {
    DoubleDouble sum = 0.0;
    for (const double each : numbers) sum = sum + each;
    return static_cast<double>(sum);
}

ModeMatrices::ModeMatrices(const std::vector<double>& volumes)
    : modes{std::vector<double>(volumes.size()), std::vector<double>(volumes.size() * volumes.size()),
            std::vector<double>(volumes.size() * volumes.size())},
      n_(volumes.size()),
      weights_(volumes) {
    const double total = exact_sum(volumes);
    for (double& each : weights_) each /= total;
}

void ModeMatrices::put_constant() {
    modes.eigenvalues[0] = 0.0;
    for (std::size_t j = 0; j < n_; ++j) {
        modes.forward[j] = weights_[j];
        modes.backward[j * n_] = 1.0;
    }
}

bool ModeMatrices::separate() {
    const std::vector<double>& mu = modes.eigenvalues;
    std::size_t first = 0;
    for (std::size_t k = 1; k < n_; ++k) {
        if (mu[k] - mu[k - 1] > close_distance * mu[k]) first = k;
        double left = 1.0;
        for (std::size_t l = first; l < k; ++l) {
            const double part = product(l, k);
            if (std::abs(part) < negligible) continue;
            left -= part * part;
            for (std::size_t j = 0; j < n_; ++j) {
                modes.forward[k * n_ + j] -= part * modes.forward[l * n_ + j];
                modes.backward[j * n_ + k] -= part * modes.backward[j * n_ + l];
            }
        }
        if (!(left > 0.5)) return false;
        if (left == 1.0) continue;
        const double scale = 1.0 / std::sqrt(product(k, k));
        for (std::size_t j = 0; j < n_; ++j) {
            modes.forward[k * n_ + j] *= scale;
            modes.backward[j * n_ + k] *= scale;
        }
    }
    return true;
}

double ModeMatrices::product(std::size_t k, std::size_t l) const {
    double sum = 0.0;
    for (std::size_t j = 0; j < n_; ++j) sum += modes.forward[k * n_ + j] * modes.forward[l * n_ + j] / weights_[j];
    return sum;
}

}  // namespace poisson3d::lines
